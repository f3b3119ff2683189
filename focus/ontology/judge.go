package ontology

import (
	"cmp"
	"context"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/internal/order"
)

// The rules of page judgements.
const (
	RuleRaw    = "raw"    // the relevance r (step III), before it becomes a score
	RuleEntity = "entity" // a named entity of a relevance set: its words, and its share of r
)

const maxReasons = 10 // entities reported: the ten most relevant ones, as in the paper's section 2

// halfRelevant is the relevance r that scores one half: about that of a page on which one word in twenty
// names a target.
const halfRelevant = 0.05

// scoreOf maps a relevance r ≥ 0 (step III) monotonically to 0..1: r/(r+h), where h is halfRelevant, or 1
// with RawCounts.
func (f *Focus) scoreOf(r float64) float64 {
	switch {
	case f.opts.Measure == Presence:
		return r / (r + halfPresent)
	case f.opts.RawCounts:
		return r / (r + 1)
	}
	return r / (r + halfRelevant)
}

// Judge scores a page by steps I to III. The first reason has r; the weights of the others are shares of it,
// and add up to it if the page names at most ten entities.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := f.findings(p)
	r, target := f.relevance(found)
	j := orbweaver.Judgement{Score: f.scoreOf(r), Accepted: found.satisfies}
	if r > 0 {
		j.Reasons = f.reasons(found, r, target)
	}
	if f.opts.Measure == Presence {
		j.Reasons = links.AppendListed(j.Reasons, p)
	}
	f.verdict(&j)
	return j, nil
}

// findings returns the result of Prepare. A page that arrives without it, or was prepared before the last
// decision, is prepared now, and once: read-ahead does not change the crawl.
func (f *Focus) findings(p *orbweaver.Page) *findings {
	now := f.now.Load()
	if found, ok := p.Findings.(*findings); ok && found.by == now {
		return found
	}
	if f.redone.page != p || f.redone.found.by != now {
		f.redone = redone{p, f.prepare(p)}
	}
	return f.redone.found
}

// The constants of Presence. They were chosen on thirteen topics of an encyclopaedia and seven of two
// manuals, where the results vary little within a factor of two.
const (
	inTitle     = 10    // additional matches for one in the title
	inLead      = 2     // additional matches for one in the lead
	leadBytes   = 600   // length of the lead, in bytes of the main text
	fewWords    = 100   // added to the words of every page: a short page is weak evidence
	halfThere   = 0.02  // share of words at which an entity is half present
	halfPresent = 0.125 // relevance r that scores one half: a target of middling rarity, named by every hundredth word
)

// frequency returns the value of an entity's matches, before its weight. With Frequency it is step I of the
// paper: matches × idf / words. With Presence it is
//
//	x/(x + 0.02) · idf, x = (matches + 10 in the title + 2 in the lead) / (words + 100)
//
// with idf relative to the largest possible, 0 to 1. It saturates, since the hundredth match of a word adds
// no more information than the fiftieth; it requires some length of a page; and it emphasizes the top of the
// page. Scores early and late in a crawl are on one scale.
func (f *Focus) frequency(h hit, words int) float64 {
	if f.opts.Measure == Presence {
		x := float64(h.count+h.stress) / float64(words+fewWords)
		return x / (x + halfThere) * f.idf.share(h.entity)
	}
	k := float64(h.count) * f.idf.of(h.entity)
	if f.opts.RawCounts {
		return k
	}
	return k / float64(max(words, 1))
}

// relevance computes steps II and III: r, and with Min and Max the position of the target that determined it.
func (f *Focus) relevance(found *findings) (r float64, target int) {
	w := &found.by.weights
	if f.opts.Combine == Sum {
		for i, h := range found.hits {
			words, data := f.value(found, i)
			r += (words + data) * w.page[h.entity]
		}
		return r, -1
	}
	clear(f.scores)
	for i, h := range found.hits {
		words, data := f.value(found, i)
		k := words + data
		for _, t := range w.rows[h.entity] {
			f.scores[t.target] += k * t.weight
		}
	}
	for t, score := range f.scores {
		if f.opts.Combine == Min && score < f.scores[target] || f.opts.Combine == Max && score > f.scores[target] {
			target = t
		}
	}
	return f.scores[target], target
}

// reasons returns r and the entities that contribute to it, heaviest first.
func (f *Focus) reasons(found *findings, r float64, target int) []orbweaver.Reason {
	reasons := make([]orbweaver.Reason, 1, len(found.hits)+1)
	reasons[0] = orbweaver.Reason{Rule: RuleRaw, Weight: r}
	for i, h := range found.hits {
		if w := f.weightOf(found, h.entity, target); w > 0 {
			reasons = f.appendEntity(reasons, found, i, w)
		}
	}
	order.Stably(reasons[1:], func(a, b orbweaver.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	return f.appendTelling(reasons[:min(len(reasons), maxReasons+1)], found)
}
