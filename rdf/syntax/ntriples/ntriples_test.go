package ntriples_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
)

// read prints the statements of a document, and returns the texts of its errors.
func read(in io.Reader, opts syntax.Options) (string, []string) {
	return rdftest.Printing(ntriples.Read, ntriples.AppendTriple)(in, opts)
}

const good = "<http://e.org/s> <http://e.org/p> \"1\" .\n"

func TestErrorsNameTheirPlace(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a relative IRI", "<s> <http://e.org/p> <o> .", `2:1: <s> has no scheme: "<s>"`},
		{"a relative IRI that was a label before", `_:p <p> <http://e.org/o> .`, `2:5: <p> has no scheme: "<p>"`},
		{"a literal as subject", `"s" <http://e.org/p> "o" .`, `2:1: a subject must be an IRI or a blank node, found "\"s\""`},
		{"a blank node as predicate", `_:s _:p "o" .`, `2:5: a predicate must be an IRI, found "_:p"`},
		{"no full stop", `_:s <http://e.org/p> "o"`, `2:25: "." is missing, found end of input`},
		{"after characters of several bytes", `_:s <http://e.org/p> "é" x`, `2:26: "." is missing, found "x"`},
		{"an escape", `_:s <http://e.org/p> "a\x" .`, `2:24: no escape of a string: "\\x\""`},
		{"a surrogate", `_:s <http://e.org/p> "a\uD800" .`, `2:24: no escape of a string: "\\uD800\""`},
		{"a string that does not end", `_:s <http://e.org/p> "a .`, `2:22: a string does not end: "\"a"`},
		{"a string that ends in a backslash", `_:s <http://e.org/p> "a\`, `2:22: a string does not end: "\"a\\"`},
		{"bytes that are not UTF-8", "_:s <http://e.org/p> \"\xff\" .", "2:22: a string is not valid UTF-8: \"\\\"\\xff\\\"\""},
		{"a direction that is none", `_:s <http://e.org/p> "a"@en--LTR .`, `2:25: a direction is "ltr" or "rtl": "@en--LTR"`},
		{"a language that lacks", `_:s <http://e.org/p> "a"^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#dirLangString> .`, `2:27: literals of this datatype have a language tag instead: "<http://www.w3.o"`},
		{"a triple term that does not end", `_:s <http://e.org/p> <<( _:s <http://e.org/p> "a" >> .`, `2:51: a triple term ends in ")>>", found ">>"`},
		{"a triple term as a subject", `<<( _:s <http://e.org/p> "a" )>> <http://e.org/p> "a" .`, `2:1: a subject must be an IRI or a blank node, found "<<("`},
		{"deep triple terms", `_:s <http://e.org/p> ` + strings.Repeat(`<<( _:s <http://e.org/p> `, 65) + `"a"` + strings.Repeat(" )>>", 65) + " .", `2:1622: triple terms are nested too deep: "<<("`},
		{"two statements", `_:s <http://e.org/p> _:o . _:s`, `2:28: a statement ends here, but its line goes on with "_:s"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			in := good + tc.in + "\r\n" + good
			out, errs := read(strings.NewReader(in), syntax.Options{Name: "d"})
			if out != good || len(errs) != 1 || errs[0] != "d:"+tc.want {
				t.Errorf("strict: %q, %q; want %q", out, errs, "d:"+tc.want)
			}
			out, errs = read(strings.NewReader(in), syntax.Options{Name: "d", Lenient: true})
			if out != good+good || len(errs) != 1 || errs[0] != "d:"+tc.want {
				t.Errorf("lenient: %q, %q", out, errs)
			}
		})
	}
}

func TestLineEnds(t *testing.T) {
	for _, end := range []string{"\n", "\r", "\r\n", "\n\n \t\n", " # comment\n"} {
		in := strings.Repeat(strings.TrimSuffix(good, "\n")+end, 3000) // more than a window
		if out, errs := read(strings.NewReader(in), syntax.Options{}); out != strings.Repeat(good, 3000) || errs != nil {
			t.Errorf("lines that end in %q: %d bytes, %q", end, len(out), errs)
		}
	}
}

// A line that is too long costs itself, in lenient mode, and memory is not what it costs.
func TestLongLine(t *testing.T) {
	in := good + strings.Repeat("a", 1<<20) + "\n" + good
	out, errs := read(strings.NewReader(in), syntax.Options{MaxToken: 1000})
	if out != good || len(errs) != 1 || errs[0] != "input:2:1: token of more than 1000 bytes" {
		t.Errorf("strict: %q, %q", out, errs)
	}
	out, errs = read(strings.NewReader(in), syntax.Options{MaxToken: 1000, Lenient: true})
	if out != good+good || len(errs) != 1 {
		t.Errorf("lenient: %q, %q", out, errs)
	}
}

func TestReadingFails(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		in := io.MultiReader(strings.NewReader(good+"<http://e.org/s> "), iotest.ErrReader(io.ErrUnexpectedEOF))
		triples, err := rdftest.All(ntriples.Read(in, syntax.Options{Lenient: lenient}))
		if len(triples) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("lenient %v: %d triples, %v", lenient, len(triples), err)
		}
	}
}

func TestAppendTerm(t *testing.T) {
	for _, tc := range []struct {
		term rdf.Term
		want string
	}{
		{rdf.NewIRI("http://e.org/é"), "<http://e.org/é>"},
		{rdf.NewIRI("http://e.org/> <"), `<http://e.org/\u003E\u0020\u003C>`},
		{rdf.NewBlank("b"), "_:b"},
		{rdf.NewString("a\"b\\c\nd\re\tf"), `"a\"b\\c\nd\re` + "\tf\""},
		{rdf.NewLang("a", "de"), `"a"@de`},
		{rdf.NewDirLang("a", "ar", rdf.RTL), `"a"@ar--rtl`},
		{rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("b"), P: rdf.NewIRI("u:p"), O: rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI("u:s"), P: rdf.NewIRI("u:p"), O: rdf.NewLang("a", "de")})}),
			`<<( _:b <u:p> <<( <u:s> <u:p> "a"@de )>> )>>`},
		{rdf.NewTyped("1", rdf.XSDInteger), `"1"^^<http://www.w3.org/2001/XMLSchema#integer>`},
		{rdf.Term{}, ""},
	} {
		if got := string(ntriples.AppendTerm(nil, tc.term)); got != tc.want {
			t.Errorf("%v is written %s, want %s", tc.term, got, tc.want)
		}
	}
}

