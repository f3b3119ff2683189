package engine

import (
	"context"
	"errors"
	"fmt"

	"orbweaver/internal/step"
)

// ErrOver is the error of a Call after the session has ended.
var ErrOver = errors.New("the crawl's session is over")

// Call runs f between two steps, on the goroutine that decides, and returns when f has returned. It is the
// way to inspect or change a running crawl. All earlier commits are flushed first.
func (c *Crawl) Call(ctx context.Context, f func()) error {
	return c.call(ctx, call{f: f, done: make(chan error, 1)})
}

// Look is Call for an f that changes nothing but by Pause, Resume and Stop: it also runs within a long step, such as the
// end of a round over a million requests, and does not flush.
func (c *Crawl) Look(ctx context.Context, f func()) error {
	return c.call(ctx, call{f: f, look: true, done: make(chan error, 1)})
}

// A call is a function that the goroutine that decides is to run.
type call struct {
	f    func()
	look bool
	done chan error // has room for one
}

func (c *Crawl) call(ctx context.Context, k call) error {
	select {
	case c.calls <- k:
	case <-c.stopped:
		return ErrOver
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-k.done:
		return err
	case <-c.stopped: // it may have come within the last step
	}
	select {
	case err := <-k.done:
		return err
	default:
		return ErrOver
	}
}

// answer runs a call.
func (c *Crawl) answer(k call) {
	var err error
	if !k.look {
		err = c.flush()
	}
	if err == nil {
		err = recovered(k.f)
	}
	k.done <- err
}

// answerLater runs the calls that came within the last step.
func (c *Crawl) answerLater() {
	for len(c.later) > 0 {
		k := c.later[0]
		c.later = c.later[1:]
		c.answer(k)
	}
}

// breath is the number of elements of a long step between two looks at the calls.
const breath = 512

// breathe ends an absence within a long step: it answers who only looks, and keeps the other calls for the end of the
// step.
func (c *Crawl) breathe() {
	for {
		c.attends.glance()
		select {
		case k := <-c.calls:
			if k.look {
				c.answer(k)
			} else {
				c.later = append(c.later, k)
			}
			continue
		default:
		}
		return
	}
}

// breathing returns a function that breathes at every breath-th call.
func (c *Crawl) breathing() func() {
	n := 0
	return func() {
		if n++; n%breath == 0 {
			c.breathe()
		}
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

// Pause keeps the crawl from starting requests until Resume. Pause, the methods below it and Progress must
// be called within Call.
func (c *Crawl) Pause() { c.halt(true, c.held) }

// Resume ends a Pause, and has lost logins tried again. The pause does not count as time spent crawling.
func (c *Crawl) Resume() {
	c.retry = true
	c.halt(false, c.held)
}

// Hold pauses the crawl until Hold(false), whatever people say by Pause and Resume: what it needs to go on is away.
func (c *Crawl) Hold(is bool) { c.halt(c.told, is) }

// halt pauses and resumes the crawl: it makes requests while neither people nor what it needs keep it from that.
func (c *Crawl) halt(told, held bool) {
	c.told, c.held = told, held
	switch now := told || held; {
	case now && !c.paused:
		c.halted = c.now()
	case !now && c.paused:
		c.began = c.began.Add(c.since(c.halted))
	}
	c.paused = told || held
}

// Paused reports whether the crawl is paused, or held.
func (c *Crawl) Paused() bool { return c.paused }

// Stop ends the session before the next request. A later session can continue the crawl.
func (c *Crawl) Stop() { c.ending = true }

// Progress is how far the crawl has come.
func (c *Crawl) Progress() step.Progress {
	c.progress.Active = c.active()
	return c.progress
}

// NotReplayed is the number of pages whose lessons were lost: after a crash they could not be read again.
func (c *Crawl) NotReplayed() int { return c.notReplayed }

// InFlight is the number of requests in flight; of an archive at most one.
func (c *Crawl) InFlight() int { return c.inFlight }

// The results of Offer.
const (
	OfferAdded     = "added"
	OfferWaits     = "waits already"
	OfferFetched   = "fetched already"
	OfferRefused   = "is out of scope, or forbidden by robots.txt"
	OfferElsewhere = "belongs to another worker"
	offeredByHand  = "added by hand"
)

// Offer adds a canonical URL as a seed. result is one of the constants above; rule is the rule that refused
// the URL.
func (c *Crawl) Offer(url string) (result, rule string, err error) {
	if _, err := c.cfg.Ledger.Outcome(url); err == nil {
		return OfferFetched, "", nil
	}
	if ok, rule := c.admits(url); !ok { // before it gets a number: the rule may change
		return OfferRefused, rule, nil
	}
	if c.away(url) {
		return OfferElsewhere, "", nil
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

// awaitCall waits for a call and runs it.
func (c *Crawl) awaitCall(ctx context.Context) {
	c.attends.look()
	select {
	case k := <-c.calls:
		c.attends.leave()
		c.answer(k)
	case <-ctx.Done():
		c.attends.leave()
	}
}

// serveCalls runs the calls that came since the last step. During a pause it waits for more.
func (c *Crawl) serveCalls(ctx context.Context) {
	defer c.attends.leave()
	for {
		c.answerLater()
		c.attends.look()
		if c.paused && !c.ending {
			if c.awaitCall(ctx); ctx.Err() != nil {
				return
			}
			continue
		}
		select {
		case k := <-c.calls:
			c.attends.leave()
			c.answer(k)
		default:
			return
		}
	}
}
