package engine

import (
	"cmp"
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"orbweaver/internal/step"
)

// subresourceWait is the polling interval for subresource turns while the limits let no other request
// start.
const subresourceWait = 100 * time.Millisecond

// live is a session on the live Web.
type live struct {
	c            *Crawl
	hosts        Hosts
	ctx          context.Context   // of the readers
	events       chan func() error // from readers, run by the goroutine that decides
	readers      sync.WaitGroup
	slots        chan struct{}             // CPU slots: one for each page that is worked on
	budgets      [2]*budget                // memory for bodies and for pages
	subresources map[uint64]*subresource   // waiting for their turns, by number
	tries        map[uint64]int            // retries so far, by request
	hops         map[string]int            // redirects of robots.txt, by host
	reported     map[string]bool           // hosts that are down and have an outcome that says so
	last         map[string]fall           // of hosts that are down, what failed last
	held         map[string][]step.Waiting // failed, and let another request of their host go first
	network      network
	concluded    int64          // outcomes when the last round of no fixed size ended
	beyond       int            // requests that may be in flight beyond Workers: see widen
	noted        []string       // hosts whose accounts changed since the last batch
	explored     int64          // the latest position that exploreLive looked at
	passage      passage        // of rounds that are shared
	logins       []*login       // by number
	fetching     int            // requests for requisites in flight
	repeated     map[uint64]int // retries of requisites so far
	meter        *meter         // of requisites; nil: there are none

	mu   sync.Mutex
	late []func() error // events after the end of ctx
}

// live crawls the live Web until nothing more can be done or ctx ends.
func (c *Crawl) live(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	l := &live{
		c: c, hosts: c.cfg.Live.Hosts, ctx: reading,
		events: make(chan func() error), slots: make(chan struct{}, runtime.GOMAXPROCS(0)),
		subresources: map[uint64]*subresource{}, tries: map[uint64]int{}, hops: map[string]int{}, reported: map[string]bool{},
		last: map[string]fall{}, held: map[string][]step.Waiting{}, concluded: -1,
	}
	l.network.good = l.hosts.Recent(lastHosts)
	c.session = l
	if c.cfg.Virtual == nil { // in virtual time, one goroutine would wait for itself
		l.budgets = [2]*budget{bodies: newBudget(bodyMemory), pages: newBudget(pageMemory)}
	}
	c.flying = map[uint64]struct{}{}
	err := l.awaitRequisites()
	if err == nil {
		err = l.loop()
	}
	stop()
	l.readers.Wait()
	for _, event := range l.late { // they report finished exchanges to the frontier, and decide nothing
		if problem := event(); err == nil {
			err = problem
		}
	}
	c.left = l.accounts()
	return err
}

// loop starts requests and handles their events until the session is over.
func (l *live) loop() error {
	if l.c.together != nil {
		if err := l.meet(); err != nil {
			return err
		}
	} else if size := l.c.roundSize(); l.rounds() && size > 0 && !l.c.inRound {
		if _, err := l.turnRound(size); err != nil {
			return err
		}
	}
	for l.ctx.Err() == nil && !l.c.ending && l.c.broken == nil {
		l.c.answerLater()
		if err := l.giveUp(); err != nil {
			return err
		}
		wait, over, err := l.start()
		if err == nil && !over && len(l.c.later) == 0 { // calls that came within start are answered first
			err = l.await(wait)
		}
		if over || err != nil {
			return err
		}
	}
	return nil
}

// await waits for the next event, a call, or until more may start; a negative wait means that only an event
// helps.
func (l *live) await(wait time.Duration) error {
	var timer <-chan time.Time
	if left := l.c.timeLeft(); wait < 0 || left < wait {
		wait = left
	}
	if v := l.c.cfg.Virtual; v != nil {
		return l.leap(v, wait)
	}
	if wait < math.MaxInt64 {
		t := time.NewTimer(wait)
		defer t.Stop()
		timer = t.C
	}
	l.c.attends.look()
	select {
	case event := <-l.events:
		l.c.attends.leave()
		return l.bunch(event)
	case call := <-l.c.calls:
		l.c.attends.leave()
		l.c.answer(call)
	case <-timer:
	case <-l.ctx.Done():
	}
	l.c.attends.leave()
	return nil
}

// leap is await in virtual time.
func (l *live) leap(v *Virtual, wait time.Duration) error {
	select {
	case call := <-l.c.calls:
		l.c.answer(call)
		return nil
	case <-l.ctx.Done():
		return nil
	default:
	}
	if wait < 0 && len(v.due) == 0 && v.line == nil { // in a pause
		select {
		case call := <-l.c.calls:
			l.c.answer(call)
		case <-l.ctx.Done():
		}
		return nil
	}
	return v.leap(wait)()
}

// maxBunch is the number of events handled before the next requests start.
const maxBunch = 64

