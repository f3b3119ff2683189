package segment

import "maps"

// A Model is learned from a treebank: sentence boundaries, and the tokens of words that do not follow the
// rules. It is immutable and safe for concurrent use.
type Model struct {
	language      string
	weights       []int8            // by feature, 1 << weightBits of them; a unit is 1/unit
	lexicon       lexicon           // of English and the like: capitals
	cuts          map[string]string // as in rules
	abbreviations map[string]bool   // as in rules
	prefixes      map[string]bool   // as in rules, but false for those that are parted
}

// unit is the integer that encodes a weight of 1.
const unit = 24

// Segmenter returns a segmenter for the model's language.
func (m *Model) Segmenter() *Segmenter {
	return &Segmenter{rules: m.rules(), judge: m, lexicon: &m.lexicon}
}

// rules returns the rules of the model's language, extended by the learned ones.
func (m *Model) rules() *rules {
	r := newRules(m.language)
	maps.Copy(r.abbreviations, m.abbreviations)
	maps.Copy(r.prefixes, m.prefixes)
	for word, lengths := range m.cuts {
		r.setCut(word, lengths)
	}
	return r
}

// sure is the absolute sum of near weights from which far features are skipped.
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
