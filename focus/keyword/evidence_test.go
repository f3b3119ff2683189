package keyword

import (
	"slices"
	"testing"

	"orbweaver"
)

// TestSpans: spans of the terms in title, headings and text; of equal terms the first.
func TestSpans(t *testing.T) {
	f := focus(t, "tail wing", "wing", "wings", "İstanbul")
	got, err := f.Evidence(t.Context(), page("Wings", "Über tail  wings\n\nA tail and Wing's"))
	if err != nil {
		t.Fatal(err)
	}
	want := []orbweaver.Span{
		{Field: orbweaver.InTitle, Start: 0, End: 5, Rule: RuleTerm, Name: "wing"},
		{Field: orbweaver.InText, Start: 6, End: 17, Rule: RuleTerm, Name: "tail wing"},
		{Field: orbweaver.InText, Start: 30, End: 36, Rule: RuleTerm, Name: "wing"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%+v", got)
	}
}
