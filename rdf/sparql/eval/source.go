package eval

import (
	"slices"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// graphs are the dataset of a query.
type graphs struct {
	given  bool       // by the query; otherwise all of the store
	merged []quads.ID // their union is the default graph; Any alone: the whole store
	named  []quads.ID // sorted, if given
}

// dataset resolves the graphs that a query names.
func (x *execution) dataset(s setting) error {
	d := s.dataset
	if d.Default == nil && d.Named == nil {
		id := quads.Default
		if s.with != "" {
			id = x.id(rdf.NewIRI(s.with))
		} else if x.opts.Union {
			id = quads.Any
		}
		x.graphs.merged = []quads.ID{id}
		return x.err
	}
	x.graphs = graphs{given: true, merged: x.graphIDs(d.Default), named: x.graphIDs(d.Named)}
	return x.err
}

func (x *execution) graphIDs(iris []string) []quads.ID {
	var ids []quads.ID
	for _, iri := range iris {
		ids = append(ids, x.id(rdf.NewIRI(iri)))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// counted returns the graph whose counts approximate those of the default graph.
func (g *graphs) counted() quads.ID {
	if len(g.merged) == 1 {
		return g.merged[0]
	}
	return quads.Named
}

// isNamed reports whether an ID can be a named graph of the dataset.
func (g *graphs) isNamed(id quads.ID) bool {
	if !g.given {
		return id != quads.Default
	}
	_, found := slices.BinarySearch(g.named, id)
	return found
}

// nextNamed returns the named graph after another, 0 for none.
func (x *execution) nextNamed(after quads.ID) quads.ID {
	if x.graphs.given {
		i, _ := slices.BinarySearch(x.graphs.named, after+1)
		if i < len(x.graphs.named) {
			return x.graphs.named[i]
		}
		return 0
	}
	id, ok, err := x.reader.NextGraph(after)
	if err != nil {
		x.fail(err)
	}
	if !ok {
		return 0
	}
	return id
}

// exists reports whether a named graph exists.
func (x *execution) exists(graph quads.ID) bool {
	return graph != 0 && x.graphs.isNamed(graph) && x.nextNamed(graph-1) == graph
}

// A place is the graph of a pattern: a variable or a constant.
type place struct {
	slot  algebra.Slot // NoSlot: a constant
	id    quads.ID
	whole bool // the default graph
}

func (x *execution) place(n algebra.Node) place {
	switch {
	case n.IsDefault():
		return place{slot: algebra.NoSlot, whole: true}
	case n.IsVar():
		return place{slot: n.Slot}
	}
	return place{slot: algebra.NoSlot, id: x.id(n.Term)}
}

// A source reads the quads of a pattern in a place of the dataset.
type source struct {
	x       *execution
	cursor  quads.Cursor
	probe   quads.Cursor // into earlier graphs, when several are merged
	pattern quads.Pattern
	merged  []quads.ID // graphs still to read
	before  []quads.ID // graphs already read
	check   bool       // the dataset lacks some named graphs
	single  bool       // at most one triple matches
	none    bool       // no (further) quad matches
	quad    quads.Quad // the current one
}

// seek starts on a pattern in the graph of a place.
func (s *source) seek(p quads.Pattern, where place) {
	s.none, s.check, s.merged, s.before, s.quad = false, false, nil, nil, quads.Quad{}
	g := &s.x.graphs
	switch {
	case where.whole && len(g.merged) == 0:
		s.none = true
	case where.whole:
		p.G, s.merged = g.merged[0], g.merged[1:]
	default:
		id := where.id
		s.check = id == quads.Named && g.given
		if where.slot != algebra.NoSlot {
			id = s.x.reg[where.slot]
			if id == 0 {
				id, s.check = quads.Named, g.given
			}
		}
		if p.G = id; id != quads.Named && !g.isNamed(id) {
			s.none = true
		}
	}
	s.pattern = p
	s.single = p.S != quads.Any && p.P != quads.Any && p.O != quads.Any && p.G != quads.Named
	for _, id := range [...]quads.ID{p.S, p.P, p.O, p.G} {
		if id.Kind() == quads.KindLocal {
			s.none = s.none || id != p.G || len(s.merged) == 0
		}
	}
	if s.none {
		return
	}
	if s.cursor == nil {
		s.cursor = s.x.cursor()
	}
	s.cursor.Seek(p)
}

// next advances to the next quad.
func (s *source) next() bool {
	for !s.none {
		for s.cursor.Next() {
			if !s.x.step() {
				return false
			}
			q := s.cursor.Quad()
			if s.pattern.G == quads.Any && q.S == s.quad.S && q.P == s.quad.P && q.O == s.quad.O {
				continue // equal triples are adjacent in the orderings
			}
			s.quad = q
			if s.check && !s.x.graphs.isNamed(s.quad.G) || len(s.before) > 0 && s.was() {
				continue
			}
			s.none = s.single
			return true
		}
		if err := s.cursor.Err(); err != nil {
			s.x.fail(err)
			return false
		}
		if len(s.merged) == 0 {
			return false
		}
		all := s.x.graphs.merged
		s.before = all[:len(all)-len(s.merged)]
		s.pattern.G, s.merged = s.merged[0], s.merged[1:]
		s.cursor.Seek(s.pattern)
	}
	return false
}

// was reports whether an earlier graph has the triple, too.
func (s *source) was() bool {
	if s.probe == nil {
		s.probe = s.x.cursor()
	}
	for _, g := range s.before {
		s.probe.Seek(quads.Pattern{S: s.quad.S, P: s.quad.P, O: s.quad.O, G: g})
		if s.probe.Next() {
			return true
		}
	}
	return false
}
