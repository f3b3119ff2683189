package frontier

import (
	"time"

	"orbweaver"
	"orbweaver/weburl"
)

// nowhere is the index of a member that is in no heap.
const nowhere = -1

// A standing is the heap that a host belongs to.
type standing uint8

// The standings.
const (
	absent  standing = iota // nothing to do, or it waits for something other than time
	ready                   // a turn may be given now
	resting                 // a turn may be given after some time
)

// A host is the state of one host. settle maintains its standing and must be called after any change. State
// that most hosts lack is in side and past.
type host struct {
	name    string
	queue   row      // waiting requests by score, apart from the round and the file
	side    *side    // other waiting requests; nil: none
	past    *record  // history; nil: none
	best    rank     // rank of its next turn; none: no turn is allowed
	address *address // shared address; nil: none

	number    uint32 // index in the order of all hosts
	at        int32  // index in the heap of its standing
	active    int32  // turns in flight
	unstarted int32  // turns in flight whose start is not known
	requests  int32  // turns in flight that may become pages

	standing standing
	rests    bool // past.readyAt is in force
	placed   bool // its address is known
	locating bool // its address is being looked up
	open     bool // its robots.txt is known
	asking   bool // its robots.txt is being requested
	claimed  bool // the next turn is claimed of other crawls
	blamed   bool // the failure of its robots.txt is already counted
	held     bool // it gets no turn but probes: see Hold
	free     bool // the pseudo-host of requests that a file answers

	perSecond bool // see Options.PerSecond
}

// A side holds the waiting requests that few hosts have.
type side struct {
	asks  []ask // hops and subresource requests, by rank
	ahead row   // redirect targets
	round row   // requests of the round
	store store // requests in the file
	needs line  // requisites
	owes  bool  // the next turn that a ranked request would get is for one
}

// empty reports whether a side holds nothing.
func (s *side) empty() bool {
	return len(s.asks) == 0 && len(s.ahead.first) == 0 && len(s.round.first) == 0 && s.store.live == 0 && s.needs.len() == 0
}

// aside returns the side of a host and creates it if necessary.
func (h *host) aside() *side {
	if h.side == nil {
		h.side = &side{}
	}
	return h.side
}

// history returns the record of a host and creates it if necessary.
func (h *host) history() *record {
	if h.past == nil {
		h.past = &record{}
	}
	return h.past
}

// down returns the reason why a host gets only probes; empty if it gets any request.
func (h *host) down() orbweaver.Failure {
	if h.past == nil {
		return ""
	}
	return h.past.down
}

// turn returns the rank of a host's next turn among those of other hosts: by its best request, or per second by what that is
// worth divided by the seconds that its host takes to answer, and one that any request takes.
func (h *host) turn() rank {
	r := h.best
	if h.perSecond && r.class == ranked && h.past != nil && h.past.asked > 0 {
		if score := scoreOf(r.key); score > 0 {
			r.key = keyOf(score / (1 + h.past.busy.Seconds()/float64(h.past.asked)))
		}
	}
	return r
}

// waits returns the number of waiting requests, hops and subresource requests of a host.
func (h *host) waits() int {
	n := h.queue.len()
	if s := h.side; s != nil {
		n += len(s.asks) + s.ahead.len() + s.round.len() + s.store.live
	}
	return n
}

// row returns the heap of a host for a list.
func (h *host) row(l list) *row {
	switch l {
	case inRound:
		return &h.aside().round
	case inAhead:
		return &h.aside().ahead
	}
	return &h.queue
}

// host returns the host of a name, and creates it if need be.
func (f *Frontier) host(name string) *host {
	h, ok := f.hosts[name]
	if !ok {
		h = &host{name: name, number: uint32(len(f.order)), at: nowhere, perSecond: f.opts.PerSecond}
		f.hosts[name] = h
		f.order = append(f.order, h)
	}
	return h
}

// hostOf returns the host of a URL. The host with the empty name serves requests that go to no host.
func (f *Frontier) hostOf(url string) *host {
	if f.opts.Free == nil || !f.opts.Free(url) {
		return f.host(weburl.Host(url))
	}
	h := f.host("")
	h.free = true
	return h
}

// settle moves a host, and its address, to the heaps where they belong after any change of the host.
func (f *Frontier) settle(h *host) {
	f.stand(h)
	f.place(h.address)
}

// settleBoth settles the host of a lease and the address at which the lease began, which the host may have left.
func (f *Frontier) settleBoth(l lease) {
	f.settle(l.host)
	if l.address != l.host.address {
		f.place(l.address)
	}
}