// bunch handles an event and those queued behind it: they share one Flush.
func (l *live) bunch(event func() error) error {
	for range maxBunch {
		if err := event(); err != nil {
			return err
		}
		l.c.breathe()
		select {
		case event = <-l.events:
		default:
			return nil
		}
	}
	return event()
}

// timeLeft is the time until the crawl's limit. During a pause no time is spent.
func (c *Crawl) timeLeft() time.Duration {
	if c.cfg.Limits.Time <= 0 || c.paused {
		return math.MaxInt64
	}
	return max(c.cfg.Limits.Time-c.active(), 0)
}

// start starts every request that may start. over: nothing is in flight and nothing can start; else wait is
// the time until more may start, negative if only an event helps.
func (l *live) start() (wait time.Duration, over bool, err error) {
	c := l.c
	for {
		switch {
		case c.paused:
			return -1, false, nil
		case c.ending:
			return 0, true, nil
		}
		limit := c.reached()
		drains := limit != "" && limit != EndTime && l.unmet() // pages end, and what they need does not
		if c.progress.Ended = limit; drains {
			c.progress.Ended = ""
		} else if limit != "" && (c.inFlight == 0 || limit == EndTime) {
			return 0, true, nil
		}
		due, err := l.revisit()
		if err != nil {
			return 0, false, err
		}
		free, within := l.free(), l.spare()
		spare := free && within
		if !spare && len(l.subresources) == 0 && !(free && l.unmet()) {
			return -1, false, nil
		}
		if c.cfg.Live.Requisites != nil {
			l.hosts.Restrict(!within)
		}
		if err := l.exploreLive(spare); err != nil {
			return 0, false, err
		}
		watch, out := l.watchNetwork()
		switch {
		case l.outlasted():
			c.progress.Ended = EndNetwork
			return 0, true, l.noteOutage()
		case out:
			return l.atMost(watch), false, nil
		}
		if err := l.watchSuspects(); err != nil {
			return 0, false, err
		}
		if next := l.watchLogins(); next > 0 && (watch <= 0 || next < watch) {
			watch = next
		}
		turn, wait, ok := c.cfg.Frontier.Next(c.now())
		switch {
		case ok && turn.Task == step.TakeRequest && !spare: // no subresource's turn has come, or it went first
			return subresourceWait, false, l.giveBack(turn)
		case ok && turn.Task == step.TakeRequisite && !free:
			return subresourceWait, false, l.putOff(turn)
		case ok:
			if err = c.flush(); err == nil {
				err = l.serve(turn)
			}
			c.breathe()
		case c.inFlight > 0 && !l.onlyFetches():
			return sooner(sooner(wait, watch), due), false, nil
		case drains && c.inFlight > 0:
			return sooner(wait, watch), false, nil
		case drains:
			wait, err = l.drain(wait)
		case due > 0:
			return sooner(sooner(l.idleWatch(wait), watch), due), false, nil
		default:
			wait, over, err = l.idle(wait)
		}
		if over || err != nil || !ok && wait != 0 {
			return sooner(wait, watch), over, err
		}
	}
}

// sooner returns the shorter of two waits of which a negative one, and the second if it is 0, is none.
func sooner(wait, other time.Duration) time.Duration {
	if other > 0 && (wait < 0 || other < wait) {
		return other
	}
	return wait
}

// atMost bounds a wait during an outage by its limit.
func (l *live) atMost(wait time.Duration) time.Duration {
	if limit := l.c.cfg.Live.Outage; limit > 0 {
		return sooner(wait, max(limit-l.c.since(l.network.outage.From), 1))
	}
	return wait
}

// free reports whether a worker is free. A page that waits for a subresource occupies none.
func (l *live) free() bool {
	return l.c.inFlight < max(l.c.cfg.Workers, 1)+l.beyond+len(l.subresources)
}

// widen changes, with each answer, how many requests beyond Workers may be in flight, up to MostWorkers: one more while fewer than half as many
// pages as Workers wait for a processor, one less while more than these do. They are at most a quarter of what was requested so far, and
// of what the limits leave: a crawl ranks by what it has seen.
func (l *live) widen() {
	c := l.c
	switch pages := c.cfg.Load.Pages(); {
	case pages < c.cfg.Workers/2:
		l.beyond++
	case pages > c.cfg.Workers:
		l.beyond--
	}
	most := c.progress.Requests
	if limit := c.cfg.Limits.Requests; limit > 0 {
		most = min(most, limit-c.progress.Asked())
	}
	if limit := c.cfg.Limits.Pages; limit > 0 {
		most = min(most, limit-c.progress.Pages)
	}
	l.beyond = max(0, min(l.beyond, c.cfg.MostWorkers-c.cfg.Workers, int(most/4)))
}

