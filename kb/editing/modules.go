package editing

import (
	"cmp"
	"slices"

	"orbweaver/internal/order"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// A Module is a part of an ontology that can be taken over by itself: an entity at the top of the tree and all that is below it, or all
// individuals without a class of the file.
type Module struct {
	Item
	Entities int `json:"entities"`
}

// Modules returns the modules of the draft, the largest first.
func (d *Draft) Modules() (all []Module) {
	for _, kind := range []string{Class, Concept, Property} {
		for _, iri := range d.top(kind) {
			reached := map[string]bool{}
			d.descend(iri, reached)
			all = append(all, Module{d.item(iri), len(reached)})
		}
	}
	order.By(all, func(a, b Module) int {
		return cmp.Or(cmp.Compare(b.Entities, a.Entities), cmp.Compare(a.Name, b.Name), cmp.Compare(a.IRI, b.IRI))
	})
	return all
}

// Part returns the statements of modules, which roots name: those about the entities at and below the roots, about their instances, about
// properties all of whose domains are among them, and about classes without a name that these lead to. Without roots it returns all
// statements.
func (d *Draft) Part(roots ...string) (all []rdf.Triple) {
	if len(roots) == 0 {
		return slices.Collect(d.Statements())
	}
	taken := map[string]bool{}
	for _, iri := range roots {
		d.descend(iri, taken)
	}
	for _, iri := range keys(taken) {
		for _, l := range d.g.in[rdf.NewIRI(iri)] {
			if ontology.RoleOf(l.predicate) == ontology.RoleType && l.to.Kind == rdf.IRI {
				taken[l.to.Value] = true
			}
		}
	}
	for iri, n := range d.natures {
		if n.kind() == Property && !taken[iri] && d.within(iri, taken) {
			taken[iri] = true
		}
	}
	for _, iri := range keys(taken) {
		all = append(all, d.told(rdf.NewIRI(iri), map[rdf.Term]bool{})...)
	}
	return all
}

// within reports whether a property has domains, and all are taken.
func (d *Draft) within(property string, taken map[string]bool) bool {
	some := false
	for _, l := range d.g.out[rdf.NewIRI(property)] {
		if ontology.RoleOf(l.predicate) == ontology.RoleDomain {
			if !taken[l.to.Value] {
				return false
			}
			some = true
		}
	}
	return some
}

// told returns the statements of a node, and of the blank nodes that they lead to.
func (d *Draft) told(node rdf.Term, seen map[rdf.Term]bool) (all []rdf.Triple) {
	if seen[node] {
		return nil
	}
	seen[node] = true
	for _, l := range d.g.out[node] {
		all = append(all, rdf.Triple{S: node, P: rdf.NewIRI(l.predicate), O: l.to})
		if l.to.Kind == rdf.Blank {
			all = append(all, d.told(l.to, seen)...)
		}
	}
	return all
}

// keys returns the keys of a set, ascending.
func keys(of map[string]bool) (all []string) {
	for k := range of {
		all = append(all, k)
	}
	slices.Sort(all)
	return all
}

// Apart returns statements with other labels of blank nodes, so that they may stand beside those of another file.
func Apart(all []rdf.Triple, prefix string) []rdf.Triple {
	out := make([]rdf.Triple, len(all))
	for i, t := range all {
		for _, term := range []*rdf.Term{&t.S, &t.O} {
			if term.Kind == rdf.Blank {
				term.Value = prefix + term.Value
			}
		}
		out[i] = t
	}
	return out
}
