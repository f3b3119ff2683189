package store

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A Prepared says how far the indexes of a crawl are.
type Prepared struct {
	Of       int64 `json:"of"`       // fetched requests
	Wordless int64 `json:"wordless"` // those whose words are not indexed yet
}

// Outcomes between two looks at whether a call is to stop, a quarter of a second each.
const (
	ListedAtRest    = 1 << 14 // added to the listing
	describedAtOnce = 1 << 12 // described
)

// Prepare brings all indexes of a crawl at rest up to date: those behind lists, explanations and searches. When the context is done it
// stops within a moment, and the next call goes on from there; the result says how far it is, in either case. The error wraps orbweaver.ErrBusy if
// a process uses the folder, and orbweaver.ErrInput if the crawl keeps no archive, so that its words cannot be indexed.
func Prepare(ctx context.Context, a *job.Job, dir string) (p Prepared, err error) {
	c, err := reachBase(dir)
	if err == nil {
		c.Close()
		return p, fmt.Errorf("%s: a process uses it (%w)", console.Relative(dir), orbweaver.ErrBusy)
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return p, err
	}
	l, err := ledger.OpenForLooks(dir)
	if err != nil {
		return p, err
	}
	err = prepare(ctx, a, dir, l)
	p = Prepared{Of: l.Outcomed(), Wordless: l.Wordless()}
	return p, errors.Join(err, l.Close())
}

// prepare is Prepare for an open ledger: what is quick and needed first goes first.
func prepare(ctx context.Context, a *job.Job, dir string, l *ledger.Ledger) error {
	told := toldDescribed(a, dir)
	all := func(left int64) { told(left + max(l.Pending()-describedAtOnce, 0)) } // a call knows of its own part alone
	for _, step := range []struct {
		left func() int64
		do   func() error
	}{
		{l.Unlisted, func() error { return l.List(ListedAtRest) }},
		{l.Pending, func() error { return materializeBase(ctx, dir, l, describedAtOnce, all) }},
	} {
		for step.left() > 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := step.do(); err != nil {
				return err
			}
		}
	}
	if err := indexNamesOf(ctx, l, nil, 0, toldNames(a, dir)); err != nil {
		return err
	}
	return indexPages(ctx, a, dir, l, nil, 0)
}
