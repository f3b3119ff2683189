package frontier

import "container/heap"

// Head returns the numbers of up to n waiting requests in the order in which Next would lease them if
// every host that is ready now stayed so: what is worth reading ahead. Within a round these are
// requests of the round, and what goes ahead.
func (f *Frontier) Head(n int) []uint64 {
	f.spare = f.spare[:0]
	f.lookAt(0, 0)
	ids := make([]uint64, 0, max(n, 0))
	for len(ids) < n && len(f.spare) > 0 {
		b := heap.Pop(&f.spare).(branch)
		if b.node.class < errand {
			ids = append(ids, b.node.id)
		}
		if b.first {
			f.lookAround(b)
		}
		f.lookBelow(b.node, f.leastClass(b.node.host))
	}
	return ids
}

// A branch is a place in the queue of a host that Head has yet to visit. The first of a host knows
// where the host stands.
type branch struct {
	node          *node
	address, host int
	first         bool
}

// leastClass is the least class of a host's queue that may be had now, its round aside.
func (f *Frontier) leastClass(h *host) class {
	switch {
	case f.spent(h):
		return errand
	case f.round != nil:
		return ahead
	}
	return ranked
}

// lookAt adds the host at a place of the two upper levels of heaps, with the best of its queue and of
// its round. All levels being heaps, what follows a place in order is below it in one of them.
func (f *Frontier) lookAt(address, host int) {
	if address >= len(f.ready.row) {
		return
	}
	hosts := f.ready.row[address].ready.row
	if host >= len(hosts) {
		return
	}
	h := hosts[host]
	heap.Push(&f.spare, branch{node: h.best, address: address, host: host, first: true})
	switch {
	case h.best.chosen:
		f.look(h.queue.top(), f.leastClass(h))
	case !f.spent(h):
		f.look(h.round.top(), ranked)
	}
}

// lookAround adds the hosts below a host and the addresses below its address.
func (f *Frontier) lookAround(b branch) {
	f.lookAt(b.address, 2*b.host+1)
	f.lookAt(b.address, 2*b.host+2)
	if b.host == 0 {
		f.lookAt(2*b.address+1, 0)
		f.lookAt(2*b.address+2, 0)
	}
}

// lookBelow adds what stands below a node in its queue, down to a class.
func (f *Frontier) lookBelow(n *node, least class) {
	row := n.queue().row
	if n.chosen {
		least = ranked
	}
	for _, at := range [...]int{2*int(n.at) + 1, 2*int(n.at) + 2} {
		if at < len(row) {
			f.look(row[at], least)
		}
	}
}

// look adds a node of a class, or a better one.
func (f *Frontier) look(n *node, least class) {
	if n != nil && n.class >= least {
		heap.Push(&f.spare, branch{node: n})
	}
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
