package run

import (
	"context"
	"time"

	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/internal/view"
	"orbweaver/server"
)

// Listen serves the control socket of a crawl and returns a function that closes it. If the socket cannot be created,
// Listen prints a warning and the crawl runs without one: the file system of its folder may have no sockets.
func Listen(a *job.Job, c *assembly.Crawl, session *engine.Crawl, turns *frontier.Frontier, failures *step.Failures) func() error {
	return listen(a, &assembly.Control{C: c, Session: session, Turns: turns, Began: time.Now(), Failures: failures})
}

func listen(a *job.Job, t *assembly.Control, more ...server.Route) func() error {
	if a.Alone {
		return func() error { return nil }
	}
	more = append(append(more, inspect.SuggestionRoutes(t)...), inspect.CallRoutes(t)...)
	more = append(more, store.KeepRoutes(keeper{t})...)
	s, err := server.Serve(t.C.File.Output, t, append(more, inspect.Explaining(t), inspect.Reporting(t, view.PrintSummary), store.QueryRoute(t), store.SearchRoute(a, t.C.File.Output, t))...)
	if err != nil {
		console.Say(a.Err, "warning: control socket unavailable: %v", err)
		return func() error { return nil }
	}
	return s.Close
}

// keeper is the quad store of a running crawl, for those who look after it.
type keeper struct{ *assembly.Control }

// Checkpoint copies the store between two steps. It makes links, so that the crawl waits for a moment only.
func (k keeper) Checkpoint(ctx context.Context, folder string) (err error) {
	if ended := k.Call(ctx, func() {
		if err = k.C.Ledger.Flush(); err == nil {
			err = k.C.Ledger.Checkpoint(folder)
		}
	}); ended != nil {
		return ended
	}
	return err
}

// Compact compacts the store beside the crawl.
func (k keeper) Compact(ctx context.Context) (before, after int64, err error) {
	return k.C.Ledger.Compact(ctx)
}
