package nquads_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"orbweaver/internal/tier"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// read prints the statements of a document, and returns the texts of its errors.
func read(in io.Reader, opts syntax.Options) (string, []string) {
	return rdftest.Printing(nquads.Read, nquads.AppendQuad)(in, opts)
}

const good = "<u:s> <u:p> \"1\" <u:g> .\n"

func TestStatements(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"no graph", `<u:s> <u:p> <u:o> .`, "<u:s> <u:p> <u:o> .\n"},
		{"no graph behind one", good + `<u:s> <u:p> <u:o> .`, good + "<u:s> <u:p> <u:o> .\n"},
		{"a graph named by a blank node", `_:s <u:p> _:o _:g.`, "_:s <u:p> _:o _:g .\n"},
		{"no space at all", `<u:s><u:p>"o"<u:g>.`, "<u:s> <u:p> \"o\" <u:g> .\n"},
		{"a graph behind a language", `<u:s> <u:p> "o"@en<u:g> .`, "<u:s> <u:p> \"o\"@en <u:g> .\n"},
		{"a version", "VERSION \"1.2\" # new\n" + good, good},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if out, errs := read(strings.NewReader(tc.in), syntax.Options{}); out != tc.want || errs != nil {
				t.Errorf("%q, %q", out, errs)
			}
		})
	}
}

