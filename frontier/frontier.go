package frontier

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"

	"orbweaver"
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
}

// A Frontier holds the waiting requests of a crawl. A request is in one of three states here:
// waiting (Add), leased (Next) or gone (Done, Drop); no number is leased twice without an Add
// between. It is for one goroutine.
type Frontier struct {
	opts      Options
	hosts     map[string]*host
	order     []*host             // as first seen
	addresses map[string]*address // that were looked up, by IP and port
	waiting   map[uint64]*node
	errands   map[uint64]queued // hops and errands that wait
	failed    []orbweaver.Turn  // those that nobody will serve
	leased    map[uint64]lease
	groups    map[string]map[uint64]struct{}
	ready     readyAddresses
	sleeping  sleepingAddresses
	round     map[uint64]struct{} // what was chosen; nil: no round is under way
	jitter    *rand.Rand
	numbers   uint64    // own numbers given
	now       time.Time // the latest time told
	spare     headHeap  // scratch of Head
}

// A lease is a turn that was given and is not done.
type lease struct {
	host    *host
	address *address // whose slot it holds too; nil: none but its host's
	task    orbweaver.Task
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
		waiting:   map[uint64]*node{},
		errands:   map[uint64]queued{},
		leased:    map[uint64]lease{},
		groups:    map[string]map[uint64]struct{}{},
		jitter:    rand.New(rand.NewPCG(opts.Seed, 0)),
	}
}

// Add lets a request wait. Adding one that waits already changes its score and, if Ahead is set, its
// place; its keys stay.
func (f *Frontier) Add(w orbweaver.Waiting) {
	class := ranked
	if w.Ahead {
		class = ahead
	}
	if n, ok := f.waiting[w.ID]; ok {
		n.class = max(n.class, class)
		f.rescore(n, w.Score)
		return
	}
	h := f.hostOf(w.URL)
	n := &node{id: w.ID, score: w.Score, class: class, host: h, keys: w.Keys}
	f.waiting[w.ID] = n
	for _, k := range w.Keys {
		f.group(k)[w.ID] = struct{}{}
	}
	_, n.chosen = f.round[w.ID] // it is tried again
	heap.Push(n.queue(), n)
	f.settle(h)
}

// Rank returns the score of a waiting request, +Inf for one that goes ahead, and false when it does
// not wait.
func (f *Frontier) Rank(id uint64) (float64, bool) {
	n, ok := f.waiting[id]
	switch {
	case !ok:
		return 0, false
	case n.class == ahead:
		return math.Inf(1), true
	}
	return n.score, true
}

// Next gives the turn of the host that is ready at now and whose next request ranks best: what it
// needs first, its address or its robots.txt, or else the request itself. When no host is ready, ok
// is false and wait is the time until one is by the passing of time alone, or negative when no waiting
// helps: nothing waits, or only behind what is in flight, at hosts that are down, beyond a budget, or
// outside the round.
func (f *Frontier) Next(now time.Time) (turn orbweaver.Turn, wait time.Duration, ok bool) {
	f.tell(now)
	f.wake(now)
	if f.ready.Len() == 0 {
		if f.sleeping.Len() == 0 {
			return orbweaver.Turn{}, -1, false
		}
		return orbweaver.Turn{}, f.sleeping.row[0].wakeAt.Sub(now), false
	}
	return f.give(f.ready.row[0].ready.row[0], now), 0, true
}

// Take leases a certain request, ready or not; false when it does not wait. It is for archives,
// whose hosts have neither address nor robots.txt.
func (f *Frontier) Take(id uint64, now time.Time) bool {
	f.tell(now)
	n, ok := f.waiting[id]
	if ok {
		f.forget(n)
		f.lease(n.host, orbweaver.Turn{Task: orbweaver.TakeRequest, ID: id})
	}
	return ok
}

// give makes the turn of a ready host.
func (f *Frontier) give(h *host, now time.Time) orbweaver.Turn {
	if f.unlocated(h) {
		return f.locate(h)
	}
	f.age(h, now)
	n := h.best
	if f.closed(h) && n.class != hop {
		return f.askRobots(h)
	}
	turn := orbweaver.Turn{Task: orbweaver.TakeRequest, ID: n.id, Host: h.name}
	if n.class >= errand {
		turn = f.errands[n.id].turn
	}
	f.forget(n)
	f.lease(h, turn)
	return turn
}

// lease takes a slot of a host, and of its address where that is shared, until Done.
func (f *Frontier) lease(h *host, turn orbweaver.Turn) {
	l := lease{host: h, task: turn.Task, own: turn.For == h.name}
	h.active++
	h.unstarted++
	if turn.Task == orbweaver.TakeRequest {
		h.requests++
	}
	if a := h.address; a.name != "" {
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
	l.host.start(at)
	f.space(l, l.host.last)
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
func (f *Frontier) Done(id uint64, r orbweaver.Reply) {
	l, ok := f.leased[id]
	if !ok {
		return
	}
	delete(f.leased, id)
	if l.task == orbweaver.TakeAddress {
		f.located(l.host, "", r.Failure, f.ended(r))
		return
	}
	switch {
	case !l.started:
		f.begin(&l, r.Started)
	case r.Started.After(l.host.last): // it was sent again, on another connection
		l.host.last = r.Started
		f.space(&l, r.Started)
	}
	l.host.active--
	if l.address != nil {
		l.address.active--
	}
	if l.task == orbweaver.TakeRequest {
		l.host.requests--
	}
	l.host.tally(r)
	f.heed(l, r)
	f.settleBoth(l)
}

// Drop lets requests, or errands, wait no more: those that robots.txt forbids.
func (f *Frontier) Drop(ids ...uint64) {
	for _, id := range ids {
		n, ok := f.waiting[id]
		if !ok {
			if n = f.errands[id].node; n == nil {
				continue
			}
		}
		f.forget(n)
		f.settle(n.host)
	}
}

// Group returns the numbers of the waiting requests under a key, "*" meaning all; in no order.
func (f *Frontier) Group(key string) []uint64 {
	var ids []uint64
	if key == "*" {
		for id := range f.waiting {
			ids = append(ids, id)
		}
		return ids
	}
	for id := range f.groups[key] {
		ids = append(ids, id)
	}
	return ids
}

// Len is how many requests wait.
func (f *Frontier) Len() int { return len(f.waiting) }

// Hosts is how many hosts were ever seen.
func (f *Frontier) Hosts() int { return len(f.hosts) }

// group returns the set of a key.
func (f *Frontier) group(key string) map[uint64]struct{} {
	g, ok := f.groups[key]
	if !ok {
		g = map[uint64]struct{}{}
		f.groups[key] = g
	}
	return g
}

// forget takes a request out of its queue and the indexes. Its host is to be settled then.
func (f *Frontier) forget(n *node) {
	heap.Remove(n.queue(), int(n.at))
	if n.class >= errand {
		delete(f.errands, n.id)
		return
	}
	delete(f.waiting, n.id)
	for _, k := range n.keys {
		delete(f.groups[k], n.id)
		if len(f.groups[k]) == 0 {
			delete(f.groups, k)
		}
	}
}

// rescore moves a waiting request to where its new score belongs.
func (f *Frontier) rescore(n *node, score float64) {
	n.score = score
	heap.Fix(n.queue(), int(n.at))
	f.settle(n.host)
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
