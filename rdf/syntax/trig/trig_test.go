package trig_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/trig"
)

const prefixes = "@prefix e: <u:> .\n"

// read prints the statements of a document, and returns the texts of its errors.
func read(in io.Reader, opts syntax.Options) (string, []string) {
	return rdftest.Printing(trig.Read, nquads.AppendQuad)(in, opts)
}

func TestGraphs(t *testing.T) {
	const statement = "<u:s> <u:p> <u:o> "
	for _, tc := range []struct{ name, in, want string }{
		{"none", "e:s e:p e:o .", statement + ".\n"},
		{"no name", "{ e:s e:p e:o }", statement + ".\n"},
		{"a name", "e:g{e:s e:p e:o}", statement + "<u:g> .\n"},
		{"a word before it", "graph<u:g>{e:s e:p e:o.}", statement + "<u:g> .\n"},
		{"a name like the word", "@prefix graph: <u:> . graph:g { e:s e:p e:o . }", statement + "<u:g> .\n"},
		{"a subject that starts like the word", "@prefix graph.x: <u:> . graph.x:s e:p e:o .", statement + ".\n"},
		{"a blank node", "_:g { e:s e:p e:o }", statement + "_:g .\n"},
		{"a node without label", "[] { e:s e:p e:o } GRAPH [ ] { e:s e:p e:o }", statement + "_:genid1 .\n" + statement + "_:genid2 .\n"},
		{"nothing in it", "e:g {} e:s e:p e:o .", statement + ".\n"},
		{"a semicolon before the brace", "e:g { e:s e:p e:o ; } e:s e:p e:o .", statement + "<u:g> .\n" + statement + ".\n"},
		{"a node that says all", "e:g { [ e:p e:o ] }", "_:genid1 <u:p> <u:o> <u:g> .\n"},
		{"a label in two graphs", "e:g { _:b e:p e:o } _:b e:p e:o .", "_:b <u:p> <u:o> <u:g> .\n_:b <u:p> <u:o> .\n"},
		{"a version", "VERSION '1.2' @version \"1.2\" . e:s e:p e:o .", statement + ".\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if out, errs := read(strings.NewReader(prefixes+tc.in), syntax.Options{}); out != tc.want || errs != nil {
				t.Errorf("%s%q, want %s", out, errs, tc.want)
			}
		})
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a graph that does not end", "e:g { e:s e:p e:o .", `d:2:20: "}" is missing at the end of the input`},
		{"a graph that does not start", "e:s e:p e:o . }", `d:2:15: a subject is missing, found "}"`},
		{"a graph in a graph", "e:g { e:h { e:s e:p e:o } }", `d:2:11: "}" is missing, found "{"`},
		{"a prefix in a graph", "e:g { @prefix f: <u:> . }", `d:2:7: a subject is missing, found "@prefix"`},
		{"a list as name", "(e:a) { e:s e:p e:o }", `d:2:7: a predicate is missing, found "{"`},
		{"a node that says something as name", "[ e:p e:o ] { e:s e:p e:o }", `d:2:13: a predicate is missing, found "{"`},
		{"a literal as name", `GRAPH "g" { }`, `d:2:7: a graph's name is missing, found "\"g\""`},
		{"a word without a graph", "GRAPH e:s e:p e:o .", `d:2:11: "{" is missing, found "e:p"`},
		{"a full stop behind the brace", "e:g { } .", `d:2:9: a subject is missing, found "."`},
		{"a version in long quotes", `VERSION """1.2"""`, `d:2:9: a version in quotes is missing, found "\"\"\"1.2\"\"\""`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, errs := read(strings.NewReader(prefixes+tc.in), syntax.Options{Name: "d"})
			if len(errs) != 1 || errs[0] != tc.want {
				t.Errorf("got %q, want %q", errs, tc.want)
			}
		})
	}
}

// In lenient mode a mistake costs its own statement, and none is taken for another graph's.
func TestLenient(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a statement in a graph", `{ e:s f:p "} . " . e:s e:p 1 }`, "1 g"},
		{"the last of a graph", "{ e:s e:p 1 . e:s e:p }", "1 g"},
		{"a brace too many", "{ e:s e:p 1 } }", "1 g"},
		{"a name that is none", `{ e:s e:p 1 } GRAPH "h" { e:s e:p 2 . e:s e:p 3 }`, "1 g"},
		{"a graph within a statement", "{ e:s e:p 1 . e:s e:says { e:s e:p 2 . } . e:s e:p 3 }", "1 g,3 g"},
		{"a graph that does not end", "{ e:s e:p 1 . e:h { e:s e:p 2 . }", "1 g,2 h"},
		{"several that do not end", "{ e:s e:p 1 . GRAPH e:h { e:s e:p 2 . { e:s e:p 3 }", "1 g,2 h,3 -"},
		{"a statement with an annotation", "{ e:s f:p 2 {| e:p 3 . |} . e:s e:p 1 }", "1 g"},
		{"an annotation outside", "{ e:s e:p 1 } e:s f:p 2 {| e:p 3 |} .", "1 g"},
		{"a formula of Notation3", "{ e:s e:p 1 } e:s e:says { e:s e:p 2 . e:s e:p 3 } .", "1 g"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := prefixes + "e:g " + tc.in + "\ne:g { e:s e:p 8 }\ne:s e:p 9 ."
			if _, errs := read(strings.NewReader(in), syntax.Options{}); len(errs) != 1 || !strings.HasPrefix(errs[0], "input:2:") {
				t.Errorf("strict: %q", errs)
			}
			out, errs := read(strings.NewReader(in), syntax.Options{Lenient: true})
			out = strings.NewReplacer("<u:s> <u:p> \"", "", "\"^^<http://www.w3.org/2001/XMLSchema#integer>", "", " <u:g> .\n", " g,", " <u:h> .\n", " h,", " .\n", " -,").Replace(out)
			if out != tc.want+",8 g,9 -," || len(errs) == 0 {
				t.Errorf("%s, want %s,8 g,9 -, with %q", out, tc.want, errs)
			}
		})
	}
}

