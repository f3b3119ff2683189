package engine

import (
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/step"
)

// StandIns finds out, host by host, which pages are what the host gives for any URL.
type StandIns interface {
	// Look takes a page. is: it stands in for one that does not exist; ask: a URL that cannot exist, to be requested once.
	Look(*orbweaver.Page) (ask string, is bool)
}

// standsIn reports whether an answer of the live Web stands in for a page that does not exist, and says so in the outcome. Where it may
// be one, a URL that cannot exist is requested next, as any other: within scope and robots.txt, and counted by limits.
func (c *Crawl) standsIn(o *orbweaver.Outcome, r orbweaver.Request, offers *offers) bool {
	if c.cfg.StandIns == nil || c.cfg.Live == nil || r.Purpose != orbweaver.ForPage || r.Query != "" {
		return false
	}
	page := *o.Page
	page.Request = r
	ask, is := c.cfg.StandIns.Look(&page)
	if is {
		o.Err = fmt.Errorf("read %s: %w: its host gives the same for a URL that cannot exist", r.URL, step.ErrSoft404)
		return true
	}
	if ask != "" && c.inScope(ask) && !offers.held {
		offers.goAhead(orbweaver.Proposal{Request: orbweaver.Request{URL: ask, Parent: r.URL, Depth: r.Depth}})
	}
	return false
}

// RuleSender is the rule of the vendor of an answer that is not the page.
const RuleSender = "sender"

// sender names who sent an answer that is not the page, where that is known.
func sender(err error) []orbweaver.Reason {
	var by interface{ Sender() string }
	if !errors.As(err, &by) || by.Sender() == "" {
		return nil
	}
	return []orbweaver.Reason{{Rule: RuleSender, Evidence: by.Sender()}}
}
