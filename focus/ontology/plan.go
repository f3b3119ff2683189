package ontology

import (
	"context"
	"slices"
	"strconv"

	"orbweaver"
	"orbweaver/focus/inlinks"
	"orbweaver/focus/links"
)

// Plan proposes every distinct target of the page's links once, by the best of them; Merge combines it with
// the links of other pages. nofollow links are left out (rel, or the whole page). The weights of a proposal's
// reasons add up to its score.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, j orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	found := f.findings(p)
	if len(found.Targets) == 0 {
		return nil, nil
	}
	plan := make([]orbweaver.Proposal, 0, len(found.Targets))
	reasons := make([]orbweaver.Reason, 0, 5*len(found.Targets)) // shared by all proposals
	notes := make([]byte, 0, inlinks.Size*len(found.Targets)+len(found.stems))
	keys := make([]string, 0, len(found.Targets))
	origin := p.URL + " scores " + strconv.FormatFloat(j.Score, 'g', 3, 64)
	for i, first := range found.Targets {
		best, r := f.best(found, first, j.Score)
		one := inlinks.One(r.Score())
		stems := found.stemsOf(i)
		var score float64
		atReasons, atNotes, atKeys := len(reasons), len(notes), len(keys)
		reasons, score = f.conclude(appendReasons(reasons, best, r, origin), one, stems)
		notes = append(one.Append(notes), stems...)
		keys = f.words.appendKeys(keys, stems)
		via := &p.Links[best.At]
		plan = append(plan, orbweaver.Proposal{
			Request:   orbweaver.Request{URL: via.To, Via: via, Note: slices.Clip(notes[atNotes:])},
			Judgement: orbweaver.Judgement{Score: score, Reasons: slices.Clip(reasons[atReasons:])},
			Keys:      slices.Clip(keys[atKeys:]),
		})
	}
	return plan, nil
}

// best returns the link of highest score to a target, the first of equals.
func (f *Focus) best(found *findings, first int32, page float64) (*link, ranking) {
	return links.Best(&found.grouped, first, func(l *link) ranking { return f.rank(found, l, page) })
}

func (f *Focus) rank(found *findings, l *link, page float64) ranking {
	by := found.by
	if by.links != Mixed {
		return f.literally(found, l, page)
	}
	return rank(signs{
		page:    f.lends(page),
		anchor:  f.evidence(by, l.Anchor.hits),
		path:    f.evidence(by, l.Path.hits),
		context: f.evidence(by, l.Context.hits),
	})
}

// evidence returns the sum of weight × idf × factor (see telling) of the entities in a short text, each counted once.
func (f *Focus) evidence(by *knowledge, hits []hit) float64 {
	var sum float64
	for _, h := range hits {
		sum += by.weights.link[h.entity] * f.idf.of(h.entity) * f.telling.factor(h.entity)
	}
	return sum
}

func appendReasons(reasons []orbweaver.Reason, l *link, r ranking, origin string) []orbweaver.Reason {
	if r.page > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RulePage, Evidence: origin, Weight: r.page})
	}
	if r.anchor > 0 {
		words := l.Anchor.evidence
		if words == "" {
			words = l.Path.evidence
		}
		reasons = append(reasons, orbweaver.Reason{Rule: RuleAnchor, Evidence: words, Weight: r.anchor})
	}
	if r.context > 0 {
		reasons = append(reasons, orbweaver.Reason{Rule: RuleContext, Evidence: l.Context.evidence, Weight: r.context})
	}
	return reasons
}