func TestWrite(t *testing.T) {
	var out bytes.Buffer
	in := strings.Repeat(good, 2) + "no triple"
	err := ntriples.Write(&out, ntriples.Read(strings.NewReader(in), syntax.Options{}))
	var wrong *syntax.Error
	if out.String() != strings.Repeat(good, 2) || !errors.As(err, &wrong) || wrong.Line != 3 {
		t.Errorf("wrote %q, %v", out.String(), err)
	}
	full := errors.New("disk full")
	err = ntriples.Write(failing{full}, ntriples.Read(strings.NewReader(good), syntax.Options{}))
	if !errors.Is(err, full) {
		t.Errorf("Write = %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func FuzzRead(f *testing.F) {
	f.Add([]byte(good + "_:a.b <http://e.org/p> \"\\u00e9\\n\"@en-GB . # c\r<a:b> <c:d> \"x\" ^^ <e:f> ."))
	f.Add([]byte("_:a <b:\\u0041> \"\\"))
	f.Add([]byte("_:a <b:c> <<(<d:e><f:g><<( _:a <b:c> \"x\"@ar--rtl)>>)>> ."))
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := syntax.Options{MaxToken: 2000}
		for _, opts.Lenient = range []bool{false, true} {
			whole, errs := read(bytes.NewReader(data), opts)
			for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
				if got, gotErrs := read(in, opts); got != whole || !slices.Equal(gotErrs, errs) {
					t.Fatalf("in pieces:\n%s%q\nwhole:\n%s%q", got, gotErrs, whole, errs)
				}
			}
			if again, errs := read(strings.NewReader(whole), syntax.Options{}); again != whole || errs != nil {
				t.Fatalf("%q, written again, reads as %q, %q", whole, again, errs)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var in bytes.Buffer
	for i := range 20000 {
		fmt.Fprintf(&in, "<http://example.org/resource/thing%d> <http://example.org/ontology/property%d> <http://example.org/resource/thing%d> .\n", i/5, i%20, i)
		fmt.Fprintf(&in, "<http://example.org/resource/thing%d> <http://www.w3.org/2000/01/rdf-schema#label> \"the label of thing %d\"@en .\n", i/5, i)
	}
	b.SetBytes(int64(in.Len()))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range ntriples.Read(bytes.NewReader(in.Bytes()), syntax.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
