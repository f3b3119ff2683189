package inspect

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"slices"

	"orbweaver"
	"orbweaver/focus/verdicts"
	"orbweaver/internal/step"
	"orbweaver/internal/whatif"
	"orbweaver/ledger"
	"orbweaver/server"
)

// rejudgedAtOnce is the most pages that a running crawl judges again for one call.
const rejudgedAtOnce = 100

// afterIn is the argument of a call that goes through the outcomes.
type afterIn struct {
	After int64 `json:"after"` // outcomes to skip
}

// A rejudged is a part of the pages of a crawl, judged again.
type rejudged struct {
	Pages []ledger.Line `json:"pages"`
	Next  int64         `json:"next"` // the After of the next call; 0: that was all
}

// PagesNow yields the pages of a crawl in the order in which they were fetched, each once, as the focus and a person's
// verdicts judge them now; duplicates and what is no page are left out. The pages are read again from the archive, and
// nothing changes. A running crawl goes on meanwhile, so that later pages are judged by more.
func (h *Handle) PagesNow(ctx context.Context) iter.Seq2[ledger.Line, error] {
	return func(yield func(ledger.Line, error) bool) {
		in := afterIn{}
		for {
			part, err := rejudgeCall.running(ctx, h, in)
			if errors.Is(err, server.ErrNoCrawl) {
				part, err = rejudgeCall.rest(ctx, h, in)
			}
			if err != nil {
				yield(ledger.Line{}, err)
				return
			}
			for _, line := range part.Pages {
				if !yield(line, nil) {
					return
				}
			}
			if in.After = part.Next; in.After == 0 {
				return
			}
		}
	}
}

var rejudgeCall = call[afterIn, rejudged]{name: "rejudge", focus: true, judge: true, do: func(ctx context.Context, p *spot, in afterIn) (r rejudged, err error) {
	r.Pages = []ledger.Line{}
	for n := in.After; ; {
		var line *ledger.Line
		more := false
		ended := p.between(ctx, func() { line, n, more, err = p.rejudge(ctx, n) })
		if err = errors.Join(ended, err, ctx.Err()); err != nil || !more {
			return r, err
		}
		if line != nil {
			r.Pages = append(r.Pages, *line)
		}
		if p.run != nil && len(r.Pages) == rejudgedAtOnce {
			r.Next = n
			return r, nil
		}
	}
}}

// rejudge judges the page of the outcome after n again, and returns the number of that outcome. The line is nil if the
// outcome has no such page, more is false if there is no such outcome.
func (p *spot) rejudge(ctx context.Context, n int64) (line *ledger.Line, at int64, more bool, err error) {
	for o, err := range p.ledger.Outcomes(n) {
		if err != nil {
			return nil, n, false, err
		}
		if current, err := p.judged(o); err != nil || !current {
			return nil, o.N, true, err
		}
		if o.Actual, err = p.bench.session.JudgeAgain(ctx, o); err != nil {
			return nil, o.N, false, err
		}
		l := ledger.LineOf(o)
		return &l, o.N, true, nil
	}
	return nil, n, false, nil
}

// judged reports whether an outcome is a page that the focus judged itself, and the latest of its URL.
func (p *spot) judged(o orbweaver.Outcome) (bool, error) {
	return whatif.Judged(p.ledger, o)
}

// Unsure returns up to n pages without a person's verdict whose judgement of now is nearest to their threshold, nearest
// first; without a threshold, nearest to a score of one half.
//
// Where the crawl judges pages as it always did, only those n are read again; a focus that learns, or a person's decisions, may have moved any
// page, so that all are.
func (h *Handle) Unsure(ctx context.Context, n int) (nearest []ledger.Line, err error) {
	if u, err := unsureCall.ask(ctx, h, unsureIn{n}); err != nil || u.Steady {
		return u.Pages, err
	}
	return h.unsureOfAll(ctx, n)
}

// unsureOfAll is Unsure by judging all pages again.
func (h *Handle) unsureOfAll(ctx context.Context, n int) (nearest []ledger.Line, err error) {
	for line, err := range h.PagesNow(ctx) {
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(line.Reasons, func(r orbweaver.Reason) bool { return r.Rule == verdicts.RuleVerdict }) {
			continue
		}
		nearest = among(nearest, line, n)
	}
	return nearest, nil
}

// among puts a page among the n nearest to their thresholds, if it is one.
func among(nearest []ledger.Line, line ledger.Line, n int) []ledger.Line {
	at, _ := slices.BinarySearchFunc(nearest, line, func(a, b ledger.Line) int {
		return cmp.Or(cmp.Compare(undecided(a), undecided(b)), cmp.Compare(a.N, b.N))
	})
	if at >= n {
		return nearest
	}
	nearest = slices.Insert(nearest, at, line)
	return nearest[:min(len(nearest), n)]
}

// unsureIn asks for the pages of which a crawl is unsure.
type unsureIn struct {
	N int `json:"n"`
}

// An unsureOf has them, if the crawl is steady.
type unsureOf struct {
	Steady bool          `json:"steady"`
	Pages  []ledger.Line `json:"pages"`
}

// weighedAtOnce is the number of outcomes that are looked at between two steps of a running crawl.
const weighedAtOnce = 2000

var unsureCall = call[unsureIn, unsureOf]{name: "unsure", focus: true, judge: true, do: func(ctx context.Context, p *spot, in unsureIn) (u unsureOf, err error) {
	ended := p.between(ctx, func() { u.Steady = p.bench.session.Steady() })
	for at, more := int64(0), u.Steady && in.N > 0; more && ended == nil && err == nil; ended = errors.Join(ended, ctx.Err()) {
		ended = p.between(ctx, func() { u.Pages, at, more, err = p.weigh(u.Pages, at, in.N) })
	}
	if err = errors.Join(ended, err); err != nil {
		return u, err
	}
	for i, l := range u.Pages {
		var line *ledger.Line
		if ended := p.between(ctx, func() { line, _, _, err = p.rejudge(ctx, l.N-1) }); ended != nil || err != nil {
			return u, errors.Join(ended, err)
		}
		if line == nil || line.N != l.N || undecided(*line) != undecided(l) {
			return unsureOf{}, nil // fetched again meanwhile, or judged otherwise
		}
		u.Pages[i] = *line
	}
	return u, nil
}}

// weigh puts pages of the outcomes after a number among the nearest, by the judgement that they have, and returns the number of the last.
func (p *spot) weigh(nearest []ledger.Line, after int64, n int) ([]ledger.Line, int64, bool, error) {
	at := after
	for o, err := range p.ledger.Outcomes(after) {
		if err != nil {
			return nearest, at, false, err
		}
		if at == after+weighedAtOnce {
			return nearest, at, true, nil
		}
		at = o.N
		line := ledger.Line{N: o.N, Score: o.Actual.Score, Threshold: step.ThresholdOf(o)}
		if len(nearest) == n && undecided(line) >= undecided(nearest[n-1]) {
			continue
		}
		if current, err := p.judged(o); err != nil || !current {
			if err != nil {
				return nearest, at, false, err
			}
			continue
		}
		nearest = among(nearest, line, n)
	}
	return nearest, at, false, nil
}

// undecided returns the distance of a score from its threshold, in log odds.
func undecided(l ledger.Line) float64 { return whatif.Distance(l.Score, l.Threshold) }
