package frontier_test

import (
	"container/heap"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/frontier"
	"orbweaver/internal/step"
)

// A web is a simulated web with its own clock. It takes turns from a frontier and checks each against its own
// records.
type web struct {
	t      *testing.T
	rng    *rand.Rand
	opts   frontier.Options
	f      *frontier.Frontier
	now    time.Time
	events events
	serial int

	sites     map[string]*site
	names     []string
	addresses map[string]*slots
	nextID    uint64
	seen      map[uint64]bool   // requests and subresource requests: ended?
	chosen    map[uint64]bool   // the round; nil: none
	ahead     map[uint64]bool   // redirect targets
	robots    map[string]string // host → the URL of its pending robots.txt
	inFlight  int
	turns     int
	trace     uint64
}

// slots is what a host or an address has in use.
type slots struct {
	active, unstarted int
	last              time.Time
}

// A site is a host as seen by its server and by a strict observer.
type site struct {
	slots
	address   string
	place     *slots // of the address
	delay     time.Duration
	openedAt  time.Time
	open      bool
	notBefore time.Time // it rests
	dead      bool      // fails always
	pages     int64
}

// An event is something that happens at a time.
type event struct {
	at     time.Time
	serial int
	do     func()
}

type events []event

func (q events) Len() int { return len(q) }
func (q events) Less(i, j int) bool {
	if !q[i].at.Equal(q[j].at) {
		return q[i].at.Before(q[j].at)
	}
	return q[i].serial < q[j].serial
}
func (q events) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q *events) Push(x any)   { *q = append(*q, x.(event)) }
func (q *events) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func newWeb(t *testing.T, seed uint64, opts frontier.Options) *web {
	opts.Seed = seed
	w := &web{
		t: t, rng: rand.New(rand.NewPCG(seed, 7)), opts: opts, f: frontier.New(opts), now: start(),
		sites: map[string]*site{}, addresses: map[string]*slots{}, seen: map[uint64]bool{},
		ahead: map[uint64]bool{}, robots: map[string]string{},
	}
	for i := range 300 {
		name := fmt.Sprintf("http://h%03d.test", i)
		w.names = append(w.names, name)
		w.sites[name] = &site{dead: w.rng.IntN(12) == 0}
	}
	return w
}

// after schedules an event.
func (w *web) after(d time.Duration, do func()) {
	w.serial++
	heap.Push(&w.events, event{w.now.Add(d), w.serial, do})
}

// upTo returns a random duration below d.
func (w *web) upTo(d time.Duration) time.Duration { return time.Duration(w.rng.Int64N(int64(d))) }

// add adds a new request, often at one of a few hosts.
func (w *web) add() {
	site := w.names[w.rng.IntN(len(w.names))]
	if w.rng.IntN(2) == 0 {
		site = w.names[w.rng.IntN(20)]
	}
	w.nextID++
	id := w.nextID
	wait := step.Waiting{ID: id, Ahead: w.rng.IntN(20) == 0}
	wait.URL, wait.Score = site+"/page", float64(w.rng.IntN(100))
	w.seen[id] = false
	w.ahead[id] = wait.Ahead
	w.f.Add(wait)
}

// subresource queues a subresource request.
func (w *web) subresource() {
	id := w.f.Subresource(w.names[w.rng.IntN(len(w.names))] + "/sitemap.xml")
	w.seen[id] = false
}

// run runs the crawl until nothing more can happen and returns a hash of its course.
func (w *web) run() uint64 {
	for range 1500 {
		w.add()
	}
	for range 40 {
		w.subresource()
	}
	for i := range 300 {
		w.after(time.Duration(i)*200*time.Millisecond, w.add)
	}
	for steps := 0; ; steps++ {
		if steps > 200_000 {
			w.t.Fatal("the crawl does not end")
		}
		w.collect()
		turn, wait, ok := w.f.Next(w.now)
		switch {
		case ok:
			w.take(turn)
		case !w.pass(wait):
			if w.chosen == nil {
				w.finish()
				return w.trace
			}
			w.chosen = nil
			w.f.Unselect()
		}
	}
}

