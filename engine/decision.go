package engine

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// Decide takes up a person's decision, after the outcomes so far. It is to be used within Call, or
// before Run. The decision and the model that follows from it are one batch, which is safe from a kill,
// and from a power cut, when Decide returns: nobody decides the same twice.
func (c *Crawl) Decide(ctx context.Context, d orbweaver.Decision) error {
	if c.focus.decider == nil {
		return fmt.Errorf("decide %s: %w: this focus takes no decisions", d.Name(), orbweaver.ErrInput)
	}
	d.After = c.n
	lesson, err := c.decided(ctx, "decide", d)
	if err != nil {
		return err
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
	c.taken[decisionKey(d)]++
	if err := c.commit(batch); err != nil || c.cfg.Sync == nil {
		return err
	}
	return c.cfg.Sync()
}

// decideAgain takes up what was decided in earlier sittings: each decision came with a snapshot, so
// that all of them are older than the last one.
func (c *Crawl) decideAgain(ctx context.Context) error {
	for d, err := range c.cfg.Ledger.Decisions() {
		if err != nil {
			return err
		}
		if _, err := c.decided(ctx, "decide again", d); err != nil {
			return err
		}
		c.taken[decisionKey(d)]++
	}
	return nil
}

// follow takes up what an earlier crawl decided after as many outcomes as there are now, but for what this crawl decided
// already: of equal decisions, a verdict on a page taken back and given again, as many as it has.
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
	return fmt.Sprint(d.Page, " ", d.Accepted, " ", d.Removed)
}
