package offer

import (
	"math"
	"testing"
)

// TestLikelihood compares with Dunning's ratio by hand: 10 of 10 and 10 items of 20 in common are
// 2·(2·10 ln 10 + 20 ln 20 − 4·10 ln 10) = 40 ln 2, and independence is 0.
func TestLikelihood(t *testing.T) {
	for _, tc := range []struct{ both, a, b, all, want float64 }{
		{10, 10, 10, 20, 40 * math.Ln2},
		{5, 10, 10, 20, 0},
		{2, 10, 10, 20, 0}, // less than by chance
		{1, 1, 1, 2, 4 * math.Ln2},
		{0, 0, 0, 0, 0},
		// 2·(3 ln 3 + 1 ln 1 + 1 ln 1 + 3 ln 3 + 8 ln 8 − 4·4 ln 4)
		{3, 4, 4, 8, 2 * (6*math.Log(3) + 8*math.Log(8) - 16*math.Log(4))},
	} {
		if got := Likelihood(tc.both, tc.a, tc.b, tc.all); math.Abs(got-tc.want) > 1e-9 {
			t.Errorf("%+v: %v", tc, got)
		}
	}
}
