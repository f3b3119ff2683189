package teach

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/focus/verdicts"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// Bounds of what is told of the effect of verdicts.
const (
	MostTaught  = 5000 // pages that are judged again, unless TeachingQuery says less
	shownMoved  = 50   // pages that fell out, or came in
	shownMoving = 20   // words, either way
)

// A TeachingQuery bounds the pages that are judged again.
type TeachingQuery struct {
	Pages int `json:"pages"` // 0: MostTaught, which is the most
}

// A Teaching is what a person's verdicts changed: the judgements of now beside those of the focus alone, over the pages of a crawl.
// In a crawl of more outcomes than pages may be looked at, one page is looked at of each of as many equal stretches.
type Teaching struct {
	Verdicts     Said     `json:"verdicts"`                // that hold
	Outcomes     int64    `json:"outcomes"`                // of the crawl
	Pages        int      `json:"pages"`                   // that were judged again
	Before       int      `json:"before"`                  // of these, accepted by the focus alone, as of now
	After        int      `json:"after"`                   // accepted with the verdicts
	FellOut      int      `json:"fell_out"`                // accepted before, and not after
	CameIn       int      `json:"came_in"`                 // accepted after, and not before
	OutSaid      int      `json:"fell_out_said"`           // of those that fell out, pages with a verdict of their own
	InSaid       int      `json:"came_in_said"`            // of those that came in
	Threshold    float64  `json:"threshold,omitempty"`     // score of acceptance by the focus alone; 0: it has none
	ThresholdNow float64  `json:"threshold_now,omitempty"` // what it is for a page without any of the words
	Words        []Moving `json:"words"`                   // that speak for a page, 20 at most, the heaviest first
	Against      []Moving `json:"against"`                 // that speak against it
	Out          []Moved  `json:"out"`                     // those that fell out, 50 at most, those that moved most first
	In           []Moved  `json:"in"`                      // those that came in
}

// Moving is a word that verdicts moved.
type Moving = verdicts.Word

// A Moved page is accepted or not because of verdicts.
type Moved struct {
	N      int64   `json:"n"`
	URL    string  `json:"url"`
	Title  string  `json:"title,omitempty"`
	Before float64 `json:"before"`         // score by the focus alone
	Score  float64 `json:"score"`          // with the verdicts
	Said   string  `json:"said,omitempty"` // the verdict on this page itself: SaidAbout, SaidPart or SaidNot; empty: none
}

// Changed tells what a person's verdicts on pages changed. Pages are read again from the archive, and nothing changes.
func (c Crawl) Changed(ctx context.Context, q TeachingQuery) (Teaching, error) {
	l := looking{Crawl: c}
	l.Out, l.In, l.Words, l.Against = []Moved{}, []Moved{}, []Moving{}, []Moving{}
	var model *verdicts.Model
	var err error
	ended := c.Between(ctx, func() {
		model, l.Outcomes = c.Session.Opinion(), c.Session.Progress().Requests
		l.said, err = said(c.Ledger)
	})
	if err = errors.Join(ended, err); err != nil {
		return Teaching{}, err
	}
	for _, said := range l.said {
		l.Verdicts.add(said)
	}
	if model == nil && len(l.said) == 0 {
		return l.Teaching, nil // nothing was taught
	}
	most := int64(MostTaught)
	if q.Pages > 0 {
		most = min(most, int64(q.Pages))
	}
	if err := l.all(ctx, min(most, l.Outcomes)); err != nil {
		return Teaching{}, err
	}
	if model != nil {
		l.Words, l.Against = model.Words(shownMoving)
		if l.Threshold > 0 {
			l.ThresholdNow = model.Threshold(l.Threshold)
		}
	}
	return l.Teaching, nil
}

// looking makes a Teaching.
type looking struct {
	Crawl
	Teaching
	said map[string]string // verdicts that hold, by URL
}

// all looks at the first page of each of n equal stretches of the outcomes.
func (l *looking) all(ctx context.Context, n int64) error {
	for k := range n {
		var err error
		ended := l.Between(ctx, func() { err = l.one(ctx, k*l.Outcomes/n, (k+1)*l.Outcomes/n) })
		if err = errors.Join(ended, err, ctx.Err()); err != nil {
			return err
		}
	}
	return nil
}

// one looks at the first page of the outcomes after one number up to another.
func (l *looking) one(ctx context.Context, from, to int64) error {
	for o, err := range l.Ledger.Outcomes(from) {
		if err != nil || o.N > to {
			return err
		}
		current, err := Judged(l.Ledger, o)
		if err != nil {
			return err
		}
		if !current {
			continue
		}
		again, err := l.Session.JudgeBoth(ctx, o)
		if err == nil {
			l.take(o, again)
		}
		return err
	}
	return nil
}

// take counts a page.
func (l *looking) take(o orbweaver.Outcome, again engine.Again) {
	l.Pages++
	if t := step.Threshold(again.Alone); t > 0 {
		l.Threshold = t
	}
	if again.Alone.Accepted {
		l.Before++
	}
	if again.Now.Accepted {
		l.After++
	}
	if again.Alone.Accepted == again.Now.Accepted {
		return
	}
	o.Actual = again.Now
	line := ledger.LineOf(o)
	m := Moved{N: o.N, URL: line.URL, Title: line.Title, Before: again.Alone.Score, Score: again.Now.Score, Said: l.said[line.URL]}
	own := 0
	if m.Said != "" {
		own = 1
	}
	if again.Now.Accepted {
		l.CameIn, l.InSaid, l.In = l.CameIn+1, l.InSaid+own, moved(l.In, m)
	} else {
		l.FellOut, l.OutSaid, l.Out = l.FellOut+1, l.OutSaid+own, moved(l.Out, m)
	}
}

// moved puts a page among those that moved most.
func moved(all []Moved, m Moved) []Moved {
	at, _ := slices.BinarySearchFunc(all, m, func(a, b Moved) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Score-b.Before), math.Abs(a.Score-a.Before)), cmp.Compare(a.N, b.N))
	})
	all = slices.Insert(all, at, m)
	return all[:min(len(all), shownMoved)]
}
