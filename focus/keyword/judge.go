package keyword

import (
	"cmp"
	"context"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/internal/order"
)

// RuleTerm is the rule of page judgements: a term that the page names, in which words, and its part of the
// score.
const RuleTerm = "term"

// The constants of a page's score. They are round numbers, chosen by how soon crawls of seven topics found
// relevant pages (docs/explanation/measurements.md).
const (
	inTitle   = 4   // count of a term in the title, however often and however long the page
	inHeading = 2   // additional count of an occurrence in a heading
	usual     = 200 // words of a page on which an occurrence in the text counts 1
	byLength  = 0.5 // part of an occurrence's count that decreases with the length of the page
	half      = 0.5 // strength that scores one half, for the rarest term
	linkHalf  = 2   // strength that is worth one half to the links of a page
)

// strength returns how strongly a page names a term: it grows with every occurrence and decreases with the
// length of the page, in words.
func (h hit) strength(words int) float64 {
	length := 1 - byLength + byLength*float64(words)/usual
	strength := float64(inHeading*h.headings+h.text) / length
	if h.title > 0 {
		strength += inTitle
	}
	return strength
}

// Judge scores a page r/(r+½), where r is the sum over terms of strength times rarity. The weights of the
// reasons add up to the score, heaviest first; the reason for a calibrated threshold comes last.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := f.score(f.findings(p))
	j.Reasons = links.AppendListed(j.Reasons, p)
	if f.opts.Accept != nil {
		j.Accepted = j.Score >= *f.opts.Accept
	} else {
		f.accept.Judge(&j)
	}
	return j, nil
}

// lends returns the part of a page's score that its links inherit: r/(r+2).
func lends(score float64) float64 {
	return score / (score + linkHalf/half*(1-score))
}

// score returns the judgement without a verdict.
func (f *Focus) score(found *findings) orbweaver.Judgement {
	if len(found.hits) == 0 {
		return orbweaver.Judgement{}
	}
	r := 0.0
	reasons := make([]orbweaver.Reason, len(found.hits))
	for i, h := range found.hits {
		part := f.rarity.shares[h.term] * h.strength(found.words)
		r += part
		reasons[i] = orbweaver.Reason{Rule: RuleTerm, Evidence: h.evidence, Weight: part / half}
	}
	score := r / (r + half)
	for i := range reasons {
		reasons[i].Weight *= 1 - score // r/(r+h) = (r/h) · (1 − r/(r+h))
	}
	order.Stably(reasons, func(a, b orbweaver.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	return orbweaver.Judgement{Score: score, Reasons: reasons}
}
