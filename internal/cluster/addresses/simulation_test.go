package addresses

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// A plan is how a simulation is broken, if at all: then it must find that.
type plan struct {
	noSlack      bool // requests begin as late as ever, and desks do not know
	noQuarantine bool // new desks grant at once
	noCheck      bool // requests begin without a look at the grant
}

// Sizes of a simulation.
const (
	desks     = 3
	troubled  = 20 * time.Second // until which there are faults
	simulated = 58 * time.Second
	quiet     = 22 * time.Second // at the end of a simulation, in which everybody makes progress
)

// A sim is a crew that shares addresses, over a road that loses, delays, repeats and reorders letters; workers are paused, cut off and killed, and desks move.
type sim struct {
	plan
	draw    *rand.Rand
	now     time.Time
	began   time.Time
	delay   time.Duration
	times   Times
	places  []string
	owners  [desks]possession
	workers []*simWorker
	road    []parcel
	starts  map[string][]simStart
	lease   time.Duration // of sessions
	ease    time.Duration // the longer, the less do workers want
	harsh   bool          // workers are paused and cut off, and their requests are as late as may be; all else is well
	calm    int           // steps between two faults
	kinds   int           // of faults
	loss    float64
	latency time.Duration
}

// A possession is who has a desk.
type possession struct {
	worker  int // -1: nobody
	session int
	epoch   uint64
}

// A parcel is a letter under way.
type parcel struct {
	to int
	at time.Time
	b  []byte
}

// A simStart is a request as its server saw it.
type simStart struct {
	at   time.Time
	whom string
}

// A simWorker is a process, with the lease of its session and a frontier of one request at a time at each address.
type simWorker struct {
	sim     *sim
	number  int
	session int
	x       *Exchange // nil: it is down
	offset  time.Duration
	rate    float64
	renewed time.Time // the lease, also by the servers
	paused  time.Time // until then
	cut     time.Time
	back    time.Time // when it begins again
	seen    [desks]possession
	looked  time.Time
	since   map[uint64]Desk
	turns   []simTurn // by address
	inbox   []parcel
}

// A simTurn is what a worker does at an address.
type simTurn struct {
	flying  bool
	begins  time.Time
	sent    bool
	answers time.Time // the start, as the worker knows it
	ends    time.Time
	last    time.Time
	poll    time.Time
	busy    time.Time // until then it has something to ask
	had     int       // in the end
}

func (w *simWorker) name() string { return fmt.Sprint("w", w.number) }

// clock is the worker's own: nobody else has the same, and it runs at its own rate.
func (w *simWorker) clock() time.Time {
	return w.sim.began.Add(w.offset + time.Duration(float64(w.sim.now.Sub(w.sim.began))*w.rate))
}

func deskOf(address string) int { return int(address[len(address)-1]) % desks }

// Desk implements Crew, by what the worker saw last.
func (w *simWorker) Desk(address string) (string, uint64) {
	p := w.seen[deskOf(address)]
	if p.worker < 0 {
		return "", 0
	}
	return fmt.Sprint("w", p.worker), p.epoch
}

// Open implements Crew.
func (w *simWorker) Open(address string) (Desk, bool) {
	p := w.seen[deskOf(address)]
	d, ok := w.since[p.epoch]
	return d, ok && p.worker == w.number && p.session == w.session && !w.lapsed()
}

func (w *simWorker) lapsed() bool { return w.sim.now.Sub(w.renewed) >= w.sim.lease }

func newSim(seed uint64, p plan) *sim {
	s := &sim{plan: p, draw: rand.New(rand.NewPCG(seed, 5)), now: time.Unix(1e9, 0), starts: map[string][]simStart{}}
	s.began = s.now
	s.delay = 200*time.Millisecond + time.Duration(s.draw.IntN(9))*200*time.Millisecond
	s.times = Times{Grant: 3 * time.Second, Slack: 1500 * time.Millisecond}
	s.lease = 2*time.Second + s.upTo(7*time.Second)
	s.ease = 1 + s.upTo(15*time.Second)
	s.calm, s.kinds = 20+s.draw.IntN(60), 2+s.draw.IntN(4)
	if s.harsh = seed%2 == 1; s.harsh {
		s.kinds, s.ease, s.lease, s.delay = 2, 3*time.Second, 9*time.Second, 200*time.Millisecond
	}
	s.weather()
	for n := range 1 + s.draw.IntN(6) {
		s.places = append(s.places, fmt.Sprintf("192.0.2.1:%d", 80+n))
	}
	for d := range s.owners {
		s.owners[d].worker = -1
	}
	for n := range 3 + s.draw.IntN(3) {
		w := &simWorker{sim: s, number: n, offset: time.Duration(s.draw.Int64N(int64(time.Hour))), rate: 1 + 0.02*(s.draw.Float64()-0.5)}
		s.workers = append(s.workers, w)
		w.begin()
	}
	return s
}

