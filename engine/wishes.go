package engine

import (
	"slices"

	"orbweaver"
	"orbweaver/internal/step"
)

// Followable returns what of a plan the page lets be asked for. Left out are URLs to which all links of
// the page are nofollow; of a page that asks for none of its links to be followed, everything but
// queries, whatever led to them: a focus may find more in a page than its links. Queries are no links.
func Followable(p *orbweaver.Page, plan []orbweaver.Proposal) []orbweaver.Proposal {
	shy := shyTargets(p)
	if !p.NoFollow && len(shy) == 0 {
		return plan
	}
	kept := make([]orbweaver.Proposal, 0, len(plan))
	for _, proposal := range plan {
		if proposal.Query != "" || !p.NoFollow && !shy[proposal.URL] {
			kept = append(kept, proposal)
		}
	}
	return kept
}

// shyTargets are the URLs that a page links to by nofollow alone.
func shyTargets(p *orbweaver.Page) map[string]bool {
	var shy map[string]bool
	for i := range p.Links {
		if l := &p.Links[i]; l.Rel != "" && l.NoFollow() {
			if shy == nil {
				shy = map[string]bool{}
			}
			shy[l.To] = true
		}
	}
	for i := range p.Links {
		if l := &p.Links[i]; len(shy) > 0 && shy[l.To] && !l.NoFollow() {
			delete(shy, l.To)
		}
	}
	return shy
}

// Listed returns the judgement of a page, which is not accepted where the page asks not to be shown in
// results.
func Listed(p *orbweaver.Page, j orbweaver.Judgement) orbweaver.Judgement {
	if !p.NoIndex {
		return j
	}
	j.Accepted = false
	j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: orbweaver.RuleNoIndex, Evidence: "the page asks not to be shown in results"})
	return j
}

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
