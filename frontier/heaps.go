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

// A nodeHeap has a host's best request at its top.
type nodeHeap []*node

func (q nodeHeap) Len() int           { return len(q) }
func (q nodeHeap) Less(i, j int) bool { return q[i].before(q[j]) }
func (q nodeHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}
func (q *nodeHeap) Push(x any) {
	n := x.(*node)
	n.at = len(*q)
	*q = append(*q, n)
}
func (q *nodeHeap) Pop() any {
	old := *q
	n := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	n.at = nowhere
	return n
}

// hostHeap is what the two heaps of hosts share.
type hostHeap []*host

func (q hostHeap) Len() int { return len(q) }
func (q hostHeap) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].at, q[j].at = i, j
}
func (q *hostHeap) Push(x any) {
	h := x.(*host)
	h.at = len(*q)
	*q = append(*q, h)
}
func (q *hostHeap) Pop() any {
	old := *q
	h := old[len(old)-1]
	old[len(old)-1] = nil
	*q = old[:len(old)-1]
	h.at = nowhere
	return h
}

// A readyHeap has the host of the best request at its top.
type readyHeap struct{ hostHeap }

func (q readyHeap) Less(i, j int) bool {
	return q.hostHeap[i].queue[0].before(q.hostHeap[j].queue[0])
}

// A restingHeap has the host that is ready first at its top; hosts that are ready at the same time
// go by their best request.
type restingHeap struct{ hostHeap }

func (q restingHeap) Less(i, j int) bool {
	a, b := q.hostHeap[i], q.hostHeap[j]
	if !a.readyAt.Equal(b.readyAt) {
		return a.readyAt.Before(b.readyAt)
	}
	return a.queue[0].before(b.queue[0])
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
	if host >= len(f.ready.hostHeap) {
		return
	}
	queue := f.ready.hostHeap[host].queue
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
