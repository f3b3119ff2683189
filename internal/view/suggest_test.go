package view_test

import (
	"fmt"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/saturation"
	"orbweaver/internal/step"
	"orbweaver/internal/view"
	"orbweaver/ledger"
)

func TestSuggestionsLimit(t *testing.T) {
	var list []orbweaver.Suggestion
	for i := range 25 {
		list = append(list, orbweaver.Suggestion{ID: fmt.Sprintf("id-%02d", i), Kind: orbweaver.SuggestWord, Text: "peal", Entity: "http://example.org/#Bell"})
	}
	for _, tc := range []struct {
		limit    int
		last, no string
	}{
		{20, "and 5 more: --limit 0 lists all", "id-20"},
		{0, "id-24", "more:"},
		{30, "id-24", "more:"},
	} {
		var b strings.Builder
		view.Suggestions(&b, "crawls/bells", list, tc.limit)
		if got := b.String(); !strings.Contains(got, tc.last) || strings.Contains(got, tc.no) {
			t.Errorf("limit %d: want %q and no %q in\n%s", tc.limit, tc.last, tc.no, got)
		}
	}
}

// TestSummaryWords: what a threshold changed afterwards is said, nothing is said of what is left where nothing is, and a figure
// says of what it is.
func TestSummaryWords(t *testing.T) {
	s := &assembly.Summary{
		Name: "bells", Progress: step.Progress{Pages: 9, Accepted: 4}, Accepted: 3, Threshold: 0.5, Left: &saturation.Estimate{},
		Best: []ledger.Line{{URL: "http://a.example/", Score: 0.6, Reasons: []orbweaver.Reason{{Rule: "likeness", Evidence: "0.067, 0.028 or more is accepted"}}}},
	}
	var b strings.Builder
	view.PrintSummary(&b, 100, s)
	got := b.String()
	for _, want := range []string{"accepted         3, from a score of 0.5 on; 4 when they were judged", "likeness 0.067"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(got, "left to accept") {
		t.Errorf("something is said to be left in\n%s", got)
	}
}
