package engine

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"orbweaver"
)

// Live is what a crawl of the live Web needs beside. There, requests start when the turns of their
// hosts come, many at a time, and are decided in the order in which their answers arrive.
type Live struct {
	Hosts   Hosts                                                  // the frontier
	Locate  func(ctx context.Context, host string) (string, error) // looks up the address of a host
	Robots  Robots                                                 // nil: not asked for
	Retries int                                                    // of a request that failed for a passing reason
	Overlap bool                                                   // a host may be asked again before it answered
	Since   func(orbweaver.Outcome) *orbweaver.Version             // what a refresh asks a page again by; may be nil
	Refresh time.Duration                                          // above 0: accepted pages older than this are asked again, and nothing else
}

// Hosts is what a frontier knows of the hosts of the live Web.
type Hosts interface {
	Turns
	Doors
	Rounds
	Errands
	Account(host string) (orbweaver.Account, bool)
}

// Turns are given by Leaser and ended here.
type Turns interface {
	Started(id uint64, at time.Time)
	Done(id uint64, r orbweaver.Reply)
	Located(turn orbweaver.Turn, address string, why orbweaver.Failure, now time.Time)
}

// Doors are hosts whose robots.txt is known, or not yet.
type Doors interface {
	Hop(turn orbweaver.Turn, url string)
	Opened(host string, delay time.Duration, robots string, now time.Time)
	Unopened(host, robots string, now time.Time)
	Waits(host string) []uint64
	Drop(ids ...uint64)
}

// Rounds set the best of all that waits apart.
type Rounds interface {
	Select(n int) []uint64
	Choose(ids []uint64)
	Unselect()
}

// Errands are requests that wait for their turn outside the ranked queue.
type Errands interface {
	Errand(url string) uint64
	Failed() []orbweaver.Turn
}

// Robots reads robots.txt files. It is for the goroutine that decides.
type Robots interface {
	// Answer takes what came of asking for the robots.txt of a host: the answer, with its payload, or
	// why there is none; hops is how many redirects led there.
	Answer(host string, hops int, response *orbweaver.Response, payload []byte, err error) Manners
	// Allows reports whether a URL, scope aside, may be asked for.
	Allows(url string) (ok bool, rule string)
}

// Manners are what a robots.txt asks for.
type Manners struct {
	Next  string        // it is to be asked for there; all else is empty then
	Delay time.Duration // Crawl-delay
	Later bool          // it could not be had for now
	Why   string        // a phrase for people
}

// live is a sitting on the live Web.
type live struct {
	c       *Crawl
	hosts   Hosts
	ctx     context.Context   // of those who read
	events  chan func() error // what they have to say, done by the goroutine that decides
	readers sync.WaitGroup
	desks   chan struct{}         // a place for each page that is worked on
	errands map[uint64]chan error // by turn: who waits for it
	tries   map[uint64]int        // retries so far
	hops    map[string]int        // redirects of the robots.txt of a host
	asking  int                   // requests in flight
}

// live crawls the live Web until nothing more can be done or ctx ends.
func (c *Crawl) live(ctx context.Context) error {
	reading, stop := context.WithCancel(ctx)
	l := &live{
		c: c, hosts: c.cfg.Live.Hosts, ctx: reading,
		events: make(chan func() error), desks: make(chan struct{}, runtime.GOMAXPROCS(0)),
		errands: map[uint64]chan error{}, tries: map[uint64]int{}, hops: map[string]int{},
	}
	defer func() {
		stop()
		l.readers.Wait()
	}()
	for {
		wait, over, err := l.start()
		if err == nil && !over {
			err = l.await(wait)
		}
		if over || err != nil || ctx.Err() != nil || c.ending {
			return err
		}
	}
}

// await waits for the next event, a call, or the time when more may start; negative: no time helps.
func (l *live) await(wait time.Duration) error {
	var timer <-chan time.Time
	if left := l.c.timeLeft(); wait < 0 || left < wait {
		wait = left
	}
	if wait < math.MaxInt64 {
		t := time.NewTimer(wait)
		defer t.Stop()
		timer = t.C
	}
	select {
	case event := <-l.events:
		return event()
	case call := <-l.c.calls:
		call()
	case <-timer:
	case <-l.ctx.Done():
	}
	return nil
}

