package eval

import (
	"slices"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestMet: what a crawl met is counted by its reasons, and only what there was is said.
func TestMet(t *testing.T) {
	var m Met
	if got := m.Lines(); len(got) > 0 {
		t.Errorf("of nothing: %q", got)
	}
	for _, line := range []ledger.Line{
		{Error: step.ErrWall, Reasons: []orbweaver.Reason{{Rule: "sender", Evidence: "Sucuri"}}},
		{Error: step.ErrWall, Reasons: []orbweaver.Reason{{Rule: "sender", Evidence: "Anubis"}}},
		{Error: step.ErrWall, Reasons: []orbweaver.Reason{{Rule: "sender", Evidence: "Sucuri"}}},
		{Error: step.ErrParked, Reasons: []orbweaver.Reason{{Rule: "sender", Evidence: "Sedo"}}},
		{Reasons: []orbweaver.Reason{{Rule: "near-duplicate"}, {Rule: "no-text"}}},
		{Reasons: []orbweaver.Reason{{Rule: "duplicate"}}}, {Reasons: []orbweaver.Reason{{Rule: "needs-script"}}},
	} {
		m.Add(&line)
	}
	want := [][2]string{
		{"walls by", "2 Sucuri, 1 Anubis"}, {"duplicates", "1 with the same bytes, 1 with nearly the same text"},
		{"without text", "1 document (orbweaver explain says why), 1 before their scripts run (render: {when: empty} runs them)"},
	}
	if got := m.Lines(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
