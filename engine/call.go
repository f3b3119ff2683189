package engine

import (
	"context"
	"errors"
	"fmt"

	"orbweaver/internal/step"
)

// ErrOver says that a crawl was asked for something after its session had ended.
var ErrOver = errors.New("the crawl's session is over")

// Call runs f between two steps, on the goroutine that decides: the way for others to look at a
// running crawl, or to change it. It returns when f did. All that was committed before is flushed.
func (c *Crawl) Call(ctx context.Context, f func()) error {
	done := make(chan error, 1)
	select {
	case c.calls <- func() {
		err := c.flush()
		if err == nil {
			err = recovered(f)
		}
		done <- err
	}:
		return <-done
	case <-c.stopped:
		return ErrOver
	case <-ctx.Done():
		return ctx.Err()
	}
}

// recovered runs f and returns its panic as an error.
func recovered(f func()) (err error) {
	defer func() {
		if crash := recover(); crash != nil {
			err = fmt.Errorf("call crashed: %v", crash)
		}
	}()
	f()
	return nil
}

// Pause lets the crawl start nothing more until Resume. Like all that follows here, and Progress, it
// is to be used within Call.
func (c *Crawl) Pause() {
	if !c.paused {
		c.paused, c.halted = true, c.now()
	}
}

// Resume ends a Pause, which is no time spent crawling.
func (c *Crawl) Resume() {
	if c.paused {
		c.paused, c.began = false, c.began.Add(c.since(c.halted))
	}
}

// Paused reports whether the crawl is paused.
func (c *Crawl) Paused() bool { return c.paused }

// Stop ends the session before the next request; the crawl can be gone on with.
func (c *Crawl) Stop() { c.ending = true }

// Progress is how far the crawl has come.
func (c *Crawl) Progress() step.Progress {
	c.progress.Active = c.active()
	return c.progress
}

// NotReplayed is how many pages taught the focus nothing, since they could not be read again after a crash.
func (c *Crawl) NotReplayed() int { return c.notReplayed }

// InFlight is how many requests are under way; of an archive one at most.
func (c *Crawl) InFlight() int { return c.inFlight }

// The results of Offer.
const (
	OfferAdded    = "added"
	OfferWaits    = "waits already"
	OfferFetched  = "fetched already"
	OfferRefused  = "is out of scope, or forbidden by robots.txt"
	offeredByHand = "added by hand"
)

// Offer takes a URL, canonical, as a seed. result is one of the constants; rule is what refused it.
func (c *Crawl) Offer(url string) (result, rule string, err error) {
	if _, err := c.cfg.Ledger.Outcome(url); err == nil {
		return OfferFetched, "", nil
	}
	if ok, rule := c.admits(url); !ok { // before it gets a number: it may be allowed another day
		return OfferRefused, rule, nil
	}
	proposal := seedOf(url)
	proposal.Reasons[0].Evidence = offeredByHand
	id, _ := c.cfg.Ledger.Offer(proposal.Request)
	_, waits := c.cfg.Frontier.Rank(id)
	if _, flies := c.flying[id]; waits || flies {
		return OfferWaits, "", nil
	}
	err = c.commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: proposal}}})
	if err != nil {
		return "", "", fmt.Errorf("add %s: %w", url, err)
	}
	return OfferAdded, "", nil
}

// serveCalls does what was called for since the last step; in a pause it waits for more.
func (c *Crawl) serveCalls(ctx context.Context) {
	for {
		if c.paused && !c.ending {
			select {
			case f := <-c.calls:
				f()
			case <-ctx.Done():
				return
			}
			continue
		}
		select {
		case f := <-c.calls:
			f()
		default:
			return
		}
	}
}
