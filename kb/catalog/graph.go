package catalog

import (
	"iter"
	"slices"
	"strings"

	"orbweaver/rdf"
)

// The namespaces of dataset descriptions.
const (
	nsVoid = "http://rdfs.org/ns/void#"
	nsDCAT = "http://www.w3.org/ns/dcat#"
	nsSD   = "http://www.w3.org/ns/sparql-service-description#"
	nsDCT  = "http://purl.org/dc/terms/"
	nsDC   = "http://purl.org/dc/elements/1.1/"
	nsFOAF = "http://xmlns.com/foaf/0.1/"
	nsRDF  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS = "http://www.w3.org/2000/01/rdf-schema#"

	rdfType = nsRDF + "type"
	sameAs  = "http://www.w3.org/2002/07/owl#sameAs"
)

// A graph holds the statements about datasets, by subject. Statements with other predicates are dropped.
type graph struct {
	nodes map[rdf.Term]*node
	order []rdf.Term // subjects, in order of first occurrence
	left  int        // number of objects that may still be examined
}

// The bound on examined objects: without it, nodes shared by many others, each with many objects, would cost
// their product.
const (
	leastWork    = 1_000_000 // objects
	workPerState = 20        // additional objects per statement
)

// A node has the distinct objects of a subject, by predicate.
type node struct {
	values map[string][]rdf.Term
	known  map[rdf.Triple]bool // for long lists only: short ones are searched directly
}

// relevant reports whether a predicate describes datasets.
func relevant(p string) bool {
	for _, ns := range [...]string{nsVoid, nsDCAT, nsSD} {
		if strings.HasPrefix(p, ns) {
			return true
		}
	}
	switch p {
	case rdfType, sameAs, nsRDF + "value", nsRDFS + "label",
		nsDCT + "title", nsDCT + "description", nsDCT + "identifier", nsDCT + "modified", nsDCT + "issued",
		nsDCT + "format", nsDCT + "conformsTo", nsDCT + "hasPart",
		nsDC + "title", nsDC + "description", nsDC + "identifier", nsFOAF + "homepage", nsDCT + "alternative", nsFOAF + "primaryTopic", nsFOAF + "topic":
		return true
	}
	return false
}

// gather collects statements in a graph.
func (r *reading) gather(quads iter.Seq2[rdf.Quad, error]) *graph {
	g := &graph{nodes: map[rdf.Term]*node{}}
	kept := 0
	for q, err := range quads {
		if err != nil {
			r.problem("", "%w", err)
			continue
		}
		if !relevant(q.P.Value) {
			continue
		}
		if kept >= r.limits.Statements {
			r.problem("", "more than %d statements about datasets: the rest is left out", r.limits.Statements)
			break
		}
		if g.add(q) {
			kept++
		}
	}
	g.left = leastWork + workPerState*kept
	return g
}

const shortList = 16

// add adds a statement; false if it was present.
func (g *graph) add(q rdf.Quad) bool {
	n := g.nodes[q.S]
	if n == nil {
		n = &node{values: map[string][]rdf.Term{}}
		g.nodes[q.S] = n
		g.order = append(g.order, q.S)
	}
	key := rdf.Triple{P: q.P, O: q.O}
	list := n.values[q.P.Value]
	switch {
	case len(list) < shortList && slices.Contains(list, q.O), n.known[key]:
		return false
	case len(list) == shortList && n.known == nil:
		n.known = map[rdf.Triple]bool{}
	}
	if n.known != nil {
		for _, o := range list[:min(len(list), shortList)] {
			n.known[rdf.Triple{P: q.P, O: o}] = true
		}
		n.known[key] = true
	}
	n.values[q.P.Value] = append(list, q.O)
	return true
}

// of returns the objects of a subject by predicates; none once the bound is exceeded.
func (g *graph) of(s rdf.Term, predicates ...string) (objects []rdf.Term) {
	n := g.nodes[s]
	if n == nil || g.left < 0 {
		return nil
	}
	defer func() { g.left -= len(objects) + 1 }()
	for _, p := range predicates {
		objects = append(objects, n.values[p]...)
	}
	return objects
}

// is reports whether a subject has one of the types.
func (g *graph) is(s rdf.Term, types ...string) bool {
	return slices.ContainsFunc(g.of(s, rdfType), func(t rdf.Term) bool { return slices.Contains(types, t.Value) })
}

// has reports whether a subject has one of the predicates.
func (g *graph) has(s rdf.Term, predicates ...string) bool { return len(g.of(s, predicates...)) > 0 }

// text returns a display text of the objects: the first English one, else one without a language, else the
// first.
func (g *graph) text(s rdf.Term, predicates ...string) string {
	best, rank := "", 3
	for _, p := range predicates {
		for _, o := range g.of(s, p) {
			if o.Kind != rdf.Literal {
				continue
			}
			n := 2
			switch lang := strings.ToLower(o.Lang); {
			case lang == "en" || strings.HasPrefix(lang, "en-"):
				n = 0
			case lang == "":
				n = 1
			}
			if n < rank || n == rank && o.Value < best {
				best, rank = o.Value, n
			}
		}
		if best != "" {
			return best
		}
	}
	return best
}

// word returns a text for a node that only denotes something: its IRI, its text, or the text of a blank node
// ("[ rdf:value … ]", "[ rdfs:label … ]").
func (g *graph) word(t rdf.Term) string {
	if t.Kind != rdf.Blank {
		return t.Value
	}
	for _, o := range g.of(t, nsRDF+"value", nsRDFS+"label", nsDCT+"title") {
		if o.Kind != rdf.Blank {
			return o.Value
		}
	}
	return ""
}
