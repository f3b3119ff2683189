package ontology

import "slices"

// edges are the rows of a sparse matrix, one after another: the values at each entity.
type edges[T any] struct {
	ends []int // by entity: where its row ends
	all  []T
}

// of returns the row of an entity. It must not be modified.
func (e edges[T]) of(i int32) []T {
	from := 0
	if i > 0 {
		from = e.ends[i-1]
	}
	return e.all[from:e.ends[i]:e.ends[i]]
}

// An edge is a value at an entity.
type edge[T any] struct {
	at int32
	to T
}

// newEdges sorts edges into the rows of n entities: each ascending, and without duplicates.
func newEdges[T comparable](n int, list []edge[T], compare func(a, b T) int) edges[T] {
	e := edges[T]{ends: make([]int, n), all: make([]T, len(list))}
	for _, x := range list {
		e.ends[x.at]++
	}
	sum := 0
	for i, length := range e.ends {
		e.ends[i] = sum
		sum += length
	}
	for _, x := range list { // ends are where the next value goes, and then where the row ends
		e.all[e.ends[x.at]] = x.to
		e.ends[x.at]++
	}
	from, kept := 0, 0
	for i, end := range e.ends {
		row := e.all[from:end]
		slices.SortFunc(row, compare)
		kept += copy(e.all[kept:], slices.Compact(row))
		from, e.ends[i] = end, kept
	}
	if e.all = e.all[:kept:kept]; kept < len(list) {
		e.all = slices.Clone(e.all)
	}
	return e
}
