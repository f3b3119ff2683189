package engine

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/pipeline"
)

// recoverFrom asks a Recoverer for requests in place of a failed one: they become the outcome's plan. A
// resume does not repeat it, since the proposals wait already. A panic of the focus recovers nothing; an
// error ends the crawl.
func (c *Crawl) recoverFrom(ctx context.Context, o *orbweaver.Outcome, offers *offers) error {
	if c.focus.recoverer == nil || o.Err == nil {
		return nil
	}
	plan, err := c.recovered(ctx, *o)
	var crash *pipeline.Crash
	if errors.As(err, &crash) {
		o.Err = fmt.Errorf("%w; %w", o.Err, crash)
		return nil
	}
	if err != nil {
		return failed("recover", o.Request, err)
	}
	o.Plan = plan
	descend(o)
	return offers.proposeAll(o.Plan)
}

// recovered calls the Recoverer.
func (c *Crawl) recovered(ctx context.Context, o orbweaver.Outcome) (plan []orbweaver.Proposal, err error) {
	defer pipeline.Catch(&err, "recover", o.Request.URL)
	return c.focus.recoverer.Recover(ctx, o)
}
