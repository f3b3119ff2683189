package frontier

import (
	"cmp"
	"container/heap"
	"time"

	"orbweaver"
	"orbweaver/weburl"
)

// nowhere is the place of what stands in no heap.
const nowhere = -1

// A standing is where a host stands at its address.
type standing uint8

// The standings.
const (
	absent  standing = iota // it has nothing to do, or must wait for something other than time
	ready                   // a turn of it may be given now
	resting                 // a turn of it may be given when time has passed
)

// A host is what is known of one. Its standing is kept by settle, which must be called after
// anything about it changed.
type host struct {
	name    string
	queue   nodeHeap // what waits, but for the round
	round   nodeHeap // what was chosen
	best    *node    // what its next turn is for; nil: nothing may be asked of it
	address *address // where it stands: its own while it has none to share

	active    int32     // turns in flight
	unstarted int32     // those whose start is not known
	requests  int32     // those that may become pages
	at        int32     // index in the heap of its standing
	readyAt   time.Time // no start before, when it rests
	openedAt  time.Time // when its robots.txt was known

	standing standing
	rests    bool // readyAt is in force
	placed   bool // its address is known
	locating bool // its address is being looked up
	open     bool // its robots.txt is known
	asking   bool // its robots.txt is being asked for
	blamed   bool // that has been counted as trouble already
	free     bool // it stands for requests that no host is asked for

	troubles int           // in a row
	delay    time.Duration // its Crawl-delay
	record
	own address
}

// host returns the host of a name, new when it was never seen.
func (f *Frontier) host(name string) *host {
	h, ok := f.hosts[name]
	if !ok {
		h = &host{name: name, at: nowhere, own: address{at: nowhere, alarm: nowhere}}
		h.address = &h.own
		f.hosts[name] = h
		f.order = append(f.order, h)
	}
	return h
}

// hostOf returns the host that a URL is asked of; one without a name stands for those that none is.
func (f *Frontier) hostOf(url string) *host {
	if f.opts.Free == nil || !f.opts.Free(url) {
		return f.host(weburl.Host(url))
	}
	h := f.host("")
	h.free = true
	return h
}

// settle puts a host where it belongs after anything about it changed, and its address with it.
func (f *Frontier) settle(h *host) {
	f.stand(h)
	f.place(h.address)
}

// settleBoth settles the host of a lease and the address that it was made at, which the host may
// have left since.
func (f *Frontier) settleBoth(l lease) {
	f.settle(l.host)
	if l.address != nil && l.address != l.host.address {
		f.place(l.address)
	}
}

// stand puts a host into the heap of its address where it belongs. The address is to be placed then.
func (f *Frontier) stand(h *host) {
	h.best = f.head(h)
	s := f.standing(h)
	if s == h.standing && s != absent {
		heap.Fix(h.address.heap(s), int(h.at))
		return
	}
	if h.standing != absent {
		h.leave()
	}
	if h.standing = s; s != absent {
		heap.Push(h.address.heap(s), h)
	}
}

// leave takes a host out of the heap that it stands in.
func (h *host) leave() {
	heap.Remove(h.address.heap(h.standing), int(h.at))
	h.standing = absent
}

// head is what a host would be asked next, slots and time aside.
func (f *Frontier) head(h *host) *node {
	if h.down != "" {
		return nil
	}
	spent := f.spent(h)
	best := h.queue.top()
	if best != nil && (spent && best.class < errand || f.round != nil && best.class < ahead) {
		best = nil
	}
	if n := h.round.top(); n != nil && !spent && (best == nil || n.before(best)) {
		best = n
	}
	return best
}

// standing is where a host belongs.
func (f *Frontier) standing(h *host) standing {
	switch {
	case h.best == nil,
		f.unlocated(h) && h.locating,
		!f.unlocated(h) && f.busy(h),
		f.closed(h) && h.asking && h.best.class != hop:
		return absent
	case h.rests:
		return resting
	}
	return ready
}

// busy reports whether a host has no slot left, or must know of a start first.
func (f *Frontier) busy(h *host) bool {
	return !h.free && (f.full(h.active) || h.unstarted > 0 && f.spacing(h) > 0)
}

// full reports whether so many turns in flight leave no slot.
func (f *Frontier) full(active int32) bool {
	return f.opts.Connections > 0 && int(active) >= f.opts.Connections
}

// spacing is the least time between two starts at a host.
func (f *Frontier) spacing(h *host) time.Duration {
	if h.free {
		return 0
	}
	return max(f.opts.Delay, h.delay)
}

// spent reports whether a host's budget is used up, requests in flight counted as pages.
func (f *Frontier) spent(h *host) bool {
	return !h.free && f.opts.HostPages > 0 && h.pages+int64(h.requests) >= f.opts.HostPages
}

// unlocated reports whether a host's address is to be looked up first.
func (f *Frontier) unlocated(h *host) bool { return f.opts.Live && !h.free && !h.placed }

// closed reports whether a host's robots.txt is to be known first.
func (f *Frontier) closed(h *host) bool { return f.opts.Live && !h.free && f.opts.Robots && !h.open }

// rest lets a host start nothing before a time.
func (h *host) rest(until time.Time) {
	if until.After(h.readyAt) {
		h.readyAt = until
		h.rests = true
	}
}

// shut says that nothing more is asked of a host in this sitting; the first reason stands. Whoever
// waits for an answer of it is told by Failed.
func (f *Frontier) shut(h *host, why orbweaver.Failure) {
	if h.down == "" {
		h.down = cmp.Or(why, orbweaver.ErrGaveUp)
	}
	for n := h.queue.top(); n != nil && n.class >= errand; n = h.queue.top() {
		f.failed = append(f.failed, f.errands[n.id].turn)
		f.forget(n)
	}
}
