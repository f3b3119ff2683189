package store

import (
	"testing"

	"orbweaver"
	"orbweaver/focus/krs"
	"orbweaver/focus/ontology"
	"orbweaver/internal/kind/all"
)

func TestReasonsAboutAnEntity(t *testing.T) {
	m := &mentions{kinds: all.Kinds(), name: "boeing 737", iris: map[string]bool{"http://e.test/737": true}, pages: map[string]int{"p": 2}}
	for _, tc := range []struct {
		rule, evidence string
		want           bool
	}{
		{ontology.RuleEntity, "Boeing 737: boeing 737 ×2", true},
		{ontology.RuleEntity, "Boeing: boeing 737 ×2", false},
		{"anchor", "Boeing 737: boeing 737 ×2", false},
		{krs.RuleNoun, "boeing-737 ×1, IDF 2.00, share 0.10", true},
		{krs.RuleNoun, "jet ×3 <http://e.test/737>, IDF 2.00, share 0.10", true},
		{krs.RuleOther, "jet ×3 <http://e.test/73>, not in the corpus", false},
		{krs.RuleNoun, "jet", false},
		{krs.RuleNoun, "Boeing 737s ×3 (boeing 737) <http://e.test/x>, IDF 2.00, share 0.10", true},
		{krs.RuleNoun, "Boeing 737s ×3 (boeing 737), not in the corpus", true},
		{krs.RuleNoun, "jets ×3 (jet), not in the corpus", false},
		{ontology.RuleEntity, "Boeing 737: 737s ×2 (737), B737 ×1", true},
	} {
		if got := m.times("other", []orbweaver.Reason{{Rule: tc.rule, Evidence: tc.evidence}}) == 1; got != tc.want {
			t.Errorf("%s %q: %v", tc.rule, tc.evidence, got)
		}
	}
	if n := m.times("p", nil); n != 2 {
		t.Errorf("%d", n)
	}
}