// spare reports whether one more outcome would stay within the limits if all requests in flight succeeded.
// What these wait for, above all subresources, may start in any case.
func (l *live) spare() bool {
	c, asking := l.c, int64(len(l.c.flying))
	under := func(limit, have int64) bool { return limit <= 0 || have+asking < limit }
	return c.reached() == "" && under(c.cfg.Limits.Requests, c.progress.Asked()) &&
		under(c.cfg.Limits.Pages, c.progress.Pages)
}

// idle decides what comes next when no request can start now, and none is in flight: wait until one can, a round, or the
// end of the session. At the end each host that is down has an outcome that tells of it.
func (l *live) idle(next time.Duration) (wait time.Duration, over bool, err error) {
	c := l.c
	alive, probe, _ := l.hosts.Prospect(c.cfg.Live.Patience)
	only := alive && c.cfg.Live.Requisites != nil && l.rounds() && l.hosts.OnlyNeeds() // for these no round waits
	if alive && !only {
		return max(next, 1), false, nil
	}
	if l.release("") {
		return 0, false, nil
	}
	if some, err := l.releaseSuspects(); some || err != nil {
		return 0, false, err
	}
	if wait, waits := l.waitsForLogin(); waits {
		return wait, false, nil
	}
	if c.together != nil {
		return l.goOn(probe)
	}
	sized := c.inRound || c.roundSize() > 0
	if l.rounds() && sized { // the next round goes on without the hosts that are down
		if more, err := l.turnRound(c.roundSize()); more || err != nil {
			return 0, false, err
		}
	}
	switch { // requisites
	case c.inFlight > 0:
		return cmp.Or(next, 1), false, nil
	case alive:
		return max(next, 1), false, nil
	}
	if !probe.IsZero() {
		return max(probe.Sub(c.now()), 1), false, nil
	}
	if some, err := l.forfeitAll(); some || err != nil {
		return 0, false, err
	}
	if told, err := l.reportAll(); told || err != nil {
		return 0, false, err
	}
	if l.rounds() && !sized && l.concluded != c.n {
		l.concluded = c.n
		if more, err := l.turnRound(0); more || err != nil {
			return 0, false, err
		}
	}
	if c.cfg.Others != nil && !c.cfg.Others.Over() {
		c.giveBack()
		return -1, false, nil
	}
	c.progress.Ended = c.exhaustion()
	return 0, true, nil
}

// idleWatch is the time until a request of a watch can start at a host, negative if only an event, or one that is due, helps.
func (l *live) idleWatch(next time.Duration) time.Duration {
	alive, probe, _ := l.hosts.Prospect(math.MaxInt64)
	switch {
	case alive:
		return max(next, 1)
	case l.release(""):
		return 1
	case !probe.IsZero():
		return max(probe.Sub(l.c.now()), 1)
	}
	return -1
}

// rounds reports whether the session works in rounds.
func (l *live) rounds() bool { return l.c.focus.rounder != nil && !l.c.refreshes() }

// turnRound ends a round and begins the next; false if nothing waits.
func (l *live) turnRound(size int) (more bool, err error) {
	c := l.c
	if c.inRound || size == 0 {
		l.hosts.Unselect()
		if more, err = c.endRound(l.ctx); err != nil || size == 0 {
			return more, err
		}
	}
	ids, drawn, err := c.mix(l.hosts.Select(size))
	if c.inRound = len(ids) > 0; !c.inRound || err != nil {
		l.hosts.Unselect()
		return false, err
	}
	if len(drawn) > 0 {
		l.hosts.Choose(ids)
	}
	return true, c.commit(step.Batch{Round: ids, Drawn: drawn})
}

// do runs an event on the goroutine that decides; false if the session is over.
func (l *live) do(event func() error) bool {
	select {
	case l.events <- event:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// deliver is do for an event that must not be lost: after the end of the session it runs when all readers
// have ended.
func (l *live) deliver(event func() error) {
	if l.do(event) {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.late = append(l.late, event)
}

// begin runs work on its own goroutine, and the event that it returns on the goroutine that decides.
func (l *live) begin(work func() func() error) {
	l.c.inFlight++
	if v := l.c.cfg.Virtual; v != nil {
		v.perform(func() func() error {
			event := work()
			return func() error {
				l.c.inFlight--
				return event()
			}
		})
		return
	}
	l.readers.Go(func() {
		event := work()
		l.deliver(func() error {
			l.c.inFlight--
			return event()
		})
	})
}

// note marks a host's account as changed.
func (l *live) note(host string) {
	if !slices.Contains(l.noted, host) {
		l.noted = append(l.noted, host)
	}
}

// accounts returns the changed accounts, for the next batch.
func (l *live) accounts() []step.Account {
	var all []step.Account
	for _, host := range l.noted {
		if a, ok := l.hosts.Account(host); ok {
			all = append(all, a)
		}
	}
	l.noted = l.noted[:0]
	return all
}
