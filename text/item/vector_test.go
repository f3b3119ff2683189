package item

import (
	"cmp"
	"math"
	"slices"
)

// cosine returns the cosine similarity of two term vectors sorted by ID, 0 if one is empty.
func cosine(a, b []Term) float64 {
	var dot float64
	for i, k := 0, 0; i < len(a) && k < len(b); {
		switch {
		case a[i].ID < b[k].ID:
			i++
		case a[i].ID > b[k].ID:
			k++
		default:
			dot += a[i].Weight * b[k].Weight
			i++
			k++
		}
	}
	if dot == 0 {
		return 0
	}
	return min(1, dot/(length(a)*length(b)))
}

// length is the Euclidean length of a vector.
func length(v []Term) float64 {
	var sum float64
	for _, t := range v {
		sum += t.Weight * t.Weight
	}
	return math.Sqrt(sum)
}

// heaviest returns the n heaviest terms of a vector, heaviest first, equal weights by ID. It does not change
// the vector.
func heaviest(v []Term, n int) []Term {
	sorted := slices.Clone(v)
	slices.SortFunc(sorted, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	return sorted[:min(max(n, 0), len(sorted))]
}
