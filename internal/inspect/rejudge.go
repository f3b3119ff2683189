package inspect

import (
	"context"
	"errors"
	"iter"

	"orbweaver/internal/teach"
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
		if current, err := teach.Judged(p.ledger, o); err != nil || !current {
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
