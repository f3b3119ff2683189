package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// Shares reports whether the focus learns together with those of other workers: see Sharer.
func (c *Crawl) Shares() bool { return c.focus.sharer != nil }

// Share returns what the outcomes of this worker taught its focus, for the other workers of the crawl, and the number of pages until now. Share must be called within Call, or by
// an event of a Virtual clock, and only if the focus Shares.
func (c *Crawl) Share() (body []byte, pages int64, err error) {
	var b bytes.Buffer
	defer c.broke(&err, "share what was learned", "")
	if err = c.focus.sharer.Share(&b); err != nil {
		return nil, 0, fmt.Errorf("share what was learned: %w", err)
	}
	return b.Bytes(), c.progress.Pages, nil
}

// Take teaches the focus what the other workers of the crawl share now, by name, and ranks again what waits. It is committed with
// the state of the focus, so that a session that is resumed has it at the same place among the outcomes. Take must be called as Share.
func (c *Crawl) Take(ctx context.Context, shared map[string][]byte) error {
	lesson, err := c.sharedWith(ctx, shared)
	if err != nil {
		return err
	}
	offers := newOffers(c)
	if err := offers.rerank(lesson.Stale); err != nil {
		return err
	}
	if err := offers.commitOpinions(); err != nil {
		return err
	}
	batch := step.Batch{Facts: lesson.Facts, Model: c.snapshot(&err)}
	if err != nil {
		return err
	}
	offers.into(&batch)
	return c.commit(batch)
}

// sharedWith calls the Sharer.
func (c *Crawl) sharedWith(ctx context.Context, shared map[string][]byte) (lesson orbweaver.Lesson, err error) {
	defer c.broke(&err, "learn from other workers", "")
	if lesson, err = c.focus.sharer.Take(ctx, shared); err != nil {
		err = fmt.Errorf("learn from other workers: %w", err)
	}
	return lesson, err
}

// Gathers reports whether the state of the focus can be made of those of all workers: see Gather.
func (c *Crawl) Gathers() bool { return c.focus.gatherer != nil && c.cfg.Discover == nil }

// Gather is LearnAll by the snapshots of all workers, by name, if the crawl Gathers: no page is read again, but one for the threshold. done is false, and nothing has
// changed, if the focus can't make its state of these, or a person has decided something since, of which no worker knows.
func (c *Crawl) Gather(ctx context.Context, snapshots map[string][]byte) (done bool, err error) {
	for _, err := range c.cfg.Ledger.Decisions() {
		return false, err
	}
	if err := c.recallChances(); err != nil {
		return false, err
	}
	err = c.gathered(ctx, snapshots)
	if errors.Is(err, orbweaver.ErrDamaged) || errors.Is(err, errors.ErrUnsupported) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, c.keepLearned(ctx)
}

// gathered calls the Gatherer.
func (c *Crawl) gathered(ctx context.Context, snapshots map[string][]byte) (err error) {
	defer c.broke(&err, "gather what workers have learned", "")
	if err = c.focus.gatherer.Gather(ctx, snapshots); err != nil {
		err = fmt.Errorf("gather what workers have learned: %w", err)
	}
	return err
}
