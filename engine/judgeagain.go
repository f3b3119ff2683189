package engine

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/focus/verdicts"
	"orbweaver/internal/pipeline"
)

// JudgeAgain judges the page of an outcome as the focus and a person's verdicts have it now. The page is read again from
// the archive. Nothing changes. It must be called within Call, or after Recall.
func (c *Crawl) JudgeAgain(ctx context.Context, o orbweaver.Outcome) (orbweaver.Judgement, error) {
	again, err := c.JudgeBoth(ctx, o)
	return again.Now, err
}

// An Again is a judgement of a page that was read again.
type Again struct {
	Alone orbweaver.Judgement // by the focus alone, as if there were no verdict
	Now   orbweaver.Judgement // corrected by a person's verdicts
}

// JudgeBoth is JudgeAgain, with and without the verdicts.
func (c *Crawl) JudgeBoth(ctx context.Context, o orbweaver.Outcome) (again Again, err error) {
	if c.cfg.NoReplay {
		return again, fmt.Errorf("judge %s again: %w: this crawl has no archive to read it from", o.Request.URL, orbweaver.ErrInput)
	}
	page, err := c.readAgain(ctx, o)
	if err != nil {
		return again, err
	}
	page.Request = o.Request
	defer pipeline.Catch(&err, "judge", o.Request.URL)
	judging := *c.pipeline
	judging.Correct = func(page *orbweaver.Page, j *orbweaver.Judgement) {
		again.Alone = *j
		c.correct(page, j)
	}
	if again.Now, err = judging.Judge(ctx, page); err == nil && c.focus.relearner != nil {
		again.Alone, err = c.focus.relearner.Untaught(ctx, page)
	}
	again.Alone = judging.Adjust(page, again.Alone)
	return again, err
}

// Opinion returns the model of a person's verdicts on pages, which changes no more; nil if none holds, or the focus takes
// them itself. It must be called within Call, or after Recall.
func (c *Crawl) Opinion() *verdicts.Model { return c.opinions.current() }
