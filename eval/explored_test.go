package eval

import (
	"math"
	"testing"

	"orbweaver/ledger"
)

// TestWilson compares with values computed by hand: 10 of 20 gives (0.5+0.09604)/1.19207 ± 0.23908/1.19207.
func TestWilson(t *testing.T) {
	for _, tc := range []struct {
		successes, n int
		low, high    float64
	}{
		{10, 20, 0.2993, 0.7007},
		{0, 20, 0, 0.1611},
		{20, 20, 0.8389, 1},
		{1, 100, 0.0018, 0.0545},
		{0, 0, 0, 1},
	} {
		low, high := Wilson(tc.successes, tc.n)
		if math.Abs(low-tc.low) > 5e-5 || math.Abs(high-tc.high) > 5e-5 {
			t.Errorf("%d of %d: %.4f to %.4f, not %.4f to %.4f", tc.successes, tc.n, low, high, tc.low, tc.high)
		}
	}
}

// TestSample: a link counts by what it led to, and seeds, queries and hops do not count.
func TestSample(t *testing.T) {
	var s Sample
	for _, l := range []ledger.Line{
		{Accepted: true}, // a seed
		{Parent: "p", Query: "ASK {}"},
		{Parent: "p", Redirect: "r", Explored: true},
		{Parent: "p", Redirect: "r", Error: "out-of-scope", Explored: true},
		{Parent: "p", Accepted: true, Explored: true},
		{Parent: "p", Error: "not-found"},
		{Parent: "p", Accepted: true},
	} {
		s.Add(l)
	}
	if want := (Sample{Drawn: 2, DrawnAccepted: 1, Ranked: 2, RankedAccepted: 1}); s != want {
		t.Errorf("%+v, not %+v", s, want)
	}
	if s.Text() != "" {
		t.Errorf("two links tell nothing: %s", s.Text())
	}
	s.Drawn, s.DrawnAccepted = 20, 10
	if text := "50.0 % of 20 accepted (95 %: 29.9 to 70.1 %); of the 2 others 50.0 %"; s.Text() != text {
		t.Errorf("%s, not %s", s.Text(), text)
	}
}
