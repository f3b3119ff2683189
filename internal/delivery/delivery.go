// Package delivery brings accepted pages of a crawl to its sinks: in order, at least once, beside the crawl or after it.
//
// Each sink has a goroutine of its own, which takes the next events from the ledger, reads their pages again from the archive, delivers
// them, and keeps its position in the crawl folder: after a kill it goes on there. Events are those that a loss of power leaves, so that a
// sink never has a page that the crawl does not know of. A delivery that fails is tried again after waits that grow from a second to
// five minutes; nothing overtakes it. A crawl holds no request back for a sink until one is too many pages behind.
//
// What a crawl finds does not depend on its sinks.
package delivery

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/sinks"
	"orbweaver/internal/takedown"
	"orbweaver/sink"
)

// Times and sizes.
const (
	atOnce    = 64                     // pages in a delivery, about
	pollEvery = 500 * time.Millisecond // between two looks for more, when there was nothing
	lookEvery = 10 * time.Second       // likewise, when no page was accepted
	firstWait = time.Second            // after a failure
	longest   = 5 * time.Minute
	lastWait  = 5 * time.Second // at most, when the crawl is over
	tellEvery = time.Minute     // at most, that a crawl waits, or goes on
	// Patience is how long sinks may fail when the crawl is over, before it ends without them.
	Patience = 30 * time.Second
)

// A Target is a sink with its name and bounds.
type Target struct {
	Name   string
	Sink   sink.Sink
	To     string // where it delivers, without secrets
	Behind int64  // pages
}

// Options say how sinks are fed.
type Options struct {
	Folder  string // of the crawl
	Crawl   string // its name
	Ledger  Ledger
	Pages   *Pages
	Repeats bool // this session requests pages again
	Again   bool // all is delivered again
	// Within runs f between two steps of the crawl; nil: no crawl runs. It fails with engine.ErrOver when the crawl has ended.
	Within func(ctx context.Context, f func()) error
	// Hold keeps the crawl from making requests, and lets it go on. It is called within Within.
	Hold func(bool)
	// Tell says something to people.
	Tell func(format string, args ...any)
}

// A Run feeds sinks. Its methods may be called from any goroutine, but for Observe. The methods of a nil Run do nothing.
type Run struct {
	o       Options
	feeders []*feeder
	over    chan struct{} // closed when the crawl has ended
	at      sync.Mutex    // the ledger, from then on
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup
	held    atomic.Bool
	drained bool
	told    time.Time // that it was held, or is no longer; of who is between two steps
	since   time.Time // held; guarded by mu
	mu      sync.Mutex
}

// A feeder feeds one sink.
type feeder struct {
	Target
	run    *Run
	feed   *feed
	kept   kept
	urls   *urls
	behind atomic.Int64
	more   chan struct{} // has room for one
	wanted atomic.Int64  // rises when there may be more
	had    atomic.Int64  // wanted, before the look that found nothing more

	mu    sync.Mutex
	state sinks.State
}

// Begin looks where each sink stands. It must be called before the crawl's first step, or without one.
func Begin(ctx context.Context, targets []Target, o Options) (*Run, error) {
	r := &Run{o: o, over: make(chan struct{})}
	if o.Within == nil {
		close(r.over)
	}
	r.ctx, r.cancel = context.WithCancel(ctx)
	for _, t := range targets {
		k, err := load(o.Folder, t.Name, t.To)
		if err != nil {
			return nil, err
		}
		if o.Again {
			k = kept{To: t.To}
		}
		was := k
		k.Repeats = k.Repeats || o.Repeats || k.Outcomes == 0 && o.Ledger.Progress().Requests > 0
		withdrawals, err := takedown.Withdrawals(o.Folder, t.Name)
		if err != nil {
			return nil, err
		}
		k.unverdict(withdrawals)
		if k != was || k.Position == (Position{}) { // from now on the sink may have something
			if err := k.keep(o.Folder, t.Name); err != nil {
				return nil, err
			}
		}
		f := &feeder{Target: t, run: r, feed: &feed{crawl: o.Crawl, ledger: o.Ledger}, kept: k, more: make(chan struct{}, 1)}
		f.feed.remove(withdrawals)
		lacks, held, err := f.feed.survey(ctx, k.Position, k.Repeats)
		if err != nil {
			return nil, err
		}
		f.urls = held
		f.behind.Store(lacks)
		f.state = sinks.State{Name: t.Name, To: t.To, Bound: t.Behind}
		r.feeders = append(r.feeders, f)
	}
	return r, nil
}

