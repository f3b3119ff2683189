package frontier

import (
	"container/heap"
	"time"
)

// An address is what hosts share that were located there. A host without a shared one has an address
// of its own, without a name, that has no slots and no delay beside the host's.
//
// It stands in the heap of the ready addresses when it has a slot, does not rest, and a host of it is
// ready; and in that of the sleeping ones when the passing of time alone makes another of its hosts
// ready. It may stand in both.
type address struct {
	name    string // IP and port; empty: a host's own
	ready   readyHosts
	resting restingHosts

	active    int32 // turns in flight
	unstarted int32 // those whose start is not known
	at        int32 // index in the heap of ready addresses
	alarm     int32 // index in the heap of sleeping addresses
	rests     bool  // readyAt is in force
	readyAt   time.Time
	wakeAt    time.Time // when it wakes, if it sleeps
}

// addressOf returns the address of a name, new when it was never seen.
func (f *Frontier) addressOf(name string) *address {
	a, ok := f.addresses[name]
	if !ok {
		a = &address{name: name, at: nowhere, alarm: nowhere}
		f.addresses[name] = a
	}
	return a
}

// heap is where hosts of a standing stand.
func (a *address) heap(s standing) heap.Interface {
	if s == ready {
		return &a.ready
	}
	return &a.resting
}

// rest lets an address start nothing before a time.
func (a *address) rest(until time.Time) {
	if until.After(a.readyAt) {
		a.readyAt = until
		a.rests = true
	}
}

// blocked reports whether an address has no slot left, or must know of a start first.
func (f *Frontier) blocked(a *address) bool {
	return a.name != "" && (f.full(a.active) || a.unstarted > 0 && f.opts.Delay > 0)
}

// place puts an address where it belongs after anything about it or its hosts changed.
func (f *Frontier) place(a *address) {
	blocked := f.blocked(a)
	switch able := !blocked && !a.rests && len(a.ready.row) > 0; {
	case able && a.at != nowhere:
		heap.Fix(&f.ready, int(a.at))
	case able:
		heap.Push(&f.ready, a)
	case a.at != nowhere:
		heap.Remove(&f.ready, int(a.at))
	}
	wakeAt, sleeps := a.wakes()
	switch sleeps = sleeps && !blocked; {
	case sleeps && a.alarm != nowhere:
		a.wakeAt = wakeAt
		heap.Fix(&f.sleeping, int(a.alarm))
	case sleeps:
		a.wakeAt = wakeAt
		heap.Push(&f.sleeping, waker{a})
	case a.alarm != nowhere:
		heap.Remove(&f.sleeping, int(a.alarm))
	}
}

// wakes says when time alone makes another host of an address ready, if ever.
func (a *address) wakes() (at time.Time, ok bool) {
	switch {
	case a.rests && len(a.ready.row) > 0:
		return a.readyAt, true
	case len(a.resting.row) == 0:
		return time.Time{}, false
	}
	at = a.resting.row[0].readyAt
	if a.rests && a.readyAt.After(at) {
		at = a.readyAt
	}
	return at, true
}

// wake makes the addresses and hosts ready whose rest is over. An address that wakes has rested
// enough, so it goes to sleep again at most for a host of it that rests beyond now.
func (f *Frontier) wake(now time.Time) {
	for len(f.sleeping.row) > 0 && !f.sleeping.row[0].wakeAt.After(now) {
		a := f.sleeping.row[0].address
		a.rests = false
		for len(a.resting.row) > 0 && !a.resting.row[0].readyAt.After(now) {
			h := a.resting.row[0]
			h.rests = false
			f.stand(h)
		}
		f.place(a)
	}
}

// move lets a host stand at another address.
func (f *Frontier) move(h *host, to *address) {
	from := h.address
	if from == to {
		return
	}
	if h.standing != absent {
		h.leave()
	}
	f.place(from)
	h.address = to
}