// A mistake ends the reading, or costs its line.
func TestErrorsNameTheirPlace(t *testing.T) {
	for _, tc := range []struct{ name, in, want string }{
		{"a literal as graph", `<u:s> <u:p> "o" "g" .`, `2:17: a graph's name or "." is missing, found "\"g\""`},
		{"a relative graph", `<u:s> <u:p> "o" <g> .`, `2:17: <g> has no scheme: "<g>"`},
		{"five terms", `<u:s> <u:p> "o" <u:g> <u:h> .`, `2:23: "." is missing, found "<u:h>"`},
		{"no full stop", `<u:s> <u:p> "o" <u:g>`, `2:22: "." is missing, found end of input`},
		{"a version and more", `VERSION "1.2" .`, `2:15: a version ends here, but its line goes on with "."`},
		{"a version that is none", `VERSION 1.2`, `2:1: a subject must be an IRI or a blank node, found "VERSION"`},
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

func TestReadingFails(t *testing.T) {
	for _, lenient := range []bool{false, true} {
		in := io.MultiReader(strings.NewReader(good+"<u:s> "), iotest.ErrReader(io.ErrUnexpectedEOF))
		quads, err := rdftest.All(nquads.Read(in, syntax.Options{Lenient: lenient}))
		if len(quads) != 1 || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("lenient %v: %d quads, %v", lenient, len(quads), err)
		}
	}
}

// What is written reads as what it was, to the label.
func TestReadsBack(t *testing.T) {
	quads := rdftest.Random(rand.New(rand.NewPCG(1, 1)), 5000, true)
	again := rdftest.Collect(t, nquads.Read(strings.NewReader(written(t, quads)), syntax.Options{}))
	if !slices.Equal(again, quads) {
		t.Errorf("%d quads read as %d, or as others", len(quads), len(again))
	}
}

// written returns quads as N-Quads.
func written(t *testing.T, quads []rdf.Quad) string {
	t.Helper()
	var b bytes.Buffer
	w := nquads.NewWriter(&b)
	for _, q := range quads {
		if err := w.Write(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The good documents of the suite are written and read again.
func TestW3CWritten(t *testing.T) {
	for _, c := range rdftest.Cases(t, "rdf/rdf11/rdf-n-quads") {
		if c.Negative {
			continue
		}
		quads := rdftest.Collect(t, nquads.Read(bytes.NewReader(c.Input), syntax.Options{}))
		again, err := rdftest.All(nquads.Read(strings.NewReader(written(t, quads)), syntax.Options{}))
		if err != nil || !slices.Equal(quads, again) {
			t.Errorf("%s: %v, was %v; %v", c.Name, again, quads, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

type short struct{}

func (short) Write(b []byte) (int, error) { return len(b) / 2, nil }

// A line longer than what is held back is written as others are, and half a line is an error.
func TestLongLines(t *testing.T) {
	long := rdf.Quad{S: rdf.NewIRI("u:s"), P: rdf.NewIRI("u:p"), O: rdf.NewString(strings.Repeat("é", 2<<20))}
	quads := []rdf.Quad{long, long, {S: long.S, P: long.P, O: long.S}}
	again := rdftest.Collect(t, nquads.Read(strings.NewReader(written(t, quads)), syntax.Options{}))
	if !slices.Equal(again, quads) {
		t.Errorf("%d quads read as %d, or as others", len(quads), len(again))
	}
	if err := nquads.NewWriter(short{}).Write(long); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("half a line: %v", err)
	}
}

func TestWritingFails(t *testing.T) {
	full, iri := errors.New("disk full"), rdf.NewIRI("u:a")
	w := nquads.NewWriter(failing{full})
	if err := w.Write(rdf.Quad{S: rdf.NewString("a"), P: iri, O: iri}); err == nil {
		t.Error("a literal is written as subject")
	}
	var err error
	for range 1000 {
		err = w.Write(rdf.Quad{S: iri, P: iri, O: iri})
	}
	if closed := w.Close(); !errors.Is(err, full) || !errors.Is(closed, full) {
		t.Errorf("Write = %v, Close = %v", err, closed)
	}
}

// lines is a document that is made while it is read, and takes no memory: size bytes or a line more.
type lines struct {
	size, made int
	rest       []byte
	line       []byte
}

func (l *lines) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if len(l.rest) == 0 {
			if l.made >= l.size {
				break
			}
			l.line = fmt.Appendf(l.line[:0], "<http://example.org/thing%d> <http://example.org/p%d> \"the label of thing %d, which is %d\"@en <http://example.org/graph%d> .\n", l.made/500, l.made%20, l.made, l.made, l.made/10000)
			l.made += len(l.line)
			l.rest = l.line
		}
		copied := copy(b[n:], l.rest)
		l.rest = l.rest[copied:]
		n += copied
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Memory does not grow with the document.
func TestMemory(t *testing.T) {
	const allowed = 32 << 20
	in := &lines{size: 200 << 20}
	if !tier.Whole {
		in.size = 50 << 20
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	quads := 0
	for _, err := range nquads.Read(in, syntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		if quads++; quads%50_000 == 0 {
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > before.HeapAlloc+allowed {
				t.Fatalf("%d bytes of heap after %d quads, %d before", now.HeapAlloc, quads, before.HeapAlloc)
			}
		}
	}
	if quads < in.size/200 {
		t.Errorf("%d quads of %d bytes", quads, in.size)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(good + "_:a.b <u:p> \"\\u00e9\\n\"@en-GB _:g . # c\r<a:b> <c:d> \"x\" ^^ <e:f> <g:h>."))
	f.Add([]byte("_:a <b:c> <<(<d:e><f:g><<( _:a <b:c> \"x\"@ar--rtl)>>)>> _:g ."))
	f.Add([]byte("VERSION \"1.2\"\n_:a <b:\\u0041> <c:d> \"\\"))
	f.Fuzz(func(t *testing.T, data []byte) {
		opts := syntax.Options{MaxToken: 2000}
		for _, opts.Lenient = range []bool{false, true} {
			whole, errs := read(bytes.NewReader(data), opts)
			for _, in := range []io.Reader{iotest.OneByteReader(bytes.NewReader(data)), iotest.HalfReader(bytes.NewReader(data))} {
				if got, gotErrs := read(in, opts); got != whole || !slices.Equal(gotErrs, errs) {
					t.Fatalf("in pieces:\n%s%q\nwhole:\n%s%q", got, gotErrs, whole, errs)
				}
			}
			quads, err := rdftest.All(nquads.Read(strings.NewReader(whole), syntax.Options{}))
			if err != nil || written(t, quads) != whole {
				t.Fatalf("%q, written again, reads as %v, %v", whole, quads, err)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	in, err := io.ReadAll(&lines{size: 8 << 20})
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range nquads.Read(bytes.NewReader(in), syntax.Options{}) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}
