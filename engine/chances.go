package engine

import (
	"fmt"
	"net/http"

	"orbweaver"
	"orbweaver/focus/chance"
	"orbweaver/internal/pipeline"
)

// isLinked reports whether a request is for a page that a link led to: its outcome is evidence for the chances of
// links. Seeds follow no link; sources, sitemaps, queries, contexts and what a refresh requests again are no such pages.
func isLinked(o *orbweaver.Outcome) bool {
	return o.Request.Purpose == orbweaver.ForPage && o.Request.Via != nil && o.Request.Query == "" && o.Change == "" && !isFound(o.Request) && !isSource(o)
}

// expect sets the chance of a link before anything is learned from its outcome.
func (c *Crawl) expect(o *orbweaver.Outcome) {
	if o.Predicted.Chance = 0; isLinked(o) {
		o.Predicted.Chance = c.chances.Links.Chance(o.Predicted.Score)
	}
}

// assess sets the chance of a page that was judged. A duplicate has that of the page that it repeats.
func (c *Crawl) assess(o *orbweaver.Outcome) {
	if o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" {
		return
	}
	if p := o.Actual.Chance; o.Duplicate.URL == "" || p == 0 || (p >= 0.5) != o.Actual.Accepted {
		o.Actual.Chance = c.chances.Pages.Chance(o.Actual)
	}
}

// weigh adds an outcome that is about to be committed to the evidence. A redirect counts at its end: where its target
// has an outcome already, that is now. What failed led to no accepted page.
func (c *Crawl) weigh(o *orbweaver.Outcome) {
	judged := o.Page != nil && o.Redirect == "" && o.Actual.Chance > 0
	if judged && o.Duplicate.URL == "" && o.Status != http.StatusNotModified {
		c.chances.Pages.Add(o.Actual)
		c.weighed = true
	}
	onward := o.Redirect != "" && o.Err == nil && o.Actual.Chance == 0
	if isLinked(o) && !onward && !pipeline.IsStandIn(orbweaver.FailureOf(o.Err)) {
		c.chances.Links.Add(o.Predicted.Score, o.Actual.Accepted)
		c.weighed = true
	}
}

// label adds a person's verdict on a page to the evidence, if the crawl judged that page; a withdrawal takes away those that held.
func (c *Crawl) label(d orbweaver.Decision) error {
	if d.Page == "" {
		return nil
	}
	o, err := c.cfg.Ledger.Outcome(d.Page)
	if err != nil || o.Page == nil || o.Actual.Chance <= 0 {
		return nil //nolint:nilerr // it teaches nothing
	}
	c.weighed = true
	if !d.Withdrawn {
		c.chances.Pages.Label(o.Actual, d.Accepted)
		return nil
	}
	given, err := c.given(d.Page)
	for _, before := range given {
		c.chances.Pages.Unlabel(o.Actual, before.Accepted)
	}
	return err
}

// evidence returns the encoded evidence for the next batch; nil if the last batch has it already.
func (c *Crawl) evidence() []byte {
	if !c.weighed {
		return nil
	}
	c.weighed = false
	return c.chances.Append(nil)
}

// recallChances restores the evidence of earlier sessions. A folder of an earlier version has none.
func (c *Crawl) recallChances() error {
	b, err := c.cfg.Ledger.Chances()
	if err != nil {
		return err
	}
	if c.chances, err = chance.ReadBoth(b); err != nil {
		return fmt.Errorf("evidence of the crawl: %w; %w", err, errSnapshot)
	}
	return nil
}
