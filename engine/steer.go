package engine

import (
	"orbweaver"
	"orbweaver/internal/step"
)

// excludedAtOnce is the number of requests that one batch of Exclude ends.
const excludedAtOnce = 1000

// Exclude removes waiting requests, for instance after a change of scope: they are never made. Requests in flight are
// decided as usual. It must be called within Call, or before Run.
func (c *Crawl) Exclude(requests []orbweaver.Request, ids []uint64, rule string) error {
	for len(ids) > 0 {
		n := min(len(ids), excludedAtOnce)
		for _, r := range requests[:n] {
			c.refuse(orbweaver.Proposal{Request: r}, rule)
		}
		c.cfg.Frontier.Drop(ids[:n]...)
		if err := c.commit(step.Batch{Refused: ids[:n]}); err != nil {
			return err
		}
		requests, ids = requests[n:], ids[n:]
	}
	return nil
}

// Flying reports whether a request is under way.
func (c *Crawl) Flying(id uint64) bool {
	_, flies := c.flying[id]
	return flies
}

// Limits returns the limits in force.
func (c *Crawl) Limits() Limits { return c.cfg.Limits }

// SetLimits changes the limits of this session. A crawl that has reached one of them ends at its next step. It must be
// called within Call, or before Run.
func (c *Crawl) SetLimits(l Limits) { c.cfg.Limits = l }
