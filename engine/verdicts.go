package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/focus/verdicts"
)

// opinions are a person's verdicts on pages of the crawl, with the pages that they are compared with. They follow from the
// decisions, the outcomes before the last of them and the archive, and are kept in memory alone: a crawl that resumes reads
// these pages again.
type opinions struct {
	given  []orbweaver.Decision // on pages, the latest of each URL, in order
	drawn  int64                // outcomes from which the other pages were drawn
	others []int64              // their outcomes
	read   map[int64]verdicts.Example
	rated  []verdicts.Rated   // the pages of given
	among  []verdicts.Example // those of others, without them
	model  *verdicts.Model    // of these; nil: not fitted yet
}

const (
	drawnPages = 200 // drawn from the outcomes, evenly
	drawnAgain = 2   // they are drawn again when there are so many times as many outcomes
)

// opine takes up a verdict on a page that the crawl has judged, or its withdrawal.
func (c *Crawl) opine(ctx context.Context, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	if d.Withdrawn {
		return c.reconsider(ctx, d)
	}
	if c.cfg.NoReplay {
		return lesson, fmt.Errorf("verdict on %s: %w: a verdict teaches by the words of the page, and this crawl has no archive to read it from", d.Page, orbweaver.ErrInput)
	}
	o, err := c.cfg.Ledger.Outcome(d.Page)
	switch {
	case errors.Is(err, orbweaver.ErrUnknown):
		return lesson, fmt.Errorf("verdict on %s: %w: the crawl has not fetched this page", d.Page, orbweaver.ErrInput)
	case err != nil:
		return lesson, err
	case !judged(o):
		return lesson, fmt.Errorf("verdict on %s: %w: the crawl has not judged this page itself; orbweaver explain says what became of it", d.Page, orbweaver.ErrInput)
	}
	return c.reconsider(ctx, d)
}

// reconsider adds a verdict or a withdrawal, and has the focus learn the page again by it.
func (c *Crawl) reconsider(ctx context.Context, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	before := c.opinions
	c.opinions.add(d)
	if err = c.consider(ctx); err == nil && c.focus.relearner != nil {
		lesson, err = c.relearn(ctx, d)
	}
	if err != nil {
		c.opinions = before
	}
	return lesson, err
}

// relearn has the focus take a verdict, or its withdrawal, into what it has learned of the page.
func (c *Crawl) relearn(ctx context.Context, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	if d.Withdrawn {
		return c.unlearned(ctx, d.Page)
	}
	o, err := c.outcomeAsOf(d)
	if err != nil {
		return lesson, err
	}
	if o.Page, err = c.readAgain(ctx, o); err != nil {
		return lesson, err
	}
	o.Page.Request = o.Request
	return c.relearned(ctx, o, verdicts.Relevance(d.Accepted, d.Part))
}

// judged reports whether an outcome is a page that the focus judged itself.
func judged(o orbweaver.Outcome) bool {
	return o.Page != nil && o.Redirect == "" && o.Duplicate.URL == "" && o.Request.Purpose == orbweaver.ForPage && o.Request.Query == ""
}

// has reports whether a verdict on a page is among them.
func (p *opinions) has(page string) bool {
	return slices.ContainsFunc(p.given, func(d orbweaver.Decision) bool { return d.Page == page })
}

// add adds a verdict, in place of an earlier one on the same page; a withdrawal only takes that away.
func (p *opinions) add(d orbweaver.Decision) {
	given := make([]orbweaver.Decision, 0, len(p.given)+1)
	for _, other := range p.given {
		if other.Page != d.Page {
			given = append(given, other)
		}
	}
	if !d.Withdrawn {
		given = append(given, d)
	}
	p.given = given
	if d.After >= drawnAgain*p.drawn {
		p.drawn, p.others = d.After, nil
	}
}

