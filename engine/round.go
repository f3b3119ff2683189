package engine

import (
	"context"
	"fmt"
	"math"
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// next leases the next request: from the current round if the focus works in rounds of fixed size, else the
// best of the frontier.
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
			if id, ok, err = c.exploreStrictly(); ok || err != nil {
				return id, ok, err
			}
			if err = c.putLast(1); err != nil {
				return 0, false, err
			}
			if turn, _, ok := c.cfg.Frontier.Next(c.now()); ok {
				return turn.ID, true, nil
			}
			more, err = c.endRound(ctx)
		}
	}
	return 0, false, err
}

// roundSize is the number of requests of a round; 0: all that wait.
func (c *Crawl) roundSize() int {
	if c.focus.rounder == nil {
		return 0
	}
	return c.focus.rounder.RoundSize()
}

// beginRound sets the best requests of the frontier apart; false if nothing waits.
func (c *Crawl) beginRound(size int) (bool, error) {
	if err := c.putLast(size); err != nil {
		return false, err
	}
	ids, drawn, err := c.mix(c.cfg.Frontier.Head(size))
	c.round, c.inRound = ids, len(ids) > 0
	if !c.inRound || err != nil {
		return false, err
	}
	return true, c.commit(step.Batch{Round: ids, Drawn: drawn})
}

// resumeRound continues the round of the last session.
func (c *Crawl) resumeRound() error {
	if c.together != nil { // it is agreed on again
		return nil
	}
	ids, drawn, err := c.cfg.Ledger.Round()
	c.inRound = len(ids) > 0
	c.round = slices.DeleteFunc(ids, func(id uint64) bool {
		_, waits := c.cfg.Frontier.Rank(id)
		return !waits
	})
	for _, id := range drawn {
		of := c.drawn
		if id&ofProbe != 0 {
			of, id = c.probed, id&^ofProbe
		}
		if slices.Contains(c.round, id) {
			of[id] = struct{}{}
		}
	}
	if err == nil && c.inRound && c.cfg.Live != nil {
		c.cfg.Live.Hosts.Choose(c.round)
	}
	return err
}

// fromRound leases from the current round; a redirect's target precedes it.
func (c *Crawl) fromRound() (uint64, bool) {
	if len(c.round) == 0 {
		return 0, false
	}
	if c.goesAhead() {
		id := c.cfg.Frontier.Head(1)[0]
		return id, c.cfg.Frontier.Take(id, c.now())
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

// goesAhead reports whether the next request is the target of a redirect, which precedes all others.
func (c *Crawl) goesAhead() bool {
	for _, id := range c.cfg.Frontier.Head(1) {
		rank, _ := c.cfg.Frontier.Rank(id)
		return math.IsInf(rank, 1)
	}
	return false
}

// endRound ends a round; false if nothing waits then. A round of no fixed size whose proposals are all known
// or refused ends at once, and so on until one proposes nothing, so that the focus finishes its work. A
// crawl that is over has no further round.
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

// conclude asks the focus to end a round, and commits the result. again: the focus proposed something, and
// nothing waits.
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
	// On the live Web the other waiting requests are out of reach, whatever their scores.
	more = len(offers.list) > 0 || c.cfg.Live == nil && len(c.cfg.Frontier.Head(1)) > 0
	again = !more && len(proposals) > 0
	if err := offers.rerank(lesson.Stale); err != nil {
		return false, false, err
	}
	if err := offers.commitOpinions(); err != nil {
		return false, false, err
	}
	batch := step.Batch{Facts: lesson.Facts, Round: []uint64{}}
	if err := c.keepRound(&batch, round.N); err != nil {
		return false, false, err
	}
	offers.into(&batch)
	c.inRound, c.progress.Rounds = false, round.N
	if !more && !again && c.roundSize() == 0 { // in the round's own batch, so that a kill after it finds the crawl over
		c.progress.Ended = c.exhaustion()
	}
	return more, again, c.commit(batch)
}

// concluded calls the Rounder.
func (c *Crawl) concluded(ctx context.Context, round orbweaver.Round) (proposals []orbweaver.Proposal, lesson orbweaver.Lesson, err error) {
	stage := fmt.Sprintf("end of round %d", round.N)
	defer c.broke(&err, stage, "")
	if proposals, lesson, err = c.focus.rounder.EndRound(ctx, round); err != nil {
		err = fmt.Errorf("%s: %w", stage, err)
	}
	return proposals, lesson, err
}

// keepRound puts the state of the focus after a round into the round's batch: what replays the round or, if the focus has no
// such thing or a snapshot is due, a snapshot.
func (c *Crawl) keepRound(batch *step.Batch, n int) (err error) {
	if c.focus.replayer == nil || c.cfg.NoReplay || c.due() {
		batch.Model = c.snapshot(&err)
		return err
	}
	defer c.broke(&err, fmt.Sprintf("note of round %d", n), "")
	batch.Ended = &step.EndedRound{N: n, Note: c.focus.replayer.RoundNote()}
	return nil
}

// followable returns the proposals of a round whose Parent pages allow them: a focus that plans from many
// pages names the page that led to each proposal as its Parent. The rel attribute of a single link is not
// stored.
func (c *Crawl) followable(proposals []orbweaver.Proposal) ([]orbweaver.Proposal, error) {
	noFollow := map[string]bool{}
	kept := make([]orbweaver.Proposal, 0, len(proposals))
	for _, p := range proposals {
		asks, asked := noFollow[p.Parent]
		if !asked && p.Parent != "" && p.Query == "" {
			o, err := c.cfg.Ledger.Outcome(p.Parent)
			if err != nil && orbweaver.FailureOf(err) != orbweaver.ErrUnknown {
				return nil, err
			}
			asks = err == nil && o.Page != nil && o.Page.NoFollow
			noFollow[p.Parent] = asks
		}
		if asks && p.Query == "" {
			c.refusals.add(step.Refusal{Reason: step.RefusedNoFollow, URL: p.URL, Parent: p.Parent})
			continue
		}
		kept = append(kept, p)
	}
	return kept, nil
}
