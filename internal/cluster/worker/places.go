package worker

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/cluster"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// Pauses of letters about addresses.
const (
	letterPause = 20 * time.Millisecond // between two to one worker
	grantPause  = 20 * time.Millisecond // between two looks at a grant that a request waits for
)

// lettersName is the name of these letters on the bus.
const lettersName = "addresses"

// places are the addresses that a worker shares with others: its frontier claims them here.
type places struct {
	next frontier.Others // the crawls of this machine; nil: there are none
	self string
	over func() bool   // the lease is
	wake chan struct{} // there may be a letter to send

	// Of the goroutine that decides.
	host    string // claimed last
	refused string // whose address was not got, and that is released next

	mu       sync.Mutex // held for moments
	exchange *addresses.Exchange
	desks    [cluster.Desks]seat
	turns    map[string]stay // by host
	said     bool            // that a letter could not be read
}

// A seat is what a worker knows of a desk.
type seat struct {
	worker string // empty: nobody is known to have it
	epoch  uint64
	mine   addresses.Desk // as this session claimed it; it holds if the epoch is the seat's
}

// A stay is the turns in flight of a host, and its address.
type stay struct {
	address string
	turns   int
}

// sharePlaces has the frontier of a crawl share addresses with other workers.
func (w *Worker) sharePlaces(cfg *engine.Config) {
	turns, ok := cfg.Frontier.(interface {
		Among(func(frontier.Others) frontier.Others)
	})
	if !ok || w.o.Addresses.Grant <= 0 {
		return
	}
	p := &places{self: w.o.Worker, over: w.session.Lapsed, wake: make(chan struct{}, 1), turns: map[string]stay{}}
	p.exchange = addresses.New(w.o.Worker, rand.Text(), w.o.Addresses, p, time.Now())
	turns.Among(func(next frontier.Others) frontier.Others {
		p.next = next
		return p
	})
	w.places, cfg.Fetch = p, granted{cfg.Fetch, p}
}

// Desk implements addresses.Crew.
func (p *places) Desk(address string) (worker string, epoch uint64) {
	s := p.desks[cluster.DeskOf(address)]
	return s.worker, s.epoch
}

// Open implements addresses.Crew.
func (p *places) Open(address string) (d addresses.Desk, ok bool) {
	s := p.desks[cluster.DeskOf(address)]
	return s.mine, s.worker == p.self && s.epoch == s.mine.Epoch && !p.over()
}

// isHost reports whether a place is a host: it has a scheme, and an address has none.
func isHost(place string) bool { return strings.Contains(place, "://") }

// Claim implements frontier.Others. An address is got from its desk first, which costs nothing here while it is not, and then among the crawls of this machine.
func (p *places) Claim(place string, delay time.Duration, now time.Time) (until time.Time, ok bool) {
	if isHost(place) {
		p.host = place
	} else if delay > 0 {
		if wait, ok := p.claim(place, delay); !ok {
			p.refused = p.host
			return now.Add(wait), false
		}
	}
	until, ok = now, true
	if p.next != nil {
		until, ok = p.next.Claim(place, delay, now)
	}
	if isHost(place) || delay <= 0 {
		return until, ok
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !ok {
		p.refused = p.host
		p.exchange.Release(place, time.Time{}, time.Now())
		p.nudge()
		return until, false
	}
	p.turns[p.host] = stay{place, p.turns[p.host].turns + 1}
	return until, true
}

// claim claims an address of its desk. Without ok, wait is until it is worth asking again.
func (p *places) claim(address string, delay time.Duration) (wait time.Duration, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := time.Now()
	until, ok := p.exchange.Claim(address, delay, now)
	if !ok {
		p.nudge()
	}
	return until.Sub(now), ok
}

// Release implements frontier.Others.
func (p *places) Release(place string, start time.Time, delay time.Duration) {
	if p.next != nil {
		p.next.Release(place, start, delay)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case !isHost(place):
		p.exchange.Release(place, start, time.Now())
		p.nudge()
	case p.refused == place && start.IsZero():
		p.refused = ""
	default:
		if s := p.turns[place]; s.turns > 1 {
			p.turns[place] = stay{s.address, s.turns - 1}
		} else {
			delete(p.turns, place)
		}
	}
}

// Rest implements frontier.Others.
func (p *places) Rest(place string, until time.Time) {
	if p.next != nil {
		p.next.Rest(place, until)
	}
}

// may reports whether a request of a turn may begin now. Time has passed since its address was claimed: the process may have been stopped, or the disk slow.
func (p *places) may(url string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	s, known := p.turns[weburl.Host(url)]
	return !known || p.exchange.Valid(s.address, time.Now())
}

// nudge has letters be sent.
func (p *places) nudge() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// granted sends requests while the grant of their address holds, and waits for it otherwise.
type granted struct {
	fetcher
	places *places
}

// Fetch sends a request.
func (g granted) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if !g.places.may(r.URL) {
		tick := time.NewTicker(grantPause)
		defer tick.Stop()
		for !g.places.may(r.URL) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
	}
	return g.fetcher.Fetch(ctx, r)
}

