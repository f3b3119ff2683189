package whatif

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// isLatest reports whether an outcome is a page with a judgement, and the latest of its URL.
func isLatest(l *ledger.Ledger, o orbweaver.Outcome) (bool, error) {
	if o.Page == nil || o.Redirect != "" || o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" {
		return false, nil
	}
	last, err := l.Outcome(o.Request.URL)
	return last.N == o.N, err
}

// Distance returns the distance of a score from its threshold, in log odds; without a threshold, from one half.
func Distance(score, threshold float64) float64 {
	odds := func(score float64) float64 {
		score = min(0.9999, max(0.0001, score))
		return math.Log(score / (1 - score))
	}
	return math.Abs(odds(score) - odds(cmp.Or(threshold, 0.5)))
}

// pages are the pages of a crawl.
type pages struct {
	c       *assembly.Crawl
	between func(ctx context.Context, look func()) error // looks at the ledger between two steps
	rest    Fetch                                        // fetches what has no record of its own, one at a time
	one     sync.Mutex
}

// A candidate is a page that the crawl has judged.
type candidate struct {
	n        int64
	distance float64 // of its score from the threshold, in log odds
	accepted bool
}

// lookedAt is the number of outcomes that are looked at between two steps of a running crawl.
const lookedAt = 2000

// candidates lists the pages that the crawl has judged itself, the newest first, and counts by URL those that have the
// judgement of each, until a time.
func (p *pages) candidates(ctx context.Context, until time.Time) (all []candidate, copies map[string]int, complete bool, err error) {
	var to int64
	if ended := p.between(ctx, func() { to = p.c.Ledger.Progress().Requests }); ended != nil {
		return nil, nil, false, ended
	}
	copies = map[string]int{}
	for to > 0 && time.Now().Before(until) {
		from := max(0, to-lookedAt)
		var part []candidate
		ended := p.between(ctx, func() { part, err = p.candidatesIn(from, to, copies) })
		if err = errors.Join(ended, err, ctx.Err()); err != nil {
			return nil, nil, false, err
		}
		slices.Reverse(part)
		all, to = append(all, part...), from
	}
	return all, copies, to == 0, nil
}

// candidatesIn lists and counts those of the outcomes after from, up to to.
func (p *pages) candidatesIn(from, to int64, copies map[string]int) (part []candidate, err error) {
	for o, err := range p.c.Ledger.Outcomes(from) {
		if err != nil {
			return nil, err
		}
		if o.N > to {
			break
		}
		current, err := isLatest(p.c.Ledger, o)
		switch {
		case err != nil:
			return nil, err
		case current && o.Duplicate.URL != "":
			copies[o.Duplicate.URL]++
		case current:
			part = append(part, candidate{o.N, Distance(o.Actual.Score, step.ThresholdOf(o)), o.Actual.Accepted})
		}
	}
	return part, nil
}

// outcomes returns outcomes by their numbers.
func (p *pages) outcomes(ctx context.Context, ns []int64) (all []orbweaver.Outcome, err error) {
	ended := p.between(ctx, func() {
		for _, n := range ns {
			for o, failed := range p.c.Ledger.Outcomes(n - 1) {
				if err = errors.Join(err, failed); failed == nil {
					all = append(all, o)
				}
				break
			}
		}
	})
	return all, errors.Join(ended, err)
}

// again fetches a page, or what belongs to one, from the archive. Several goroutines may call it.
func (p *pages) again(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
	if p.c.Web != nil {
		return p.c.Env.Fetch().Fetch(ctx, o.Request)
	}
	if o.Record != (orbweaver.Ref{}) {
		response, err := archive.ReadAt(crawlfolder.Archive(p.c.File.Output), o.Record)
		if err == nil {
			response.Request, response.Told = o.Request, p.c.File.Render.When == "auto" // each page as it was read then
			return response, nil
		}
		if !errors.Is(err, archive.ErrRevisit) {
			return nil, err
		}
	}
	p.one.Lock()
	defer p.one.Unlock()
	return p.rest(ctx, o.Request)
}
