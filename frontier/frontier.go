package frontier

import (
	"math/rand/v2"
	"time"

	"orbweaver/internal/step"
)

// Options are the rules of turn-taking. The zero value has none: every host is always ready.
type Options struct {
	Delay       time.Duration // least time between two starts at one host, and at one address
	Connections int           // most in flight at one host, and at one address; 0: any number
	HostPages   int64         // most pages of one host; 0: any number
	Live        bool          // hosts have addresses, to be looked up first
	Robots      bool          // with Live: robots.txt is the first thing asked of a host
	MaxRest     time.Duration // longest back-off; 0: 10 minutes
	MaxFailures int           // troubles in a row after which a host is down for this session; 0: 5
	Seed        uint64        // of the jitter
	Resumed     bool          // with Live: hosts may have been asked a moment ago, and nobody noted it
	// Free tells requests that no host is asked for, since a file answers them: no slot, delay, budget or
	// robots.txt holds them back. Nil: none is.
	Free func(url string) bool
	// Memory is how many bytes waiting requests may hold, keys apart; 0: any number. Beyond that, the
	// worst of hosts with more than 256 go to the file that Spill opens when it is first needed. One
	// there still holds 9 bytes. The crawl is the same. Without Spill there is no bound.
	Memory int64
	Spill  func() (Spill, error)
}

// A Frontier holds the waiting requests of a crawl. A request is waiting (Add), leased (Next) or gone (Done, Drop); no
// number is leased twice without an Add in between. A Frontier must be used by one goroutine.
type Frontier struct {
	opts      Options
	hosts     map[string]*host
	order     []*host             // as first seen
	addresses map[string]*address // that were looked up, by IP and port
	waiting   index
	asks      map[uint64]*host // hops and subresource requests that wait
	failed    []step.Turn      // hops and subresource requests that can never be served
	leased    map[uint64]lease
	groups    groups
	ready     heap[stop]
	sleeping  heap[sleeper]
	round     map[uint64]struct{} // requests of the round; nil: there is none
	jitter    *rand.Rand
	numbers   uint64       // own numbers given
	now       time.Time    // latest time given by a caller
	spare     heap[branch] // scratch of Head
	file      file         // waiting requests beyond the memory budget
	err       error        // the first failure
}

// A lease is a turn that was given and is not done.
type lease struct {
	host    *host
	address *address // whose slot it holds too; nil: none but its host's
	task    step.Task
	started bool // its start is known
	own     bool // it asks for the robots.txt of its own host
}

// New returns an empty frontier.
func New(opts Options) *Frontier {
	if opts.MaxRest <= 0 {
		opts.MaxRest = 10 * time.Minute
	}
	if opts.MaxFailures <= 0 {
		opts.MaxFailures = 5
	}
	opts.Delay = max(opts.Delay, 0)
	return &Frontier{
		opts:      opts,
		hosts:     map[string]*host{},
		addresses: map[string]*address{},
		asks:      map[uint64]*host{},
		leased:    map[uint64]lease{},
		groups:    groups{byKey: map[string]*group{}, again: map[uint32][]*group{}},
		file:      file{limit: opts.Memory},
		jitter:    rand.New(rand.NewPCG(opts.Seed, 0)),
	}
}

// Next gives the turn of the host that is ready at now and has the best next request: the look-up of its address, its
// robots.txt, or the request itself. If no host is ready, ok is false and wait is the time until the passing of time
// alone makes one ready, or negative if waiting does not help: nothing waits, or only behind requests in flight, at
// hosts that are down, beyond a budget, or outside the round. After a failure (Err) there is no turn.
func (f *Frontier) Next(now time.Time) (turn step.Turn, wait time.Duration, ok bool) {
	f.setTime(now)
	f.wake(now)
	switch {
	case f.err != nil:
		return step.Turn{}, -1, false
	case len(f.ready) > 0:
		turn = f.give(f.ready[0].best(), now)
		f.relieve()
		return turn, 0, true
	case len(f.sleeping) > 0:
		return step.Turn{}, f.sleeping[0].wakeAt().Sub(now), false
	}
	return step.Turn{}, -1, false
}

