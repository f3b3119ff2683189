package engine

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// A panic on one page, or at one host, fails that page or host alone and leaves no trace in the focus:
// package pipeline catches it. A focus that panics while it learns or ranks has half a lesson: the crawl
// ends without a snapshot, and a resume restores the focus as it was before.

// broke, deferred, turns a panic of the focus into an error that ends the crawl. The error names the stage
// and the URL, if there is one.
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

// taught teaches the focus an outcome.
func (c *Crawl) taught(ctx context.Context, stage string, o orbweaver.Outcome) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, stage, o.Request.URL)
	if lesson, err = c.focus.learner.Learn(ctx, o); err != nil {
		err = failed(stage, o.Request, err)
	}
	return lesson, err
}

// merged asks the focus to weigh a further link to a waiting request.
func (c *Crawl) merged(note []byte, p orbweaver.Proposal) (m orbweaver.Merged, err error) {
	defer c.broke(&err, "merge links to", p.URL)
	return c.focus.merger.Merge(note, p), nil
}

// ranked asks the focus for the present judgement of a waiting request.
func (c *Crawl) ranked(p orbweaver.Proposal) (j orbweaver.Judgement, err error) {
	defer c.broke(&err, "rank again", p.URL)
	return c.focus.reranker.Rerank(c.cfg.Ledger, p), nil
}

// worth asks the focus for the score of a waiting request, by its Note.
func (c *Crawl) worth(o step.Opinion) (score float64, ok bool, err error) {
	defer c.broke(&err, "rank again request", fmt.Sprint(o.ID))
	score, ok = c.focus.merger.Worth(o.Note)
	return score, ok, nil
}

// decided applies a decision to the focus.
func (c *Crawl) decided(ctx context.Context, stage string, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, stage, d.ID)
	if lesson, err = c.focus.decider.Decide(ctx, d); err != nil {
		err = fmt.Errorf("%s %s: %w", stage, d.ID, err)
	}
	return lesson, err
}

// relearned teaches the focus an outcome with a person's relevance of its page.
func (c *Crawl) relearned(ctx context.Context, o orbweaver.Outcome, relevance float64) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, "learn the verdict on", o.Request.URL)
	if lesson, err = c.focus.relearner.Relearn(ctx, o, relevance); err != nil {
		err = failed("learn the verdict on", o.Request, err)
	}
	return lesson, err
}

// unlearned has the focus take back what it learned of a verdict.
func (c *Crawl) unlearned(ctx context.Context, url string) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, "unlearn the verdict on", url)
	if lesson, err = c.focus.relearner.Unlearn(ctx, url); err != nil {
		err = fmt.Errorf("unlearn the verdict on %s: %w", url, err)
	}
	return lesson, err
}
