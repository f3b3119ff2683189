package eval

import (
	"iter"
	"math"
	"testing"

	"orbweaver/ledger"
)

type someURLs map[string]bool

func (l someURLs) Relevant(url string) bool { return l[url] }

// Five pages by score: a (relevant), b, c (relevant), d, e (relevant); a and b are accepted.
func TestMeasureAcceptance(t *testing.T) {
	lines := []ledger.Line{
		{N: 1, URL: "e", Digest: "x", Score: 0.1},
		{N: 2, URL: "a", Digest: "x", Score: 0.2}, // asked again below
		{N: 3, URL: "b", Digest: "x", Score: 0.8, Accepted: true},
		{N: 4, URL: "gone", Error: "status", Score: 1, Accepted: true},
		{N: 5, URL: "moved", Digest: "x", Redirect: "a", Score: 1, Accepted: true},
		{N: 6, URL: "c", Digest: "x", Score: 0.6},
		{N: 7, URL: "d", Digest: "x", Score: 0.6},
		{N: 8, URL: "a", Digest: "y", Score: 0.9, Accepted: true},
	}
	var all iter.Seq2[ledger.Line, error] = func(yield func(ledger.Line, error) bool) {
		for _, l := range lines {
			if !yield(l, nil) {
				return
			}
		}
	}
	got, err := MeasureAcceptance(all, someURLs{"a": true, "c": true, "e": true, "gone": true, "moved": true})
	want := Acceptance{
		Pages: 5, Relevant: 3, Accepted: 2, Right: 1, Precision: 0.5, Recall: 1. / 3, F1: 0.4, Best: 0.6,
		AveragePrecision: (1. + 2./3 + 3./5) / 3,
	}
	if math.Abs(got.AveragePrecision-want.AveragePrecision) < 1e-12 {
		got.AveragePrecision = want.AveragePrecision
	}
	if math.Abs(got.F1-want.F1) < 1e-12 {
		got.F1 = want.F1
	}
	if err != nil || got != want {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	none, err := MeasureAcceptance(func(func(ledger.Line, error) bool) {}, someURLs{})
	if err != nil || none != (Acceptance{}) {
		t.Errorf("of nothing: %+v, %v", none, err)
	}
}