// consider reads what the model of the verdicts given so far is fitted to.
func (c *Crawl) consider(ctx context.Context) error {
	p := &c.opinions
	p.rated, p.among, p.model = nil, nil, nil
	if len(p.given) == 0 {
		return nil
	}
	if p.others == nil {
		if err := c.drawOthers(); err != nil {
			return err
		}
	}
	var rated []verdicts.Rated
	own := map[int64]bool{}
	for _, d := range p.given {
		o, err := c.outcomeAsOf(d)
		if err != nil {
			return err
		}
		e, err := c.example(ctx, o)
		if err != nil {
			return err
		}
		own[o.N] = true
		rated = append(rated, verdicts.Rated{URL: d.Page, Example: e, Relevant: d.Accepted, Part: d.Part})
	}
	var others []verdicts.Example
	for _, n := range p.others {
		o, err := c.numbered(n)
		if err != nil {
			return err
		}
		if own[o.N] {
			continue
		}
		e, err := c.example(ctx, o)
		if err != nil {
			return err
		}
		others = append(others, e)
	}
	p.rated, p.among = rated, others
	return nil
}

// current returns the model of the verdicts that hold, nil if none does. Several verdicts at once are fitted once.
func (p *opinions) current() *verdicts.Model {
	if p.model == nil && len(p.rated) > 0 {
		p.model = verdicts.Fit(p.rated, p.among)
	}
	return p.model
}

// drawOthers chooses the other pages: of each of 200 equal stretches of the outcomes, the first page that was judged.
func (c *Crawl) drawOthers() error {
	p := &c.opinions
	p.others, p.read = []int64{}, map[int64]verdicts.Example{}
	for k := range int64(drawnPages) {
		from, to := k*p.drawn/drawnPages, (k+1)*p.drawn/drawnPages
		for o, err := range c.cfg.Ledger.Outcomes(from) {
			if err != nil {
				return err
			}
			if o.N > to {
				break
			}
			if judged(o) {
				p.others = append(p.others, o.N)
				break
			}
		}
	}
	return nil
}

// numbered returns outcome n, which exists.
func (c *Crawl) numbered(n int64) (orbweaver.Outcome, error) {
	for o, err := range c.cfg.Ledger.Outcomes(n - 1) {
		return o, err
	}
	return orbweaver.Outcome{}, fmt.Errorf("outcome %d: %w", n, orbweaver.ErrUnknown)
}

// outcomeAsOf returns the outcome of a rated page as of the verdict: a later one, by a refresh, is not what the person saw.
func (c *Crawl) outcomeAsOf(d orbweaver.Decision) (found orbweaver.Outcome, err error) {
	if found, err = c.cfg.Ledger.Outcome(d.Page); err != nil || found.N <= d.After {
		return found, err
	}
	for o, err := range c.cfg.Ledger.Outcomes(0) {
		if err != nil || o.N > d.After {
			return found, err
		}
		if o.Request.URL == d.Page && judged(o) {
			found = o
		}
	}
	return found, nil
}

// example returns an outcome's page as the model sees it. It is read once.
func (c *Crawl) example(ctx context.Context, o orbweaver.Outcome) (verdicts.Example, error) {
	p := &c.opinions
	if e, ok := p.read[o.N]; ok {
		return e, nil
	}
	page, err := c.readAgain(ctx, o)
	if err != nil {
		return verdicts.Example{}, err
	}
	e := verdicts.ExampleOf(page, o.Actual)
	if p.read != nil {
		p.read[o.N] = e
	}
	return e, nil
}

// correct applies the verdicts to the focus's judgement of a page.
func (c *Crawl) correct(page *orbweaver.Page, j *orbweaver.Judgement) {
	if m := c.opinions.current(); m != nil {
		m.Correct(page, j)
	}
}

// Correction returns what a person's verdicts given so far change in judgements; nil: nothing. It may be called while the crawl runs on, by
// one goroutine. Correction itself must be called within Call, or after Recall.
func (c *Crawl) Correction() func(*orbweaver.Page, *orbweaver.Judgement) {
	if c.opinions.model == nil {
		return nil
	}
	return c.opinions.model.Correct
}

// Steady reports whether the crawl judges a page now as it did when it fetched it: its focus learns nothing, and nobody decided anything. It must
// be called within Call, or after Recall.
func (c *Crawl) Steady() bool {
	return c.focus.learner == nil && len(c.opinions.given) == 0 && len(c.taken) == 0
}
