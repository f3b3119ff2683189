package trig_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"orbweaver/internal/tier"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/trig"
)

// written returns quads as TriG. Behind each part of so many quads nothing speaks of its blank nodes;
// 0: there is one part.
func written(t testing.TB, quads []rdf.Quad, part int, opts syntax.WriteOptions) string {
	t.Helper()
	var b bytes.Buffer
	w := trig.NewWriter(&b, opts)
	for i, q := range quads {
		if part > 0 && i > 0 && i%part == 0 {
			w.Settle()
		}
		if err := w.Write(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	const in = `
		@prefix e: <http://e.org/ns#> . @prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
		e:s a e:C ; e:p 1, 2.5, "x"@en, "1"^^e:t ; e:q [ a e:D ; e:r [ e:p "a\nb" ] ], [] ; e:l (1 (2) [ e:p 3, 4 ]) ; e:n () .
		e:t e:p true .
		[] e:p _:twice ; e:q _:twice .
		e:g { e:s e:p _:shared . e:t e:p [ e:p 1 ] ; e:q <http://other.org/o> . }
		_:g { _:shared e:p 1 . }
		_:loop e:p _:pool . _:pool e:p _:loop .
		e:r rdf:reifies <<( e:s e:p <<( _:within a "x"@ar--rtl )>> )>> . e:r e:by [ e:knows _:within ] .`
	const want = `@prefix ns: <http://e.org/ns#> .

ns:s a ns:C ;
    ns:p 1, 2.5, "x"@en, "1"^^ns:t ;
    ns:q [
        a ns:D ;
        ns:r [ ns:p """a
b""" ]
    ], [] ;
    ns:l (1 (2) [
            ns:p 3, 4
        ]) ;
    ns:n () .

ns:t ns:p true .
[] ns:p _:twice ;
    ns:q _:twice .

ns:g {
    ns:s ns:p _:shared .
    ns:t ns:p [ ns:p 1 ] ;
        ns:q <http://other.org/o> .
}

_:g {
    _:shared ns:p 1 .
}

_:loop ns:p [ ns:p _:loop ] .
ns:r <http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies> <<( ns:s ns:p <<( _:within a "x"@ar--rtl )>> )>> ;
    ns:by [ ns:knows _:within ] .
`
	quads := rdftest.Collect(t, trig.Read(strings.NewReader(in), syntax.Options{}))
	if got := written(t, quads, 0, syntax.WriteOptions{}); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is written reads as what it was, whatever the window, and is always the same text.
func TestReadsBack(t *testing.T) {
	labels, names := 0, 0
	for seed := range uint64(600) {
		r := rand.New(rand.NewPCG(seed, 1))
		quads := rdftest.Random(r, 1+r.IntN(25), true)
		for _, opts := range []syntax.WriteOptions{
			{}, {Window: 1}, {Window: 7}, {Prefixes: map[string]string{"": "http://e.org/", "a.b": "http://e.org/ns#t", "e": "http://e.org/ns#"}},
		} {
			out := written(t, quads, 0, opts)
			again, err := rdftest.All(trig.Read(strings.NewReader(out), syntax.Options{}))
			if err != nil || !rdftest.IsomorphicQuads(quads, again) {
				t.Fatalf("seed %d, %+v: %v\n%v\nis written\n%s", seed, opts, err, quads, out)
			}
			if out != written(t, quads, 0, opts) {
				t.Fatalf("seed %d: written twice, it differs:\n%s", seed, out)
			}
			if opts.Window == 0 {
				labels += strings.Count(out, "_:")
			} else {
				names += strings.Count(out, "_:")
			}
		}
	}
	if labels*2 > names {
		t.Errorf("%d labels where all is at hand, %d where nothing is", labels, names)
	}
}

// Parts that share no blank node are written as each would be, though the window holds but a few.
func TestSettle(t *testing.T) {
	p := rdf.NewIRI("http://e.org/p")
	var quads []rdf.Quad
	for i := range 100 {
		node := rdf.NewBlank(fmt.Sprint("b", i))
		quads = append(quads, rdf.Quad{S: node, P: p, O: p}, rdf.Quad{S: rdf.NewIRI(fmt.Sprint("http://e.org/", i)), P: p, O: node})
	}
	out := written(t, quads, 2, syntax.WriteOptions{Window: 6})
	again := rdftest.Collect(t, trig.Read(strings.NewReader(out), syntax.Options{}))
	if strings.Contains(out, "_:") || !rdftest.IsomorphicQuads(quads, again) {
		t.Errorf("%s", out)
	}
	if out := written(t, quads, 0, syntax.WriteOptions{Window: 6}); strings.Contains(out, "[") {
		t.Errorf("a node that may come again has no label:\n%s", out)
	}
	if out := written(t, quads, 150, syntax.WriteOptions{Window: 60}); strings.Count(out, "_:") != 150 || strings.Count(out, "[") != 25 {
		t.Errorf("labels of the first part only:\n%s", out)
	}
}

// Nodes within each other go as deep as a reader follows, lists as long as they are.
func TestDepth(t *testing.T) {
	p, next := rdf.NewIRI("http://e.org/p"), rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#rest")
	first := rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#first")
	node := func(i int) rdf.Term { return rdf.NewBlank(fmt.Sprint("n", i)) }
	var chain, list []rdf.Quad
	for i := range 5000 {
		chain = append(chain, rdf.Quad{S: node(i), P: p, O: node(i + 1)})
		list = append(list, rdf.Quad{S: node(i), P: first, O: p}, rdf.Quad{S: node(i), P: next, O: node(i + 1)})
	}
	list[len(list)-1].O = rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#nil")
	list = append(list, rdf.Quad{S: p, P: p, O: node(0)})
	for name, quads := range map[string][]rdf.Quad{"chain": chain, "list": list} {
		out := written(t, quads, 0, syntax.WriteOptions{})
		again := rdftest.Collect(t, trig.Read(strings.NewReader(out), syntax.Options{}))
		if labels := strings.Count(out, "_:"); len(again) != len(quads) || labels > len(quads)/50 || name == "list" && labels > 0 {
			t.Errorf("%s: %d quads, were %d, with %d labels", name, len(again), len(quads), labels)
		}
	}
}

// What cannot be said is refused, and costs nothing else.
func TestRefused(t *testing.T) {
	iri, literal := rdf.NewIRI("http://e.org/a"), rdf.NewString("a")
	for _, q := range []rdf.Quad{
		{S: literal, P: iri, O: iri},
		{S: iri, P: rdf.NewBlank("b"), O: iri},
		{S: iri, P: iri},
		{S: iri, P: iri, O: iri, G: literal},
		{S: rdf.NewIRI("a"), P: iri, O: iri},
		{S: iri, P: rdf.NewIRI("http://e.org/> ."), O: iri},
		{S: iri, P: iri, O: rdf.NewIRI("http://e.org/a/../b")},
		{S: iri, P: iri, O: rdf.NewTyped("a", "http://e.org/./t")},
		{S: iri, P: iri, O: rdf.NewTyped("a", "t")},
		{S: iri, P: iri, O: rdf.NewLang("a", "en us")},
		{S: iri, P: iri, O: rdf.NewBlank("a b")},
		{S: iri, P: iri, O: rdf.NewBlank("")},
	} {
		var b bytes.Buffer
		w := trig.NewWriter(&b, syntax.WriteOptions{})
		err := w.Write(q)
		good := w.Write(rdf.Quad{S: iri, P: iri, O: literal})
		if closed := w.Close(); err == nil || good != nil || closed != nil || b.String() != "<http://e.org/a> <http://e.org/a> \"a\" .\n" {
			t.Errorf("%v: %v, then %v and %v: %s", q, err, good, closed, b.String())
		}
	}
	for _, prefixes := range []map[string]string{{"-": "http://e.org/"}, {"a.": "http://e.org/"}, {"a": "b"}, {"a": "http://e.org/../b"}} {
		w := trig.NewWriter(&bytes.Buffer{}, syntax.WriteOptions{Prefixes: prefixes})
		if err := w.Write(rdf.Quad{S: iri, P: iri, O: literal}); err == nil || w.Close() == nil {
			t.Errorf("%v: %v", prefixes, err)
		}
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWritingFails(t *testing.T) {
	full := errors.New("disk full")
	iri := rdf.NewIRI("http://e.org/a")
	w := trig.NewWriter(failing{full}, syntax.WriteOptions{Window: 1})
	var err error
	for range 20000 {
		err = w.Write(rdf.Quad{S: iri, P: iri, O: iri})
	}
	if closed := w.Close(); !errors.Is(err, full) || !errors.Is(closed, full) {
		t.Errorf("Write = %v, Close = %v", err, closed)
	}
}

// The good documents of the suites are written and read again.
func TestW3CWritten(t *testing.T) {
	for suite, read := range map[string]rdftest.QuadReader{"rdf-n-quads": nquads.Read, "rdf-trig": trig.Read} {
		for _, c := range rdftest.Cases(t, "rdf/rdf11/"+suite) {
			if c.Negative {
				continue
			}
			quads := rdftest.Collect(t, read(bytes.NewReader(c.Input), syntax.Options{Base: c.Base}))
			out := written(t, quads, 0, syntax.WriteOptions{})
			again, err := rdftest.All(trig.Read(strings.NewReader(out), syntax.Options{}))
			if err != nil || !rdftest.IsomorphicQuads(quads, again) {
				t.Errorf("%s: %v\n%s", c.Name, err, out)
			}
		}
	}
}

// Memory does not grow with what is written, blank nodes or not.
func TestMemory(t *testing.T) {
	const allowed = 32 << 20
	n := 400_000
	if !tier.Whole {
		n /= 4
	}
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	w := trig.NewWriter(io.Discard, syntax.WriteOptions{})
	for i := range n {
		q := rdf.Quad{
			S: rdf.NewBlank(fmt.Sprint("b", i/3)), P: rdf.NewIRI(fmt.Sprint("http://example.org/ns#p", i%30)),
			O: rdf.NewString(fmt.Sprint("the label of number ", i)), G: rdf.NewIRI(fmt.Sprint("http://example.org/g", i/50000)),
		}
		if err := w.Write(q); err != nil {
			t.Fatal(err)
		}
		if i%20_000 == 0 {
			runtime.ReadMemStats(&now)
			if now.HeapAlloc > before.HeapAlloc+allowed {
				t.Fatalf("%d bytes of heap after %d quads, %d before", now.HeapAlloc, i, before.HeapAlloc)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