// pass advances time until an event or a turn is due; false if neither will be.
func (w *web) pass(wait time.Duration) bool {
	if len(w.events) > 0 && (wait < 0 || !w.now.Add(wait).Before(w.events[0].at)) {
		e := heap.Pop(&w.events).(event)
		w.now = e.at
		e.do()
		return true
	}
	if wait < 0 {
		return false
	}
	if wait == 0 {
		w.t.Fatal("no turn, and no wait")
	}
	if turn, _, ok := w.f.Next(w.now.Add(wait - 1)); ok {
		w.t.Fatalf("a turn before the wait was over: %+v", turn)
	}
	w.now = w.now.Add(wait)
	turn, _, ok := w.f.Next(w.now)
	if !ok {
		w.t.Fatal("no turn when the wait was over")
	}
	w.take(turn)
	return true
}

// collect takes back failed asks, and begins a round now and then.
func (w *web) collect() {
	for _, turn := range w.f.Failed() {
		if why, _ := w.f.Account(turn.Host); why.Down == "" {
			w.t.Fatalf("%+v failed at a host that is not down", turn)
		}
		if turn.Task == step.TakeSubresource {
			w.end(turn.ID)
			continue
		}
		w.unopened(turn.For)
	}
	if w.chosen == nil && w.rng.IntN(200) == 0 {
		w.chosen = map[uint64]bool{}
		for _, id := range w.f.Select(30) {
			w.chosen[id] = true
		}
	}
}

// end records the end of a request or a subresource request.
func (w *web) end(id uint64) {
	over, known := w.seen[id]
	if !known || over {
		w.t.Fatalf("%d: known %v, over before %v", id, known, over)
	}
	w.seen[id] = true
}

// take checks a turn and schedules its course.
func (w *web) take(turn step.Turn) {
	w.turns++
	h := fnv.New64a()
	fmt.Fprint(h, w.trace, turn, w.now)
	w.trace = h.Sum64()
	s := w.sites[turn.Host]
	if account, _ := w.f.Account(turn.Host); account.Down != "" && s.active > 0 {
		w.t.Fatalf("%+v at a host that is down, while it is probed", turn)
	}
	if w.now.Before(s.notBefore) {
		w.t.Fatalf("%+v %v before its rest is over", turn, s.notBefore.Sub(w.now))
	}
	w.inFlight++
	if turn.Task == step.TakeAddress {
		w.lookUp(turn, s)
		return
	}
	w.checkState(turn, s)
	delay := max(w.opts.Delay, s.delay)
	w.checkSlots(turn, &s.slots, delay)
	if s.place != nil {
		w.checkSlots(turn, s.place, w.opts.Delay)
	}
	w.exchange(turn, s)
}

// checkState checks that a host was in the right state for a turn.
func (w *web) checkState(turn step.Turn, s *site) {
	if w.opts.Live && s.address == "" {
		w.t.Fatalf("%+v at a host without an address", turn)
	}
	known := s.open && w.now.Sub(s.openedAt) <= 24*time.Hour
	switch turn.Task {
	case step.TakeRobots:
		if turn.For == turn.Host && known {
			w.t.Fatalf("%+v when it is known", turn)
		}
		if url, busy := w.robots[turn.For]; busy && url != turn.URL {
			w.t.Fatalf("%+v while it is awaited at %s", turn, url)
		}
		w.robots[turn.For] = turn.URL
		return
	case step.TakeRequest:
		if w.chosen != nil && !w.chosen[turn.ID] && !w.ahead[turn.ID] {
			w.t.Fatalf("%+v is not of the round", turn)
		}
		if w.opts.HostPages > 0 && s.pages >= w.opts.HostPages {
			w.t.Fatalf("%+v is beyond the budget", turn)
		}
	}
	if w.opts.Live && w.opts.Robots && !known {
		w.t.Fatalf("%+v before robots.txt", turn)
	}
	w.end(turn.ID)
}

// checkSlots checks the slots and delay of a host or address.
func (w *web) checkSlots(turn step.Turn, s *slots, delay time.Duration) {
	switch {
	case w.opts.Connections > 0 && s.active >= w.opts.Connections:
		w.t.Fatalf("%+v: %d in flight already", turn, s.active)
	case delay > 0 && s.unstarted > 0:
		w.t.Fatalf("%+v while a start is not known", turn)
	case delay > 0 && !s.last.IsZero() && w.now.Before(s.last.Add(delay)):
		w.t.Fatalf("%+v %v after a start, the delay is %v", turn, w.now.Sub(s.last), delay)
	}
}

