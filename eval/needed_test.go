package eval

import (
	"fmt"
	"testing"
)

// TestNeeded: of the 10 requests of tenRequests the 2nd, the 6th and the 10th found a relevant page.
func TestNeeded(t *testing.T) {
	truth, lines := tenRequests()
	for _, tc := range []struct {
		name      string
		reachable int
		share     float64
		want      string
	}{
		{"a third of three", 3, 1. / 3, "2 true"},
		{"a little more is two", 3, 0.34, "6 true"},
		{"half of four, though nobody finds all", 4, 0.5, "6 true"},
		{"eight in ten of four are four", 4, 0.8, "0 false"},
		{"six in ten of five are three, however floats have it", 5, 0.6, "10 true"},
		{"all", 3, 1, "10 true"},
		{"nothing to reach", 0, 0.5, "0 false"},
	} {
		n, ok := curveOf(truth, tc.reachable, lines).Needed(tc.share)
		if got := fmt.Sprint(n, ok); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}

// TestRunNeeded: a mean over the crawls that have something to find, and none when one of them fails.
func TestRunNeeded(t *testing.T) {
	truth, lines := tenRequests()
	whole, short, barren := curveOf(truth, 3, lines), curveOf(truth, 3, lines[1:6]), curveOf(truth, 0, lines)
	for _, tc := range []struct {
		name   string
		curves []*Curve
		share  float64
		want   string
	}{
		{"one crawl", []*Curve{whole}, 0.5, "6"},
		{"two", []*Curve{whole, short}, 0.5, "5.5 ± 6.4"},
		{"a barren one is left out", []*Curve{whole, barren}, 0.5, "6"},
		{"nothing but barren ones", []*Curve{barren}, 0.5, "–"},
		{"one ends too early", []*Curve{whole, short}, 0.8, "–"},
	} {
		if got := (&Run{Curves: tc.curves}).NeededWords(tc.share); got != tc.want {
			t.Errorf("%s: %s, want %s", tc.name, got, tc.want)
		}
	}
}
