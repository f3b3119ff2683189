package turtle_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/internal/realdata"

	"orbweaver/internal/tier"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = "@prefix e: <http://e.org/> .\n"

// read prints the statements of a document, and returns the texts of its errors.
func read(in io.Reader, opts syntax.Options) (string, []string) {
	return rdftest.Printing(turtle.Read, ntriples.AppendTriple)(in, opts)
}

func TestStatements(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a number before the full stop", "e:s e:p 1.", `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`},
		{"a decimal", "e:s e:p -.5 .", `"-.5"^^<http://www.w3.org/2001/XMLSchema#decimal>`},
		{"a double", "e:s e:p 1.e5 .", `"1.e5"^^<http://www.w3.org/2001/XMLSchema#double>`},
		{"a name with full stops in it", "e:s e:p e:a.b..c.", `<http://e.org/a.b..c>`},
		{"an escaped name", `e:s e:p e:a\,b%20.`, `<http://e.org/a,b%20>`},
		{"true is no prefix here", "e:s e:p true.", `"true"^^<http://www.w3.org/2001/XMLSchema#boolean>`},
		{"a label", "e:s e:p _:a.b .", `_:a.b`},
		{"a label like a made-up one", "e:s e:p _:genid1 .", `_:xgenid1`},
		{"a node without label", "e:s e:p [] .", `_:genid1`},
		{"quotes in a long string", `e:s e:p """a"b""c\"""" .`, `"a\"b\"\"c\""`},
		{"space before a datatype", `e:s e:p "1" ^^ e:t .`, `"1"^^<http://e.org/t>`},
		{"a language", `e:s e:p "a"@de-AT .`, `"a"@de-AT`},
		{"a relative IRI", `e:s e:p <../b> .`, `<http://base.org/b>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, errs := read(strings.NewReader(prefixes+tc.in), syntax.Options{Base: "http://base.org/a/c"})
			want := "<http://e.org/s> <http://e.org/p> " + tc.want + " .\n"
			if got != want || errs != nil {
				t.Errorf("got %s%v, want %s", got, errs, want)
			}
		})
	}
}

// A changed prefix or base also affects names cached before.
func TestRedeclaration(t *testing.T) {
	got, errs := read(strings.NewReader(`
		@prefix e: <http://e.org/> . @base <http://b.org/> . e:s e:p <x> .
		PREFIX e: <http://f.org/> BASE <http://c.org/> e:s e:p <x> .`), syntax.Options{})
	want := "<http://e.org/s> <http://e.org/p> <http://b.org/x> .\n<http://f.org/s> <http://f.org/p> <http://c.org/x> .\n"
	if got != want || errs != nil {
		t.Errorf("got %s%v, want %s", got, errs, want)
	}
}

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a prefix that is not declared", "e:s e:p\n  \u00e9f:o .", `d.ttl:3:3: prefix éf: is not declared`},
		{"after characters of several bytes", "e:s e:p \"é\" x .", `d.ttl:2:13: "." is missing, found "x"`},
		{"a string that does not end", "e:s e:p \"abc .\n\n", `d.ttl:2:9: a string does not end`},
		{"a string over two lines", "e:s e:p \"abc\n\" .", `d.ttl:2:13: a string does not end on its line`},
		{"an escape", `e:s e:p "ab\q" .`, `d.ttl:2:12: no escape of a string: "\\q"`},
		{"a missing object", "e:s e:p .", `d.ttl:2:9: an object is missing, found "."`},
		{"the end", "e:s e:p", `d.ttl:2:8: an object is missing at the end of the input`},
		{"a direction that is none", `e:s e:p "a"@en--up .`, `d.ttl:2:15: a direction is "ltr" or "rtl": "en--up"`},
		{"a language that lacks", `e:s e:p "a"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString> .`, `d.ttl:2:69: literals of this datatype have a language tag instead`},
		{"a triple term as a subject", "<<( e:s e:p 1 )>> e:p 1 .", `d.ttl:2:3: the subject of a reified triple is missing, found "("`},
		{"a triple term that does not end", "e:s e:p <<( e:s e:p 1 >> .", `d.ttl:2:23: ")>>" is missing, found ">>"`},
		{"a list within a triple term", "e:s e:p <<( e:s e:p (1) )>> .", `d.ttl:2:21: a term within a triple term is missing, found "(1)"`},
		{"an annotation of nothing", "e:s e:p 1 {| |} .", `d.ttl:2:14: a predicate is missing, found "|}"`},
		{"a relative IRI without base", "e:s e:p <x> .", `d.ttl:2:9: relative IRI without a base: <x>`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, errs := read(strings.NewReader(prefixes+tc.in), syntax.Options{Name: "d.ttl"})
			if len(errs) != 1 || errs[0] != tc.want {
				t.Errorf("got %q, want %q", errs, tc.want)
			}
		})
	}
}

