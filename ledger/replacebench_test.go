package ledger_test

import (
	"fmt"
	"testing"

	"orbweaver/rdf"
)

// BenchmarkReplace replaces a graph of 20 000 items of 25 terms and 8 labels each, all of which stay and a tenth of whose
// labels change.
func BenchmarkReplace(b *testing.B) {
	l := open(b, b.TempDir())
	graph, has, is := rdf.NewIRI("http://g/"), rdf.NewIRI("http://v/has"), rdf.NewIRI("http://v/is")
	round := 0
	all := func(yield func(rdf.Quad) bool) {
		for i := range 20_000 {
			item := rdf.NewIRI(fmt.Sprint("http://items.example/", i))
			for k := range 25 {
				if !yield(rdf.Quad{S: item, P: has, O: rdf.NewIRI(fmt.Sprint("urn:term:", (i*31+k*k*7)%50_000)), G: graph}) {
					return
				}
			}
			for k := range 8 {
				changed := 0
				if k == 0 {
					changed = round
				}
				if !yield(rdf.Quad{S: item, P: is, O: rdf.NewIRI(fmt.Sprint("urn:term:", 8*(i%100)+k, "-", changed)), G: graph}) {
					return
				}
			}
		}
	}
	for b.Loop() {
		round++
		done, err := l.Replace(b.Context(), graph, all, "bench")
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(done.Read), "quads")
	}
	closed(b, l)
}
