package verdicts

import (
	"cmp"
	"math"
	"slices"

	"orbweaver/internal/order"
)

// A Word is the stem of a word with the weight that the verdicts gave it: what a page that consists of this word gains in log
// odds.
type Word struct {
	Stem   string  `json:"stem"`
	Weight float64 `json:"weight"`
}

// Words returns up to n words that speak for a page, and up to n that speak against it, the heaviest first.
func (m *Model) Words(n int) (in, out []Word) {
	for stem, weight := range m.weights {
		if weight > 0 {
			in = append(in, Word{stem, weight})
		} else {
			out = append(out, Word{stem, weight})
		}
	}
	for _, list := range []*[]Word{&in, &out} {
		order.By(*list, func(a, b Word) int {
			return cmp.Or(cmp.Compare(math.Abs(b.Weight), math.Abs(a.Weight)), cmp.Compare(a.Stem, b.Stem))
		})
		*list = slices.Clone((*list)[:min(n, len(*list))])
	}
	return in, out
}

// Height returns what the verdicts add to the log odds of any page, whatever its words.
func (m *Model) Height() float64 { return m.height }

// Threshold returns the score from which a page without any word that counts is accepted, if the focus alone accepts from
// threshold on, which is between 0 and 1.
func (m *Model) Threshold(threshold float64) float64 {
	return logistic(odds(threshold) - m.height/sharp)
}
