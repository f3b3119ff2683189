package labels

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
)

// A Proof is one derivation of a label from an item.
type Proof struct {
	Own      bool       // the label Chain starts with is a term of the item
	Alpha    []Evidence // terms that imply it alone
	Beta     []Evidence // terms that imply it together, if at least Together are present
	Together int        // δ of that label
	Of       int        // size of its Beta set
	Chain    []string   // a shortest path by nearest broader labels, from a label that follows from the terms to the requested one
}

// Evidence is a term of an item with P(label|term).
type Evidence struct {
	Term string
	P    float64
}

// Why returns the derivations of a label: first from the item's terms, then by narrower labels, by the length
// of the chain and its names. It is empty if the item lacks the label.
func (m *Model) Why(it Item, label string) []Proof {
	goal, ok := m.labelOf(label)
	if !ok {
		return nil
	}
	var all []Proof
	for _, p := range m.proofs(m.known(it)) {
		if chain := m.chain(p.label, goal); chain != nil {
			all = append(all, Proof{
				Own: p.own, Alpha: m.evidence(p.alpha), Beta: m.evidence(p.beta), Chain: m.texts(chain),
				Together: m.p.together(m.terms.all[p.label].beta), Of: int(m.terms.all[p.label].beta),
			})
		}
	}
	order.By(all, func(a, b Proof) int {
		return cmp.Or(cmp.Compare(len(a.Chain), len(b.Chain)), slices.CompareFunc(a.Chain, b.Chain, strings.Compare))
	})
	return all
}

func (m *Model) evidence(all []evidence) []Evidence {
	var shown []Evidence
	for _, e := range all {
		shown = append(shown, Evidence{m.terms.all[e.term].text, e.p})
	}
	return shown
}

// chain returns a shortest path from a label to a broader one by nearest broader labels, both included, the
// first by names; nil if there is none.
func (m *Model) chain(from, to uint32) []uint32 {
	below := map[uint32]uint32{from: from}
	for next := []uint32{from}; len(next) > 0; next = next[1:] {
		if next[0] == to {
			break
		}
		for _, x := range m.nearest(next[0]) {
			if _, seen := below[x]; !seen {
				below[x] = next[0]
				next = append(next, x)
			}
		}
	}
	if _, reached := below[to]; !reached {
		return nil
	}
	chain := []uint32{to}
	for at := to; at != from; {
		at = below[at]
		chain = append(chain, at)
	}
	slices.Reverse(chain)
	return chain
}