// In lenient mode each mistake drops only its own statement.
func TestLenient(t *testing.T) {
	for _, tc := range []struct{ name, bad string }{
		{"an undeclared prefix", `f:x e:p "a. b" , <http://x.y/z.> .`},
		{"a missing object", `e:x e:p .`},
		{"a space in an IRI", `<http://a b> e:p 1 .`},
		{"a quote too many", `e:x e:p "a"b" .`},
		{"an escape", `e:x e:p "\q. " .`},
		{"a full stop in a long string", `e:x f:p """ a . b """ .`},
		{"a formula of Notation3", `{ e:x e:p 1 } => 2 .`},
		{"a bracket too many", `e:x e:p ] .`},
		{"an annotation", `e:x e:p f:o {| e:q " . " |} .`},
		{"a reified triple", `<< e:x e:p f:o ~ e:r >> e:q <http://x.y/z.> .`},
		{"deep triple terms", "e:x e:p " + strings.Repeat("<<( e:x e:p ", 65) + "1" + strings.Repeat(" )>>", 65) + " ."},
		{"bytes that are not UTF-8", "e:x e:p \"\xff\" ."},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := prefixes + "e:s e:p 1 .\n" + tc.bad + "\ne:s e:p 2 .\n"
			if _, errs := read(strings.NewReader(in), syntax.Options{}); len(errs) != 1 || !strings.HasPrefix(errs[0], "input:3:") {
				t.Errorf("strict: %q, want one error in line 3", errs)
			}
			got, errs := read(strings.NewReader(in), syntax.Options{Lenient: true})
			if len(errs) != 1 || !strings.Contains(got, `"1"`) || !strings.Contains(got, `"2"`) {
				t.Errorf("got %q with %q, want both good statements", got, errs)
			}
		})
	}
}

