package worker

import (
	"context"
	"fmt"
	"time"

	"orbweaver/engine"
)

// quotaTime bounds how long the crawl waits for a lease of a limit.
const quotaTime = 30 * time.Second

// Away implements engine.Others.
func (w *Worker) Away(url string) bool {
	p := w.part(url)
	return w.hold[p].Load() != mine && p != w.accepting
}

// Inherits implements engine.Others.
func (w *Worker) Inherits(url string) bool { return w.hold[w.part(url)].Load() == inheriting }

// Seeds implements engine.Others.
func (w *Worker) Seeds() bool { return w.first || w.byRounds }

// Over implements engine.Others.
func (w *Worker) Over() bool {
	if w.over.Load() {
		return true
	}
	if err := w.Flush(); err != nil { // what others are to have must be where a census looks
		w.fail(err)
		return true
	}
	w.seeded.Store(true) // what this worker proposes at first is on its disk
	w.mu.Lock()
	w.state.Idle = true
	w.mu.Unlock()
	w.nudge()
	return false
}

// limit returns a limit of the whole crawl.
func (w *Worker) limit(name string) int64 {
	return map[string]int64{engine.EndRequests: w.limits.Requests, engine.EndPages: w.limits.Pages, engine.EndBytes: w.limits.Bytes}[name]
}

// Limit changes the limits of the whole crawl for this session. What was leased of them stays leased. It must be called within the crawl's Call.
func (w *Worker) Limit(crawl *engine.Crawl, change func(*engine.Limits)) {
	change(&w.limits)
	own := crawl.Limits()
	own.Time, own.Depth = w.limits.Time, w.limits.Depth
	crawl.SetLimits(own)
}

// unit is what a block of a limit counts, in its own unit.
func unit(name string) int64 {
	if name == engine.EndBytes {
		return 1000
	}
	return 1
}

// More implements engine.Others.
func (w *Worker) More(name string) int64 {
	ctx, cancel := context.WithTimeout(w.ctx, quotaTime)
	defer cancel()
	n, err := w.o.Bus.Take(ctx, name, w.o.Block*unit(name), w.limit(name))
	if err != nil {
		w.fail(fmt.Errorf("lease of the limit of %s: %w", name, err))
	}
	return n
}

// Back implements engine.Others.
func (w *Worker) Back(name string, n int64) {
	ctx, cancel := context.WithTimeout(w.ctx, quotaTime)
	defer cancel()
	if err := w.o.Bus.GiveBack(ctx, name, n); err != nil {
		w.fail(fmt.Errorf("give back a lease of the limit of %s: %w", name, err))
	}
}
