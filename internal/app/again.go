package app

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// tellOver says of a crawl that was over before, and is run again, why it was and what lets it go on. It is
// for a ledger that is open and a session that has not begun.
func (a *App) tellOver(c *crawl) {
	before := c.ledger.Progress()
	if before.Ended == "" || c.refresh > 0 {
		return
	}
	c.before = before
	if key, value := starting.Limit(before.Ended, c.file.Limits); key != "" && !reachedAgain(before, engineLimits(c.file.Limits)) {
		console.Say(a.Err, "%s: was over by its %s; %s is %s now: it goes on", console.Relative(c.file.Output), before.Ended, key, value)
		c.before = step.Progress{}
	}
}

// reachedAgain reports whether a crawl that was over by a limit is over by one of these, too.
func reachedAgain(p step.Progress, l engine.Limits) bool {
	over := func(limit, have int64) bool { return limit > 0 && have >= limit }
	return over(l.Requests, p.Requests) || over(l.Pages, p.Pages) || over(l.Bytes, p.Bytes) || over(int64(l.Time), int64(p.Active))
}

// adviceToGoOn says what lets a crawl go on that is over; empty: nothing does, or needs to.
func (c *crawl) adviceToGoOn(progress step.Progress) string {
	key, value := starting.Limit(progress.Ended, c.file.Limits)
	file := console.Relative(c.path)
	over := c.before.Ended != "" && progress.Requests == c.before.Requests
	switch {
	case c.running:
	case over && key != "":
		return fmt.Sprintf("This crawl was over before: %s (%s: %s). Raise it in %s, and the same command goes on.", progress.Ended, key, value, file)
	case over:
		return fmt.Sprintf("This crawl was over before: %s. No limit of %s ended it: name more seeds, in another output.", progress.Ended, file)
	case key != "":
		return fmt.Sprintf("%s: %s ended it: raise it in the crawl file, and the same command goes on", key, value)
	}
	return ""
}

// fetchedNothing is the error of a crawl that is over and has no page. One for metadata may need none.
func (c *crawl) fetchedNothing(progress step.Progress) error {
	if progress.Pages > 0 || c.refresh > 0 || kind.AbilitiesOf(c.file.Focus).Linkless {
		return nil
	}
	return fmt.Errorf("%s: no page was fetched (%s): mend %s and run the same command, it begins afresh (%w)",
		console.Relative(c.file.Output), progress.Ended, console.Relative(c.path), starting.ErrNothing)
}

// prepareSession prepares a crawl that is to run. Where it may begin afresh, its folder is emptied first, once
// all that its file names is known to be in order.
func (a *App) prepareSession(ctx context.Context, from Source, refresh bool) (*crawl, error) {
	c, err := prepare(ctx, from, a.Wire)
	if err != nil || refresh {
		return c, err
	}
	afresh, err := mayBeginAfresh(ctx, c)
	if err == nil && !afresh {
		return c, nil
	}
	if err = errors.Join(err, c.close()); err != nil {
		return nil, err
	}
	console.Say(a.Err, "%s: no page was fetched before: the crawl begins afresh", console.Relative(c.file.Output))
	if err := errors.Join(crawlfolder.Empty(c.file.Output), crawlfolder.Make(c.file)); err != nil {
		return nil, err
	}
	return prepare(ctx, from, a.Wire)
}

// mayBeginAfresh reports whether the folder of a crawl has one that fetched nothing and either is over or was
// another file's. One that was interrupted goes on under its own file.
func mayBeginAfresh(ctx context.Context, c *crawl) (bool, error) {
	if kind.AbilitiesOf(c.file.Focus).Linkless || crawlfolder.IsFresh(c.file.Output) || !crawlfolder.HasNothing(c.file.Output) {
		return false, nil
	}
	differs := crawlfolder.Differs(c.file)
	l, err := ledger.Open(c.file.Output)
	if err != nil {
		return false, owned(ctx, c.file.Output, err)
	}
	loaded, err := statementsIn(l.Committed())
	p := l.Progress()
	if err = errors.Join(err, l.Close()); err != nil {
		return false, err
	}
	if loaded > 0 && differs {
		return false, fmt.Errorf("output: %s holds another crawl, and statements that were loaded into it. Name another output (%w)", c.file.Output, orbweaver.ErrForeign)
	}
	return loaded == 0 && p.Pages == 0 && (p.Ended != "" || differs), nil
}
