package frontier

// A member of a heap is ordered by before and keeps its index.
type member[T any] interface {
	before(T) bool
	stand(at int)
}

// A heap is a binary heap with its first member at index 0.
type heap[T member[T]] []T

// push adds a member.
func (q *heap[T]) push(m T) {
	*q = append(*q, m)
	q.up(len(*q)-1, m)
}

// remove removes and returns the member at i.
func (q *heap[T]) remove(i int) T {
	var no T
	row := *q
	m, last := row[i], row[len(row)-1]
	row[len(row)-1] = no
	*q = row[:len(row)-1]
	m.stand(nowhere)
	if i < len(*q) {
		(*q)[i] = last
		q.fix(i)
	}
	return m
}

// fix restores the heap after a change of the member at i.
func (q *heap[T]) fix(i int) {
	row := *q
	m := row[i]
	if i > 0 && m.before(row[(i-1)/arity]) {
		q.up(i, m)
		return
	}
	for {
		best := arity*i + 1
		if best >= len(row) {
			break
		}
		for j := best + 1; j < min(arity*i+1+arity, len(row)); j++ {
			if row[j].before(row[best]) {
				best = j
			}
		}
		if !row[best].before(m) {
			break
		}
		row[i] = row[best]
		row[i].stand(i)
		i = best
	}
	row[i] = m
	m.stand(i)
}

// up moves a member up from i.
func (q *heap[T]) up(i int, m T) {
	row := *q
	for i > 0 {
		above := (i - 1) / arity
		if !m.before(row[above]) {
			break
		}
		row[i] = row[above]
		row[i].stand(i)
		i = above
	}
	row[i] = m
	m.stand(i)
}
