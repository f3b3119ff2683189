package plan

import (
	"math/bits"
	"slices"

	"orbweaver/rdf/sparql/algebra"
)

// A Set is an immutable set of variables.
type Set struct{ words []uint64 }

// setOf returns a set of slots.
func setOf(slots ...algebra.Slot) Set {
	var s Set
	for _, slot := range slots {
		if slot < 0 {
			continue
		}
		if n := int(slot)/64 + 1; n > len(s.words) {
			s.words = append(s.words, make([]uint64, n-len(s.words))...)
		}
		s.words[slot/64] |= 1 << (slot % 64)
	}
	return s
}

// Has reports whether a variable is in the set.
func (s Set) Has(slot algebra.Slot) bool {
	return slot >= 0 && int(slot)/64 < len(s.words) && s.words[slot/64]>>(slot%64)&1 == 1
}

// empty reports whether the set is empty.
func (s Set) empty() bool {
	return !slices.ContainsFunc(s.words, func(w uint64) bool { return w != 0 })
}

// with returns the union of the sets.
func (s Set) with(others ...Set) Set {
	for _, o := range others {
		switch {
		case o.within(s):
			continue
		case s.within(o):
			s = o
			continue
		}
		a, b := s.words, o.words
		if len(a) < len(b) {
			a, b = b, a
		}
		a = slices.Clone(a)
		for i, w := range b {
			a[i] |= w
		}
		s = Set{a}
	}
	return s
}

// and returns the intersection.
func (s Set) and(o Set) Set {
	out := make([]uint64, min(len(s.words), len(o.words)))
	for i := range out {
		out[i] = s.words[i] & o.words[i]
	}
	return Set{out}
}

// without returns the variables in none of the others.
func (s Set) without(others ...Set) Set {
	out := slices.Clone(s.words)
	for _, o := range others {
		for i := range min(len(out), len(o.words)) {
			out[i] &^= o.words[i]
		}
	}
	return Set{out}
}

// within reports whether s is a subset of o.
func (s Set) within(o Set) bool {
	for i, w := range s.words {
		if i < len(o.words) {
			w &^= o.words[i]
		}
		if w != 0 {
			return false
		}
	}
	return true
}

// meets reports whether the sets intersect.
func (s Set) meets(o Set) bool {
	for i := range min(len(s.words), len(o.words)) {
		if s.words[i]&o.words[i] != 0 {
			return true
		}
	}
	return false
}

// Slots returns the variables in ascending order.
func (s Set) Slots() []algebra.Slot {
	var out []algebra.Slot
	for i, w := range s.words {
		for ; w != 0; w &= w - 1 {
			out = append(out, algebra.Slot(64*i+bits.TrailingZeros64(w)))
		}
	}
	return out
}
