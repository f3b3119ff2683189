package assembly

import (
	"errors"
	"fmt"
	"slices"
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
	lookedSeeds  = 100_000 // seeds looked up after the session
	runningSeeds = 1000    // seeds looked up between two steps of a running crawl
	shownSeeds   = 25      // seeds without a page that summary and report name
	maxHops      = 60      // redirects followed from a seed; limits.redirects is at most 50
)

// fates returns the seeds that gave no page, with the reasons, in the order of the crawl file but grouped by remedy. The
// caller is the decider goroutine or has exclusive use of the ledger.
func (c *Crawl) fates(l *ledger.Ledger) ([]starting.Fate, error) {
	var fates []starting.Fate
	most := lookedSeeds
	if c.running {
		most = runningSeeds
	}
	for _, seed := range c.File.Seeds.URLs[:min(len(c.File.Seeds.URLs), most)] {
		f, failed, err := c.fate(l, seed)
		if err != nil {
			return nil, err
		}
		if failed {
			f.Seed, f.Web, f.Proxy = seed, c.File.Web != nil, c.File.Politeness.Proxy != ""
			f.Searched = slices.Contains(c.searched, seed)
			fates = append(fates, f)
		}
	}
	return starting.Sorted(fates), nil
}

// fate follows the redirects of a seed. failed is false if they end at a page or at a request that may still be made.
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
		case orbweaver.FailureOf(o.Err) == step.ErrSource:
			return f, false, nil
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

// failed sets the reason for which a request gave no page.
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

// unasked sets the reason for which a URL was never requested. failed is false if it still waits.
func (c *Crawl) unasked(l *ledger.Ledger, url string, f *starting.Fate) (failed bool, err error) {
	if id, known := l.Find(url); known { // refused URLs are not known
		if _, waits, err := l.Waits(id); err != nil || waits {
			return err == nil && c.down(l, url, f), err
		}
	}
	// Seeds are exempt from trap detection and limits.depth.
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

// down sets the reason for which a host was given up. It reports whether it was.
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

// forbidden sets the robots.txt line that disallows a URL. It reports whether one does, as far as this session knows
// robots.txt.
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

// seedFacts returns the seeds without a page, for the report.
func (c *Crawl) seedFacts() (facts []eval.Fact) {
	for _, f := range c.barren[:min(len(c.barren), shownSeeds)] {
		facts = append(facts, eval.Fact{Name: "seed without a page", Value: console.Visible(f.Seed, 200) + ": " + f.Reason() + " (" + f.Mend() + ")"})
	}
	if more := len(c.barren) - shownSeeds; more > 0 {
		facts = append(facts, eval.Fact{Name: "seeds without a page", Value: fmt.Sprintf("%d more", more)})
	}
	return facts
}
