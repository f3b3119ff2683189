package turtle_test

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

// written returns triples as Turtle.
func written(t testing.TB, triples []rdf.Triple, opts syntax.WriteOptions) string {
	t.Helper()
	var b bytes.Buffer
	w := turtle.NewWriter(&b, opts)
	for _, triple := range triples {
		if err := w.Write(triple); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// checkWritten writes triples, reads them, and fails unless they are the same graph.
func checkWritten(t *testing.T, name string, triples []rdf.Triple, opts syntax.WriteOptions) {
	t.Helper()
	out := written(t, triples, opts)
	again, err := rdftest.All(turtle.Read(strings.NewReader(out), syntax.Options{}))
	if err != nil || !rdftest.Isomorphic(triples, again) {
		t.Errorf("%s: %v\n%v\nis written\n%s", name, err, triples, out)
	}
}

// Written documents read back as the same graph, for any window.
func TestReadsBack(t *testing.T) {
	for seed := range uint64(500) {
		r := rand.New(rand.NewPCG(seed, 2))
		var triples []rdf.Triple
		for _, q := range rdftest.Random(r, 1+r.IntN(25), false) {
			triples = append(triples, rdf.Triple{S: q.S, P: q.P, O: q.O})
		}
		checkWritten(t, "random", triples, syntax.WriteOptions{Window: r.IntN(20)})
	}
}

// The valid documents of the suites survive a round trip.
func TestW3CWritten(t *testing.T) {
	for suite, read := range map[string]rdftest.Reader{"rdf-n-triples": ntriples.Read, "rdf-turtle": turtle.Read} {
		for _, c := range rdftest.Cases(t, "rdf/rdf11/"+suite) {
			if !c.Negative {
				triples := rdftest.Collect(t, read(bytes.NewReader(c.Input), syntax.Options{Base: c.Base}))
				checkWritten(t, c.Name, triples, syntax.WriteOptions{})
			}
		}
	}
}

// Real ontologies survive a round trip, and writing is idempotent.
func TestOntologiesWritten(t *testing.T) {
	for _, name := range []string{"akt-2003.n3", "event-2007.n3", "foaf-2014.n3", "frbr-2009.n3", "mo-2013.n3.gz"} {
		triples := rdftest.Collect(t, turtle.Read(ontology(t, name), syntax.Options{Name: name, Base: "http://e.org/"}))
		out := written(t, triples, syntax.WriteOptions{})
		again := rdftest.Collect(t, turtle.Read(strings.NewReader(out), syntax.Options{Name: name}))
		if len(again) != len(triples) || strings.Contains(out, "_:") {
			t.Errorf("%s: %d triples, were %d; or a label is left", name, len(again), len(triples))
		}
		if twice := written(t, again, syntax.WriteOptions{}); len(twice) != len(out) {
			t.Errorf("%s: %d bytes, then %d", name, len(out), len(twice))
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	triples := rdftest.Collect(b, turtle.Read(ontology(b, "schema-2014-02.n3.gz"), syntax.Options{Base: "http://e.org/"}))
	b.SetBytes(int64(len(written(b, triples, syntax.WriteOptions{}))))
	b.ReportAllocs()
	for b.Loop() {
		written(b, triples, syntax.WriteOptions{})
	}
}
