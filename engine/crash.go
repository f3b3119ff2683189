package engine

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// What panics on one page, or at one host, fails that alone: nothing is left of it. A focus that panics
// while it learns, or ranks what waits, has half a lesson: that ends the crawl, without a snapshot, and
// a resume finds the focus as it was before.

// broke, deferred, makes of a panic of the focus an error that ends the crawl. It says at which stage,
// and at which URL, if it was at one.
func (c *Crawl) broke(err *error, stage, url string) {
	crash := recover()
	if crash == nil {
		return
	}
	if url != "" {
		stage += " " + url
	}
	*err = fmt.Errorf("%s: the focus crashed: %v", stage, crash)
	c.broken = *err
}

// taught has the focus learn from an outcome.
func (c *Crawl) taught(ctx context.Context, stage string, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, stage, o.Request.URL)
	if lesson, err = c.focus.learner.Learn(ctx, o); err != nil {
		err = failed(stage, o.Request, err)
	}
	return lesson, err
}

// merged has the focus weigh another link to a request that waits.
func (c *Crawl) merged(note []byte, p orbweaver.Proposal) (m orbweaver.Merged, err error) {
	defer c.broke(&err, "merge links to", p.URL)
	return c.focus.merger.Merge(note, p), nil
}

// ranked has the focus rank a request that waits again.
func (c *Crawl) ranked(p orbweaver.Proposal) (j orbweaver.Judgement, err error) {
	defer c.broke(&err, "rank again", p.URL)
	return c.focus.reranker.Rerank(c.cfg.Ledger, p), nil
}

// worth has the focus say what a request is worth by its Note.
func (c *Crawl) worth(o step.Opinion) (score float64, ok bool, err error) {
	defer c.broke(&err, "rank again request", fmt.Sprint(o.ID))
	score, ok = c.focus.merger.Worth(o.Note)
	return score, ok, nil
}

// decided has the focus take up a decision.
func (c *Crawl) decided(ctx context.Context, stage string, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, stage, d.ID)
	if lesson, err = c.focus.decider.Decide(ctx, d); err != nil {
		err = fmt.Errorf("%s %s: %w", stage, d.ID, err)
	}
	return lesson, err
}
