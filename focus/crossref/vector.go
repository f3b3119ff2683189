package crossref

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/text/item"
)

// A dim is one dimension of a vector: half the size of an item.Term, since all items are kept.
type dim struct {
	id     uint32
	weight float32
}

// A vector has one dim per term or label, sorted by number.
type vector []dim

// compact converts terms to a vector.
func compact(terms []item.Term) vector {
	v := make(vector, len(terms))
	for i, t := range terms {
		v[i] = dim{t.ID, float32(t.Weight)}
	}
	return v
}

// length returns the Euclidean length.
func (v vector) length() float64 {
	var sum float64
	for _, d := range v {
		sum += float64(d.weight) * float64(d.weight)
	}
	return math.Sqrt(sum)
}

// sorted sorts the dims by number and sums those of equal number.
func (v vector) sorted() vector {
	order.Stably(v, func(a, b dim) int { return cmp.Compare(a.id, b.id) })
	merged := v[:0]
	for _, d := range v {
		if last := len(merged) - 1; last >= 0 && merged[last].id == d.id {
			merged[last].weight += d.weight
		} else {
			merged = append(merged, d)
		}
	}
	return merged
}

// heaviest returns the n heaviest dims, sorted by number; among equals lower numbers win.
func (v vector) heaviest(n int) vector {
	if len(v) <= n {
		return v
	}
	kept := slices.Clone(v)
	order.By(kept, func(a, b dim) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.id, b.id))
	})
	return kept[:n].sorted()
}

// plus returns the sum of two vectors.
func (v vector) plus(w vector) vector {
	return append(append(make(vector, 0, len(v)+len(w)), v...), w...).sorted()
}

// A direction is a vector of length 1 that many others are compared with. The zero direction is empty.
type direction map[uint32]float64

// towards returns the direction of the mean of vectors, each normalized, so that long items weigh no more
// than short ones. Sums are in the order of the vectors.
func towards(vectors []vector) direction {
	var all vector
	for _, v := range vectors {
		size := v.length()
		if size == 0 {
			continue
		}
		for _, d := range v {
			all = append(all, dim{d.id, float32(float64(d.weight) / size)})
		}
	}
	all = all.sorted()
	size := all.length()
	if size == 0 {
		return nil
	}
	to := make(direction, len(all))
	for _, d := range all {
		to[d.id] = float64(d.weight) / size
	}
	return to
}

// cosine returns the cosine of a vector and the direction, 0..1; more is the squared length that the vector
// has beyond its dims.
func (to direction) cosine(v vector, more float64) float64 {
	if len(to) == 0 || len(v) == 0 {
		return 0
	}
	var dot float64
	square := more
	for _, d := range v {
		w := float64(d.weight)
		square += w * w
		dot += w * to[d.id]
	}
	if dot <= 0 || square <= 0 {
		return 0
	}
	return min(1, dot/math.Sqrt(square))
}
