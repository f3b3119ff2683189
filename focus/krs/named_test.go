package krs

import (
	"testing"

	"orbweaver"
	kb "orbweaver/kb/krs"
)

// TestNounOf: NounOf parses the evidence of reasons.
func TestNounOf(t *testing.T) {
	for _, tc := range []struct {
		mention kb.Mention
		idf     float64
		want    Noun
	}{
		{kb.Mention{Words: "planes", Times: 3, Key: kb.Key{Lemma: "plane", IRI: "http://v/Plane"}}, 2, Noun{"planes", "plane", "http://v/Plane"}},
		{kb.Mention{Words: "planes", Times: 3, Key: kb.Key{Lemma: "plane"}}, -1, Noun{"planes", "plane", ""}},
		{kb.Mention{Words: "plane", Times: 1, Key: kb.Key{Lemma: "plane", IRI: "http://v/Plane_(tree)"}}, 2, Noun{"plane", "", "http://v/Plane_(tree)"}},
		{kb.Mention{Words: "plane", Times: 1, Key: kb.Key{Lemma: "plane"}}, 2, Noun{"plane", "", ""}},
	} {
		for _, rule := range []string{RuleNoun, RuleOther} {
			got, ok := NounOf(orbweaver.Reason{Rule: rule, Evidence: evidence(&tc.mention, &kb.Judged{IDF: tc.idf, Share: .5})})
			if !ok || got != tc.want {
				t.Errorf("%+v, %v, not %+v", got, ok, tc.want)
			}
		}
	}
	if _, ok := NounOf(orbweaver.Reason{Rule: "title", Evidence: "a ×1"}); ok {
		t.Error("a reason of another rule names a noun")
	}
}
