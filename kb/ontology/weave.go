package ontology

import "slices"

// A weaver builds the edges between numbered entities.
type weaver struct {
	o     *Ontology
	index map[string]int32
}

func newWeaver(o *Ontology) *weaver {
	w := &weaver{o: o, index: make(map[string]int32, len(o.entities))}
	for i, e := range o.entities {
		w.index[e.IRI] = int32(i)
	}
	n := len(o.entities)
	o.parents, o.taxonomy, o.schema, o.users = make([][]int32, n), make([][]int32, n), make([][]int32, n), make([][]int32, n)
	o.links = make([][]link, n)
	return w
}

func (w *weaver) weave(g *gatherer) {
	o := w.o
	for _, p := range slices.Concat(g.subs, g.subProps) {
		w.each(p, func(s, b int32) {
			o.parents[s] = append(o.parents[s], b)
			join(o.taxonomy, s, b)
		})
	}
	for _, p := range slices.Concat(g.types, g.equals) {
		w.each(p, func(s, b int32) { join(o.taxonomy, s, b) })
	}
	w.weaveSchema(g.domains, "domain")
	w.weaveSchema(g.ranges, "range")
	for _, s := range g.statements {
		w.weaveStatement(s)
	}
	for i := range o.entities {
		if m := g.marks[o.entities[i].IRI]; m&isClass != 0 && m&isProperty != 0 {
			o.both = append(o.both, int32(i))
		}
		o.parents[i], o.taxonomy[i] = distinct(o.parents[i]), distinct(o.taxonomy[i])
		o.schema[i], o.users[i] = distinct(o.schema[i]), distinct(o.users[i])
		slices.SortFunc(o.links[i], compareLinks)
		o.links[i] = slices.Compact(o.links[i])
	}
	slices.SortFunc(o.undefd, compareUses)
	o.undefd = slices.Compact(o.undefd)
}

// each calls f with the numbers of a pair, if both are entities and differ.
func (w *weaver) each(p pair, f func(s, o int32)) {
	s, ok := w.index[p.s]
	t, also := w.index[p.o]
	if ok && also && s != t {
		f(s, t)
	}
}

func (w *weaver) weaveSchema(pairs []pair, role string) {
	for _, p := range pairs {
		w.each(p, func(property, class int32) {
			join(w.o.schema, property, class)
			if !w.o.entities[class].Declared {
				w.o.undefd = append(w.o.undefd, use{property, class, role})
			}
		})
	}
}

func (w *weaver) weaveStatement(s statement) {
	w.each(pair{s.s, s.o}, func(a, b int32) {
		property := int32(-1)
		if s.p != "" {
			property = w.index[s.p]
			w.o.users[property] = append(w.o.users[property], a, b)
		}
		w.o.links[a] = append(w.o.links[a], link{property, b})
		w.o.links[b] = append(w.o.links[b], link{property, a})
	})
}

func join(edges [][]int32, a, b int32) {
	edges[a] = append(edges[a], b)
	edges[b] = append(edges[b], a)
}

func distinct(of []int32) []int32 {
	slices.Sort(of)
	return slices.Clip(slices.Compact(of))
}

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
