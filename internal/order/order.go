// Package order sorts without the copy of the algorithm, of some 20 kB, that the functions of package slices are for each type. It takes up
// to twice their time: what sorts much, or again and again, uses them.
package order

import (
	"iter"
	"slices"
	"sort"
)

// By sorts as slices.SortFunc does.
func By[S ~[]E, E any](s S, compare func(a, b E) int) { sort.Sort(sorting[E]{s, compare}) }

// Stably sorts as slices.SortStableFunc does.
func Stably[S ~[]E, E any](s S, compare func(a, b E) int) { sort.Stable(sorting[E]{s, compare}) }

// Collected collects values and sorts them, as slices.SortedFunc does.
func Collected[E any](of iter.Seq[E], compare func(a, b E) int) []E {
	s := slices.Collect(of)
	By(s, compare)
	return s
}

type sorting[E any] struct {
	of      []E
	compare func(a, b E) int
}

func (s sorting[E]) Len() int           { return len(s.of) }
func (s sorting[E]) Less(i, j int) bool { return s.compare(s.of[i], s.of[j]) < 0 }
func (s sorting[E]) Swap(i, j int)      { s.of[i], s.of[j] = s.of[j], s.of[i] }
