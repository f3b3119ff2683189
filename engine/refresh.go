package engine

import (
	"context"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A refresh asks accepted pages again that are older than Live.Refresh, and follows links on them that
// were not known before, one step. What waited before it goes on waiting, and limits count anew.

// beginRefresh puts what is to be asked again into the frontier: in memory alone, since it follows
// from the ledger what is left when a refresh is killed.
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
		if o.Page == nil || !o.Actual.AcceptedFrom(c.progress.Threshold) || now.Sub(o.At) < c.cfg.Live.Refresh {
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

// beyond are the same limits for what comes after a progress.
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

// Asked is how many pages a refresh has yet to ask again.
func (c *Crawl) Asked() int { return len(c.again) }

// compare says what became of a page that is asked again, and what it was before.
func (c *Crawl) compare(id uint64, o *orbweaver.Outcome, r reading) (before orbweaver.Outcome, again bool) {
	before, again = c.again[id]
	if !again {
		return before, false
	}
	delete(c.again, id)
	switch {
	case r.same, o.Page != nil && o.Page.Digest == before.Page.Digest:
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

// stands lets an outcome be what the one before was. Whether the server said so or sent the same bytes
// again is all one, and so is the status: by it a resume knows that the outcome taught nothing.
func (c *Crawl) stands(o *orbweaver.Outcome, before orbweaver.Outcome) {
	o.Status = http.StatusNotModified
	o.Page, o.Actual, o.Record, o.Snippet = before.Page, before.Actual, before.Record, before.Snippet
	for target := range c.cfg.Ledger.Outlinks(o.Request.URL) {
		o.Page.Links = append(o.Page.Links, orbweaver.Link{To: target})
	}
}

// failedAgain tells of a page that could not be asked again: there is no new outcome, so that the next
// refresh asks it.
func (c *Crawl) failedAgain(o orbweaver.Outcome, r reading) error {
	if err := c.commit(step.Batch{Accounts: r.accounts}); err != nil {
		return err
	}
	if c.cfg.Observe != nil {
		c.cfg.Observe(o, c.progress)
	}
	return nil
}

// recount takes back what count added a second time for a page.
func (c *Crawl) recount(o, before orbweaver.Outcome) {
	if o.Page != nil {
		c.progress.Pages--
	}
	if before.Actual.Accepted {
		c.progress.Accepted--
	}
}

// follows reports whether what a batch lets wait is to be asked for in this session: in a refresh, new
// links on pages asked again, and targets of redirects.
func (c *Crawl) follows(batch step.Batch) bool {
	if c.again == nil {
		return true
	}
	o := batch.Outcome
	return o != nil && (o.Change != "" || o.Redirect != "")
}
