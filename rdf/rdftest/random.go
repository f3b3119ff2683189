package rdftest

import (
	"fmt"
	"math/rand/v2"

	"orbweaver/rdf"
)

// Random returns n quads or a few more, as a random source has it: of few nodes, so that many meet,
// with lists, circles of blank nodes and literals that are hard to write. Without graphs all are in
// the default graph. Few enough quads (30) are compared by IsomorphicQuads with ease.
func Random(r *rand.Rand, n int, graphs bool) []rdf.Quad {
	m := maker{r: r, graphs: graphs, pool: 1 + r.IntN(8)}
	for len(m.out) < n {
		m.graph = m.pickGraph()
		switch r.IntN(6) {
		case 0:
			m.add(m.resource(), m.predicate(), m.list(r.IntN(4)))
		case 1:
			node := m.fresh()
			m.add(node, m.predicate(), m.object())
			m.add(m.resource(), m.predicate(), node)
			m.add(node, m.predicate(), m.object())
		default:
			m.add(m.resource(), m.predicate(), m.object())
		}
	}
	return m.out
}

// A maker makes statements.
type maker struct {
	r      *rand.Rand
	graphs bool
	pool   int // of how many nodes of each kind
	graph  rdf.Term
	labels int
	out    []rdf.Quad
}

func (m *maker) add(s, p, o rdf.Term) { m.out = append(m.out, rdf.Quad{S: s, P: p, O: o, G: m.graph}) }

// fresh returns a blank node that was not there.
func (m *maker) fresh() rdf.Term {
	m.labels++
	return rdf.NewBlank(fmt.Sprintf("f%d", m.labels))
}

func (m *maker) pickGraph() rdf.Term {
	if !m.graphs || m.r.IntN(2) == 0 {
		return rdf.Term{}
	}
	return m.resource()
}

// pick returns one of some strings.
func (m *maker) pick(of ...string) string { return of[m.r.IntN(len(of))] }

func (m *maker) resource() rdf.Term {
	n := m.r.IntN(m.pool)
	switch m.r.IntN(5) {
	case 0, 1:
		return rdf.NewBlank([]string{"b", "genid", "x.y-"}[n%3] + fmt.Sprint(n))
	case 2:
		return rdf.NewIRI(m.pick("http://e.org/a(b)", "http://e.org/", "urn:x", "http://e.org/a/é.ü", "http://e.org/a#-", "http://e.org/a#1.", rdfNS+"nil"))
	}
	return rdf.NewIRI(fmt.Sprintf("http://e.org/ns#t%d", n))
}

func (m *maker) predicate() rdf.Term {
	return rdf.NewIRI(m.pick("http://e.org/ns#p", "http://e.org/ns#q", kindOf, first, rest, "http://f.org/v/p.q"))
}

func (m *maker) object() rdf.Term {
	if m.r.IntN(2) == 0 {
		return m.resource()
	}
	value := m.pick("", "a", `"`, `\`, "a\nb", "\n\"", "\r\t\x00", "é\U0001F600", "1", "-1.5", "1e6", ".5", "1.", "true", "'''", `"""`, `\u0041`)
	switch m.r.IntN(5) {
	case 0:
		return rdf.NewDirLang(value, m.pick("en", "de-AT"), rdf.Direction(m.r.IntN(3)))
	case 4:
		if m.r.IntN(3) == 0 {
			return rdf.NewTripleTerm(rdf.Triple{S: m.resource(), P: m.predicate(), O: m.object()})
		}
	case 1:
		return rdf.NewTyped(value, m.pick(rdf.XSDInteger, rdf.XSDDecimal, rdf.XSDDouble, rdf.XSDBoolean, "http://e.org/ns#t"))
	}
	return rdf.NewString(value)
}

// list adds a list, and returns its head. Some have a cell that something else uses, too, or of which
// more is said.
func (m *maker) list(length int) rdf.Term {
	if length == 0 {
		return rdf.NewIRI(rdfNS + "nil")
	}
	cell := m.fresh()
	m.add(cell, rdf.NewIRI(first), m.object())
	if m.r.IntN(10) == 0 {
		m.add(cell, m.predicate(), m.object())
	}
	m.add(cell, rdf.NewIRI(rest), m.list(length-1))
	if m.r.IntN(10) == 0 {
		m.add(m.resource(), m.predicate(), cell)
	}
	return cell
}
