package run

import (
	"context"
	"errors"
	"runtime"
	"time"

	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/machine"
	"orbweaver/internal/step"
	"orbweaver/server"
)

// Indexing along with a crawl.
const (
	alongAtOnce = 64                     // requests in a part
	alongPause  = 100 * time.Millisecond // between two parts at least
	alongLong   = 2 * time.Second        // while there is less than a part to do
	alongSpent  = 0.5                    // share of the processors' time that the crawl itself uses at most
)

// indexAlong describes the requests of a live crawl, and indexes the words of its pages, while the crawl runs, so that searches and queries
// find that done: in parts, each after a pause at least half as long as the part before took, and only if this process left half of the
// processors' time unused meanwhile, and no page of the crawl is being read. What it leaves, the next search does. end stops it, and waits until it has stopped.
func indexAlong(ctx context.Context, a *job.Job, t *assembly.Control, load *step.Load) (end func()) {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		if err := alongParts(ctx, t, load); err != nil && ctx.Err() == nil && !errors.Is(err, server.ErrNoCrawl) {
			console.Say(a.Err, "warning: words are not indexed along with the crawl any more: %v", err)
		}
	}()
	return func() {
		cancel()
		<-done
	}
}

// alongParts indexes part by part until ctx is done.
func alongParts(ctx context.Context, t *assembly.Control, load *step.Load) error {
	pause, timer := alongLong, time.NewTimer(alongLong)
	defer timer.Stop()
	for {
		began, used := time.Now(), machine.ProcessTime()
		timer.Reset(pause)
		select {
		case <-ctx.Done():
			return nil
		case <-timer.C:
		}
		spent, all := machine.ProcessTime()-used, time.Since(began)*time.Duration(runtime.GOMAXPROCS(0))
		if float64(spent) > alongSpent*float64(all) || load.Pages() > 0 { // two pages that are large to read might be too much
			continue
		}
		began = time.Now()
		more, err := t.IndexPart(ctx, alongAtOnce)
		if err != nil {
			return err
		}
		if pause = alongLong; more {
			pause = max(alongPause, time.Since(began)/2)
		}
	}
}
