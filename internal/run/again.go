package run

import (
	"context"
	"errors"
	"fmt"

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

// tellOver says of a crawl that was over before, and is run again, why it was and what lets it go on. It is
// for a ledger that is open and a session that has not begun.
func tellOver(a *job.Job, c *assembly.Crawl) {
	before := c.Ledger.Progress()
	if before.Ended == "" || c.Refresh > 0 {
		return
	}
	c.Before = before
	if key, value := starting.Limit(before.Ended, c.File.Limits); key != "" && !reachedAgain(before, assembly.EngineLimits(c.File.Limits)) {
		console.Say(a.Err, "%s: was over by its %s; %s is %s now: it goes on", console.Relative(c.File.Output), before.Ended, key, value)
		c.Before = step.Progress{}
	}
}

// reachedAgain reports whether a crawl that was over by a limit is over by one of these, too.
func reachedAgain(p step.Progress, l engine.Limits) bool {
	over := func(limit, have int64) bool { return limit > 0 && have >= limit }
	return over(l.Requests, p.Requests) || over(l.Pages, p.Pages) || over(l.Bytes, p.Bytes) || over(int64(l.Time), int64(p.Active))
}

// prepareSession prepares a crawl that is to run. Where it may begin afresh, its folder is emptied first, once
// all that its file names is known to be in order.
func prepareSession(ctx context.Context, a *job.Job, from assembly.Source, refresh bool) (*assembly.Crawl, error) {
	c, err := assembly.Prepare(ctx, from, a.Wire)
	if err != nil || refresh {
		return c, err
	}
	afresh, err := mayBeginAfresh(ctx, c)
	if err == nil && !afresh {
		return c, nil
	}
	if err = errors.Join(err, c.Close()); err != nil {
		return nil, err
	}
	console.Say(a.Err, "%s: no page was fetched before: the crawl begins afresh", console.Relative(c.File.Output))
	if err := errors.Join(crawlfolder.Empty(c.File.Output), crawlfolder.Make(c.File)); err != nil {
		return nil, err
	}
	return assembly.Prepare(ctx, from, a.Wire)
}

// mayBeginAfresh reports whether the folder of a crawl has one that fetched nothing and either is over or was
// another file's. One that was interrupted goes on under its own file.
func mayBeginAfresh(ctx context.Context, c *assembly.Crawl) (bool, error) {
	if kind.AbilitiesOf(c.File.Focus).Linkless || crawlfolder.IsFresh(c.File.Output) || !crawlfolder.HasNothing(c.File.Output) {
		return false, nil
	}
	differs := crawlfolder.Differs(c.File)
	l, err := ledger.Open(c.File.Output)
	if err != nil {
		return false, inspect.Owned(ctx, c.File.Output, err)
	}
	loaded, err := store.StatementsIn(l.Committed())
	p := l.Progress()
	if err = errors.Join(err, l.Close()); err != nil {
		return false, err
	}
	if loaded > 0 && differs {
		return false, fmt.Errorf("output: %s holds another crawl, and statements that were loaded into it. Name another output (%w)", c.File.Output, orbweaver.ErrForeign)
	}
	return loaded == 0 && p.Pages == 0 && (p.Ended != "" || differs), nil
}