// Hostile input causes an error, not a crash.
func TestLimits(t *testing.T) {
	const many = 100_000
	for _, tc := range []struct{ name, in string }{
		{"brackets", "e:s e:p " + strings.Repeat("[ e:p ", many)},
		{"parentheses", "e:s e:p " + strings.Repeat("( ", many)},
		{"a long string", `e:s e:p """` + strings.Repeat("a", many)},
		{"a long IRI", "e:s e:p <" + strings.Repeat("a", many)},
		{"a long name", "e:s e:p e:" + strings.Repeat("a", 4*many)},
		{"a long label", "e:s e:p _:" + strings.Repeat("a", 4*many)},
		{"quotes that do not end", strings.Repeat(`"""\`, many)},
		{"triple terms", "e:s e:p " + strings.Repeat("<<( e:s e:p ", many)},
		{"reified triples", strings.Repeat("<< ", many)},
		{"brackets of IRIs", strings.Repeat("<", many)},
		{"full stops", strings.Repeat(".", many)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, lenient := range []bool{false, true} {
				opts := syntax.Options{MaxToken: many / 2, Lenient: lenient}
				if out, errs := read(strings.NewReader(prefixes+tc.in), opts); len(errs) == 0 || out != "" {
					t.Errorf("lenient %v: %d bytes of triples and %d errors", lenient, len(out), len(errs))
				}
			}
		})
	}
}

// Annotations are read however deep they are within others, and many of one triple share one term.
func TestAnnotations(t *testing.T) {
	in := prefixes + "e:s e:p " + strings.Repeat("1 {| e:p ", 100) + "1" + strings.Repeat(" |}", 100) + " .\n"
	if got, errs := read(strings.NewReader(in), syntax.Options{}); errs != nil || strings.Count(got, "\n") != 201 {
		t.Errorf("%d triples, %q", strings.Count(got, "\n"), errs)
	}
	long := prefixes + `e:s e:p """` + strings.Repeat("a", 1<<20) + `"""` + strings.Repeat(" ~", 1000) + " .\n"
	cost := testing.AllocsPerRun(1, func() {
		n := 0
		for triple, err := range turtle.Read(strings.NewReader(long), syntax.Options{}) {
			if n++; err != nil || n > 1 && triple.O.Kind != rdf.TripleTerm {
				t.Fatal(triple.P, err)
			}
		}
		if n != 1001 {
			t.Errorf("%d triples", n)
		}
	})
	if cost > 3000 {
		t.Errorf("%g allocations for 1001 triples", cost)
	}
}

func TestReadingFails(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		in := io.MultiReader(strings.NewReader(prefixes+"e:s e:p 1 . e:s e:p \"cut\""), iotest.ErrReader(io.ErrUnexpectedEOF))
		triples, err := rdftest.All(turtle.Read(in, syntax.Options{Lenient: lenient}))
		if len(triples) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("lenient %v: %d triples, %v", lenient, len(triples), err)
		}
	}
}

func TestStop(t *testing.T) {
	n := 0
	for range turtle.Read(strings.NewReader(prefixes+"e:s e:p 1, (2 3), [ e:p 4 ] ."), syntax.Options{}) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d triples, want 3", n)
	}
}

// All ontologies of the test data are read without an error.
func TestOntologies(t *testing.T) {
	for name, want := range map[string]int{
		"akt-2003.n3": 0, "event-2007.n3": 0, "foaf-2014.n3": 0, "frbr-2009.n3": 0, "mo-2013.n3.gz": 0, "schema-2014-02.n3.gz": 0,
	} {
		n := len(rdftest.Collect(t, turtle.Read(ontology(t, name), syntax.Options{Name: name, Base: "http://e.org/"})))
		if n <= want {
			t.Errorf("%s: %d triples", name, n)
		}
		t.Logf("%s: %d triples", name, n)
	}
}

// ontology opens a file of the test data.
func ontology(t testing.TB, name string) io.Reader {
	data, err := os.ReadFile(realdata.File(t, "ontologies/"+name))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasSuffix(name, ".gz") {
		return bytes.NewReader(data)
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// Of 1 268 vocabularies of the Web exactly the malformed ones are rejected.
func TestVocabularies(t *testing.T) {
	tier.Long(t, "reads 98 MB")
	var bad []string
	files := rdftest.Archive(t, "vocabularies-2018.tar.gz", "")
	for _, f := range files {
		for _, err := range turtle.Read(bytes.NewReader(f.Data), syntax.Options{Name: f.Name, Base: "http://e.org/"}) {
			if err != nil {
				bad = append(bad, err.Error())
			}
		}
	}
	slices.Sort(bad)
	if len(files) != 1268 || len(bad) != 6 {
		t.Errorf("%d of %d are malformed, want 6 of 1268:\n%s", len(bad), len(files), strings.Join(bad, "\n"))
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(prefixes + "e:s a e:C ; e:p 1.5, \"x\"@en, '''y''', [ e:q (1 true) ] . # c"))
	f.Add([]byte("BASE <http://b.org/> <#x> <?y> _:z.a . \"bad\\q"))
	f.Add([]byte(`{ <a> <b> """\" . ' <`))
	f.Add([]byte(prefixes + `<< e:s e:p << e:s e:p "x"@ar--rtl ~ e:r >> >> e:q <<( [] a <<( _:b e:p 1 )>> )>> ~ ~ _:b {| e:p 1, 2 ~ {| a e:C |} |} .`))
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := syntax.Options{Base: "http://b.org/a/b", MaxToken: 2000, MaxDepth: 10}
		for _, opts.Lenient = range []bool{false, true} {
			whole, errs := read(bytes.NewReader(data), opts)
			for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
				if got, gotErrs := read(in, opts); got != whole || !slices.Equal(gotErrs, errs) {
					t.Fatalf("in pieces:\n%s%q\nwhole:\n%s%q", got, gotErrs, whole, errs)
				}
			}
			for i, syntax := range []rdftest.Reader{ntriples.Read, turtle.Read} {
				again, err := rdftest.All(syntax(strings.NewReader(whole), opts))
				if err != nil {
					t.Fatalf("what was read reads not, by %d: %v\n%s", i, err, whole)
				}
				if i == 0 && lines(again) != whole {
					t.Fatalf("what was read reads as\n%s, was\n%s", lines(again), whole)
				}
			}
		}
	})
}

// lines returns triples as N-Triples.
func lines(triples []rdf.Triple) string {
	var b []byte
	for _, t := range triples {
		b = ntriples.AppendTriple(b, t)
	}
	return string(b)
}

func BenchmarkRead(b *testing.B) {
	var made bytes.Buffer
	made.WriteString(prefixes + "@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n")
	for i := range 20000 {
		fmt.Fprintf(&made, "e:thing%d a e:Class%d ;\n  rdfs:label \"thing number %d\"@en ;\n  e:size %d ;\n  e:knows e:thing%d , <http://other.org/%d> .\n\n", i, i%50, i, i*7, i/2, i)
	}
	inputs := map[string][]byte{"made": made.Bytes()}
	for _, name := range []string{"schema-2014-02.n3.gz", "frbr-2009.n3"} {
		data, err := io.ReadAll(ontology(b, name))
		if err != nil {
			b.Fatal(err)
		}
		inputs[name] = data
	}
	for name, data := range inputs {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				for _, err := range turtle.Read(bytes.NewReader(data), syntax.Options{Base: "http://e.org/"}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
