package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// tellOver reports, for a crawl that had ended and is run again, the limit that ended it and the changed key that
// lets it continue. The ledger is open and the session has not begun. perHost is that of the session before.
func tellOver(a *job.Job, c *assembly.Crawl, perHost int64) {
	before := c.Ledger.Progress()
	if before.Ended == "" || c.Refresh > 0 || c.Watching {
		return
	}
	c.Before = before
	if before.Ended == engine.EndPerHost && reached(c.File.Limits.PerHost, perHost) {
		return // each host that has more has as many pages
	}
	if key, value := starting.Limit(before.Ended, c.File.Limits); key != "" && !reachedAgain(before, assembly.EngineLimits(c.File.Limits, 0)) {
		console.Say(a.Err, "%s: had ended by its %s; %s is now %s: the crawl continues", console.Relative(c.File.Output), before.Ended, key, value)
		c.Before = step.Progress{}
	}
}

// reachedAgain reports whether progress has already reached one of the limits.
func reachedAgain(p step.Progress, l engine.Limits) bool {
	return reached(l.Requests, p.Requests) || reached(l.Pages, p.Pages) || reached(l.Bytes, p.Bytes) || reached(int64(l.Time), int64(p.Active))
}

// reached reports whether there is a limit, and as much as it allows.
func reached(limit, have int64) bool { return limit > 0 && have >= limit }

// perHostBefore returns limits.per_host of the session before, if it matters; 0: there was none, or no session. The crawl is not open yet.
func perHostBefore(c *assembly.Crawl) int64 {
	if c.File.Limits.PerHost == 0 || crawlfolder.IsFresh(c.File.Output) {
		return 0
	}
	ran, err := c.File.Schema.LoadRun(filepath.Join(c.File.Output, crawlfolder.RunFile))
	if err != nil {
		return 0
	}
	return ran.Limits.PerHost
}

// Prepare prepares a crawl for a session. If the crawl may begin afresh, Prepare empties its folder,
// but only after the crawl file and all files that it names have loaded without error.
func Prepare(ctx context.Context, a *job.Job, from assembly.Source, refresh bool) (*assembly.Crawl, error) {
	c, err := assembly.Prepare(ctx, from, a.Wire)
	if err != nil || refresh {
		return c, err
	}
	afresh, tried, err := mayBeginAfresh(ctx, c)
	if err == nil && !afresh {
		return c, nil
	}
	if err = errors.Join(err, c.Close()); err != nil {
		return nil, err
	}
	if tried {
		console.Say(a.Err, "%s: earlier sessions fetched no page: the crawl begins afresh", console.Relative(c.File.Output))
	}
	if err := crawlfolder.Empty(c.File.Output); err != nil {
		return nil, err
	}
	if err := crawlfolder.Make(c.File); err != nil {
		return nil, err
	}
	return assembly.Prepare(ctx, from, a.Wire)
}

// mayBeginAfresh reports whether the folder holds a crawl that fetched no page and either ended or ran another
// crawl file, and whether a session of it made requests. An interrupted crawl of the same file continues.
func mayBeginAfresh(ctx context.Context, c *assembly.Crawl) (afresh, tried bool, err error) {
	if kind.AbilitiesOf(c.File.Focus).Linkless || crawlfolder.IsFresh(c.File.Output) || !crawlfolder.HasNothing(c.File.Output) {
		return false, false, nil
	}
	differs := crawlfolder.Differs(c.File)
	l, err := ledger.Open(c.File.Output)
	if err != nil {
		return false, false, inspect.Owned(ctx, c.File.Output, err)
	}
	loaded, err := store.StatementsIn(l.Committed())
	p := l.Progress()
	if err = errors.Join(err, l.Close()); err != nil {
		return false, false, err
	}
	if loaded > 0 && differs {
		return false, false, fmt.Errorf("output: %s holds another crawl and loaded statements. Name another output (%w)", c.File.Output, orbweaver.ErrForeign)
	}
	return loaded == 0 && p.Pages == 0 && (p.Ended != "" || differs), p.Ended != "" || p.Requests > 0, nil
}
