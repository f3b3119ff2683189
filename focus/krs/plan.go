package krs

import (
	"context"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/focus/inlinks"
	"orbweaver/focus/links"
	"orbweaver/text"
)

// The rules of link judgements, in the order of their reasons.
const (
	RulePage    = "page"       // the score of the page with the link
	RuleAnchor  = "anchor"     // a noun of the topic in anchor text, title attribute or URL
	RuleContext = "context"    // a noun of the topic in the words around the link
	RuleInlinks = inlinks.Rule // all links to one request together
	RuleDepth   = "depth"      // links from a seed
)

// The maximum contribution of each kind of evidence to a link's score; they add up to 1. They equal those of
// the ontology focus.
const (
	sharePage    = 0.4
	shareAnchor  = 0.4
	shareContext = 0.2
)

// ranking is a link's rank, 0..1, in parts that add up to it, with the strongest noun of each.
type ranking struct {
	page, anchor, context float64
	inAnchor, inContext   hit
}

func (r ranking) Score() float64 { return r.page + r.anchor + r.context }

// Plan proposes every distinct target of the page's links once. Breadth-first it proposes those of
// accepted pages only, nearest to the seeds first; otherwise each by the best of its links, whose reasons add
// up to the score. nofollow links are left out.
func (f *Focus) Plan(ctx context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	found, err := f.findings(ctx, p)
	if err != nil || len(found.Targets) == 0 {
		return nil, err
	}
	if f.opts.Order == BreadthFirst {
		return breadthFirst(found, p, j), nil
	}
	plan := make([]orbweaver.Proposal, 0, len(found.Targets))
	reasons := make([]orbweaver.Reason, 0, 4*len(found.Targets)) // shared by all proposals
	notes := make([]byte, 0, inlinks.Size*len(found.Targets))
	origin := p.URL + " scores " + strconv.FormatFloat(j.Score, 'g', 3, 64)
	for _, first := range found.Targets {
		best, r := f.best(found, first, j.Score)
		one := inlinks.One(r.Score())
		atReasons, atNotes := len(reasons), len(notes)
		reasons = append(f.appendReasons(reasons, r, origin), one.Reason())
		notes = one.Append(notes)
		via := &p.Links[best.At]
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via, Note: slices.Clip(notes[atNotes:])},
			Judgement: orbweaver.Judgement{Score: one.Score(), Reasons: slices.Clip(reasons[atReasons:])},
		})
	}
	return plan, nil
}

// breadthFirst proposes the targets of an accepted page in document order.
func breadthFirst(found *findings, p *orbweaver.Page, j orbweaver.Judgement) []orbweaver.Proposal {
	if !j.Accepted {
		return nil
	}
	depth := p.Request.Depth + 1
	score := 1 / float64(1+depth)
	because := []orbweaver.Reason{{Rule: RuleDepth, Evidence: "depth " + strconv.Itoa(depth), Weight: score}}
	plan := make([]orbweaver.Proposal, len(found.Targets))
	for i, first := range found.Targets {
		via := &p.Links[found.Links[first].At]
		plan[i] = orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via},
			Judgement: orbweaver.Judgement{Score: score, Reasons: because},
		}
	}
	return plan
}

// best returns the highest-ranked link to a target, the first of equals.
func (f *Focus) best(found *findings, first int32, page float64) (*link, ranking) {
	return links.Best(&found.grouped, first, func(l *link) ranking { return f.rank(found, l, page) })
}

// rank returns the weighted sum of the page's score and of the likeness of the nouns near the link. An anchor
// describes its target, so its nouns may reach the maximum; a URL often repeats its anchor, so the stronger
// of the two counts. A context is also about other things and saturates slowly: x/(x+1).
func (f *Focus) rank(found *findings, l *link, page float64) ranking {
	anchor, inAnchor := f.likenessOf(found, l.Anchor)
	path, inPath := f.likenessOf(found, l.Path)
	if path > anchor {
		anchor, inAnchor = path, inPath
	}
	context, inContext := f.likenessOf(found, l.Context)
	return ranking{
		page: sharePage * page, anchor: shareAnchor * min(1, anchor), context: shareContext * context / (context + 1),
		inAnchor: inAnchor, inContext: inContext,
	}
}

// likenessOf sums the likeness of nouns and returns the strongest.
func (f *Focus) likenessOf(found *findings, s span) (sum float64, best hit) {
	highest := 0.0
	for _, at := range found.hits[s.from:s.to] {
		likeness := f.likeness[at.noun]
		if sum += likeness; likeness > highest {
			highest, best = likeness, at
		}
	}
	return sum, best
}

func (f *Focus) appendReasons(reasons []orbweaver.Reason, r ranking, origin string) []orbweaver.Reason {
	if r.page > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RulePage, Evidence: origin, Weight: r.page})
	}
	if r.anchor > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleAnchor, Evidence: f.wording(r.inAnchor), Weight: r.anchor})
	}
	if r.context > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleContext, Evidence: f.wording(r.inContext), Weight: r.context})
	}
	return reasons
}

// wording returns a noun at a link as written there.
func (f *Focus) wording(h hit) string {
	return string(text.AppendWording(nil, h.words, 0, f.names[h.noun]))
}