// lookUp answers with one of 40 addresses, or none.
func (w *web) lookUp(turn step.Turn, s *site) {
	if s.address != "" {
		w.t.Fatalf("%+v: it is known", turn)
	}
	w.after(w.upTo(300*time.Millisecond), func() {
		w.inFlight--
		if s.dead && w.rng.IntN(2) == 0 {
			w.trouble(s, w.now)
			w.f.Located(turn, "", orbweaver.ErrLookup, w.now)
			return
		}
		s.address = fmt.Sprintf("192.0.2.%d:80", w.rng.IntN(40))
		if w.addresses[s.address] == nil {
			w.addresses[s.address] = &slots{}
		}
		s.place = w.addresses[s.address]
		w.f.Located(turn, s.address, "", w.now)
	})
}

// exchange schedules the start and end of a turn; it may report both, or the end alone.
func (w *web) exchange(turn step.Turn, s *site) {
	held := []*slots{&s.slots}
	if s.place != nil {
		held = append(held, s.place)
	}
	for _, h := range held {
		h.active++
		h.unstarted++
	}
	if turn.Task == step.TakeRequest {
		s.pages++ // for now
	}
	delays := []time.Duration{max(w.opts.Delay, s.delay), w.opts.Delay}
	never, told := s.dead && w.rng.IntN(3) == 0, w.rng.IntN(2) == 0
	var began time.Time
	w.after(w.upTo(50*time.Millisecond), func() {
		if never {
			return
		}
		began = w.now
		for i, h := range held {
			if d := delays[i]; d > 0 && !h.last.IsZero() && began.Before(h.last.Add(d)) {
				w.t.Fatalf("%+v started %v after another", turn, began.Sub(h.last))
			}
			h.last = began
		}
		if told {
			w.know(held)
			w.f.Started(turn.ID, began)
		}
	})
	took := 50*time.Millisecond + w.upTo(200*time.Millisecond)
	if w.rng.IntN(20) == 0 {
		took = w.upTo(8*time.Second) + time.Second
	}
	w.after(took, func() {
		w.inFlight--
		if !told || never {
			w.know(held)
		}
		for _, h := range held {
			h.active--
		}
		w.answer(turn, s, w.reply(s, began))
	})
}

// know records that a start is known.
func (w *web) know(held []*slots) {
	for _, h := range held {
		h.unstarted--
	}
}

// reply generates a reply.
func (w *web) reply(s *site, began time.Time) step.Reply {
	r := step.Reply{Started: began, Ended: w.now, Bytes: 100}
	switch n := w.rng.IntN(40); {
	case began.IsZero():
		r.Failure, r.Fault = orbweaver.ErrConnect, step.FaultHost
	case s.dead || n == 0:
		r.Failure, r.Fault = orbweaver.ErrTimeout, step.FaultAnswer
	case n == 1:
		r.Failure, r.Fault, r.RetryAfter = orbweaver.ErrStatus, step.FaultAnswer, w.upTo(30*time.Second)
	case n == 2 && w.rng.IntN(20) == 0:
		r.Failure, r.Fault, r.RetryAfter = orbweaver.ErrStatus, step.FaultAnswer, 2*time.Hour
	case n < 8:
		r.Failure = orbweaver.ErrStatus
	}
	r.Page = r.Failure == ""
	return r
}

// answer reports the result of a turn to the frontier, and to the site's observer.
func (w *web) answer(turn step.Turn, s *site, r step.Reply) {
	r.Page = r.Page && turn.Task == step.TakeRequest
	if turn.Task == step.TakeRequest && !r.Page {
		s.pages--
	}
	w.rest(s, r)
	if r.Failure == orbweaver.ErrConnect {
		s.address, s.place = "", nil
	}
	before, _ := w.f.Account(turn.Host)
	w.f.Done(turn.ID, r)
	if after, _ := w.f.Account(turn.Host); before.Down == "" && after.Down != "" {
		s.notBefore = w.now.Add(30 * time.Second) // the first probe
	}
	if turn.Task == step.TakeRobots {
		w.rules(turn, r)
	}
}

// rest records how long a host must rest after a reply.
func (w *web) rest(s *site, r step.Reply) {
	if r.Fault != step.FaultNone {
		w.trouble(s, r.Ended)
	}
	if until := r.Ended.Add(r.RetryAfter); r.RetryAfter > 0 && until.After(s.notBefore) {
		s.notBefore = until
	}
	if took := r.Ended.Sub(r.Started); !r.Started.IsZero() && took > time.Second {
		if until := r.Started.Add(2 * took); until.After(s.notBefore) {
			s.notBefore = until
		}
	}
}

