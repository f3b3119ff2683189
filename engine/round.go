package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// next leases the request whose turn it is: of the round under way where the focus works in rounds
// of a size, else the best of the frontier.
func (c *Crawl) next(ctx context.Context) (id uint64, ok bool, err error) {
	for more := true; more && err == nil; {
		if id, ok = c.fromRound(); ok {
			return id, true, nil
		}
		switch size := c.roundSize(); {
		case c.inRound:
			_, err = c.endRound(ctx)
		case size > 0:
			more, err = c.beginRound(size)
		default:
			if turn, _, ok := c.cfg.Frontier.Next(c.now()); ok {
				return turn.ID, true, nil
			}
			more, err = c.endRound(ctx)
		}
	}
	return 0, false, err
}

// roundSize is how many requests make a round; 0: as many as there are.
func (c *Crawl) roundSize() int {
	if c.focus.rounder == nil {
		return 0
	}
	return c.focus.rounder.RoundSize()
}

// beginRound sets the best of the frontier apart; false when nothing waits.
func (c *Crawl) beginRound(size int) (bool, error) {
	c.round = c.cfg.Frontier.Head(size)
	c.inRound = len(c.round) > 0
	if !c.inRound {
		return false, nil
	}
	return true, c.commit(step.Batch{Round: c.round})
}

// resumeRound goes on with the round that was under way.
func (c *Crawl) resumeRound() error {
	ids, err := c.cfg.Ledger.Round()
	c.inRound = len(ids) > 0
	c.round = slices.DeleteFunc(ids, func(id uint64) bool {
		_, waits := c.cfg.Frontier.Rank(id)
		return !waits
	})
	if err == nil && c.inRound && c.cfg.Live != nil {
		c.cfg.Live.Hosts.Choose(c.round)
	}
	return err
}

// fromRound leases from the round under way; a redirect's target goes ahead of it.
func (c *Crawl) fromRound() (uint64, bool) {
	if len(c.round) == 0 {
		return 0, false
	}
	for _, id := range c.cfg.Frontier.Head(1) {
		if rank, _ := c.cfg.Frontier.Rank(id); math.IsInf(rank, 1) {
			return id, c.cfg.Frontier.Take(id, c.now())
		}
	}
	for len(c.round) > 0 {
		id := c.round[0]
		c.round = c.round[1:]
		if c.cfg.Frontier.Take(id, c.now()) {
			return id, true
		}
	}
	return 0, false
}

// endRound ends a round; false when nothing waits then. A round of no size whose proposals are all known or
// refused ends at once, and so on until one proposes nothing: a focus with more to do is not left in the
// middle of it. A crawl that is over has no further round.
func (c *Crawl) endRound(ctx context.Context) (more bool, err error) {
	if c.focus.rounder == nil || c.exhausted {
		return false, nil
	}
	for again := true; again; {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if more, again, err = c.conclude(ctx); err != nil || more || c.roundSize() > 0 {
			return more, err
		}
	}
	return false, nil
}

// conclude has the focus end a round, and commits what follows; again: it proposed something, and nothing
// waits.
func (c *Crawl) conclude(ctx context.Context) (more, again bool, err error) {
	round := orbweaver.Round{N: c.progress.Rounds + 1, Known: c.cfg.Ledger}
	proposals, lesson, err := c.concluded(ctx, round)
	if err != nil {
		return false, false, err
	}
	if proposals, err = c.followable(proposals); err != nil {
		return false, false, err
	}
	offers := newOffers(c)
	if err := offers.proposeAll(proposals); err != nil {
		return false, false, err
	}
	// On the live Web what else waits is out of reach, whatever is thought of it now.
	more = len(offers.list) > 0 || c.cfg.Live == nil && len(c.cfg.Frontier.Head(1)) > 0
	again = !more && len(proposals) > 0
	if err := offers.rerank(lesson.Stale); err != nil {
		return false, false, err
	}
	batch := step.Batch{Facts: lesson.Facts, Model: c.snapshot(&err), Round: []uint64{}}
	offers.into(&batch)
	if err != nil {
		return false, false, err
	}
	c.inRound, c.progress.Rounds = false, round.N
	if !more && !again && c.roundSize() == 0 { // in the round's own batch: killed now, the crawl is over all the same
		c.progress.Ended = EndExhausted
	}
	return more, again, c.commit(batch)
}

// concluded has the focus end a round.
func (c *Crawl) concluded(ctx context.Context, round orbweaver.Round) (proposals []orbweaver.Proposal, lesson orbweaver.Lesson, err error) {
	stage := fmt.Sprintf("end of round %d", round.N)
	defer c.broke(&err, stage, "")
	if proposals, lesson, err = c.focus.rounder.EndRound(ctx, round); err != nil {
		err = fmt.Errorf("%s: %w", stage, err)
	}
	return proposals, lesson, err
}