// Start begins to deliver. The crawl may run from then on.
func (r *Run) Start() {
	if r == nil {
		return
	}
	for _, f := range r.feeders {
		r.running.Go(f.work)
	}
	if r.waits() != nil && r.o.Within != nil {
		r.running.Go(func() { _ = r.o.Within(r.ctx, r.weigh) }) // the session may be over before
	}
}

// Observe takes an outcome into account. It must be called between two steps of the crawl.
func (r *Run) Observe(o orbweaver.Outcome) {
	if r == nil || o.N == 0 { // of a page that could not be asked again
		return
	}
	accepted := isPage(&o) && o.Actual.Accepted
	for _, f := range r.feeders {
		if accepted {
			f.behind.Add(1)
		}
		f.wake()
	}
	if accepted {
		r.weigh()
	}
}

// wake has a feeder look for more.
func (f *feeder) wake() {
	f.wanted.Add(1)
	select {
	case f.more <- struct{}{}:
	default:
	}
}

// waits returns the sink that is farthest beyond its bound; nil: none is.
func (r *Run) waits() (worst *feeder) {
	most := int64(0)
	for _, f := range r.feeders {
		bound := f.Behind
		if r.held.Load() { // until it has half
			bound /= 2
		}
		if by := f.behind.Load() - bound; by > most && !f.gone() {
			worst, most = f, by
		}
	}
	return worst
}

// weigh holds the crawl if a sink is too far behind, and lets it go on when none is. It runs between two steps.
func (r *Run) weigh() {
	worst := r.waits()
	if is := worst != nil; is != r.held.Load() {
		r.held.Store(is)
		r.mu.Lock()
		now := time.Now()
		if is {
			r.since = now
		}
		r.mu.Unlock()
		for _, f := range r.feeders {
			f.mark(f == worst, now)
		}
		r.o.Hold(is)
		if now.Sub(r.told) < tellEvery {
			return
		}
		if r.told = now; is {
			r.o.Tell("the crawl waits for sink %s, %d pages behind%s", worst.Name, worst.behind.Load(), worst.trouble())
		} else {
			r.o.Tell("the sinks have caught up: the crawl goes on")
		}
	}
}

// mark notes whether the crawl waits for a sink.
func (f *feeder) mark(is bool, now time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.Waits && !is {
		f.run.mu.Lock()
		f.state.Held += now.Sub(f.run.since)
		f.run.mu.Unlock()
	}
	f.state.Waits = is
}

// trouble says why a sink is behind, if it fails.
func (f *feeder) trouble() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.state.Error == "" {
		return ""
	}
	return ": " + f.state.Error
}

func (f *feeder) gone() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.state.Gone
}

// States returns how the sinks stand.
func (r *Run) States() (all []sinks.State) {
	if r == nil {
		return nil
	}
	for _, f := range r.feeders {
		f.mu.Lock()
		s := f.state
		f.mu.Unlock()
		s.Behind = f.behind.Load()
		if s.Waits {
			r.mu.Lock()
			s.Held += time.Since(r.since)
			r.mu.Unlock()
		}
		all = append(all, s)
	}
	return all
}