// trouble makes a host rest for the least back-off.
func (w *web) trouble(s *site, at time.Time) {
	if until := at.Add(max(time.Second, 2*max(w.opts.Delay, s.delay))); until.After(s.notBefore) {
		s.notBefore = until
	}
}

// rules reports the result of a robots.txt request: known, redirected, or unavailable.
func (w *web) rules(turn step.Turn, r step.Reply) {
	n := w.rng.IntN(10)
	switch {
	case r.Fault != step.FaultNone || n == 0:
		w.unopened(turn.For)
	case n < 4:
		url := w.names[w.rng.IntN(len(w.names))] + "/elsewhere.txt"
		w.robots[turn.For] = url
		w.f.Hop(turn, url)
	default:
		delete(w.robots, turn.For)
		s := w.sites[turn.For]
		s.open, s.openedAt = true, w.now
		s.delay = time.Duration(max(0, w.rng.IntN(8)-5)) * time.Second
		w.f.RobotsKnown(turn.For, s.delay, "200", w.now)
	}
}

// unopened reports that a robots.txt is unavailable.
func (w *web) unopened(host string) {
	delete(w.robots, host)
	w.trouble(w.sites[host], w.now)
	w.f.RobotsUnavailable(host, "unreachable", w.now)
}

// finish checks that nothing was lost: requests not served wait at hosts that are down or whose budget is
// spent.
func (w *web) finish() {
	if w.inFlight > 0 {
		w.t.Errorf("%d in flight at the end", w.inFlight)
	}
	waits := map[uint64]bool{}
	for _, name := range w.names {
		a, known := w.f.Account(name)
		ids := w.f.Waits(name)
		spent := w.opts.HostPages > 0 && w.sites[name].pages >= w.opts.HostPages
		if len(ids) > 0 && a.Down == "" && !spent {
			w.t.Errorf("%d wait at %s, which is neither down nor spent", len(ids), name)
		}
		if known && a.Pages != w.sites[name].pages {
			w.t.Errorf("%s has %d pages, want %d", name, a.Pages, w.sites[name].pages)
		}
		for _, id := range ids {
			waits[id] = true
		}
	}
	for id, over := range w.seen {
		if over == waits[id] {
			w.t.Errorf("%x: over %v, waits %v", id, over, waits[id])
		}
	}
	if w.f.Len() != len(waits) {
		w.t.Errorf("%d wait, %d at hosts", w.f.Len(), len(waits))
	}
	for a := range w.f.Accounts() {
		if d := w.f; a.Gap > 0 && a.Gap < w.opts.Delay {
			w.t.Errorf("%s: a gap of %v in %v", a.Host, a.Gap, d.Hosts())
		}
	}
}

// TestPoliteWhateverHappens runs random crawls of 300 hosts on 40 addresses in simulated time.
func TestPoliteWhateverHappens(t *testing.T) {
	for _, tc := range []struct {
		name string
		opts frontier.Options
	}{
		{"polite", frontier.Options{Live: true, Robots: true, Delay: time.Second, Connections: 1}},
		{"two connections", frontier.Options{Live: true, Robots: true, Delay: 300 * time.Millisecond, Connections: 2}},
		{"no delay", frontier.Options{Live: true, Robots: true, Connections: 3}},
		{"no robots", frontier.Options{Live: true, Delay: time.Second, Connections: 1}},
		{"budget", frontier.Options{Live: true, Robots: true, Delay: time.Second, Connections: 2, HostPages: 5}},
		{"archive with a delay", frontier.Options{Delay: time.Second, Connections: 2}},
		{"archive", frontier.Options{HostPages: 9}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for seed := range uint64(5) {
				w := newWeb(t, seed, tc.opts)
				trace := w.run()
				if served := len(w.seen) - w.f.Len(); served < len(w.seen)/4 {
					t.Errorf("seed %d: %d of %d served", seed, served, len(w.seen))
				}
				if again := newWeb(t, seed, tc.opts).run(); again != trace {
					t.Errorf("seed %d: the same crawl went otherwise", seed)
				}
			}
		})
	}
}
