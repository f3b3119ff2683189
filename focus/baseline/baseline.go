// Package baseline implements the focuses used as baselines: uninformed (breadth-first, random), weakly informed
// (keyword, best-first) and perfectly informed (oracle) crawls.
//
// None learns; all but the oracle judge by the page alone. Each is kept simple on purpose: it isolates one
// idea, so that a comparison shows what that idea contributes.
//
// This package is not part of the stable API.
package baseline

import "orbweaver"

// The rules of reasons.
const (
	RuleDepth    = "depth"    // links from a seed
	RuleKeyword  = "keyword"  // a term occurs
	RuleCosine   = "cosine"   // likeness of page and terms
	RuleRandom   = "random"   // chance
	RuleDistance = "distance" // links to the nearest relevant page
)

// links proposes the distinct targets of a page's links in document order. It is not safe for concurrent use.
type links struct{ seen map[string]bool }

// each proposes every distinct target that may be followed, once, with the judgement that score returns for
// its first link. nofollow links are left out.
func (l *links) each(p *orbweaver.Page, score func(*orbweaver.Link) orbweaver.Judgement) []orbweaver.Proposal {
	if p.NoFollow || len(p.Links) == 0 {
		return nil
	}
	if l.seen == nil {
		l.seen = map[string]bool{}
	}
	clear(l.seen)
	plan := make([]orbweaver.Proposal, 0, len(p.Links))
	for i := range p.Links {
		link := &p.Links[i]
		if link.To == "" || link.To == p.URL || link.NoFollow() || l.seen[link.To] {
			continue
		}
		l.seen[link.To] = true
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: link.To, Via: link},
			Judgement: score(link),
		})
	}
	return plan
}

// same returns a score function that gives every link j.
func same(j orbweaver.Judgement) func(*orbweaver.Link) orbweaver.Judgement {
	return func(*orbweaver.Link) orbweaver.Judgement { return j }
}

// because returns a judgement with a single reason.
func because(score float64, rule, evidence string) orbweaver.Judgement {
	return orbweaver.Judgement{
		Score:   score,
		Reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}},
	}
}

// near returns the score of a page n ≥ 0 links away: 1/(1+n).
func near(n int) float64 { return 1 / float64(1+n) }
