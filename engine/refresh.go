package engine

import (
	"context"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A refresh requests accepted pages again that are older than Live.Refresh, and follows new links on them,
// one step. Requests that waited before keep waiting, and limits count from zero.

// beginRefresh adds the pages to refresh to the frontier, in memory alone: after a kill, the ledger tells
// which are left.
func (c *Crawl) beginRefresh(ctx context.Context) error {
	if err := c.remember(ctx); err != nil {
		return err
	}
	c.again = map[uint64]orbweaver.Outcome{}
	now := c.now()
	for o, err := range c.cfg.Ledger.Outcomes(0) {
		if err != nil {
			return err
		}
		if o.Page == nil || !step.AcceptedFrom(o.Actual, c.progress.Threshold) || now.Sub(o.At) < c.cfg.Live.Refresh {
			continue
		}
		if latest, err := c.cfg.Ledger.Outcome(o.Request.URL); err != nil || latest.N != o.N {
			continue
		}
		o.Request.Redirects = nil
		id, _ := c.cfg.Ledger.Offer(o.Request)
		c.again[id] = o
		c.cfg.Frontier.Add(step.Waiting{ID: id, Proposal: orbweaver.Proposal{Request: o.Request, Judgement: o.Actual}})
	}
	c.cfg.Limits = c.cfg.Limits.beyond(c.progress)
	return nil
}

// beyond returns the limits for a crawl that starts from a progress.
func (l Limits) beyond(p step.Progress) Limits {
	more := func(limit, have int64) int64 {
		if limit <= 0 {
			return 0
		}
		return limit + have
	}
	l.Requests, l.Pages, l.Bytes = more(l.Requests, p.Requests), more(l.Pages, p.Pages), more(l.Bytes, p.Bytes)
	l.Time = time.Duration(more(int64(l.Time), int64(p.Active)))
	return l
}

// Asked is the number of pages that a refresh has yet to request.
func (c *Crawl) Asked() int { return len(c.again) }

// compare sets the Change of a page that is requested again, and returns its earlier outcome.
func (c *Crawl) compare(id uint64, o *orbweaver.Outcome, r reading) (before orbweaver.Outcome, again bool) {
	before, again = c.again[id]
	if !again {
		return before, false
	}
	delete(c.again, id)
	switch {
	case r.same, o.Page != nil && before.Page != nil && o.Page.Digest == before.Page.Digest:
		o.Change = orbweaver.Unchanged
	case o.Page != nil:
		o.Change = orbweaver.Changed
	case o.Redirect != "":
		o.Change = orbweaver.Moved
	case o.Status == http.StatusNotFound || o.Status == http.StatusGone:
		o.Change = orbweaver.Gone
	default:
		o.Change = orbweaver.Failed
	}
	return before, true
}

// stands copies the earlier outcome of an unchanged page. It is the same whether the server answered 304 or
// sent the same bytes: the status becomes 304, by which a resume knows that the outcome taught nothing.
func (c *Crawl) stands(o *orbweaver.Outcome, before orbweaver.Outcome) {
	o.Status = http.StatusNotModified
	o.Page, o.Actual, o.Record, o.Snippet = before.Page, before.Actual, before.Record, before.Snippet
	for target := range c.cfg.Ledger.Outlinks(o.Request.URL) {
		o.Page.Links = append(o.Page.Links, orbweaver.Link{To: target})
	}
}

// failedAgain reports a page that could not be refreshed. It gets no new outcome, so the next refresh
// requests it.
func (c *Crawl) failedAgain(o orbweaver.Outcome, r reading) error {
	if err := c.commit(step.Batch{Accounts: r.accounts}); err != nil {
		return err
	}
	if c.cfg.Observe != nil {
		c.cfg.Observe(o, c.progress)
	}
	return nil
}

// recount subtracts what count added twice for a page.
func (c *Crawl) recount(o, before orbweaver.Outcome) {
	if o.Page != nil {
		c.progress.Pages--
	}
	if before.Actual.Accepted {
		c.progress.Accepted--
	}
}

// follows reports whether this session makes the new requests of a batch. A refresh makes those from
// refreshed pages and redirects alone.
func (c *Crawl) follows(batch step.Batch) bool {
	if c.watches() {
		c.nextVisit = time.Time{}
		c.cfg.Live.Watch.Found(batch.Waiting, batch.Outcome == nil)
		return false
	}
	if c.again == nil {
		return true
	}
	o := batch.Outcome
	return o != nil && (o.Change != "" || o.Redirect != "")
}
