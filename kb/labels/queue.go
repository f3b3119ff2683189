package labels

// An entry is a pair or term that is examined when a bound, which only rises, reaches its key.
type entry struct {
	key float64
	at  uint32 // a pair or a term
}

// A queue is a binary heap, least key first.
type queue []entry

func (q *queue) push(e entry) {
	*q = append(*q, e)
	q.up(len(*q) - 1)
}

// remove removes the entry at a position.
func (q *queue) remove(i int) entry {
	h, last := *q, len(*q)-1
	e := h[i]
	h[i] = h[last]
	*q = h[:last]
	if i < last {
		q.fix(i)
	}
	return e
}

// fix restores the heap order after a key was changed.
func (q *queue) fix(i int) {
	if !q.down(i) {
		q.up(i)
	}
}

func (q *queue) up(i int) {
	h := *q
	for i > 0 && h[i].key < h[(i-1)/2].key {
		h[i], h[(i-1)/2] = h[(i-1)/2], h[i]
		i = (i - 1) / 2
	}
}

func (q *queue) down(i int) (moved bool) {
	h := *q
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].key < h[least].key {
				least = child
			}
		}
		if least == i {
			return moved
		}
		h[i], h[least] = h[least], h[i]
		i, moved = least, true
	}
}

// find returns the position of an entry, or -1, by linear search: for short queues.
func (q queue) find(at uint32) int {
	for i := range q {
		if q[i].at == at {
			return i
		}
	}
	return -1
}

// due appends the entries with keys of at most bound to dst. It examines only these and their children.
func (q queue) due(bound float64, dst []uint32) []uint32 {
	return q.dueFrom(0, bound, dst)
}

func (q queue) dueFrom(i int, bound float64, dst []uint32) []uint32 {
	if i >= len(q) || q[i].key > bound {
		return dst
	}
	dst = append(dst, q[i].at)
	dst = q.dueFrom(2*i+1, bound, dst)
	return q.dueFrom(2*i+2, bound, dst)
}

// scale multiplies all keys by a power of two, which keeps their order.
func (q queue) scale(factor float64) {
	for i := range q {
		q[i].key *= factor
	}
}
