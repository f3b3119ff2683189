package item

import (
	"cmp"
	"math"
	"slices"
)

// Cosine is how alike two vectors of terms are, from 0 to 1; both are sorted by ID. It is 0 where one has no terms.
func Cosine(a, b []Term) float64 {
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

// Mean is the mean of vectors, each taken with length 1, so that long items weigh no more than short ones; those
// without terms are left out. It is sorted by ID. Sums are in the order of the vectors.
func Mean(vectors [][]Term) []Term {
	var all []Term
	n := 0
	for _, v := range vectors {
		size := length(v)
		if size == 0 {
			continue
		}
		n++
		for _, t := range v {
			all = append(all, Term{t.ID, t.Weight / size})
		}
	}
	slices.SortStableFunc(all, func(a, b Term) int { return cmp.Compare(a.ID, b.ID) })
	mean := all[:0]
	for _, t := range all {
		if last := len(mean) - 1; last >= 0 && mean[last].ID == t.ID {
			mean[last].Weight += t.Weight
		} else {
			mean = append(mean, t)
		}
	}
	for i := range mean {
		mean[i].Weight /= float64(n)
	}
	return mean
}

// Heaviest returns the n heaviest terms of a vector, all when it has fewer, the heaviest first; of two that weigh the
// same the one of the lower ID. The vector stays as it is.
func Heaviest(v []Term, n int) []Term {
	sorted := slices.Clone(v)
	slices.SortFunc(sorted, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), cmp.Compare(a.ID, b.ID))
	})
	return sorted[:min(max(n, 0), len(sorted))]
}
