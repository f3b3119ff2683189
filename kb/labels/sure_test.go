package labels

import (
	"fmt"
	"math"
	"testing"
)

// TestSure: a rule of few items requires no exceptions, one of many items may be nearer its threshold.
// Expected counts are computed by hand: Wilson's lower bound for c of d at two standard errors.
func TestSure(t *testing.T) {
	for _, tc := range []struct {
		both, given int // items with term and label, and with the term
		rule        string
	}{
		{5, 5, ""},                     // no support
		{6, 6, "beta"}, {9, 9, "beta"}, // 0.600, 0.692
		{10, 10, "alpha"},          // 0.714
		{7, 8, "beta"}, {6, 7, ""}, // 0.522, 0.479
		{16, 20, "beta"},                      // 0.579: 80 %, but of twenty
		{80, 100, "alpha"}, {78, 100, "beta"}, // 0.709, 0.687
		{52, 80, "beta"}, {60, 110, ""}, // 0.539, 0.451
		{299, 400, "alpha"}, {292, 400, "beta"}, // 0.702, 0.683
	} {
		t.Run(fmt.Sprintf("%d of %d", tc.both, tc.given), func(t *testing.T) {
			p := Default()
			p.Confidence = 2
			p.Frequent = Hysteresis{0.001, 0.001}
			m := newModel(t, p)
			for range 2000 { // so that the label is not common
				m.Learn(itemOf([]string{"sea", "sky"}))
			}
			for range 5 {
				m.Learn(itemOf([]string{"label"}))
			}
			for range tc.given - tc.both { // first, so that nothing comes into force with fewer
				m.Learn(itemOf([]string{"term"}))
			}
			for range tc.both {
				m.Learn(itemOf([]string{"term", "label"}))
			}
			rule := ""
			for _, r := range m.Rules() {
				if r.Label == "label" && r.Term == "term" {
					rule = map[bool]string{true: "alpha", false: "beta"}[r.Alpha]
				}
			}
			if rule != tc.rule {
				t.Errorf("%q, want %q", rule, tc.rule)
			}
		})
	}
}

// TestSureIsWilson: the comparison equals the textbook bound, for counts of any size and scale.
func TestSureIsWilson(t *testing.T) {
	n := &naive{}
	for _, scale := range []float64{1, math.Ldexp(1, -500), math.Ldexp(1, scaleBits-1)} {
		for _, at := range []float64{0.4, 0.5, 0.7} {
			for _, z := range []float64{0.7, 1.3, 2.1} {
				n.p.Confidence = z
				b := bar{at, at, false, z * z * at * (1 - at)}
				for d := 1.0; d <= 300; d++ {
					for c := math.Ceil(at * d); c <= d; c++ {
						low := n.lower(c, d)
						if got := b.holds(false, c*scale, d*scale, scale); got != (low >= at) && math.Abs(low-at) > 1e-12 {
							t.Fatalf("%v of %v at %v, z %v, scale %v: %t, lower bound %v", c, d, at, z, scale, got, low)
						}
					}
				}
			}
		}
	}
}
