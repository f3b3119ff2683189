package engine

import (
	"math"

	"orbweaver"
	"orbweaver/internal/step"
)

// refusals are the links that are not followed, for the next batch. Nothing else is stored about them: a
// further link to a refused URL is checked again, and counts again.
type refusals struct{ met []step.Refusal }

// take returns the refusals since the last batch.
func (r *refusals) take() []step.Refusal {
	met := r.met
	r.met = nil
	if n := len(met); n > 0 {
		r.met = make([]step.Refusal, 0, n) // the next batch is probably as large
	}
	return met
}

func (r *refusals) add(refusal step.Refusal) { r.met = append(r.met, refusal) }

// dropped notes a link that the focus does not follow, with its heaviest reason.
func (r *refusals) dropped(p orbweaver.Proposal) {
	refusal := refusalOf(p, step.RefusedDropped, "")
	weight := math.Inf(-1)
	for _, reason := range p.Reasons {
		if reason.Weight > weight {
			weight, refusal.Rule, refusal.Evidence = reason.Weight, reason.Rule, reason.Evidence
		}
	}
	r.add(refusal)
}

// cut notes the links of a page of which the focus proposes none. If it proposes some, those that it leaves
// out are not noted.
func (r *refusals) cut(p *orbweaver.Page) {
	if p.NoFollow {
		return
	}
	for i := range p.Links {
		if l := &p.Links[i]; l.To != "" && l.To != p.URL && !l.NoFollow() {
			r.add(step.Refusal{Reason: step.RefusedDropped, URL: l.To, Parent: p.URL})
		}
	}
}

// unfollowed notes the nofollow links of a page.
func (r *refusals) unfollowed(p *orbweaver.Page) {
	for i := range p.Links {
		if l := &p.Links[i]; l.To != "" && l.To != p.URL && (p.NoFollow || l.Rel != "" && l.NoFollow()) {
			r.add(step.Refusal{Reason: step.RefusedNoFollow, URL: l.To, Parent: p.URL})
		}
	}
}

// refusalOf is the refusal of a request with its prediction.
func refusalOf(p orbweaver.Proposal, reason, rule string) step.Refusal {
	r := step.Refusal{Reason: reason, Rule: rule, URL: p.URL, Parent: p.Parent}
	if p.Score > 0 { // NaN is dropped
		r.Score = min(p.Score, 1)
	}
	return r
}

// refuse notes a request that scope or robots.txt forbids.
func (c *Crawl) refuse(p orbweaver.Proposal, rule string) {
	reason := step.RefusedScope
	if c.cfg.InScope != nil && c.cfg.InScope(p.URL) {
		reason = step.RefusedRobots
	}
	c.refusals.add(refusalOf(p, reason, rule))
}

// refuseAgain notes a further link to a request that was removed from the queue when the robots.txt of its
// host arrived and forbade it. Over an archive such a request never waits.
func (c *Crawl) refuseAgain(p orbweaver.Proposal) {
	if c.cfg.Live == nil {
		return
	}
	ok, rule := c.admits(p.URL)
	if ok {
		return
	}
	if _, err := c.cfg.Ledger.Outcome(p.URL); orbweaver.FailureOf(err) == orbweaver.ErrUnknown {
		c.refuse(p, rule)
	}
}
