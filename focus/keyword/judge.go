package keyword

import (
	"cmp"
	"context"
	"slices"

	"orbweaver"
)

// RuleTerm is the rule of page judgements: a term that the page names, in what words, and its part of
// the score.
const RuleTerm = "term"

// What a page's score is made of. The constants are round, and were chosen by how soon crawls of seven
// topics found what is relevant (docs/measurements.md).
const (
	inTitle   = 4   // what a term in the title counts, however often and however long the page
	inHeading = 2   // what one in a heading counts more than one in the text
	usual     = 200 // words of a page on which an occurrence in the text counts 1
	byLength  = 0.5 // how much of an occurrence's worth falls with the length of the page
	half      = 0.5 // what scores one half, where the term is the rarest
	linkHalf  = 2   // what is worth one half to the links of a page
)

// strength is how strongly a page of so many words names a term: it grows with every occurrence, and
// falls with the length of the page.
func (h hit) strength(words int) float64 {
	length := 1 - byLength + byLength*float64(words)/usual
	strength := float64(inHeading*h.headings+h.text) / length
	if h.title > 0 {
		strength += inTitle
	}
	return strength
}

// Judge scores a page r/(r+½), r being the sum of how strongly it names each term times how rare the
// term is. The weights of the reasons add up to the score, heaviest first; behind them stands the threshold
// where it is calibrated.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	j := f.score(f.findings(p))
	if f.opts.Accept != nil {
		j.Accepted = j.Score >= *f.opts.Accept
	} else {
		f.accept.Judge(&j)
	}
	return j, nil
}

// lends is what the score of a page says of where its links lead: r/(r+2).
func lends(score float64) float64 {
	return score / (score + linkHalf/half*(1-score))
}

// score is Judge without a verdict.
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
	slices.SortStableFunc(reasons, func(a, b orbweaver.Reason) int { return cmp.Compare(b.Weight, a.Weight) })
	return orbweaver.Judgement{Score: score, Reasons: reasons}
}
