package ontology

import (
	"slices"

	"orbweaver/rdf"
)

// Without returns the ontology without some statements: the inverse of With. A statement is removed from all
// documents, and so are its synonyms: for a class below another, rdfs:subClassOf, skos:broader and
// skos:narrower are equivalent. An entity that loses its last label is named by its local name, like one that
// never had a label; one without statements is removed. Unknown statements change nothing, and neither do
// those about blank nodes, which have no name outside their document. The receiver is unchanged; graphs are
// ignored.
func (o *Ontology) Without(statements []rdf.Quad) *Ontology {
	g := o.source.clone()
	for _, q := range statements {
		g.remove(rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	g.remark()
	return g.ontology()
}

// remove removes a triple from all lists: the inverse of add.
func (g *gatherer) remove(t rdf.Triple) {
	if t.S.Kind == rdf.Blank || t.O.Kind == rdf.Blank || t.O.Kind == rdf.TripleTerm {
		return
	}
	role := roleOf(t.P.Value)
	s, known := g.names.find(t.S.Value)
	if !known {
		return
	}
	p, ok := g.names.find(t.P.Value) // a synonym may be in the documents where this one is not
	if !ok {
		p = unknown
	}
	if t.O.Kind == rdf.Literal {
		g.removeWords(role, s, t)
		return
	}
	o, ok := g.names.find(t.O.Value)
	if !ok {
		return
	}
	switch role {
	case roleType:
		g.types = without(g.types, pair{s, o})
	case roleSubClass:
		g.subs = without(g.subs, pair{s, o})
		g.removeConcepts(s, o)
	case roleNarrower:
		g.subs = without(g.subs, pair{o, s})
		g.removeConcepts(o, s)
	case roleSubProp:
		g.subProps = without(g.subProps, pair{s, o})
	case roleEqual:
		g.equals = without(g.equals, pair{s, o})
	case roleDomain:
		g.domains = without(g.domains, pair{s, o})
	case roleRange:
		g.ranges = without(g.ranges, pair{s, o})
	case roleExpression:
		g.parts[s] = without(g.parts[s], part{p, o})
	case roleOntolex:
		g.ontolex = without(g.ontolex, statement{s, p, o})
	case roleRelated:
		g.statements = without(g.statements, statement{s, none, o})
	case roleStatement:
		g.statements = without(g.statements, statement{s, p, o})
	}
	g.marking = without(g.marking, statement{s, p, o})
}

// removeConcepts removes the SKOS statements between two nodes, one below the other, in either direction.
func (g *gatherer) removeConcepts(below, above node) {
	g.marking = slices.DeleteFunc(slices.Clone(g.marking), func(m statement) bool {
		switch g.names.roles[m.p] {
		case roleSubClass:
			return m.s == below && m.o == above
		case roleNarrower:
			return m.s == above && m.o == below
		}
		return false
	})
}

// removeWords is remove for a triple whose object is a literal.
func (g *gatherer) removeWords(role role, s node, t rdf.Triple) {
	text := spaced(t.O.Value)
	switch {
	case role == roleLabel:
		g.labels = without(g.labels, label{text, t.O.Lang, s, uint8(labelRank(t.P.Value))})
	case t.P.Value == nsOntolex+"writtenRep":
		g.written = without(g.written, label{text, t.O.Lang, s, writtenRank})
	}
}

// remark recomputes all marks from the remaining statements.
func (g *gatherer) remark() {
	for i := range g.marks {
		g.marks[i] &= noEntity
	}
	for _, s := range g.marking {
		g.markBy(s)
	}
	for _, p := range g.types {
		g.marks[p.s] |= mentioned
	}
}

// without returns a list without one value; the list itself if it lacks the value.
func without[T comparable](list []T, v T) []T {
	if !slices.Contains(list, v) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(have T) bool { return have == v })
}