// timeLeft is how long the crawl may go on.
func (c *Crawl) timeLeft() time.Duration {
	if c.cfg.Limits.Time <= 0 {
		return math.MaxInt64
	}
	return max(c.cfg.Limits.Time-c.active(), 0)
}

// start lets begin all that may. over: nothing is under way and nothing more can be; else wait is the
// time until more can begin, negative when only an event helps.
func (l *live) start() (wait time.Duration, over bool, err error) {
	c := l.c
	if c.paused {
		return -1, false, nil
	}
	for {
		c.progress.Ended = c.reached()
		if c.progress.Ended != "" && (c.inFlight == 0 || c.progress.Ended == EndTime) {
			return 0, true, nil
		}
		if !l.room() {
			return -1, false, nil
		}
		turn, wait, ok := c.cfg.Frontier.Next(time.Now())
		if ok {
			if err := l.serve(turn); err != nil {
				return 0, false, err
			}
			continue
		}
		if wait >= 0 || c.inFlight > 0 {
			return wait, false, nil
		}
		if more, err := l.nextRound(); !more || err != nil {
			c.progress.Ended = l.exhausted()
			return 0, true, err
		}
	}
}

// room reports whether one more may be in flight: a worker is free, and no limit would be passed if
// all that is in flight turned out well. Whoever waits for an errand is no worker meanwhile.
func (l *live) room() bool {
	c, under := l.c, func(limit, have int64) bool { return limit <= 0 || have+int64(l.asking) < limit }
	return c.inFlight < max(c.cfg.Workers, 1)+len(l.errands) && c.progress.Ended == "" &&
		under(c.cfg.Limits.Requests, c.progress.Requests) && under(c.cfg.Limits.Pages, c.progress.Pages)
}

// exhausted names the end of a crawl for which nothing is left to do.
func (l *live) exhausted() string {
	if l.c.cfg.Live.Refresh > 0 {
		return EndRefreshed
	}
	return EndExhausted
}

// nextRound ends the round under way and begins the next, where the focus works in rounds; false when
// nothing waits then.
func (l *live) nextRound() (more bool, err error) {
	c, size := l.c, l.c.roundSize()
	if c.focus.rounder == nil || c.cfg.Live.Refresh > 0 {
		return false, nil
	}
	if c.inRound || size == 0 {
		l.hosts.Unselect()
		if more, err = c.endRound(l.ctx); err != nil {
			return false, err
		}
	}
	if size == 0 {
		return more, nil
	}
	ids := l.hosts.Select(size)
	if c.inRound = len(ids) > 0; !c.inRound {
		l.hosts.Unselect()
		return false, nil
	}
	return true, c.commit(orbweaver.Batch{Round: ids})
}

// do has the goroutine that decides do something; false when the sitting is over.
func (l *live) do(event func() error) bool {
	select {
	case l.events <- event:
		return true
	case <-l.ctx.Done():
		return false
	}
}

// serve begins what a turn is for.
func (l *live) serve(turn orbweaver.Turn) error {
	switch turn.Task {
	case orbweaver.TakeAddress:
		l.begin(func() func() error { return l.locate(turn) })
	case orbweaver.TakeRobots:
		l.begin(func() func() error { return l.robots(turn) })
	case orbweaver.TakeErrand:
		l.grant(turn)
	default:
		waiting, err := l.waiting(turn.ID)
		if err != nil {
			return err
		}
		l.asking++
		l.begin(func() func() error { return l.request(turn, waiting) })
	}
	return nil
}

// begin lets work run beside; what it returns is then done by the goroutine that decides.
func (l *live) begin(work func() func() error) {
	l.c.inFlight++
	l.readers.Go(func() {
		event := work()
		l.do(func() error {
			l.c.inFlight--
			return event()
		})
	})
}

