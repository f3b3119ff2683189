package segment

import "maps"

// A Model is what was learned from a treebank: where its sentences end, and how its words are parted
// where that is not by rule. It never changes, and any number of goroutines may share one.
type Model struct {
	language      string
	weights       []int8            // by feature, 1 << weightBits of them; a unit is 1/unit
	lexicon       lexicon           // of English and the like: capitals
	cuts          map[string]string // as in rules
	abbreviations map[string]bool   // as in rules
	prefixes      map[string]bool   // as in rules, but false for those that are parted
}

// unit is how many steps a weight of 1 has.
const unit = 24

// Segmenter returns a segmenter by the model, for the language that it was taught.
func (m *Model) Segmenter() *Segmenter {
	return &Segmenter{rules: m.rules(), judge: m, lexicon: &m.lexicon}
}

// rules returns the rules of the model's language with what was learned.
func (m *Model) rules() *rules {
	r := newRules(m.language)
	maps.Copy(r.abbreviations, m.abbreviations)
	maps.Copy(r.prefixes, m.prefixes)
	for word, lengths := range m.cuts {
		r.setCut(word, lengths)
	}
	return r
}

// sure is the sum of near features' weights from which on, up or down, no others are looked at.
const sure = 5 * unit / 2

func (m *Model) ends(g *gap) bool {
	var v view
	s := g.lookNear(&v, &m.lexicon)
	sum := m.sum(v.near())
	if sum > sure || sum < -sure {
		return sum > 0
	}
	g.lookFar(&v, &m.lexicon, &s)
	return sum+m.sum(v.far()) > 0
}

func (m *Model) sum(places []uint32) (sum int) {
	for _, i := range places {
		sum += int(m.weights[i])
	}
	return sum
}
