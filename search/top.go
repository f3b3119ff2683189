package search

import "slices"

// A top keeps the best of its input: a heap, the worst at its root.
type top struct {
	most int
	heap []ranked
}

type ranked struct {
	id     uint64
	score  float64
	fields uint32
}

// before reports whether a is better: by score, then by ID.
func (r ranked) before(other ranked) bool {
	if r.score != other.score {
		return r.score > other.score
	}
	return r.id < other.id
}

func (t *top) add(r ranked) {
	switch {
	case len(t.heap) < t.most:
		t.heap = append(t.heap, r)
		t.up(len(t.heap) - 1)
	case t.most > 0 && r.before(t.heap[0]):
		t.heap[0] = r
		t.down(0)
	}
}

func (t *top) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !t.heap[parent].before(t.heap[i]) {
			return
		}
		t.heap[parent], t.heap[i] = t.heap[i], t.heap[parent]
		i = parent
	}
}

func (t *top) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(t.heap) {
			return
		}
		if other := child + 1; other < len(t.heap) && t.heap[child].before(t.heap[other]) {
			child = other
		}
		if !t.heap[i].before(t.heap[child]) {
			return
		}
		t.heap[i], t.heap[child] = t.heap[child], t.heap[i]
		i = child
	}
}

// sorted returns them, best first.
func (t *top) sorted() []ranked {
	slices.SortFunc(t.heap, func(a, b ranked) int {
		if a.before(b) {
			return -1
		}
		return 1
	})
	return t.heap
}
