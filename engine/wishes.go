package engine

import (
	"orbweaver"
	"orbweaver/internal/step"
)

// followable returns what of a round's proposals may be asked for: a focus that plans from many pages
// names the page that led to each as its Parent. The wish of a link alone is not known any more.
func (c *Crawl) followable(proposals []orbweaver.Proposal) ([]orbweaver.Proposal, error) {
	shy := map[string]bool{}
	kept := make([]orbweaver.Proposal, 0, len(proposals))
	for _, p := range proposals {
		asks, asked := shy[p.Parent]
		if !asked && p.Parent != "" && p.Query == "" {
			o, err := c.cfg.Ledger.Outcome(p.Parent)
			if err != nil && orbweaver.FailureOf(err) != orbweaver.ErrUnknown {
				return nil, err
			}
			asks = err == nil && o.Page != nil && o.Page.NoFollow
			shy[p.Parent] = asks
		}
		if asks && p.Query == "" {
			c.refusals.add(step.Refusal{Reason: step.RefusedNoFollow, URL: p.URL, Parent: p.Parent})
			continue
		}
		kept = append(kept, p)
	}
	return kept, nil
}
