package order_test

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"orbweaver/internal/order"
)

// TestSame: the order is that of package slices, of equals too.
func TestSame(t *testing.T) {
	type pair struct{ key, place int }
	random := rand.New(rand.NewPCG(1, 2))
	byKey := func(a, b pair) int { return cmp.Compare(a.key, b.key) }
	for n := range 300 {
		pairs := make([]pair, n)
		for i := range pairs {
			pairs[i] = pair{random.IntN(1 + n/3), i}
		}
		for _, tc := range []struct {
			name      string
			ours, lib func([]pair)
		}{
			{"By", func(p []pair) { order.By(p, byKey) }, func(p []pair) { slices.SortFunc(p, byKey) }},
			{"Stably", func(p []pair) { order.Stably(p, byKey) }, func(p []pair) { slices.SortStableFunc(p, byKey) }},
			{"Collected", func(p []pair) { copy(p, order.Collected(slices.Values(p), byKey)) }, func(p []pair) { copy(p, slices.SortedFunc(slices.Values(p), byKey)) }},
		} {
			got, want := slices.Clone(pairs), slices.Clone(pairs)
			tc.ours(got)
			tc.lib(want)
			if !slices.Equal(got, want) {
				t.Fatalf("%s of %d: %v, want %v", tc.name, n, got, want)
			}
		}
	}
}
