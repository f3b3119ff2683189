package frontier

import "container/heap"

// A node is a waiting request in its host's queue.
type node struct {
	id    uint64
	score float64
	ahead bool
	at    int
	host  *host
	keys  []string
}

// before is the order of all requests: ahead first, then the higher score, then the earlier number.
func (n *node) before(m *node) bool {
	switch {
	case n.ahead != m.ahead:
		return n.ahead
	case n.score != m.score:
		return n.score > m.score
	}
	return n.id < m.id
}

// A row is a heap's slice, whose members know their place in it. It lacks an order.
type row[T interface{ stand(at int) }] []T

func (r row[T]) Len() int { return len(r) }
func (r row[T]) Swap(i, j int) {
	r[i], r[j] = r[j], r[i]
	r[i].stand(i)
	r[j].stand(j)
}
func (r *row[T]) Push(x any) {
	member := x.(T)
	member.stand(len(*r))
	*r = append(*r, member)
}
func (r *row[T]) Pop() any {
	var none T
	last := len(*r) - 1
	member := (*r)[last]
	(*r)[last] = none
	*r = (*r)[:last]
	member.stand(nowhere)
	return member
}

func (n *node) stand(at int) { n.at = at }
func (h *host) stand(at int) { h.at = at }

// A nodeHeap has a host's best request at its top.
type nodeHeap struct{ row[*node] }

func (q nodeHeap) Less(i, j int) bool { return q.row[i].before(q.row[j]) }

// A readyHeap has the host of the best request at its top.
type readyHeap struct{ row[*host] }

func (q readyHeap) Less(i, j int) bool {
	return q.row[i].queue.row[0].before(q.row[j].queue.row[0])
}

// A restingHeap has the host that is ready first at its top; hosts that are ready at the same time
// go by their best request.
type restingHeap struct{ row[*host] }

func (q restingHeap) Less(i, j int) bool {
	a, b := q.row[i], q.row[j]
	if !a.readyAt.Equal(b.readyAt) {
		return a.readyAt.Before(b.readyAt)
	}
	return a.queue.row[0].before(b.queue.row[0])
}

// Head returns up to n waiting requests in the order in which Next would lease them if every host
// that is ready now stayed so: what is worth reading ahead.
func (f *Frontier) Head(n int) []uint64 {
	f.spare = f.spare[:0]
	f.look(0, 0)
	ids := make([]uint64, 0, n)
	for len(ids) < n && len(f.spare) > 0 {
		b := heap.Pop(&f.spare).(branch)
		ids = append(ids, b.node.id)
		if b.place == 0 {
			f.look(2*b.host+1, 0)
			f.look(2*b.host+2, 0)
		}
		f.look(b.host, 2*b.place+1)
		f.look(b.host, 2*b.place+2)
	}
	return ids
}

// look adds a place of the two-level heap to those that Head has yet to visit. Both levels being
// heaps, what follows a place in order is below it in one of them.
func (f *Frontier) look(host, place int) {
	if host >= len(f.ready.row) {
		return
	}
	queue := f.ready.row[host].queue.row
	if place < len(queue) {
		heap.Push(&f.spare, branch{host: host, place: place, node: queue[place]})
	}
}

// A branch is a place in the queue of a ready host.
type branch struct {
	host, place int
	node        *node
}

// A headHeap has the best branch at its top.
type headHeap []branch

func (q headHeap) Len() int           { return len(q) }
func (q headHeap) Less(i, j int) bool { return q[i].node.before(q[j].node) }
func (q headHeap) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *headHeap) Push(x any)        { *q = append(*q, x.(branch)) }
func (q *headHeap) Pop() any {
	old := *q
	b := old[len(old)-1]
	*q = old[:len(old)-1]
	return b
}
