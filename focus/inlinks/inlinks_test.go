package inlinks

import (
	"math"
	"testing"

	"orbweaver"
)

func TestScore(t *testing.T) {
	for _, tc := range []struct {
		name  string
		links Links
		want  float64
	}{
		{"one link proves half of what it says", One(0.8), 0.4},
		{"two that agree prove two thirds", One(0.6).And(One(0.6)), 0.4},
		{"a link of no rank takes from it", One(0.9).And(One(0)), 0.3},
		{"none", Links{}, 0},
	} {
		if got := tc.links.Score(); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestNote(t *testing.T) {
	all := One(0.5).And(One(0.25))
	if got, rest, ok := Read(append(all.Append(nil), "more"...)); !ok || got != all || string(rest) != "more" {
		t.Errorf("%+v, %q, %v", got, rest, ok)
	}
	if _, _, ok := Read(all.Append(nil)[:Size-1]); ok {
		t.Error("half a note was read")
	}
}

// TestConclude: the reasons add up to the score of all links, and other reasons are unchanged.
func TestConclude(t *testing.T) {
	reasons := []orbweaver.Reason{{Rule: "page", Weight: 0.5}, One(0.5).Reason(), {Rule: "words", Weight: 0.1}}
	j := One(0.5).And(One(0.1)).Conclude(orbweaver.Judgement{Score: 0.35, Reasons: reasons})
	if len(j.Reasons) != 2 || math.Abs(j.Reasons[0].Weight+j.Reasons[1].Weight-j.Score) > 1e-12 || math.Abs(j.Score-0.2) > 1e-12 {
		t.Errorf("%+v", j)
	}
	if j.Reasons[1].Evidence != "2 pages link here" || reasons[1].Evidence != "1 page links here" {
		t.Errorf("%+v, before %+v", j.Reasons, reasons)
	}
	if seed := (orbweaver.Judgement{Score: 1}); One(0.5).Conclude(seed).Score != 1 {
		t.Error("a seed became another")
	}
}
