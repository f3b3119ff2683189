package frontier

// A class is what of a host goes before what.
type class uint8

// The classes, the last first.
const (
	ranked class = iota // by score
	ahead               // targets of redirects
	errand              // somebody waits for it
	hop                 // a robots.txt that was redirected here
)

// A node is something that waits in its host's queue.
type node struct {
	id     uint64
	score  float64
	host   *host
	keys   []string
	at     int32 // index in its queue
	class  class
	chosen bool // it stands in its host's round
}

// before is the order of all that waits: by class, then the higher score, then the earlier number.
// It is total.
func (n *node) before(m *node) bool {
	switch {
	case n.class != m.class:
		return n.class > m.class
	case n.score != m.score:
		return n.score > m.score
	}
	return n.id < m.id
}

// queue is the heap that a node stands in.
func (n *node) queue() *nodeHeap {
	if n.chosen {
		return &n.host.round
	}
	return &n.host.queue
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

func (n *node) stand(at int) { n.at = int32(at) }
func (h *host) stand(at int) { h.at = int32(at) }

// A nodeHeap has a host's best request at its top.
type nodeHeap struct{ row[*node] }

func (q nodeHeap) Less(i, j int) bool { return q.row[i].before(q.row[j]) }

// top is the best of a queue, nil when it is empty.
func (q *nodeHeap) top() *node {
	if len(q.row) == 0 {
		return nil
	}
	return q.row[0]
}

// A readyHosts has the host of the best request at its top.
type readyHosts struct{ row[*host] }

func (q readyHosts) Less(i, j int) bool { return q.row[i].best.before(q.row[j].best) }

// A restingHosts has the host that is ready first at its top.
type restingHosts struct{ row[*host] }

func (q restingHosts) Less(i, j int) bool { return q.row[i].readyAt.Before(q.row[j].readyAt) }

// A waker is an address as a member of sleepingAddresses, where it has a place of its own.
type waker struct{ *address }

func (a *address) stand(at int) { a.at = int32(at) }
func (w waker) stand(at int)    { w.alarm = int32(at) }

// A readyAddresses has the address of the best request at its top.
type readyAddresses struct{ row[*address] }

func (q readyAddresses) Less(i, j int) bool {
	return q.row[i].ready.row[0].best.before(q.row[j].ready.row[0].best)
}

// A sleepingAddresses has the address that wakes first at its top.
type sleepingAddresses struct{ row[waker] }

func (q sleepingAddresses) Less(i, j int) bool { return q.row[i].wakeAt.Before(q.row[j].wakeAt) }
