package engine

import (
	"math"

	"orbweaver"
	"orbweaver/internal/step"
)

// refusals are the links that are not followed, for the next batch. Nothing else is kept of them: a
// link to what was refused before is asked about again, and counts again.
type refusals struct{ met []step.Refusal }

// take returns what was met since the last batch.
func (r *refusals) take() []step.Refusal {
	met := r.met
	r.met = nil
	if n := len(met); n > 0 {
		r.met = make([]step.Refusal, 0, n) // the next batch may well be as large
	}
	return met
}

func (r *refusals) add(refusal step.Refusal) { r.met = append(r.met, refusal) }

// dropped notes a link that the focus does not follow, with its heaviest reason.
func (r *refusals) dropped(p orbweaver.Proposal) {
	refusal := step.Refusal{Reason: step.RefusedDropped, URL: p.URL, Parent: p.Parent}
	weight := math.Inf(-1)
	for _, reason := range p.Reasons {
		if reason.Weight > weight {
			weight, refusal.Rule, refusal.Evidence = reason.Weight, reason.Rule, reason.Evidence
		}
	}
	r.add(refusal)
}

// cut notes the links of a page of which the focus follows none: the other links that a focus does not
// propose are its own affair.
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

// unfollowed notes the links that a page asks not to follow.
func (r *refusals) unfollowed(p *orbweaver.Page) {
	for i := range p.Links {
		if l := &p.Links[i]; l.To != "" && l.To != p.URL && (p.NoFollow || l.Rel != "" && l.NoFollow()) {
			r.add(step.Refusal{Reason: step.RefusedNoFollow, URL: l.To, Parent: p.URL})
		}
	}
}

// refusalOf is a link that is not followed, by its request.
func refusalOf(r orbweaver.Request, reason, rule string) step.Refusal {
	return step.Refusal{Reason: reason, Rule: rule, URL: r.URL, Parent: r.Parent}
}

// refuse notes that scope, or robots.txt, lets a request never be made.
func (c *Crawl) refuse(request orbweaver.Request, rule string) {
	reason := step.RefusedScope
	if c.cfg.InScope != nil && c.cfg.InScope(request.URL) {
		reason = step.RefusedRobots
	}
	c.refusals.add(refusalOf(request, reason, rule))
}

// refuseAgain notes another link to a request that waits no more, if that is so because the robots.txt
// of its host forbade it when it arrived. Over an archive such requests never waited.
func (c *Crawl) refuseAgain(request orbweaver.Request) {
	if c.cfg.Live == nil {
		return
	}
	ok, rule := c.admits(request.URL)
	if ok {
		return
	}
	if _, err := c.cfg.Ledger.Outcome(request.URL); orbweaver.FailureOf(err) == orbweaver.ErrUnknown {
		c.refuse(request, rule)
	}
}
