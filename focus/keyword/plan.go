package keyword

import (
	"context"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/focus/inlinks"
	"orbweaver/focus/links"
)

// The rules of link judgements, in the order of their reasons; inlinks.Rule is the last.
const (
	RulePage    = "page"    // the score of the page with the link
	RuleAnchor  = "anchor"  // a term in anchor text, title attribute or URL
	RuleContext = "context" // a term in the words around the link
	RuleUnnamed = "unnamed" // no evidence for the link: why it is followed or dropped
)

// The maximum contribution of each kind of evidence to a link's rank; they add up to 1. They equal those of
// the ontology focus.
const (
	sharePage    = 0.4
	shareAnchor  = 0.4
	shareContext = 0.2
)

// ranking is a link's rank, 0..1, in parts that add up to it.
type ranking struct{ page, anchor, context float64 }

func (r ranking) Score() float64 { return r.page + r.anchor + r.context }

// rank returns the weighted sum of the page's score and of the terms at the link. An anchor describes its
// target, so the rarest term in it gives the maximum; a URL often repeats its anchor, so the stronger of the
// two counts. A context is also about other things and saturates slowly: x/(x+1).
func (f *Focus) rank(l *link, page float64) ranking {
	context := f.rare(l.Context)
	return ranking{
		page:    sharePage * page,
		anchor:  shareAnchor * min(1, max(f.rare(l.Anchor), f.rare(l.Path))),
		context: shareContext * context / (context + 1),
	}
}

// rare returns the sum of the rarity of a short text's terms, each counted once.
func (f *Focus) rare(s mentions) (sum float64) {
	for _, t := range s.terms {
		sum += f.rarity.shares[t]
	}
	return sum
}

// maxBlind bounds consecutive links without evidence: in a manual, a relevant page may be below a chapter and
// a section with uninformative titles.
const maxBlind = 3

// Plan proposes every distinct target of the page's links once, by the best of them; Merge combines it with
// the links of other pages. The weights of a proposal's reasons add up to its score. A link without evidence
// is dropped if maxBlind of them led to the page.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	found := f.findings(p)
	plan := make([]orbweaver.Proposal, 0, len(found.Targets))
	origin := p.URL + " scores " + strconv.FormatFloat(j.Score, 'g', 3, 64)
	before, _ := readNote(p.Request.Note)
	unnamed := orbweaver.Reason{Rule: RuleUnnamed, Evidence: stepsOf(before.blind)}
	for _, first := range found.Targets {
		best, r := f.best(found, first, lends(j.Score))
		one := evidence{Links: inlinks.One(r.Score())}
		reasons := appendReasons(make([]orbweaver.Reason, 0, 4), best, r, origin)
		if r.Score() == 0 {
			one.blind = before.blind + 1
			reasons = append(reasons, unnamed)
		}
		reasons = append(reasons, one.Reason())
		via := &p.Links[best.At]
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via, Note: one.append(nil)},
			Judgement: orbweaver.Judgement{Score: one.Score(), Drop: one.blind > maxBlind, Reasons: slices.Clip(reasons)},
		})
	}
	return plan, nil
}

// stepsOf describes the distance of a page from the last evidence.
func stepsOf(blind byte) string {
	switch blind {
	case 0:
		return "of a seed, or of a page that something spoke for"
	case 1:
		return "1 link after the last that something spoke for"
	}
	return strconv.Itoa(int(blind)) + " links after the last that something spoke for"
}

// best returns the highest-ranked link to a target, the first of equals.
func (f *Focus) best(found *findings, first int32, page float64) (*link, ranking) {
	return links.Best(&found.grouped, first, func(l *link) ranking { return f.rank(l, page) })
}

func appendReasons(reasons []orbweaver.Reason, l *link, r ranking, origin string) []orbweaver.Reason {
	if r.page > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RulePage, Evidence: origin, Weight: r.page})
	}
	if r.anchor > 0 {
		words := l.Anchor.words
		if words == "" {
			words = l.Path.words
		}
		reasons = append(reasons, orbweaver.Reason{Rule: RuleAnchor, Evidence: words, Weight: r.anchor})
	}
	if r.context > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleContext, Evidence: l.Context.words, Weight: r.context})
	}
	return reasons
}