// begin begins a session.
func (w *simWorker) begin() {
	w.session++
	times := w.sim.times
	if w.sim.noSlack {
		times.Slack = 0
	}
	w.renewed, w.since, w.inbox = w.sim.now, map[uint64]Desk{}, nil
	w.turns = make([]simTurn, len(w.sim.places))
	w.x = New(w.name(), fmt.Sprint(w.session), times, w, w.clock())
}

// run runs the simulation, and tells what was broken.
func (s *sim) run() string {
	for end := s.began.Add(simulated); s.now.Before(end); {
		s.now = s.now.Add(time.Duration(1+s.draw.IntN(149)) * time.Millisecond)
		if s.now.Sub(s.began) < troubled {
			s.trouble()
		} else {
			s.loss, s.latency = 0, 5*time.Millisecond
		}
		s.deliver()
		for _, w := range s.workers {
			w.step()
		}
		if s.now.Sub(s.began) > simulated-quiet && s.idle() == "" {
			break
		}
	}
	return s.verdict()
}

// idle tells who has had no turn since all is well.
func (s *sim) idle() string {
	for _, w := range s.workers {
		for n, t := range w.turns {
			if t.had == 0 {
				return fmt.Sprintf("%s had no turn at %s in the end, delay %v", w.name(), s.places[n], s.delay)
			}
		}
	}
	return ""
}

// trouble has something happen, now and then.
func (s *sim) trouble() {
	if s.draw.IntN(s.calm) > 0 {
		return
	}
	w := s.workers[s.draw.IntN(len(s.workers))]
	long := s.upTo(8 * time.Second)
	switch s.draw.IntN(s.kinds) {
	case 0:
		w.paused = s.now.Add(long)
	case 1:
		w.cut = s.now.Add(long)
	case 3: // it is killed
		w.x, w.back = nil, s.now.Add(long)
	case 4: // it leaves: its desks are free at once
		for d, p := range s.owners {
			if p.worker == w.number && p.session == w.session {
				s.owners[d].worker = -1
			}
		}
		w.x, w.back, w.renewed = nil, s.now.Add(long), time.Time{}
	case 2:
		s.weather()
	}
}

// weather draws how bad the road is.
func (s *sim) weather() {
	s.loss, s.latency = 0.3*s.draw.Float64(), s.upTo(2*time.Second)
	if s.harsh || s.draw.IntN(2) == 0 {
		s.loss, s.latency = s.loss/5, s.latency/20
	}
}

// deliver brings letters whose time has come.
func (s *sim) deliver() {
	s.road = slices.DeleteFunc(s.road, func(p parcel) bool {
		if p.at.After(s.now) {
			return false
		}
		w := s.workers[p.to]
		if w.x != nil && s.now.After(w.cut) {
			w.inbox = append(w.inbox, p)
		}
		return true
	})
}

// send puts a letter on the road, perhaps twice, perhaps never.
func (s *sim) send(l Letter) {
	for copies := 1; copies > 0; copies-- {
		if s.draw.Float64() < s.loss {
			continue
		}
		if s.draw.IntN(20) == 0 {
			copies++
		}
		var to int
		fmt.Sscanf(l.To, "w%d", &to)
		s.road = append(s.road, parcel{to, s.now.Add(s.upTo(s.latency + 1)), l.Body})
	}
}

// step has a worker do what it does at this moment.
func (w *simWorker) step() {
	s := w.sim
	reaches := s.now.After(w.cut)
	if w.x == nil && s.now.After(w.back) && reaches && s.now.Sub(w.renewed) >= s.lease*9/8 {
		w.begin()
	}
	if w.x == nil || s.now.Before(w.paused) {
		return
	}
	if w.lapsed() {
		w.x, w.back = nil, s.now
		return
	}
	if reaches {
		w.own()
	}
	for _, p := range w.inbox {
		if err := w.x.Take(p.b, w.clock()); err != nil {
			panic(err)
		}
	}
	w.inbox = nil
	for n := range w.turns {
		w.ask(n)
	}
	letters, _ := w.x.Letters(w.clock())
	for _, l := range letters {
		if reaches {
			s.send(l)
		}
	}
}

// own renews the lease, looks at who owns what, and takes what nobody has.
func (w *simWorker) own() {
	s := w.sim
	if s.now.Sub(w.renewed) > s.lease/3 {
		w.renewed = s.now
	}
	if s.now.Sub(w.looked) < 300*time.Millisecond {
		return
	}
	w.looked = s.now
	for d, p := range s.owners {
		if p.worker >= 0 {
			o := s.workers[p.worker]
			if o.session == p.session && s.now.Sub(o.renewed) < s.lease*9/8 {
				continue
			}
		}
		if s.draw.IntN(2) == 0 {
			s.owners[d] = possession{w.number, w.session, p.epoch + 1}
			w.since[100*uint64(d)+p.epoch+1] = Desk{Epoch: 100*uint64(d) + p.epoch + 1, Since: w.clock(), Inherited: p.epoch > 0 && !s.noQuarantine}
		}
	}
	w.seen = s.owners
	for d := range w.seen { // so that no two desks have the same epoch
		w.seen[d].epoch += 100 * uint64(d)
	}
}