// within runs f between two steps of the crawl, or when it has ended.
func (r *Run) within(ctx context.Context, f func()) error {
	if r.o.Within != nil {
		err := r.o.Within(ctx, f)
		if !errors.Is(err, engine.ErrOver) {
			return err
		}
		select {
		case <-r.over:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	r.at.Lock()
	defer r.at.Unlock()
	f()
	return nil
}

// work delivers until the run is over.
func (f *feeder) work() {
	ctx := f.run.ctx
	for ctx.Err() == nil {
		wanted := f.wanted.Load()
		more, err := f.step(ctx)
		switch {
		case ctx.Err() != nil || f.gone():
			return
		case err != nil:
			f.fail(err, time.Now().Add(firstWait))
			f.pause(ctx, firstWait)
		case !more:
			f.had.Store(wanted)
			f.rest(ctx)
		}
	}
}

// all reports whether a sink has all that there is.
func (f *feeder) all() bool { return f.had.Load() == f.wanted.Load() && f.wanted.Load() > 0 }

// rest waits until there may be more. What persons decide is looked for now and then.
func (f *feeder) rest(ctx context.Context) {
	runs := f.run.runs()
	t := time.NewTimer(lookEvery)
	defer t.Stop()
	over, look := f.run.over, t.C
	if !runs {
		over, look = nil, nil
	}
	select {
	case <-ctx.Done():
	case <-f.more:
	case <-over:
	case <-look:
	}
	if f.run.runs() {
		f.pause(ctx, pollEvery)
	}
}

// runs reports whether the crawl runs.
func (r *Run) runs() bool {
	select {
	case <-r.over:
		return false
	default:
		return true
	}
}

// pause waits; it ends when the crawl does.
func (f *feeder) pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	over := f.run.over
	if !f.run.runs() {
		over = nil
	}
	select {
	case <-ctx.Done():
	case <-t.C:
	case <-over:
	}
}

// step delivers what comes next; more: there may be more at once.
func (f *feeder) step(ctx context.Context) (more bool, err error) {
	var events []event
	to := f.kept.Position
	if ended := f.run.within(ctx, func() { events, to, err = f.feed.next(f.kept.Position, f.urls, atOnce) }); ended != nil || err != nil {
		return false, errors.Join(ended, err)
	}
	if to == f.kept.Position {
		return false, nil
	}
	items, accepted := make([]sink.Item, 0, len(events)), int64(0)
	for i := range events {
		if err := f.run.o.Pages.fill(ctx, &events[i]); err != nil {
			return false, err
		}
		items = append(items, events[i].Item)
		if o := events[i].page; o != nil && o.N > f.kept.Outcomes && o.Actual.Accepted {
			accepted++
		}
	}
	if len(items) > 0 {
		if err := f.deliver(ctx, items); err != nil {
			return false, err
		}
	}
	f.kept.Position = to
	for wait := firstWait; ; wait = min(2*wait, longest) {
		err := f.kept.keep(f.run.o.Folder, f.Name)
		if err == nil {
			break
		}
		f.fail(fmt.Errorf("its position cannot be kept: %w", err), time.Now().Add(wait))
		if f.pause(ctx, wait); ctx.Err() != nil {
			return false, ctx.Err()
		}
	}
	f.behind.Add(-accepted)
	if err := f.withdrew(); err != nil {
		return false, err
	}
	f.well(int64(len(items)))
	if f.run.held.Load() && f.run.o.Within != nil {
		_ = f.run.o.Within(ctx, f.run.weigh) // a session that is over holds nothing
	}
	return true, nil
}

// withdrew removes the list of removed pages, when the sink was told of all.
func (f *feeder) withdrew() error {
	if len(f.feed.gone) == 0 || int(f.kept.Withdrawn) < len(f.feed.gone) {
		return nil
	}
	f.kept.Withdrawn = 0 // what is in the list after a kill comes again
	if err := f.kept.keep(f.run.o.Folder, f.Name); err != nil {
		return err
	}
	f.feed.gone = nil
	return takedown.Withdrew(f.run.o.Folder, f.Name)
}

// deliver delivers items, however often that takes.
func (f *feeder) deliver(ctx context.Context, items []sink.Item) error {
	for wait := firstWait; ; wait = min(2*wait, longest) {
		err := f.Sink.Deliver(ctx, items)
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.Is(err, sink.ErrGone):
			f.end(err)
			return err
		}
		pause := wait
		var later interface{ RetryAfter() time.Duration }
		if errors.As(err, &later) && later.RetryAfter() > 0 {
			pause = min(max(later.RetryAfter(), firstWait), time.Hour)
		}
		if !f.run.runs() {
			pause = min(pause, lastWait)
		}
		f.fail(err, time.Now().Add(pause))
		if f.pause(ctx, pause); ctx.Err() != nil {
			return ctx.Err()
		}
	}
}

// fail notes a failure, and tells the first of a row.
func (f *feeder) fail(err error, next time.Time) {
	f.mu.Lock()
	first := f.state.Error == ""
	f.state.Failures++
	f.state.Error, f.state.Next = err.Error(), next
	f.mu.Unlock()
	if first {
		f.run.o.Tell("warning: sink %s: %v; it is tried again", f.Name, err)
	}
}

// well notes a delivery.
func (f *feeder) well(items int64) {
	f.mu.Lock()
	failed := f.state.Error != ""
	f.state.Error, f.state.Next = "", time.Time{}
	f.state.Delivered += items
	f.mu.Unlock()
	if failed {
		f.run.o.Tell("sink %s takes pages again", f.Name)
	}
}

// end gives a sink up that takes nothing any more.
func (f *feeder) end(err error) {
	f.mu.Lock()
	f.state.Error, f.state.Gone = err.Error(), true
	f.mu.Unlock()
	f.run.o.Tell("warning: sink %s: %v; nothing is delivered to it until the same command begins again", f.Name, err)
	if f.run.o.Within != nil {
		_ = f.run.o.Within(f.run.ctx, f.run.weigh) // a session that is over holds nothing
	}
}
