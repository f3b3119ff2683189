package engine

import (
	"fmt"

	"orbweaver"
)

// Traps knows URLs without end by their look.
type Traps interface {
	// Admit is asked for each URL newly met, once if it is admitted; rule says why it is refused, and says
	// so again when it is asked again.
	Admit(url string) (ok bool, rule string)
	// Note is told of one that was admitted in an earlier session.
	Note(url string)
}

// trapped reports whether a URL newly met is part of a trap. What a person named is none, nor is an
// endpoint, whose URL any number of queries have.
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

// noteTraps tells of what was admitted in earlier sessions and is done; of what waits, begin does.
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
