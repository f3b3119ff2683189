package editing

import (
	"slices"

	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// A link is a statement seen from one of its ends.
type link struct {
	predicate string
	to        rdf.Term
}

// A graph is a set of statements, by subject and by object.
type graph struct {
	size int
	out  map[rdf.Term][]link        // by subject: the objects
	in   map[rdf.Term][]link        // by object that is a node of the ontology: the subjects
	uses map[string]int             // statements between two nodes, by predicate
	many map[rdf.Term]map[link]bool // the links of subjects with more than few, to look them up
}

// few is the number of statements of a subject up to which they are looked through one by one.
const few = 100

func newGraph() *graph {
	return &graph{out: map[rdf.Term][]link{}, in: map[rdf.Term][]link{}, uses: map[string]int{}, many: map[rdf.Term]map[link]bool{}}
}

// has reports whether a statement is there.
func (g *graph) has(t rdf.Triple) bool {
	if all, ok := g.many[t.S]; ok {
		return all[link{t.P.Value, t.O}]
	}
	return slices.Contains(g.out[t.S], link{t.P.Value, t.O})
}

// index keeps the links of a subject with many.
func (g *graph) index(s rdf.Term, l link) {
	all, ok := g.many[s]
	switch {
	case ok:
		all[l] = true
	case len(g.out[s]) > few:
		all = make(map[link]bool, 2*few)
		for _, l := range g.out[s] {
			all[l] = true
		}
		g.many[s] = all
	}
}

// noted reports whether a term is looked up as an object: all but literals and the terms of ontology languages.
func noted(t rdf.Term) bool {
	return t.Kind == rdf.Blank || t.Kind == rdf.IRI && !ontology.Builtin(t.Value)
}

// add adds a statement, and reports whether it was not there.
func (g *graph) add(t rdf.Triple) bool {
	if g.has(t) {
		return false
	}
	g.size++
	g.out[t.S] = append(g.out[t.S], link{t.P.Value, t.O})
	g.index(t.S, link{t.P.Value, t.O})
	if noted(t.O) {
		g.in[t.O] = append(g.in[t.O], link{t.P.Value, t.S})
		g.uses[t.P.Value]++
	}
	return true
}

// remove removes a statement, and reports whether it was there.
func (g *graph) remove(t rdf.Triple) bool {
	if !g.has(t) {
		return false
	}
	g.size--
	drop(g.out, t.S, link{t.P.Value, t.O})
	if delete(g.many[t.S], link{t.P.Value, t.O}); len(g.out[t.S]) <= few/2 {
		delete(g.many, t.S)
	}
	if noted(t.O) {
		drop(g.in, t.O, link{t.P.Value, t.S})
		if g.uses[t.P.Value]--; g.uses[t.P.Value] == 0 {
			delete(g.uses, t.P.Value)
		}
	}
	return true
}

// drop removes a link of a term.
func drop(of map[rdf.Term][]link, term rdf.Term, l link) {
	all := of[term]
	i := slices.Index(all, l)
	if all = slices.Delete(all, i, i+1); len(all) == 0 {
		delete(of, term)
		return
	}
	of[term] = all
}

// about returns the statements of which a term is the subject or the object, or an IRI the predicate.
func (g *graph) about(term rdf.Term) (all []rdf.Triple) {
	for _, l := range g.out[term] {
		all = append(all, rdf.Triple{S: term, P: rdf.NewIRI(l.predicate), O: l.to})
	}
	for _, l := range g.in[term] {
		if l.to != term { // it is there already
			all = append(all, rdf.Triple{S: l.to, P: rdf.NewIRI(l.predicate), O: term})
		}
	}
	return append(all, g.stated(term.Value)...)
}

// stated returns the statements of a predicate.
func (g *graph) stated(predicate string) (all []rdf.Triple) {
	if g.uses[predicate] == 0 && ontology.RoleOf(predicate) != ontology.RoleStatement {
		return nil
	}
	for s, links := range g.out {
		for _, l := range links {
			if l.predicate == predicate && s.Value != predicate {
				all = append(all, rdf.Triple{S: s, P: rdf.NewIRI(predicate), O: l.to})
			}
		}
	}
	return all
}

// below returns the statements of a blank node and of those that it alone leads to, which go when the statement that leads to it goes.
// without are statements that are about to go.
func (g *graph) below(node rdf.Term, without map[rdf.Triple]bool) (all []rdf.Triple) {
	if node.Kind != rdf.Blank {
		return nil
	}
	for _, l := range g.in[node] {
		if !without[rdf.Triple{S: l.to, P: rdf.NewIRI(l.predicate), O: node}] {
			return nil
		}
	}
	for _, l := range g.out[node] {
		t := rdf.Triple{S: node, P: rdf.NewIRI(l.predicate), O: l.to}
		if without[t] {
			continue
		}
		without[t] = true
		all = append(append(all, t), g.below(l.to, without)...)
	}
	return all
}
