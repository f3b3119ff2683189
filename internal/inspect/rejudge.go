package inspect

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/focus/verdicts"
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
		if o.Page == nil || o.Redirect != "" || o.Duplicate.URL != "" || o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" {
			return nil, o.N, true, nil
		}
		if last, err := p.ledger.Outcome(o.Request.URL); err != nil || last.N != o.N {
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

// Unsure returns up to n pages without a person's verdict whose judgement of now is nearest to their threshold, nearest
// first; without a threshold, nearest to a score of one half.
func (h *Handle) Unsure(ctx context.Context, n int) (nearest []ledger.Line, err error) {
	for line, err := range h.PagesNow(ctx) {
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(line.Reasons, func(r orbweaver.Reason) bool { return r.Rule == verdicts.RuleVerdict }) {
			continue
		}
		at, _ := slices.BinarySearchFunc(nearest, line, func(a, b ledger.Line) int {
			return cmp.Or(cmp.Compare(undecided(a), undecided(b)), cmp.Compare(a.N, b.N))
		})
		if nearest = slices.Insert(nearest, at, line); len(nearest) > n {
			nearest = nearest[:n]
		}
	}
	return nearest, nil
}

// undecided returns the distance of a score from its threshold, in log odds.
func undecided(l ledger.Line) float64 {
	odds := func(score float64) float64 {
		score = min(0.9999, max(0.0001, score))
		return math.Log(score / (1 - score))
	}
	return math.Abs(odds(l.Score) - odds(cmp.Or(l.Threshold, 0.5)))
}
