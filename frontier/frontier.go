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
	MaxFailures int           // troubles in a row after which a host is down for this sitting; 0: 5
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

// A Frontier holds the waiting requests of a crawl. A request is in one of three states here:
// waiting (Add), leased (Next) or gone (Done, Drop); no number is leased twice without an Add
// between. It is for one goroutine.
type Frontier struct {
	opts      Options
	hosts     map[string]*host
	order     []*host             // as first seen
	addresses map[string]*address // that were looked up, by IP and port
	waiting   index
	errands   map[uint64]*host // hops and errands that wait
	failed    []step.Turn      // those that nobody will serve
	leased    map[uint64]lease
	groups    groups
	ready     heap[stop]
	sleeping  heap[sleeper]
	round     map[uint64]struct{} // what was chosen; nil: no round is under way
	jitter    *rand.Rand
	numbers   uint64       // own numbers given
	now       time.Time    // the latest time told
	spare     heap[branch] // scratch of Head
	file      file         // what memory has no room for
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
		errands:   map[uint64]*host{},
		leased:    map[uint64]lease{},
		groups:    groups{byKey: map[string]*group{}, again: map[uint32][]*group{}},
		file:      file{limit: opts.Memory},
		jitter:    rand.New(rand.NewPCG(opts.Seed, 0)),
	}
}

// Next gives the turn of the host that is ready at now and whose next request ranks best: what it
// needs first, its address or its robots.txt, or else the request itself. When no host is ready, ok
// is false and wait is the time until one is by the passing of time alone, or negative when no waiting
// helps: nothing waits, or only behind what is in flight, at hosts that are down, beyond a budget, or
// outside the round. After a failure (Err) there is no turn, and no waiting helps.
func (f *Frontier) Next(now time.Time) (turn step.Turn, wait time.Duration, ok bool) {
	f.tell(now)
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

// Take leases a certain request, ready or not; false when it does not wait, or after a failure. It is
// for archives, whose hosts have neither address nor robots.txt.
func (f *Frontier) Take(id uint64, now time.Time) bool {
	f.tell(now)
	p := f.find(id)
	if p == nil || f.err != nil {
		return false
	}
	h := f.order[p.owner()]
	f.forget(uint32(id), *p)
	f.lease(h, step.Turn{Task: step.TakeRequest, ID: id})
	return true
}

// give makes the turn of a ready host.
func (f *Frontier) give(h *host, now time.Time) step.Turn {
	if f.unlocated(h) {
		return f.locate(h)
	}
	f.age(h, now)
	if f.closed(h) && h.best.class != hop {
		return f.askRobots(h)
	}
	turn := step.Turn{Task: step.TakeRequest, ID: uint64(h.best.id), Host: h.name}
	if h.best.class >= errand {
		turn = h.side.asks[0].turn
		f.dismiss(h, turn.ID)
	} else {
		f.forget(h.best.id, *f.waiting.find(h.best.id))
	}
	f.lease(h, turn)
	return turn
}

// lease takes a slot of a host, and of its address where that is shared, until Done.
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

// Started says when a host can be taken to have had the request of a turn, while the answer is still
// to come. It may be left out: Done says it too. What is not in flight is ignored.
func (f *Frontier) Started(id uint64, at time.Time) {
	l, ok := f.leased[id]
	if !ok || l.started || at.IsZero() {
		return
	}
	f.begin(&l, at)
	f.leased[id] = l
	f.settleBoth(l)
}

// begin notes the start of a turn; the zero time stands for one that never began.
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

// space keeps the delays from a start.
func (f *Frontier) space(l *lease, at time.Time) {
	if s := f.spacing(l.host); s > 0 {
		l.host.rest(at.Add(s))
	}
	if l.address != nil && f.opts.Delay > 0 {
		l.address.rest(at.Add(f.opts.Delay))
	}
}

// Done ends a turn of any task and says what its exchange told of the host. What is not in flight is
// ignored.
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
	case r.Started.After(l.host.history().last): // it was sent again, on another connection
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
	f.heed(l, r)
	f.settleBoth(l)
}

// tell notes the time. The first time told mends what was restored under a clock that was ahead.
func (f *Frontier) tell(now time.Time) {
	if f.now.IsZero() && !now.IsZero() {
		f.mend(now)
	}
	if now.After(f.now) {
		f.now = now
	}
}
