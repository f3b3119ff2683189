package engine

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// Decide applies a person's decision, after the outcomes so far. It must be called within Call, or before
// Run. The decision and the resulting model are one batch. When Decide returns, the batch survives a kill
// and a power cut, so nobody has to decide twice.
func (c *Crawl) Decide(ctx context.Context, d orbweaver.Decision) error {
	if c.focus.decider == nil && d.Page == "" {
		return fmt.Errorf("decide %s: %w: this focus takes no decisions", d.Name(), orbweaver.ErrInput)
	}
	d.After = c.n
	lesson, err := c.takeUp(ctx, "decide", d)
	if err != nil {
		return err
	}
	if c.resting && len(lesson.Stale) > 0 {
		if _, err := c.load(); err != nil {
			return err
		}
	}
	offers := newOffers(c)
	if err := offers.rerank(lesson.Stale); err != nil {
		return err
	}
	batch := step.Batch{Decision: &d, Facts: lesson.Facts, Model: c.snapshot(&err)}
	offers.into(&batch)
	if err != nil {
		return err
	}
	if c.resting && d.As == orbweaver.AsTopic && Exhausted(c.progress.Ended) {
		c.progress.Ended = "" // the next session ends the last round again
	}
	if err := c.label(d); err != nil {
		return err
	}
	c.taken[decisionKey(d)]++
	if err := c.commit(batch); err != nil || c.cfg.Sync == nil {
		return err
	}
	return c.cfg.Sync()
}

// takeUp applies a decision to the focus. A verdict on a page that the focus does not learn from teaches by the words of
// the page: see opinions. A verdict is withdrawn from where it was taken up, a suggestion's decision from the focus.
func (c *Crawl) takeUp(ctx context.Context, stage string, d orbweaver.Decision) (lesson orbweaver.Lesson, err error) {
	if d.Withdrawn && d.Page != "" {
		given, err := c.given(d.Page)
		switch {
		case err != nil:
			return lesson, err
		case len(given) == 0:
			return lesson, fmt.Errorf("withdraw the verdict on %s: %w: no verdict on it holds", d.Page, orbweaver.ErrInput)
		case c.opinions.has(d.Page):
			return c.opine(ctx, d)
		}
		return c.decided(ctx, stage, d)
	}
	if c.focus.decider != nil {
		lesson, err = c.decided(ctx, stage, d)
	}
	if d.Page != "" && (c.focus.decider == nil || errors.Is(err, orbweaver.ErrInput)) {
		return c.opine(ctx, d)
	}
	return lesson, err
}

// given returns the verdicts on a page since the last withdrawal, oldest first.
func (c *Crawl) given(page string) (all []orbweaver.Decision, err error) {
	for d, err := range c.cfg.Ledger.Decisions() {
		switch {
		case err != nil:
			return nil, err
		case d.Page != page || page == "":
		case d.Withdrawn:
			all = nil
		default:
			all = append(all, d)
		}
	}
	return all, nil
}

// decideAgain applies the decisions of earlier sessions. Each was committed with a snapshot, so all of them
// precede the last snapshot.
func (c *Crawl) decideAgain(ctx context.Context) error {
	for d, err := range c.cfg.Ledger.Decisions() {
		if err != nil {
			return err
		}
		own := d.Withdrawn && c.opinions.has(d.Page)
		if c.focus.decider != nil && !own {
			_, err = c.decided(ctx, "decide again", d)
		}
		if own || d.Page != "" && (c.focus.decider == nil || errors.Is(err, orbweaver.ErrInput)) {
			c.opinions.add(d)
			err = nil
		}
		if err != nil {
			return err
		}
		c.taken[decisionKey(d)]++
	}
	return nil
}

// follow applies the decisions that an earlier crawl took after the same number of outcomes, except those that this crawl
// took already: of equal decisions, such as a verdict on a page withdrawn and given again, as many as it has.
func (c *Crawl) follow(ctx context.Context) error {
	for ; c.followed < len(c.cfg.Decisions) && c.cfg.Decisions[c.followed].After <= c.n; c.followed++ {
		d := c.cfg.Decisions[c.followed]
		key := decisionKey(d)
		if c.met[key]++; c.met[key] > c.taken[key] {
			if err := c.Decide(ctx, d); err != nil {
				return err
			}
		}
	}
	return nil
}

// decisionKey tells decisions apart: suggestions by their ID, whatever was decided, others by what was.
func decisionKey(d orbweaver.Decision) string {
	if d.ID != "" {
		return "id " + d.ID
	}
	return fmt.Sprint(d.Page, " ", d.Accepted, " ", d.Part, " ", d.Withdrawn, " ", d.Removed)
}
