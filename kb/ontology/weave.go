package ontology

import (
	"cmp"
	"iter"
	"slices"

	"orbweaver/internal/order"
)

// A weaver builds the edges between numbered entities.
type weaver struct {
	o       *Ontology
	g       *gatherer
	numbers []int32 // by node: the entity, -1 for none
}

// newWeaver numbers the entities in the order of their nodes.
func newWeaver(o *Ontology, nodes []node, g *gatherer) *weaver {
	w := &weaver{o: o, g: g, numbers: make([]int32, len(g.marks))}
	for i := range w.numbers {
		w.numbers[i] = -1
	}
	for i, n := range nodes {
		w.numbers[n] = int32(i)
		if m := g.marks[n]; m&isClass != 0 && m&isProperty != 0 {
			o.both = append(o.both, int32(i))
		}
	}
	return w
}

func (w *weaver) weave() {
	w.weaveTaxonomy()
	w.weaveSchema()
	w.weaveStatements()
}

// pairs yields the numbers of pairs of which both are entities and differ.
func (w *weaver) pairs(lists ...[]pair) iter.Seq2[int32, int32] {
	return func(yield func(s, o int32) bool) {
		for _, list := range lists {
			for _, p := range list {
				if s, o := w.numbers[p.s], w.numbers[p.o]; s >= 0 && o >= 0 && s != o && !yield(s, o) {
					return
				}
			}
		}
	}
}

func (w *weaver) weaveTaxonomy() {
	o, g := w.o, w.g
	hierarchies := len(g.subs) + len(g.subProps)
	parents := make([]edge[int32], 0, hierarchies)
	taxonomy := make([]edge[int32], 0, 2*(hierarchies+len(g.types)+len(g.equals)))
	for s, above := range w.pairs(g.subs, g.subProps) {
		parents = append(parents, edge[int32]{s, above})
		taxonomy = join(taxonomy, s, above)
	}
	for s, t := range w.pairs(g.types, g.equals) {
		taxonomy = join(taxonomy, s, t)
	}
	o.parents = newEdges(len(o.entities), parents, compareNumbers)
	o.taxonomy = newEdges(len(o.entities), taxonomy, compareNumbers)
}

func (w *weaver) weaveSchema() {
	var schema []edge[int32]
	for _, of := range [...]struct {
		pairs []pair
		role  string
	}{{w.g.domains, "domain"}, {w.g.ranges, "range"}} {
		for property, class := range w.pairs(of.pairs) {
			schema = join(schema, property, class)
			if !w.o.entities[class].Declared {
				w.o.undefd = append(w.o.undefd, use{property, class, of.role})
			}
		}
	}
	w.o.schema = newEdges(len(w.o.entities), schema, compareNumbers)
	order.By(w.o.undefd, compareUses)
	w.o.undefd = slices.Compact(w.o.undefd)
}

func (w *weaver) weaveStatements() {
	links := make([]edge[link], 0, 2*len(w.g.statements))
	users := make([]edge[int32], 0, 2*len(w.g.statements))
	for _, s := range w.g.statements {
		a, b, property := w.numbers[s.s], w.numbers[s.o], int32(-1)
		if a < 0 || b < 0 || a == b {
			continue
		}
		if s.p != none {
			property = w.numbers[s.p]
		}
		if property >= 0 {
			users = append(users, edge[int32]{property, a}, edge[int32]{property, b})
		}
		links = append(links, edge[link]{a, link{property, b}}, edge[link]{b, link{property, a}})
	}
	w.o.links = newEdges(len(w.o.entities), links, compareLinks)
	w.o.users = newEdges(len(w.o.entities), users, compareNumbers)
}

func join(list []edge[int32], a, b int32) []edge[int32] {
	return append(list, edge[int32]{a, b}, edge[int32]{b, a})
}

func compareNumbers(a, b int32) int { return cmp.Compare(a, b) }

func compareLinks(a, b link) int {
	if a.property != b.property {
		return int(a.property) - int(b.property)
	}
	return int(a.other) - int(b.other)
}

func compareUses(a, b use) int {
	if a.property != b.property {
		return int(a.property) - int(b.property)
	}
	if a.class != b.class {
		return int(a.class) - int(b.class)
	}
	return len(a.role) - len(b.role) // "range" before "domain"
}
