package engine

import (
	"fmt"

	"orbweaver"
)

// Traps recognizes crawler traps, endless families of URLs, by the form of a URL.
type Traps interface {
	// Admit is called for each new URL, once if it is admitted. rule says why a URL is refused, the same at
	// each call.
	Admit(url string) (ok bool, rule string)
	// Note records a URL that an earlier session admitted.
	Note(url string)
}

// trapped reports whether a new URL is part of a trap. A seed is not, nor is an endpoint, whose URL any number
// of queries share.
func (c *Crawl) trapped(r orbweaver.Request) (rule string, trapped bool) {
	if c.cfg.Traps == nil || r.Query != "" {
		return "", false
	}
	if r.Parent == "" {
		c.cfg.Traps.Note(r.URL)
		return "", false
	}
	ok, rule := c.cfg.Traps.Admit(r.URL)
	return rule, !ok
}

// noteTraps notes the URLs of earlier sessions that have outcomes; begin notes those that wait.
func (c *Crawl) noteTraps() error {
	if c.cfg.Traps == nil {
		return nil
	}
	for o, err := range c.cfg.Ledger.Outcomes(0) {
		if err != nil {
			return fmt.Errorf("traps: %w", err)
		}
		c.cfg.Traps.Note(o.Request.URL)
	}
	return nil
}