// Hostile input costs an error, not the process.
func TestLimits(t *testing.T) {
	const many = 100_000
	for _, in := range []string{
		strings.Repeat("{", many), strings.Repeat("e:g {", many), strings.Repeat("}", many), strings.Repeat("{ } ", many) + "x",
		"e:g { e:s e:p " + strings.Repeat("[ e:p ", many), strings.Repeat("GRAPH ", many), "{ e:s e:p \"\"\"" + strings.Repeat("{", many),
	} {
		for _, lenient := range []bool{false, true} {
			opts := syntax.Options{MaxToken: many / 2, Lenient: lenient}
			if out, errs := read(strings.NewReader(prefixes+in), opts); len(errs) == 0 || out != "" {
				t.Errorf("%.20s, lenient %v: %d bytes of quads and %d errors", in, lenient, len(out), len(errs))
			}
		}
	}
}

func TestReadingFails(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		in := io.MultiReader(strings.NewReader(prefixes+"e:g { e:s e:p 1 . e:s e:p \"cut\""), iotest.ErrReader(io.ErrUnexpectedEOF))
		quads, err := rdftest.All(trig.Read(in, syntax.Options{Lenient: lenient}))
		if len(quads) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("lenient %v: %d quads, %v", lenient, len(quads), err)
		}
	}
}

func TestStop(t *testing.T) {
	n := 0
	for range trig.Read(strings.NewReader(prefixes+"e:g { e:s e:p 1, (2 3), [ e:p 4 ] }"), syntax.Options{}) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d quads, want 3", n)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(prefixes + "GRAPH e:g { e:s a e:C ; e:p 1.5, \"x\"@en, '''y''', [ e:q (1 true) ] } _:g{[]e:p[]} # c"))
	f.Add([]byte(prefixes + `e:g { << e:s e:p 1 ~ e:r >> e:q <<( e:s e:p "x"@ar--ltr )>> {| e:p 2 |} ~ _:b } << e:s e:p 3 >> . { e:s e:p 4 {| } |}`))
	f.Add([]byte("VERSION '1' BASE <http://b.org/> { <#x> <?y> _:z.a } } . \"bad\\q"))
	f.Add([]byte(`{ <a> <b> """\" . ' < } { {`))
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := syntax.Options{Base: "http://b.org/a/b", MaxToken: 2000, MaxDepth: 10}
		for _, opts.Lenient = range []bool{false, true} {
			whole, errs := read(bytes.NewReader(data), opts)
			for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
				if got, gotErrs := read(in, opts); got != whole || !slices.Equal(gotErrs, errs) {
					t.Fatalf("in pieces:\n%s%q\nwhole:\n%s%q", got, gotErrs, whole, errs)
				}
			}
			quads, err := rdftest.All(nquads.Read(strings.NewReader(whole), syntax.Options{}))
			if err != nil {
				t.Fatalf("what was read reads not: %v\n%s", err, whole)
			}
			out := written(t, quads, 0, syntax.WriteOptions{})
			again, err := rdftest.All(trig.Read(strings.NewReader(out), syntax.Options{}))
			if err != nil || len(quads) < 30 && !rdftest.IsomorphicQuads(quads, again) {
				t.Fatalf("%v\n%s is written\n%s", err, whole, out)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var in bytes.Buffer
	in.WriteString("@prefix e: <http://e.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for i := range 20000 {
		if i%10 == 0 {
			fmt.Fprintf(&in, "e:graph%d {\n", i)
		}
		fmt.Fprintf(&in, "e:thing%d a e:Class%d ;\n  rdfs:label \"thing number %d\"@en ;\n  e:size %d ;\n  e:knows e:thing%d , <http://other.org/%d> .\n\n", i, i%50, i, i*7, i/2, i)
		if i%10 == 9 {
			in.WriteString("}\n")
		}
	}
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range trig.Read(bytes.NewReader(in.Bytes()), syntax.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
