package ledger

import (
	"maps"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// TestFlaws: flaws of a page are kept with its outcome, beside data and a rendering and without, and are in its line;
// outcomes of before, which end earlier, have none.
func TestFlaws(t *testing.T) {
	for _, flaws := range []map[string]int{nil, {"mistakes in RDF": 300}, {"b": 1, "a": 2}} {
		for i := range 4 {
			p := orbweaver.Page{URL: "http://a.test/", Flaws: flaws}
			if i&1 != 0 {
				p.Data = []rdf.Count{{In: "jsonld", Documents: 1, Triples: 3}}
			}
			if i&2 != 0 {
				p.Rendering = &step.Rendering{Scripts: step.ScriptsFailed, Why: "timeout"}
			}
			o := orbweaver.Outcome{N: 1, Request: orbweaver.Request{URL: "http://a.test/"}, Status: 200, Page: &p}
			record := appendOutcome(nil, &o)
			if again := appendOutcome(nil, &o); string(again) != string(record) {
				t.Errorf("%v: two records", flaws)
			}
			d := decoding(record)
			kept, err := done(&d, "outcome", d.outcome())
			if err != nil || d.s != "" {
				t.Fatalf("%v: %v, %d bytes left", flaws, err, len(d.s))
			}
			if line := LineOf(kept); !maps.Equal(line.Flaws, flaws) || (line.Rendering != nil) != (i&2 != 0) || (line.Data != nil) != (i&1 != 0) {
				t.Errorf("%v: %+v", flaws, line)
			}
		}
	}
}