// waiting is a request whose turn has come; of a refresh, with what it is asked again by.
func (l *live) waiting(id uint64) (orbweaver.Waiting, error) {
	before, again := l.c.again[id]
	if !again {
		return l.c.cfg.Ledger.Waiting(id)
	}
	w := orbweaver.Waiting{ID: id, Proposal: orbweaver.Proposal{Request: before.Request, Judgement: before.Actual}}
	if l.c.cfg.Live.Since != nil {
		w.Since = l.c.cfg.Live.Since(before)
	}
	return w, nil
}

// locate looks up a host's address.
func (l *live) locate(turn orbweaver.Turn) func() error {
	address, err := l.c.cfg.Live.Locate(l.ctx, turn.Host)
	return func() error {
		if l.ctx.Err() != nil {
			return nil
		}
		l.hosts.Located(turn, address, orbweaver.FailureOf(err), time.Now())
		return l.settle(turn.Host, err)
	}
}

// request makes a waiting request.
func (l *live) request(turn orbweaver.Turn, waiting orbweaver.Waiting) func() error {
	x := &exchange{c: l.c, live: l, turn: turn}
	r := x.run(l.ctx, waiting.Request, l.c.cfg.Fetch.Fetch)
	return func() error {
		l.asking--
		if l.ctx.Err() != nil {
			return nil // the reading may have been cut short: it is asked again
		}
		if !x.silent {
			l.hosts.Done(turn.ID, r.reply)
		}
		if err := l.arrived(turn, waiting, r); err != nil {
			return err
		}
		return l.settle(turn.Host, r.err)
	}
}

// arrived decides a reading, or lets its request wait for another try.
func (l *live) arrived(turn orbweaver.Turn, waiting orbweaver.Waiting, r reading) error {
	if l.again(turn.ID, r) {
		l.c.cfg.Frontier.Add(waiting)
		return nil
	}
	r.accounts = l.accounts(turn.Host)
	return l.c.decide(l.ctx, waiting, r)
}

// started tells the frontier when a host began to answer, where that matters before the answer's end.
func (l *live) started(id uint64, at time.Time) {
	if l.c.cfg.Live.Overlap {
		l.do(func() error {
			l.hosts.Started(id, at)
			return nil
		})
	}
}

// accounts are those of some hosts, for a batch.
func (l *live) accounts(hosts ...string) []orbweaver.Account {
	var all []orbweaver.Account
	for _, host := range hosts {
		if a, ok := l.hosts.Account(host); ok {
			all = append(all, a)
		}
	}
	return all
}

// settle looks whether a host was given up. Then its best request becomes an outcome with the reason,
// so that the crawl tells of it; the others wait for another sitting. Errands and redirects of
// robots.txt files that led there fail.
func (l *live) settle(host string, why error) error {
	for _, turn := range l.hosts.Failed() {
		if turn.Task == orbweaver.TakeErrand {
			l.answer(turn.ID, fmt.Errorf("fetch %s: %w", turn.URL, orbweaver.ErrGaveUp))
		} else if err := l.manners(turn, nil, nil, nil, fmt.Errorf("fetch %s: %w", turn.URL, orbweaver.ErrGaveUp)); err != nil {
			return err
		}
	}
	account, _ := l.hosts.Account(host)
	if account.Down == "" {
		return nil
	}
	ids := l.hosts.Waits(host)
	if len(ids) == 0 {
		return nil
	}
	best := slices.MaxFunc(ids, func(a, b uint64) int {
		x, _ := l.c.cfg.Frontier.Rank(a)
		y, _ := l.c.cfg.Frontier.Rank(b)
		if x != y {
			return int(math.Copysign(1, x-y))
		}
		return int(int64(b) - int64(a))
	})
	return l.giveUp(best, account, why)
}

// giveUp decides a request of a host that is down, as failed.
func (l *live) giveUp(id uint64, account orbweaver.Account, why error) error {
	waiting, err := l.waiting(id)
	if err != nil {
		return err
	}
	if orbweaver.FailureOf(why) != account.Down {
		why = fmt.Errorf("fetch %s: %w: %w", waiting.URL, orbweaver.ErrGaveUp, account.Down)
	}
	l.hosts.Drop(id)
	return l.c.decide(l.ctx, waiting, reading{err: why, accounts: []orbweaver.Account{account}})
}
