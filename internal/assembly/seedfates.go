package assembly

import (
	"errors"
	"fmt"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/console"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

const (
	lookedSeeds = 100_000 // seeds whose fate is looked up when the session is over
	glancedAt   = 1000    // the same, between two steps of a crawl that goes on
	shownSeeds  = 25      // seeds without a page that summary and report name
	maxHops     = 60      // redirects that lead on from a seed; limits.redirects is 50 at most
)

// fates are the seeds that gave no page, with why, in the order of the crawl file; those of one mend
// together. It is for the goroutine that decides, or for who has the ledger alone.
func (c *Crawl) fates(l *ledger.Ledger) ([]starting.Fate, error) {
	var fates []starting.Fate
	most := lookedSeeds
	if c.running {
		most = glancedAt
	}
	for _, seed := range c.File.Seeds.URLs[:min(len(c.File.Seeds.URLs), most)] {
		f, failed, err := c.fate(l, seed)
		if err != nil {
			return nil, err
		}
		if failed {
			f.Seed, f.Web, f.Proxy = seed, c.File.Web != nil, c.File.Politeness.Proxy != ""
			fates = append(fates, f)
		}
	}
	return starting.Sorted(fates), nil
}

// fate follows a seed to where it led. failed is false for a page, and for what may yet be asked for.
func (c *Crawl) fate(l *ledger.Ledger, seed string) (f starting.Fate, failed bool, err error) {
	url := seed
	for range maxHops {
		if url != seed {
			f.At = url
		}
		o, err := l.Outcome(url)
		switch {
		case errors.Is(err, orbweaver.ErrUnknown):
			failed, err = c.unasked(l, url, &f)
			return f, failed, err
		case err != nil:
			return f, false, err
		case o.Err != nil:
			c.failed(l, o, &f)
			return f, true, nil
		case o.Redirect == "" || o.Redirect == url:
			return f, false, nil
		}
		url = o.Redirect
	}
	f.Why, f.Detail = orbweaver.ErrRedirects, "it leads back to itself"
	return f, true, nil
}

// failed says why a request gave no page.
func (c *Crawl) failed(l *ledger.Ledger, o orbweaver.Outcome, f *starting.Fate) {
	f.Status = o.Status
	f.Why, f.Detail = starting.Failure(o.Err)
	switch {
	case f.Why == orbweaver.ErrGaveUp:
		c.down(l, o.Request.URL, f)
	case f.Why == orbweaver.ErrScope && o.Redirect != "":
		f.At, f.Detail = o.Redirect, ""
		if ok, rule := c.Gate.Scope.Allows(o.Redirect); !ok {
			f.Rule = rule
			return
		}
		f.Why = orbweaver.Failure(step.RefusedRobots)
		c.forbidden(l, o.Redirect, f)
	}
}

// unasked says why a URL was never asked for.
func (c *Crawl) unasked(l *ledger.Ledger, url string, f *starting.Fate) (failed bool, err error) {
	if id, known := l.Find(url); known { // what was refused is not
		if _, waits, err := l.Waits(id); err != nil || waits {
			return err == nil && c.down(l, url, f), err
		}
	}
	// What a person named is no trap, and never too deep.
	for _, reason := range []string{step.RefusedScope, step.RefusedRobots, step.RefusedDropped} {
		if r, ok := l.Refusal(reason, url); ok {
			f.Why, f.Rule = orbweaver.Failure(reason), r.Rule
			return true, nil
		}
	}
	if ok, rule := c.Gate.Scope.Allows(url); !ok {
		f.Why, f.Rule = orbweaver.Failure(step.RefusedScope), rule
		return true, nil
	}
	return c.forbidden(l, url, f), nil
}

// down says why a host was given up, if it was.
func (c *Crawl) down(l *ledger.Ledger, url string, f *starting.Fate) bool {
	host := weburl.Host(url)
	a, known, err := l.Account(host)
	if !known || err != nil || a.Down == "" {
		return false
	}
	f.Why, f.Detail = a.Down, "the host was given up"
	if a.Robots != "" {
		f.Detail += "; robots.txt: " + a.Robots
	}
	return true
}

// forbidden says by which line robots.txt forbids a URL, as far as it is known in this session.
func (c *Crawl) forbidden(l *ledger.Ledger, url string, f *starting.Fate) bool {
	if r, ok := l.Refusal(step.RefusedRobots, url); ok {
		f.Why, f.Rule = orbweaver.Failure(step.RefusedRobots), r.Rule
		return true
	}
	host := weburl.Host(url)
	rules, _ := c.Gate.Rules(host)
	ok, line := rules.Allows(strings.TrimPrefix(url, host))
	if !ok {
		f.Why, f.Rule = orbweaver.Failure(step.RefusedRobots), line
	}
	return !ok
}

// seedFacts are the seeds without a page, for the report.
func (c *Crawl) seedFacts() (facts []eval.Fact) {
	for _, f := range c.barren[:min(len(c.barren), shownSeeds)] {
		facts = append(facts, eval.Fact{Name: "seed without a page", Value: console.Visible(f.Seed, 200) + ": " + f.Reason() + " (" + f.Mend() + ")"})
	}
	if more := len(c.barren) - shownSeeds; more > 0 {
		facts = append(facts, eval.Fact{Name: "seeds without a page", Value: fmt.Sprintf("%d more", more)})
	}
	return facts
}
