package all

import (
	"slices"
	"testing"

	"orbweaver"
)

// TestEntity: a reason names an entity only by the rules of the ontology and krs kinds.
func TestEntity(t *testing.T) {
	reason := func(rule, evidence string) orbweaver.Reason {
		return orbweaver.Reason{Rule: rule, Evidence: evidence}
	}
	for name, tc := range map[string]struct {
		reasons []orbweaver.Reason
		want    []string
	}{
		"ontology":    {[]orbweaver.Reason{reason("raw", ""), reason("entity", "engine: engine ×2, turbofan ×2"), reason("entity", "wing: wings ×1"), reason("entity", "engine: motor ×1")}, []string{"engine", "wing"}},
		"KRS":         {[]orbweaver.Reason{reason("likeness", "0.2, 0.1 or more is accepted; coverage 20 % of 9 nouns by weight"), reason("noun", "glider ×3 <http://kb.test/Glider>, IDF 2.10, share 0.50"), reason("noun", "thing ×3, IDF 2.10, share 0.50"), reason("other-noun", "bank ×1 <http://kb.test/Bank>, IDF 3.00, share 0.10")}, []string{"glider"}},
		"linked data": {[]orbweaver.Reason{reason("media-type", "text/html"), reason("links-rdf", "http://a.test/x: y"), reason("embedded", "http://schema.org/Product")}, nil},
		"all focuses": {[]orbweaver.Reason{reason("needs-script", "hardly any text: before its scripts run"), reason("duplicate", "http://a.test/"), reason("near-duplicate", "http://a.test/"), reason("seed", "http://a.test/")}, nil},
		"words":       {[]orbweaver.Reason{reason("keyword", "plane, jet"), reason("cosine", "plane"), reason("terms", "plane, jet"), reason("labels", "plane"), reason("depth", "2")}, nil},
	} {
		var got []string
		for _, r := range tc.reasons {
			if n, ok := Kinds().Entity(r); ok && !slices.Contains(got, n.Names[0]) {
				got = append(got, n.Names[0])
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", name, got, tc.want)
		}
	}
}
