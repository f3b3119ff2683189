package ledger

import (
	"reflect"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// TestRendering: what was decided about a page's scripts is kept with its outcome, with data and without, and is in its line; outcomes of before have none.
func TestRendering(t *testing.T) {
	for _, data := range [][]rdf.Count{nil, {{In: "jsonld", Documents: 1, Triples: 3}}} {
		for _, r := range []*step.Rendering{nil, {Scripts: step.ScriptsChanged, Why: "such pages", Kind: 1 << 63, Empty: true}, {Scripts: step.ScriptsFailed, Why: "timeout"}} {
			o := orbweaver.Outcome{N: 1, Request: orbweaver.Request{URL: "http://a.test/"}, Status: 200, Page: &orbweaver.Page{URL: "http://a.test/", Data: data, Rendered: r != nil}}
			if r != nil {
				o.Page.Rendering = r
			}
			d := decoding(appendOutcome(nil, &o))
			kept, err := done(&d, "outcome", d.outcome())
			if err != nil || d.s != "" {
				t.Fatalf("%+v: %v, %d bytes left", r, err, len(d.s))
			}
			if !reflect.DeepEqual(kept.Page.Data, data) {
				t.Errorf("data %v, not %v", kept.Page.Data, data)
			}
			if line := LineOf(kept); !reflect.DeepEqual(line.Rendering, r) || line.Rendered != (r != nil) {
				t.Errorf("%+v, not %+v", line.Rendering, r)
			}
		}
	}
}
