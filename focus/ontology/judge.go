package ontology

import (
	"cmp"
	"context"
	"slices"

	"orbweaver"
)

// The rules of page judgements.
const (
	RuleRaw    = "raw"    // the relevance r (step III), before it becomes a score
	RuleEntity = "entity" // an entity of a relevance set is named: by what words, and its share of r
)

const maxReasons = 10 // entities told of, the ten most relevant ones, as in the paper's section 2

// halfRelevant is the relevance r that scores one half: about that of a page on which every
// twentieth word names a target.
const halfRelevant = 0.05

// scoreOf maps a relevance r ≥ 0 (step III) to 0..1, monotonically: r/(r+h), where h is halfRelevant,
// or 1 when counts are not divided by length.
func (f *Focus) scoreOf(r float64) float64 {
	if f.opts.RawCounts {
		return r / (r + 1)
	}
	return r / (r + halfRelevant)
}

// Judge scores a page by steps I to III. The first reason has r; the weights of the others are shares
// of it, and add up to it where the page names ten entities or fewer.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := f.findings(p)
	r, target := f.relevance(found)
	j := orbweaver.Judgement{Score: f.scoreOf(r), Accepted: found.satisfies}
	if f.opts.Accept != nil {
		j.Accepted = j.Score >= *f.opts.Accept
	}
	if r > 0 {
		j.Reasons = f.reasons(found, r, target)
	}
	return j, nil
}

// findings returns what Prepare found. A page that comes without, or was prepared before the last
// decision, is prepared now, and once: what was read ahead makes no other crawl.
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

// frequency is step I: matches × idf / words.
func (f *Focus) frequency(h hit, words int) float64 {
	k := float64(h.count) * f.idf.of(h.entity)
	if f.opts.RawCounts {
		return k
	}
	return k / float64(max(words, 1))
}

// relevance is steps II and III: r, and for Min and Max the target (its position) that gave it.
func (f *Focus) relevance(found *findings) (r float64, target int) {
	w := &found.by.weights
	if f.opts.Combine == Sum {
		for _, h := range found.hits {
			r += f.frequency(h, found.words) * w.page[h.entity]
		}
		return r, -1
	}
	clear(f.scores)
	for _, h := range found.hits {
		k := f.frequency(h, found.words)
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

// reasons are r and the entities that made it, heaviest first.
func (f *Focus) reasons(found *findings, r float64, target int) []orbweaver.Reason {
	reasons := make([]orbweaver.Reason, 1, len(found.hits)+1)
	reasons[0] = orbweaver.Reason{Rule: RuleRaw, Weight: r}
	for i, h := range found.hits {
		w := found.by.weights.page[h.entity]
		if target >= 0 {
			w = found.by.weights.of(h.entity, target)
		}
		if w > 0 {
			reasons = append(reasons, orbweaver.Reason{
				Rule: RuleEntity, Evidence: found.evidence[i], Weight: f.frequency(h, found.words) * w,
			})
		}
	}
	slices.SortStableFunc(reasons[1:], func(a, b orbweaver.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	return reasons[:min(len(reasons), maxReasons+1)]
}
