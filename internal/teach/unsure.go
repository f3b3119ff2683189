package teach

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// nearestThen bounds the pages that are judged again for one question, so that it takes seconds whatever the size of the crawl.
const nearestThen = 2000

// weighedAtOnce is the number of outcomes that are looked at between two steps of a running crawl.
const weighedAtOnce = 2000

// Unsure returns up to n pages without a person's verdict, those first of which the focus and the verdicts so far are least sure as they judge them
// now: the nearest to their thresholds, or to a score of one half without one. In crawls of more than 2 000 pages it chooses among the 2 000
// that were nearest when they were judged, or n if that is more.
func (c Crawl) Unsure(ctx context.Context, n int) ([]ledger.Line, error) {
	lines := []ledger.Line{}
	if n <= 0 {
		return lines, nil
	}
	a := asking{Crawl: c, then: nearby{most: max(nearestThen, n)}, now: nearby{most: n}, pages: map[int64]ledger.Line{}}
	var err error
	ended := c.Between(ctx, func() {
		if a.said, err = said(c.Ledger); c.Session.Steady() {
			a.then.most = n // pages are judged now as they were
		}
	})
	if err = errors.Join(ended, err); err == nil {
		err = a.pool(ctx)
	}
	if err == nil {
		err = a.judge(ctx)
	}
	for _, one := range a.now.all {
		lines = append(lines, a.pages[one.n])
	}
	return lines, err
}

// said returns the verdicts of persons that hold, by URL.
func said(l *ledger.Ledger) (map[string]string, error) {
	said := map[string]string{}
	for d, err := range l.Decisions() {
		switch {
		case err != nil:
			return nil, err
		case d.Page == "":
		case d.Withdrawn:
			delete(said, d.Page)
		default:
			said[d.Page] = SaidOf(d)
		}
	}
	return said, nil
}

// asking is one choice of pages to ask about.
type asking struct {
	Crawl
	said  map[string]string
	then  nearby                // by the judgements recorded
	now   nearby                // by those of now
	pages map[int64]ledger.Line // those of now
}

// pool collects the pages that were nearest to their thresholds.
func (a *asking) pool(ctx context.Context) (err error) {
	for at, more := int64(0), true; more && err == nil; {
		ended := a.Between(ctx, func() { at, more, err = a.look(at) })
		err = errors.Join(ended, err, ctx.Err())
	}
	return err
}

// look goes through some outcomes after a number, and returns the number of the last.
func (a *asking) look(after int64) (at int64, more bool, err error) {
	at = after
	for o, err := range a.Ledger.Outcomes(after) {
		if err != nil {
			return at, false, err
		}
		if at >= after+weighedAtOnce {
			return at, true, nil
		}
		at = o.N
		gap := undecided(ledger.Line{Score: o.Actual.Score, Threshold: step.ThresholdOf(o)})
		if !a.then.takes(gap) || a.said[o.Request.URL] != "" {
			continue
		}
		current, err := Judged(a.Ledger, o)
		if err != nil {
			return at, false, err
		}
		if current {
			a.then.add(near{o.N, gap})
		}
	}
	return at, false, nil
}

// judge judges them again.
func (a *asking) judge(ctx context.Context) (err error) {
	order.By(a.then.all, func(x, y near) int { return cmp.Compare(x.n, y.n) })
	for _, one := range a.then.all {
		ended := a.Between(ctx, func() { err = a.consider(ctx, one.n) })
		if err = errors.Join(ended, err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// consider judges the page of outcome n again.
func (a *asking) consider(ctx context.Context, n int64) error {
	for o, err := range a.Ledger.Outcomes(n - 1) {
		if err != nil {
			return err
		}
		current, err := Judged(a.Ledger, o)
		if err != nil || !current { // fetched again meanwhile
			return err
		}
		if o.Actual, err = a.Session.JudgeAgain(ctx, o); err != nil {
			return err
		}
		line := ledger.LineOf(o)
		if one := (near{o.N, undecided(line)}); a.now.takes(one.gap) {
			delete(a.pages, a.now.add(one))
			a.pages[o.N] = line
		}
		return nil
	}
	return orbweaver.ErrUnknown
}

// A near page is outcome n with the distance of its score from the threshold, in log odds.
type near struct {
	n   int64
	gap float64
}

// nearby are the pages nearest to their thresholds, nearest first, of equal ones the earlier first.
type nearby struct {
	most int
	all  []near
}

// takes reports whether a later page with this distance would be among them.
func (b *nearby) takes(gap float64) bool { return len(b.all) < b.most || gap < b.all[len(b.all)-1].gap }

// add adds a page that they take, and returns the number of the outcome that has to go, or 0.
func (b *nearby) add(one near) (gone int64) {
	at, _ := slices.BinarySearchFunc(b.all, one, func(x, y near) int { return cmp.Or(cmp.Compare(x.gap, y.gap), cmp.Compare(x.n, y.n)) })
	b.all = slices.Insert(b.all, at, one)
	if len(b.all) > b.most {
		gone = b.all[b.most].n
		b.all = b.all[:b.most]
	}
	return gone
}

// undecided returns the distance of a score from its threshold, in log odds.
func undecided(l ledger.Line) float64 {
	odds := func(score float64) float64 {
		score = min(0.9999, max(0.0001, score))
		return math.Log(score / (1 - score))
	}
	return math.Abs(odds(l.Score) - odds(cmp.Or(l.Threshold, 0.5)))
}
