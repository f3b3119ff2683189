package crossref

import (
	"slices"
	"testing"

	"orbweaver"
)

// TestEvidence: the spans are the terms shared with the item, in title and text; a page without such terms
// has none.
func TestEvidence(t *testing.T) {
	f := focus(t, nil)
	p := page("http://p.test/x", "Über bees: the bee's hives, chess and bee-eaters")
	p.Title = "Honey"
	got, err := f.Evidence(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	want := []orbweaver.Span{
		{Field: orbweaver.InTitle, Start: 0, End: 5, Rule: RuleTerms, Name: "honey"},
		{Field: orbweaver.InText, Start: 6, End: 10, Rule: RuleTerms, Name: "bee"},
		{Field: orbweaver.InText, Start: 16, End: 19, Rule: RuleTerms, Name: "bee"},
		{Field: orbweaver.InText, Start: 22, End: 27, Rule: RuleTerms, Name: "hive"},
		{Field: orbweaver.InText, Start: 39, End: 42, Rule: RuleTerms, Name: "bee"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
	for _, other := range []string{"", "chess", "the of 12"} {
		if got, err := f.Evidence(t.Context(), page("http://p.test/y", other)); err != nil || len(got) != 0 {
			t.Errorf("%q: %+v, %v", other, got, err)
		}
	}
}