// Take leases a given request, whether its host is ready or not; false if the request does not wait, or after a
// failure. It is for archives, whose hosts have neither address nor robots.txt.
func (f *Frontier) Take(id uint64, now time.Time) bool {
	f.setTime(now)
	p := f.find(id)
	if p == nil || f.err != nil {
		return false
	}
	h := f.order[p.owner()]
	f.forget(uint32(id), *p)
	f.lease(h, step.Turn{Task: step.TakeRequest, ID: id})
	return true
}

// give returns the turn of a ready host.
func (f *Frontier) give(h *host, now time.Time) step.Turn {
	if f.unlocated(h) {
		return f.locate(h)
	}
	f.age(h, now)
	if f.closed(h) && h.best.class != hop {
		return f.askRobots(h)
	}
	turn := step.Turn{Task: step.TakeRequest, ID: uint64(h.best.id), Host: h.name}
	if h.best.class >= subresource {
		turn = h.side.asks[0].turn
		f.dismiss(h, turn.ID)
	} else {
		f.forget(h.best.id, *f.waiting.find(h.best.id))
	}
	f.lease(h, turn)
	return turn
}

// lease takes a slot of a host, and of its shared address, until Done.
func (f *Frontier) lease(h *host, turn step.Turn) {
	l := lease{host: h, task: turn.Task, own: turn.For == h.name}
	h.active++
	h.unstarted++
	if turn.Task == step.TakeRequest {
		h.requests++
	}
	if a := h.address; a != nil {
		l.address = a
		a.active++
		a.unstarted++
	}
	f.leased[turn.ID] = l
	f.settle(h)
}

// Started reports when a host can be taken to have received the request of a turn, before its answer is complete. It
// is optional: Done reports it too. Turns that are not in flight are ignored.
func (f *Frontier) Started(id uint64, at time.Time) {
	l, ok := f.leased[id]
	if !ok || l.started || at.IsZero() {
		return
	}
	f.begin(&l, at)
	f.leased[id] = l
	f.settleBoth(l)
}

// begin notes the start of a turn; the zero time means that it never started.
func (f *Frontier) begin(l *lease, at time.Time) {
	l.started = true
	l.host.unstarted--
	if l.address != nil {
		l.address.unstarted--
	}
	if at.IsZero() {
		return
	}
	past := l.host.history()
	past.start(at)
	f.space(l, past.last)
}

// space applies the delays that follow a start.
func (f *Frontier) space(l *lease, at time.Time) {
	if s := f.spacing(l.host); s > 0 {
		l.host.rest(at.Add(s))
	}
	if l.address != nil && f.opts.Delay > 0 {
		l.address.rest(at.Add(f.opts.Delay))
	}
}

// Done ends a turn of any task and reports the reply. Turns that are not in flight are ignored.
func (f *Frontier) Done(id uint64, r step.Reply) {
	l, ok := f.leased[id]
	if !ok {
		return
	}
	delete(f.leased, id)
	if l.task == step.TakeAddress {
		f.located(l.host, "", r.Failure, f.ended(r))
		return
	}
	switch {
	case !l.started:
		f.begin(&l, r.Started)
	case r.Started.After(l.host.history().last): // the request was sent again on another connection
		l.host.past.last = r.Started
		f.space(&l, r.Started)
	}
	l.host.active--
	if l.address != nil {
		l.address.active--
	}
	if l.task == step.TakeRequest {
		l.host.requests--
	}
	l.host.history().tally(r)
	f.handleReply(l, r)
	f.settleBoth(l)
}

// setTime notes the time. The first call also bounds rests that were restored under a clock that was ahead.
func (f *Frontier) setTime(now time.Time) {
	if f.now.IsZero() && !now.IsZero() {
		f.mend(now)
	}
	if now.After(f.now) {
		f.now = now
	}
}
