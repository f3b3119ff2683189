// Package rdftest supports tests of RDF code: it compares graphs, and reads the W3C test suites and other real
// data from their archives. Only tests use it.
//
// This package is not part of the stable API.
package rdftest

import (
	"cmp"
	"fmt"
	"hash/maphash"
	"slices"

	"orbweaver/rdf"
)

// maxSteps bounds the search among indistinguishable blank nodes. Graphs of test suites need a few.
const maxSteps = 100_000

// Isomorphic reports whether two sets of triples are the same graph but for the labels of their
// blank nodes (RDF 1.1 Concepts, section 3.6). Repeated triples count once. It gives up, and says
// false, on graphs made to be hard.
func Isomorphic(a, b []rdf.Triple) bool { return IsomorphicQuads(quads(a), quads(b)) }

// quads returns triples as quads of the default graph.
func quads(triples []rdf.Triple) []rdf.Quad {
	out := make([]rdf.Quad, len(triples))
	for i, t := range triples {
		out[i] = rdf.Quad{S: t.S, P: t.P, O: t.O}
	}
	return out
}

// IsomorphicQuads does the same for datasets, whose graphs may be named by blank nodes and share them
// (section 4.1).
func IsomorphicQuads(a, b []rdf.Quad) bool {
	a, b = distinct(a), distinct(b)
	if len(a) != len(b) {
		return false
	}
	m := matcher{seed: maphash.MakeSeed(), a: a, b: b, left: maxSteps}
	return m.match(map[rdf.Term]uint64{}, map[rdf.Term]uint64{})
}

// distinct returns the quads without repetitions.
func distinct(quads []rdf.Quad) []rdf.Quad {
	seen := make(map[rdf.Quad]bool, len(quads))
	var out []rdf.Quad
	for _, q := range quads {
		if !seen[q] {
			seen[q] = true
			out = append(out, q)
		}
	}
	return out
}

// A matcher colours blank nodes by their surroundings until colours distinguish them; if they do not, it tries
// every pairing of nodes of one colour.
type matcher struct {
	seed maphash.Seed
	a, b []rdf.Quad
	left int
}

// match decides with some nodes coloured already.
func (m *matcher) match(fixedA, fixedB map[rdf.Term]uint64) bool {
	if m.left--; m.left < 0 {
		return false
	}
	coloursA, coloursB := m.refine(m.a, fixedA), m.refine(m.b, fixedB)
	groupsA, groupsB := groups(coloursA), groups(coloursB)
	if len(groupsA) != len(groupsB) {
		return false
	}
	var open []rdf.Term // the smallest group of several
	var others []rdf.Term
	for colour, nodes := range groupsA {
		if len(groupsB[colour]) != len(nodes) {
			return false
		}
		if len(nodes) > 1 && (open == nil || len(nodes) < len(open)) {
			open, others = nodes, groupsB[colour]
		}
	}
	if open == nil {
		return m.equal(coloursA, coloursB)
	}
	slices.SortFunc(open, func(x, y rdf.Term) int { return cmp.Compare(x.Value, y.Value) })
	for _, other := range others {
		mark := uint64(len(fixedA) + 1)
		if m.match(with(fixedA, open[0], mark), with(fixedB, other, mark)) {
			return true
		}
	}
	return false
}

// with returns a copy of a map with one more entry.
func with(m map[rdf.Term]uint64, key rdf.Term, value uint64) map[rdf.Term]uint64 {
	out := make(map[rdf.Term]uint64, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	out[key] = value
	return out
}

// groups returns the nodes of each colour.
func groups(colours map[rdf.Term]uint64) map[uint64][]rdf.Term {
	out := map[uint64][]rdf.Term{}
	for node, colour := range colours {
		out[colour] = append(out[colour], node)
	}
	return out
}

// refine colours the blank nodes until a round distinguishes no more of them.
func (m *matcher) refine(quads []rdf.Quad, fixed map[rdf.Term]uint64) map[rdf.Term]uint64 {
	colours := map[rdf.Term]uint64{}
	for _, q := range quads {
		for _, term := range [...]rdf.Term{q.S, q.O, q.G} {
			term.Each(func(term rdf.Term) {
				if term.Kind == rdf.Blank {
					colours[term] = fixed[term]
				}
			})
		}
	}
	for count := len(groups(colours)); ; {
		next := make(map[rdf.Term]uint64, len(colours))
		for node, colour := range colours {
			next[node] = maphash.Comparable(m.seed, colour)
		}
		for _, q := range quads {
			for place, term := range [...]rdf.Term{q.S, q.O, q.G} {
				term.Each(func(node rdf.Term) {
					if node.Kind == rdf.Blank { // sums: the order of quads is irrelevant
						next[node] += maphash.Comparable(m.seed, [...]any{
							place, q.P, colour(colours, q.S, node), colour(colours, q.O, node), colour(colours, q.G, node),
						})
					}
				})
			}
		}
		n := len(groups(next))
		colours = next
		if n == count {
			return colours
		}
		count = n
	}
}

// colour returns what a term looks like from a node.
func colour(colours map[rdf.Term]uint64, t, from rdf.Term) any {
	switch {
	case t.Kind == rdf.TripleTerm:
		return t.Map(func(part rdf.Term) rdf.Term {
			if part.Kind == rdf.Blank { // a colour in place of the label
				part.Value = fmt.Sprint(colour(colours, part, from))
			}
			return part
		})
	case t == from:
		return "self"
	case t.Kind == rdf.Blank:
		return colours[t]
	}
	return t
}

// equal reports whether the graphs are equal when nodes of one colour are one node.
func (m *matcher) equal(coloursA, coloursB map[rdf.Term]uint64) bool {
	byColour := make(map[uint64]rdf.Term, len(coloursB))
	for node, colour := range coloursB {
		byColour[colour] = node
	}
	translate := func(t rdf.Term) rdf.Term {
		return t.Map(func(t rdf.Term) rdf.Term {
			if t.Kind == rdf.Blank {
				return byColour[coloursA[t]]
			}
			return t
		})
	}
	inB := make(map[rdf.Quad]bool, len(m.b))
	for _, q := range m.b {
		inB[q] = true
	}
	for _, q := range m.a {
		if !inB[rdf.Quad{S: translate(q.S), P: q.P, O: translate(q.O), G: translate(q.G)}] {
			return false
		}
	}
	return true
}