// stand puts a host into its heap. The caller must place its address afterwards.
func (f *Frontier) stand(h *host) {
	f.refill(h)
	if h.side != nil && h.side.empty() {
		h.side = nil
	}
	h.best = f.head(h)
	s := f.standing(h)
	if s != h.standing && h.standing != absent {
		f.leave(h)
	}
	was := h.standing
	switch h.standing = s; {
	case s == absent:
	case s == ready && h.address == nil && s == was:
		f.ready.fix(int(h.at))
	case s == ready && h.address == nil:
		f.ready.push(stop{host: h})
	case s == ready && s == was:
		h.address.ready.fix(int(h.at))
	case s == ready:
		h.address.ready.push(readyHost{h})
	case h.address == nil && s == was:
		f.sleeping.fix(int(h.at))
	case h.address == nil:
		f.sleeping.push(sleeper{host: h})
	case s == was:
		h.address.resting.fix(int(h.at))
	default:
		h.address.resting.push(restingHost{h})
	}
}

// leave removes a host from its heap.
func (f *Frontier) leave(h *host) {
	at := int(h.at)
	switch {
	case h.standing == ready && h.address == nil:
		f.ready.remove(at)
	case h.standing == ready:
		h.address.ready.remove(at)
	case h.address == nil:
		f.sleeping.remove(at)
	default:
		h.address.resting.remove(at)
	}
	h.standing = absent
}

// head returns the rank of a host's next turn, regardless of slots and time.
func (f *Frontier) head(h *host) rank {
	best := f.request(h)
	if best.class == none && h.needs() > 0 && !h.gone() {
		best = rank{class: requisite}
	}
	return best
}

// request is head without requisites.
func (f *Frontier) request(h *host) rank {
	var best rank
	spent := f.restricted || f.spent(h)
	switch {
	case h.gone():
		return best
	case f.round == nil && !spent:
		best = h.queue.top(ranked)
	}
	s := h.side
	switch {
	case s == nil:
		return best
	case len(s.asks) > 0:
		return s.asks[0].rank()
	case spent:
		return best
	}
	for _, r := range [...]rank{s.round.top(ranked), s.ahead.top(ahead)} {
		if r.before(best) {
			best = r
		}
	}
	return best
}

// standing computes the standing of a host.
func (f *Frontier) standing(h *host) standing {
	switch {
	case h.best.class == none, h.held,
		f.unlocated(h) && h.locating,
		!f.unlocated(h) && f.busy(h),
		f.closed(h) && h.asking && h.best.class != hop:
		return absent
	case h.rests:
		return resting
	}
	return ready
}

// busy reports whether a host has no free slot, or an unknown start that its delay depends on.
func (f *Frontier) busy(h *host) bool {
	return !h.free && (f.full(h.active, f.extra(h)) || h.active > 0 && h.down() != "" || h.unstarted > 0 && f.spacing(h) > 0)
}

// full reports whether active turns in flight leave no slot, of those that all have and extra ones.
func (f *Frontier) full(active, extra int32) bool {
	return f.opts.Connections > 0 && int(active) >= max(f.opts.Connections, 1+int(extra))
}

// extra returns the turns that a host without any delay may have in flight beyond one.
func (f *Frontier) extra(h *host) int32 {
	if h.past == nil || f.spacing(h) > 0 {
		return 0
	}
	return h.past.width.extra
}

// spacing returns the least time between two starts at a host.
func (f *Frontier) spacing(h *host) time.Duration {
	switch {
	case h.free:
		return 0
	case h.past == nil:
		return f.opts.Delay
	}
	return max(f.opts.Delay, h.past.delay)
}

// spent reports whether a host's budget is used up, requests in flight counted as pages.
func (f *Frontier) spent(h *host) bool {
	if h.free || f.opts.HostPages <= 0 {
		return false
	}
	pages := int64(h.requests)
	if h.past != nil {
		pages += h.past.pages
	}
	return pages >= f.opts.HostPages
}

// unlocated reports whether a host's address must be looked up first.
func (f *Frontier) unlocated(h *host) bool { return f.opts.Live && !h.free && !h.placed }

// closed reports whether a host's robots.txt must be known first.
func (f *Frontier) closed(h *host) bool { return f.opts.Live && !h.free && f.opts.Robots && !h.open }

// rest keeps a host from starting requests before a time.
func (h *host) rest(until time.Time) {
	if h.past == nil && until.IsZero() {
		return
	}
	if past := h.history(); until.After(past.readyAt) {
		past.readyAt = until
		h.rests = true
	}
}