// hear takes letters of others until what it returns is called, which stops what stop stops too.
func (w *Worker) hear(stop func()) (both func(), err error) {
	p := w.places
	if p == nil {
		return stop, nil
	}
	deaf, err := w.o.Bus.Hear(lettersName, func(body []byte) {
		p.mu.Lock()
		err := p.exchange.Take(body, time.Now())
		first := err != nil && !p.said
		p.said = p.said || err != nil
		p.mu.Unlock()
		if first && w.o.Say != nil {
			w.o.Say(fmt.Sprintf("dropped: %v", err))
		}
		p.nudge()
	})
	if err != nil {
		stop()
		return nil, err
	}
	return func() { deaf(); stop() }, nil
}

// correspond sends letters about addresses, and gives all back at the end of the session.
func (w *Worker) correspond(ctx context.Context) error {
	p := w.places
	if p == nil {
		return nil
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for {
		select {
		case <-p.wake:
		case <-timer.C:
		case <-ctx.Done():
			return w.writeLast()
		}
		next, err := w.writeLetters()
		if err != nil {
			return err
		}
		timer.Reset(letterPause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			return w.writeLast()
		}
		timer.Reset(max(time.Until(next), time.Millisecond))
	}
}

// writeLetters sends what there is, and says when there may be more.
func (w *Worker) writeLetters() (next time.Time, err error) {
	w.places.mu.Lock()
	letters, next := w.places.exchange.Letters(time.Now())
	w.places.mu.Unlock()
	for _, l := range letters {
		if err := w.o.Bus.Tell(l.To, lettersName, l.Body); err != nil && !errors.Is(err, bus.ErrName) { // a name that is none was made up
			return next, err
		}
	}
	return next, nil
}

// writeLast gives all addresses back that are not in use.
func (w *Worker) writeLast() error {
	w.places.mu.Lock()
	w.places.exchange.Leave(time.Now())
	w.places.mu.Unlock()
	_, err := w.writeLetters()
	return err
}

// sit looks who has which desk, and takes those due to this worker that nobody has. Others keep theirs, whoever comes: a desk that moves grants nothing for a while.
func (w *Worker) sit(ctx context.Context) error {
	if w.places == nil {
		return nil
	}
	tick := time.NewTicker(ownPause)
	defer tick.Stop()
	for {
		if err := w.sitDown(ctx); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
	}
}

// sitDown is sit once.
func (w *Worker) sitDown(ctx context.Context) error {
	desks, age := w.o.Bus.Desks()
	if age > ownPause {
		if _, err := w.o.Bus.Owners(ctx); err != nil {
			return err
		}
		desks, _ = w.o.Bus.Desks()
	}
	present, p := w.present(), w.places
	for n := range p.desks {
		o := desks[n]
		if has := p.see(n, o); has || o.Live || w.awaits(present) || due(n, present) != w.o.Worker {
			continue
		}
		if err := w.claimDesk(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// see takes note of who has a desk. has: this worker claimed it since others were seen to have it.
func (p *places) see(n int, o bus.Owner) (has bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := &p.desks[n]
	if s.mine.Epoch > o.Epoch {
		return true
	}
	if s.worker, s.epoch = o.Worker, o.Epoch; !o.Live {
		s.worker = ""
	}
	return false
}

// claimDesk takes a desk, unless another was faster.
func (w *Worker) claimDesk(ctx context.Context, n int) error {
	epoch, first, err := w.session.ClaimDesk(ctx, n)
	if errors.Is(err, bus.ErrOwned) {
		return nil
	}
	if err != nil {
		return err
	}
	since, inherited := time.Now(), w.before
	if first && w.before { // the servers may have forgotten who had it, who believes in its lease until that is over
		since = since.Add(w.o.Lease + w.o.Lease/8)
	}
	if !first {
		inherited = false
		for _, m := range w.o.Bus.Members() {
			inherited = inherited || m.Worker != w.o.Worker
		}
	}
	p := w.places
	p.mu.Lock()
	defer p.mu.Unlock()
	p.desks[n] = seat{w.o.Worker, epoch, addresses.Desk{Epoch: epoch, Since: since, Inherited: inherited}}
	return nil
}
