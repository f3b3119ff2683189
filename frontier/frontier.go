package frontier

import (
	"math/rand/v2"
	"time"

	"orbweaver/internal/step"
)

// Options are the rules of scheduling. The zero value has none: every host is always ready.
type Options struct {
	Delay       time.Duration // least time between two starts at one host, and at one address
	Connections int           // most in flight at one host, and at one address; 0: no limit
	Widest      int           // the same where there is no delay, and answers come no slower for it; less than Connections: these
	Idle        func() bool   // with Widest: whether answers are read as they come, so that how long they take is the hosts' doing; nil: always
	HostPages   int64         // most pages of one host; 0: no limit
	Live        bool          // hosts have addresses, which must be looked up first
	Robots      bool          // with Live: robots.txt is the first request to a host
	MaxRest     time.Duration // longest back-off; 0: 10 minutes
	MaxFailures int           // consecutive troubles after which a host is down; 0: 5
	Seed        uint64        // of the jitter
	PerSecond   bool          // of the ready hosts, that goes first whose best request is worth most per second, by its answers so far
	Resumed     bool          // with Live: an earlier session may have sent requests that no account records
	// Free reports requests that go to no host, since a file answers them: no slot, delay, budget or
	// robots.txt applies to them. Nil: there are none.
	Free func(url string) bool
	// Memory bounds the bytes of waiting requests, without keys; 0: no bound. Beyond it, the worst requests
	// of hosts with more than 256 go to the file that Spill opens on first use. A request in the file still
	// takes 9 bytes of memory. The crawl is the same. Without Spill there is no bound.
	Memory int64
	Spill  func() (Spill, error)
	// Others are, with Live, the crawls beside this one. Nil: there are none.
	Others Others
}

// A Frontier holds the waiting requests of a crawl. A request is waiting (Add), leased (Next) or gone (Done, Drop); no
// number is leased twice without an Add in between. A Frontier must be used by one goroutine.
type Frontier struct {
	opts      Options
	hosts     map[string]*host
	order     []*host             // as first seen
	addresses map[string]*address // those looked up, by IP and port
	waiting   index
	asks      map[uint64]*host // waiting hops and subresource requests
	failed    []step.Turn      // hops and subresource requests that cannot be served
	leased    map[uint64]lease
	unread    map[*host]time.Time // with Others: when hosts were asked for a robots.txt that is being read
	groups    groups
	ready     heap[stop]
	sleeping  heap[sleeper]
	round     map[uint64]struct{} // requests of the round; nil: no round
	needs     int                 // requisites that wait
	jitter    *rand.Rand
	numbers   uint64       // numbers assigned by the frontier itself
	now       time.Time    // latest time passed by a caller
	spare     heap[branch] // scratch of Head
	file      file         // waiting requests beyond the memory budget
	err       error        // the first failure

	restricted bool // see Restrict
}

// A lease is a turn in flight.
type lease struct {
	id      uint64
	host    *host
	address *address // address whose slot it also holds; nil: none
	task    step.Task
	given   time.Time
	at      time.Time // its start, once it is known; zero: it never started
	started bool      // its start is known
	own     bool      // requests the robots.txt of its own host
	claimed bool      // other crawls know of it
	probe   bool      // the host was down
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
		unread:    map[*host]time.Time{},
		groups:    groups{byKey: map[string]*group{}, again: map[uint32][]*group{}},
		file:      file{limit: opts.Memory},
		jitter:    rand.New(rand.NewPCG(opts.Seed, 0)),
	}
}

// Next returns the next turn of the ready host with the best request: its address look-up, its robots.txt, or
// the request itself. If no host is ready, ok is false, and wait is the time until one becomes ready by time
// alone. A negative wait means that waiting does not help: nothing waits, or only behind requests in flight,
// at hosts that are down, beyond a budget, or outside the round. After a failure (Err) there is no turn.
func (f *Frontier) Next(now time.Time) (turn step.Turn, wait time.Duration, ok bool) {
	f.setTime(now)
	f.wake(now)
	switch {
	case f.err != nil:
		return step.Turn{}, -1, false
	case f.claimNext(now):
		turn = f.give(f.ready[0].best(), now)
		f.relieve()
		return turn, 0, true
	case len(f.sleeping) > 0:
		return step.Turn{}, f.sleeping[0].wakeAt().Sub(now), false
	}
	return step.Turn{}, -1, false
}

// Take leases a given request, whether its host is ready or not; false if the request does not wait, or after
// a failure. Take serves archives, whose hosts have neither address nor robots.txt.
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
	if h.owed() {
		return f.require(h)
	}
	turn := step.Turn{Task: step.TakeRequest, ID: uint64(h.best.id), Host: h.name}
	if h.best.class >= subresource {
		turn = h.side.asks[0].turn
		f.dismiss(h, turn.ID)
	} else {
		if h.side != nil {
			h.side.owes = true
		}
		f.forget(h.best.id, *f.waiting.find(h.best.id))
	}
	f.lease(h, turn)
	return turn
}

// lease takes a slot of a host, and of its shared address, until Done.
func (f *Frontier) lease(h *host, turn step.Turn) {
	l := lease{id: turn.ID, host: h, task: turn.Task, given: f.now, own: turn.For == h.name, claimed: h.claimed, probe: h.down() != ""}
	h.claimed = false
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

// begin records the start of a turn; the zero time means that it never started.
func (f *Frontier) begin(l *lease, at time.Time) {
	l.started = true
	l.host.unstarted--
	if l.address != nil {
		l.address.unstarted--
	}
	if at.IsZero() {
		return
	}
	l.at = at
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
	case r.Started.After(l.host.history().last): // the request was resent on another connection
		l.at, l.host.past.last = r.Started, r.Started
		f.space(&l, r.Started)
	}
	l.host.active--
	if l.address != nil {
		l.address.active--
	}
	if l.task == step.TakeRequest {
		l.host.requests--
	}
	past := l.host.history()
	past.tally(r)
	rested := past.readyAt
	f.handleReply(l, r)
	f.shareRest(l.host, rested)
	f.handBack(l)
	f.settleBoth(l)
}

// setTime records the time. The first call also bounds rests restored from a clock that was ahead.
func (f *Frontier) setTime(now time.Time) {
	if f.now.IsZero() && !now.IsZero() {
		f.mend(now)
	}
	if now.After(f.now) {
		f.now = now
	}
}