// ask does what is next at an address.
func (w *simWorker) ask(n int) {
	s, t, address := w.sim, &w.turns[n], w.sim.places[n]
	switch {
	case !t.flying:
		if s.now.Before(t.poll) || !t.last.IsZero() && s.now.Before(t.last.Add(s.delay)) {
			return
		}
		if s.now.Sub(s.began) < troubled && s.now.After(t.busy) { // it has nothing to ask for a while
			t.poll = s.now.Add(s.upTo(s.ease))
			t.busy = t.poll.Add(s.upTo(10 * time.Second))
			return
		}
		until, ok := w.x.Claim(address, s.delay, w.clock())
		if !ok {
			t.poll = s.now.Add(until.Sub(w.clock()))
			return
		}
		*t = simTurn{flying: true, begins: s.now.Add(s.upTo(300 * time.Millisecond)), last: t.last, busy: t.busy, had: t.had}
		if s.draw.IntN(4) == 0 {
			t.begins = s.now.Add(s.upTo(3 * time.Second))
		}
	case !t.sent:
		if s.now.Before(t.begins) || !s.noCheck && !w.x.Valid(address, w.clock()) {
			return
		}
		reached := s.now.Add(s.upTo(50 * time.Millisecond))
		if !s.now.After(w.cut) || s.draw.IntN(4) == 0 { // a bad network is bad for both
			reached = s.now.Add(s.upTo(s.times.Slack * 95 / 100))
		}
		if s.harsh && !s.now.After(w.cut) {
			reached = s.now.Add(s.times.Slack * 95 / 100)
		}
		t.sent, t.answers = true, reached.Add(s.upTo(100*time.Millisecond))
		t.ends = t.answers.Add(s.upTo(300 * time.Millisecond))
		s.starts[address] = append(s.starts[address], simStart{reached, fmt.Sprint(w.name(), "/", w.session)})
		if s.now.Sub(s.began) > simulated-quiet {
			t.had++
		}
	case !s.now.Before(t.ends):
		w.x.Release(address, w.clock().Add(-time.Duration(float64(s.now.Sub(t.answers))*w.rate)), w.clock())
		t.flying, t.last = false, t.answers
	}
}

func (s *sim) upTo(d time.Duration) time.Duration { return time.Duration(s.draw.Int64N(int64(d))) }

// verdict tells which promise was broken.
func (s *sim) verdict() string {
	for address, all := range s.starts {
		slices.SortFunc(all, func(a, b simStart) int { return cmp.Or(a.at.Compare(b.at), cmp.Compare(a.whom, b.whom)) })
		for i, b := range all[1:] {
			if a := all[i]; a.whom != b.whom && b.at.Sub(a.at) < s.delay*99/100 { // clocks run unequally
				return fmt.Sprintf("%s: %s at %v, %s %v later, delay %v", address, a.whom, a.at.Sub(s.began), b.whom, b.at.Sub(a.at), s.delay)
			}
		}
	}
	return s.idle()
}

// TestSimulation: whatever happens to letters and workers, no address sees two workers less than its delay apart; and when the road is good again, everybody
// has turns at each.
func TestSimulation(t *testing.T) {
	const parts, seeds = 4, 300
	for part := range parts {
		t.Run(fmt.Sprint(part), func(t *testing.T) {
			t.Parallel()
			turns := 0
			for seed := uint64(part); seed < seeds; seed += parts {
				s := newSim(seed, plan{})
				if broken := s.run(); broken != "" {
					t.Errorf("seed %d: %s", seed, broken)
				}
				for _, all := range s.starts {
					turns += len(all)
				}
			}
			t.Logf("%d requests", turns)
		})
	}
}

// TestSimulationFinds: the simulation finds rules that are broken.
func TestSimulationFinds(t *testing.T) {
	for name, p := range map[string]plan{"slack": {noSlack: true}, "quarantine": {noQuarantine: true}, "check": {noCheck: true}} {
		found, seed := "", uint64(1) // odd ones have late requests, even ones desks that move
		if p.noQuarantine {
			seed = 0
		}
		for ; found == "" && seed < 300; seed += 2 {
			found = newSim(seed, p).run()
		}
		if found == "" {
			t.Errorf("%s: nothing found", name)
		}
		t.Logf("%s: seed %d: %s", name, seed-2, found)
	}
}
