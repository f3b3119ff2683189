package engine

import (
	"context"
	"fmt"

	"orbweaver"
)

// recoverFrom asks a Recoverer what to ask instead of what failed: that becomes the outcome's plan. A resume
// does not ask again, since what was proposed waits already. A focus that crashes here recovers nothing;
// one that returns an error ends the crawl.
func (c *Crawl) recoverFrom(ctx context.Context, o *orbweaver.Outcome, offers *offers) error {
	if c.focus.recoverer == nil || o.Err == nil {
		return nil
	}
	var plan []orbweaver.Proposal
	var err error
	if crash := guarded(func() { plan, err = c.focus.recoverer.Recover(ctx, *o) }); crash != nil {
		o.Err = fmt.Errorf("%w; %w", o.Err, crashed("recover", o.Request.URL, crash))
		return nil
	}
	if err != nil {
		return failed("recover", o.Request, err)
	}
	o.Plan = plan
	descend(o)
	return offers.proposeAll(o.Plan)
}
