package labels

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// A Ground is the reason why an item has a label.
type Ground string

// The grounds, strongest first.
const (
	ByTerm    Ground = "term"    // the label is one of its terms
	ByAlpha   Ground = "alpha"   // one of its terms implies the label
	ByBeta    Ground = "beta"    // some of its terms together imply the label
	ByBroader Ground = "broader" // it has a narrower label
)

// A Held is a label that an item has.
type Held struct {
	Label    string
	By       Ground
	Strength float64 // above 0, to 1: see Classify
}

// A proof is the derivation of a label from an item's terms, without the hierarchy.
type proof struct {
	label       uint32
	own         bool
	alpha, beta []evidence
}

// evidence is a term of an item that supports a label.
type evidence struct {
	label, term uint32
	bits        uint8 // 0: term and label are the same
	p           float64
}

// Classify returns the labels of an item, the strongest first, then by name. The strength of a label that is
// a term is 1; of one by a rule, the highest P(label|term) among the terms that imply it; of a broader one,
// the strength of its strongest narrower label.
//
// Only the rules of the item's terms are examined, at most some dozen per term, and the hierarchy above the
// labels they imply: this takes microseconds, and nothing is stored.
func (m *Model) Classify(it Item) []Held {
	proofs := m.proofs(m.known(it))
	found := make(map[uint32]Held, 2*len(proofs))
	for i := range proofs {
		by, strength := proofs[i].ground()
		found[proofs[i].label] = Held{m.terms.all[proofs[i].label].text, by, strength}
	}
	for i := range proofs {
		_, strength := proofs[i].ground()
		m.above([]uint32{proofs[i].label}, func(x uint32) {
			if h, known := found[x]; !known || h.By == ByBroader && h.Strength < strength {
				found[x] = Held{m.terms.all[x].text, ByBroader, strength}
			}
		})
	}
	all := make([]Held, 0, len(found))
	for _, h := range found {
		all = append(all, h)
	}
	order.By(all, func(a, b Held) int {
		return cmp.Or(cmp.Compare(b.Strength, a.Strength), strings.Compare(a.Label, b.Label))
	})
	return all
}

// Holds reports whether an item has a label, by backward chaining from the label to rules that the item's
// terms satisfy, and to narrower labels.
func (m *Model) Holds(it Item, label string) bool {
	goal, ok := m.labelOf(label)
	if !ok {
		return false
	}
	own := m.known(it)
	if p := m.prove(goal, own); p.holds(m) {
		return true
	}
	for _, p := range m.proofs(own) { // a narrower label that holds is one of these, or narrower than one
		above := false
		m.above([]uint32{p.label}, func(x uint32) { above = above || x == goal })
		if above {
			return true
		}
	}
	return false
}

// known returns the numbers of an item's terms that the model knows.
func (m *Model) known(it Item) []uint32 {
	var own []uint32
	for _, t := range it.terms(m.p.Terms) {
		if i, known := m.terms.index[t.Text]; known {
			own = append(own, i)
		}
	}
	return own
}

// proofs returns the proofs of all labels that follow from terms without the hierarchy, in order of numbers.
func (m *Model) proofs(own []uint32) []proof {
	var all []evidence
	for _, t := range own {
		if m.terms.all[t].label() {
			all = append(all, evidence{label: t, term: t, p: 1})
		}
		for _, e := range m.terms.all[t].out {
			p := m.pairs.at(e.at)
			side := p.sideOf(t)
			bits := p.bits[side] & (alphaBit | betaBit)
			if _, x := p.given(side); bits != 0 && m.terms.all[x].label() {
				all = append(all, evidence{x, t, bits, p.n / m.terms.all[t].n})
			}
		}
	}
	order.By(all, func(a, b evidence) int {
		return cmp.Or(cmp.Compare(a.label, b.label), cmp.Compare(b.p, a.p), cmp.Compare(a.term, b.term))
	})
	var found []proof
	for group := range slices.Values(groups(all)) {
		if p := gather(group); p.holds(m) {
			found = append(found, p)
		}
	}
	return found
}

// groups splits sorted evidence by label.
func groups(all []evidence) (groups [][]evidence) {
	for start, i := 0, 1; i <= len(all); i++ {
		if i == len(all) || all[i].label != all[start].label {
			groups = append(groups, all[start:i])
			start = i
		}
	}
	return groups
}

// gather combines the evidence for one label in a proof, which may be insufficient.
func gather(group []evidence) proof {
	p := proof{label: group[0].label}
	for _, e := range group {
		switch {
		case e.bits == 0:
			p.own = true
		case e.bits&alphaBit != 0:
			p.alpha = append(p.alpha, e)
		default:
			p.beta = append(p.beta, e)
		}
	}
	return p
}

// prove returns the proof of one label, which may be insufficient, by looking up the pairs of the label and
// each term.
func (m *Model) prove(label uint32, own []uint32) proof {
	var all []evidence
	for _, t := range own {
		if t == label {
			all = append(all, evidence{label: t, term: t, p: 1})
			continue
		}
		i, known := m.pairs.find(min(t, label), max(t, label))
		if !known {
			continue
		}
		p := m.pairs.at(i)
		if bits := p.bits[p.sideOf(t)] & (alphaBit | betaBit); bits != 0 {
			all = append(all, evidence{label, t, bits, p.n / m.terms.all[t].n})
		}
	}
	if len(all) == 0 {
		return proof{label: label}
	}
	order.By(all, func(a, b evidence) int {
		return cmp.Or(cmp.Compare(b.p, a.p), cmp.Compare(a.term, b.term))
	})
	return gather(all)
}

// holds reports whether a proof is sufficient.
func (p *proof) holds(m *Model) bool {
	return p.own || len(p.alpha) > 0 || len(p.beta) >= m.p.together(m.terms.all[p.label].beta)
}

// ground returns the ground and strength of a sufficient proof.
func (p *proof) ground() (Ground, float64) {
	switch {
	case p.own:
		return ByTerm, 1
	case len(p.alpha) > 0:
		return ByAlpha, p.alpha[0].p
	}
	return ByBeta, p.beta[0].p
}
