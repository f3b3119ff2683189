package ontology

import (
	"slices"
	"strings"

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
	if t.S.Kind == rdf.Blank || t.O.Kind == rdf.Blank {
		return
	}
	role, s, o := roleOf(t.P.Value), t.S.Value, t.O.Value
	if t.O.Kind == rdf.Literal {
		g.removeWords(role, s, t)
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
		g.parts[s] = without(g.parts[s], part{t.P.Value, o})
	case roleOntolex:
		g.ontolex = without(g.ontolex, statement{s, t.P.Value, o})
	case roleRelated:
		g.statements = without(g.statements, statement{s, "", o})
	case roleStatement:
		g.statements = without(g.statements, statement{s, t.P.Value, o})
	}
	g.marking = without(g.marking, statement{s, t.P.Value, o})
}

// removeConcepts removes the SKOS statements between two nodes, one below the other, in either direction.
func (g *gatherer) removeConcepts(below, above string) {
	g.marking = slices.DeleteFunc(slices.Clone(g.marking), func(m statement) bool {
		switch roleOf(m.p) {
		case roleSubClass:
			return m.s == below && m.o == above
		case roleNarrower:
			return m.s == above && m.o == below
		}
		return false
	})
}

// removeWords is remove for a triple whose object is a literal.
func (g *gatherer) removeWords(role role, s string, t rdf.Triple) {
	text := strings.Join(strings.Fields(t.O.Value), " ")
	switch {
	case role == roleLabel:
		g.labels = without(g.labels, label{s, text, t.O.Lang, labelRank(t.P.Value)})
	case t.P.Value == nsOntolex+"writtenRep":
		g.written = without(g.written, label{s, text, t.O.Lang, writtenRank})
	}
}

// remark recomputes all marks from the remaining statements.
func (g *gatherer) remark() {
	clear(g.marks)
	for _, s := range g.marking {
		g.markBy(s)
	}
	for _, p := range g.types {
		g.marks[p.s] |= 0 // creates an entry: the node is mentioned
	}
}

// without returns a list without one value; the list itself if it lacks the value.
func without[T comparable](list []T, v T) []T {
	if !slices.Contains(list, v) {
		return list
	}
	return slices.DeleteFunc(slices.Clone(list), func(have T) bool { return have == v })
}
