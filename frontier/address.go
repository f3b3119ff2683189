package frontier

import "time"

// An address is shared by the hosts located there. A host without a shared address takes the place of one.
//
// An address is in the ready heap if it has a slot, does not rest, and one of its hosts is ready. It is in
// the sleeping heap if the passing of time alone makes another of its hosts ready. It may be in both.
type address struct {
	name    string // IP and port
	ready   heap[readyHost]
	resting heap[restingHost]

	active    int32 // turns in flight
	unstarted int32 // turns in flight whose start is not known
	at        int32 // index in the ready heap
	alarm     int32 // index in the sleeping heap
	rests     bool  // readyAt is in force
	readyAt   time.Time
	wakeAt    time.Time // when it wakes, if it sleeps
	width     width
}

// addressOf returns the address of a name, and creates it if need be.
func (f *Frontier) addressOf(name string) *address {
	a, ok := f.addresses[name]
	if !ok {
		a = &address{name: name, at: nowhere, alarm: nowhere}
		f.addresses[name] = a
	}
	return a
}

// rest keeps an address from starting requests before a time.
func (a *address) rest(until time.Time) {
	if until.After(a.readyAt) {
		a.readyAt = until
		a.rests = true
	}
}

// blocked reports whether an address has no free slot, or an unknown start that its delay depends on.
func (f *Frontier) blocked(a *address) bool {
	return a != nil && (f.full(a.active, a.extra(f.opts.Delay)) || a.unstarted > 0 && f.opts.Delay > 0)
}

// extra returns the turns that an address without a delay may have in flight beyond one.
func (a *address) extra(delay time.Duration) int32 {
	if delay > 0 {
		return 0
	}
	return a.width.extra
}

// place moves an address to its heaps after it or its hosts changed. The address may be nil.
func (f *Frontier) place(a *address) {
	if a == nil {
		return
	}
	blocked := f.blocked(a)
	switch able := !blocked && !a.rests && len(a.ready) > 0; {
	case able && a.at != nowhere:
		f.ready.fix(int(a.at))
	case able:
		f.ready.push(stop{address: a})
	case a.at != nowhere:
		f.ready.remove(int(a.at))
	}
	wakeAt, sleeps := a.wakes()
	switch sleeps = sleeps && !blocked; {
	case sleeps && a.alarm != nowhere:
		a.wakeAt = wakeAt
		f.sleeping.fix(int(a.alarm))
	case sleeps:
		a.wakeAt = wakeAt
		f.sleeping.push(sleeper{address: a})
	case a.alarm != nowhere:
		f.sleeping.remove(int(a.alarm))
	}
}

// wakes returns the time at which another host of an address becomes ready by time alone, if any.
func (a *address) wakes() (at time.Time, ok bool) {
	switch {
	case a.rests && len(a.ready) > 0:
		return a.readyAt, true
	case len(a.resting) == 0:
		return time.Time{}, false
	}
	at = a.resting[0].past.readyAt
	if a.rests && a.readyAt.After(at) {
		at = a.readyAt
	}
	return at, true
}

// wake moves addresses and hosts whose rest is over to the ready heaps. An address that wakes sleeps again
// only for a host of it that rests beyond now.
func (f *Frontier) wake(now time.Time) {
	for len(f.sleeping) > 0 && !f.sleeping[0].wakeAt().After(now) {
		a := f.sleeping[0].address
		if a == nil {
			h := f.sleeping[0].host
			h.rests = false
			f.stand(h)
			continue
		}
		a.rests = false
		for len(a.resting) > 0 && !a.resting[0].past.readyAt.After(now) {
			h := a.resting[0].host
			h.rests = false
			f.stand(h)
		}
		f.place(a)
	}
}

// move attaches a host to another address, or to none if to is nil.
func (f *Frontier) move(h *host, to *address) {
	from := h.address
	if from == to {
		return
	}
	if h.standing != absent {
		f.leave(h)
	}
	f.place(from)
	h.address = to
}

// A readyHost is a ready host of an address, ordered by its best request.
type readyHost struct{ *host }

func (h readyHost) before(other readyHost) bool { return h.turn().before(other.turn()) }

// A restingHost is a resting host of an address, ordered by the end of its rest.
type restingHost struct{ *host }

func (h restingHost) before(other restingHost) bool {
	return h.past.readyAt.Before(other.past.readyAt)
}

func (h readyHost) stand(at int)   { h.at = int32(at) }
func (h restingHost) stand(at int) { h.at = int32(at) }

// A stop is a host without a shared address, or an address, ordered by its best request.
type stop struct {
	host    *host
	address *address
}

// best returns the host with the next turn.
func (s stop) best() *host {
	if s.host != nil {
		return s.host
	}
	return s.address.ready[0].host
}

func (s stop) before(other stop) bool { return s.best().turn().before(other.best().turn()) }

func (s stop) stand(at int) {
	if s.host != nil {
		s.host.at = int32(at)
		return
	}
	s.address.at = int32(at)
}

// A sleeper is a host without a shared address, or an address, ordered by the time it wakes.
type sleeper struct {
	host    *host
	address *address
}

// wakeAt returns the time at which a sleeper wakes.
func (s sleeper) wakeAt() time.Time {
	if s.host != nil {
		return s.host.past.readyAt
	}
	return s.address.wakeAt
}

func (s sleeper) before(other sleeper) bool { return s.wakeAt().Before(other.wakeAt()) }

func (s sleeper) stand(at int) {
	if s.host != nil {
		s.host.at = int32(at)
		return
	}
	s.address.alarm = int32(at)
}
