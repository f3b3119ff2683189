package frontier

import (
	"container/heap"
	"time"
)

// nowhere is the place of what stands in no heap.
const nowhere = -1

// A host is in the ready heap when a request of it may start now, in the resting heap when one may
// start later by the passing of time alone, and in neither when nothing of it waits, when its
// connections are all in use, or when its budget is spent.
type host struct {
	queue   nodeHeap
	active  int       // requests in flight
	pages   int64     // pages so far
	readyAt time.Time // no start before
	rests   bool      // readyAt is in force

	at    int  // index in the heap it stands in
	asked bool // that heap is the resting one
}

// settle puts a host where it belongs after anything about it changed.
func (f *Frontier) settle(h *host) {
	free := h.queue.Len() > 0 && !f.busy(h) && !f.spent(h)
	switch {
	case !free:
		f.remove(h)
	case h.rests && h.at != nowhere && h.asked:
		heap.Fix(&f.resting, h.at)
	case h.rests:
		f.remove(h)
		h.asked = true
		heap.Push(&f.resting, h)
	case h.at != nowhere && !h.asked:
		heap.Fix(&f.ready, h.at)
	default:
		f.remove(h)
		h.asked = false
		heap.Push(&f.ready, h)
	}
}

// busy reports whether a host has no connection left.
func (f *Frontier) busy(h *host) bool {
	return f.opts.Connections > 0 && h.active >= f.opts.Connections
}

// spent reports whether a host's budget is used up, those in flight counted as pages.
func (f *Frontier) spent(h *host) bool {
	return f.opts.HostPages > 0 && h.pages+int64(h.active) >= f.opts.HostPages
}

// remove takes a host out of the heap it stands in, if any.
func (f *Frontier) remove(h *host) {
	switch {
	case h.at == nowhere:
	case h.asked:
		heap.Remove(&f.resting, h.at)
	default:
		heap.Remove(&f.ready, h.at)
	}
}

// wake makes the hosts ready whose rest is over.
func (f *Frontier) wake(now time.Time) {
	for f.resting.Len() > 0 && !f.resting.row[0].readyAt.After(now) {
		h := f.resting.row[0]
		h.rests = false
		f.settle(h)
	}
}
