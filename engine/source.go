package engine

import (
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// source makes a page whose URL is one of a source of links no page of the crawl: its links are offered, in the focus's order, and stay in the
// web graph; it has no judgement, is never accepted, and teaches nothing. What a refresh asks for again, queries and sitemaps are none.
func (c *Crawl) source(o *orbweaver.Outcome, batch *step.Batch) {
	if c.cfg.Source == nil || o.Page == nil || o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" || o.Change != "" {
		return
	}
	pattern, is := c.cfg.Source(o.Request.URL)
	if !is {
		return
	}
	batch.Links, batch.Data = o.Page.Links, nil
	o.Page, o.Actual, o.Snippet, o.Duplicate = nil, orbweaver.Judgement{}, "", orbweaver.Duplicate{}
	o.Predicted.Chance = 0 // of a page that the link leads to
	o.Err = fmt.Errorf("%w: sources has %s", step.ErrSource, pattern)
}

// isSource reports whether an outcome is that of a source of links.
func isSource(o *orbweaver.Outcome) bool { return orbweaver.FailureOf(o.Err) == step.ErrSource }
