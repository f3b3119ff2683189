package ontology

import (
	"iter"
	"slices"
	"sync"

	"orbweaver/rdf"
)

// Build builds an ontology from documents, each a sequence of triples; blank nodes of different documents are
// different. It returns the first error of a sequence unchanged.
//
// Entities are classes (owl:Class, rdfs:Class, skos:Concept, nodes in a class hierarchy, with instances, or
// used as a domain or range), properties (declared, in a hierarchy, with a domain or range, or used between
// two entities) and instances (of a class outside OWL, RDFS and SKOS). Terms of those languages, datatypes
// and blank nodes are not entities; anonymous classes are replaced by their parts.
func Build(documents ...iter.Seq2[rdf.Triple, error]) (*Ontology, error) {
	g := newGatherer()
	for _, triples := range documents {
		for t, err := range triples {
			if err != nil {
				return nil, err
			}
			g.add(t)
		}
		g.document++
	}
	g.names.freeze()
	return g.ontology(), nil
}

// With returns an ontology with additional statements, as from another document. Known statements change
// nothing, so that With is idempotent. The receiver is unchanged; graphs are ignored.
func (o *Ontology) With(statements []rdf.Quad) *Ontology {
	g := o.source.clone()
	g.names = g.names.clone()
	for _, q := range statements {
		g.add(rdf.Triple{S: q.S, P: q.P, O: q.O})
	}
	g.document++
	return g.ontology()
}

// ontology builds the ontology and keeps the gatherer for With.
func (g *gatherer) ontology() *Ontology {
	o := g.clone().finish()
	o.source = g
	return o
}

// clone copies the parts of a gatherer that may be modified later.
func (g *gatherer) clone() *gatherer {
	c := *g
	c.marks = slices.Clone(g.marks)
	c.parts = make(map[node][]part, len(g.parts))
	for node, parts := range g.parts {
		c.parts[node] = slices.Clip(parts)
	}
	for _, pairs := range []*[]pair{&c.types, &c.subs, &c.subProps, &c.equals, &c.domains, &c.ranges} {
		*pairs = slices.Clip(*pairs)
	}
	c.marking = slices.Clip(g.marking)
	c.statements, c.ontolex = slices.Clip(c.statements), slices.Clip(c.ontolex)
	c.labels, c.written = slices.Clip(c.labels), slices.Clip(c.written)
	return &c
}

// finish builds the ontology from the gatherer, which must not be used afterwards.
func (g *gatherer) finish() *Ontology {
	g.spell()
	g.resolve()
	g.mark()
	o := &Ontology{alternatives: g.alternatives()}
	nodes := g.entities()
	o.entities = make([]Entity, len(nodes))
	for i, n := range nodes {
		m := g.marks[n]
		o.entities[i] = Entity{IRI: g.name(n), Kind: kind(m), Declared: m&declared != 0}
		if m&isConcept != 0 {
			o.concepts = append(o.concepts, int32(i))
		}
	}
	w := newWeaver(o, nodes, g)
	var edges sync.WaitGroup
	edges.Go(w.weave) // words are another half of the work
	o.lexicalise(w.numbers, nodes, g.labels)
	edges.Wait()
	return o
}

// entities returns the nodes that are entities, in the order of their IRIs.
func (g *gatherer) entities() []node {
	var nodes []node
	for n := range g.marks {
		if g.entity(node(n)) {
			nodes = with(nodes, node(n))
		}
	}
	return ordered(nodes, g.name, func(a, b node) int { return 0 })
}

func kind(m mark) Kind {
	switch {
	case m&isClass != 0:
		return Class
	case m&isProperty != 0:
		return Property
	}
	return Instance
}

// resolve replaces anonymous classes everywhere by their parts.
func (g *gatherer) resolve() {
	g.types = g.resolved(g.types)
	g.domains = g.resolved(g.domains)
	g.ranges = g.resolved(g.ranges)
	subs := g.subs
	g.subs = make([]pair, 0, len(subs))
	for _, p := range subs {
		if !g.blank(p.s) && !g.blank(p.o) {
			g.subs = append(g.subs, p)
			continue
		}
		below, above := g.expand(p.s), g.expand(p.o)
		g.relate(p.s, above.relations)
		for _, s := range below.named {
			for _, o := range above.named {
				g.subs = append(g.subs, pair{s, o})
			}
		}
	}
	equals := g.equals
	g.equals = nil
	for _, p := range equals {
		g.equate(p)
	}
}

// resolved expands the objects of pairs.
func (g *gatherer) resolved(pairs []pair) []pair {
	out := make([]pair, 0, len(pairs))
	for _, p := range pairs {
		if !g.blank(p.o) {
			out = append(out, p)
			continue
		}
		x := g.expand(p.o)
		g.relate(p.s, x.relations)
		for _, o := range x.named {
			out = append(out, pair{p.s, o})
		}
	}
	return out
}

// equate records two names of one thing as equals; a class defined as an intersection is below its members,
// one defined as a union above them.
func (g *gatherer) equate(p pair) {
	if g.blank(p.s) {
		p.s, p.o = p.o, p.s
	}
	switch {
	case g.blank(p.s):
		return
	case !g.blank(p.o):
		g.equals = append(g.equals, p)
		return
	}
	x := g.expand(p.o)
	g.relate(p.s, x.relations)
	for _, member := range x.named {
		if x.union {
			g.subs = append(g.subs, pair{member, p.s})
		} else {
			g.subs = append(g.subs, pair{p.s, member})
		}
	}
}

// relate adds the relations that a class's restrictions require.
func (g *gatherer) relate(node node, relations []part) {
	if g.blank(node) {
		return
	}
	for _, r := range relations {
		g.statements = append(g.statements, statement{node, r.predicate, r.object})
		g.marks[node] |= isClass
		g.marks[r.object] |= isClass
	}
}

// mark marks nodes by their positions in statements.
func (g *gatherer) mark() {
	for _, p := range g.subs {
		g.marks[p.s] |= isClass | declared // as in RDFS
		g.marks[p.o] |= isClass
	}
	for _, p := range g.subProps {
		g.marks[p.s] |= isProperty
		g.marks[p.o] |= isProperty
	}
	for _, p := range slices.Concat(g.domains, g.ranges) {
		g.marks[p.s] |= isProperty
		if g.marks[p.o]&isDatatype == 0 {
			g.marks[p.o] |= isClass
		}
	}
	for _, p := range g.types {
		g.marks[p.s] |= isInstance | declared
		g.marks[p.o] |= isClass
	}
	for _, p := range g.equals { // both names have the same marks
		m := (g.marks[p.s] | g.marks[p.o]) & (isClass | isProperty | isInstance)
		g.marks[p.s] |= m
		g.marks[p.o] |= m
	}
	for _, s := range g.statements {
		if s.p != none && g.entity(s.s) && g.entity(s.o) {
			g.marks[s.p] |= isProperty
		}
	}
}

func (g *gatherer) entity(node node) bool {
	m := g.marks[node]
	return m&(isClass|isProperty|isInstance) != 0 && m&(isDatatype|noEntity) == 0
}
