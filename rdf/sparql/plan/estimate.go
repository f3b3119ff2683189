package plan

import (
	"math"

	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// Costs of operations, in cursor steps.
const (
	seekCost  = 10 // of a typical lookup
	buildCost = 3  // of adding a row to a table
	guessed   = 1000

	columnBuild = 10 // likewise where look-ups and scans are of memory, and a step is cheaper, too
	columnNext  = 1  // of a look-up there behind the last one
)

// columnSeek is the cost of a look-up in memory, in a column of so many triples: the larger it is, the less of it is in the processor's caches.
func columnSeek(triples float64) float64 {
	switch {
	case triples < 1<<12:
		return 3
	case triples < 1<<16:
		return 5
	case triples < 1<<19:
		return 10
	}
	return 15
}

// An estimate is the estimated number of solutions of a pattern and, for each variable, the size of its
// domain: the domain of ?p in "?p :feature :Red" is all subjects of :feature. Two patterns over ?p are
// assumed independent on their domains.
type estimate struct {
	rows   float64
	values map[algebra.Slot]float64
}

// estimate estimates the solutions of a part with no variable bound.
func (p *planner) estimate(part pattern, sub Set) estimate {
	if s, ok := part.(*scan); ok {
		if s.values == nil {
			s.estimate = p.estimateScan(s, sub)
		}
		return s.estimate
	}
	return estimate{rows: p.rows(part, sub)}
}

// of returns the size of a variable's domain.
func (e estimate) of(slot algebra.Slot) float64 {
	if n, ok := e.values[slot]; ok {
		return max(1, n)
	}
	return max(1, e.rows)
}

// rows estimates a part other than a scan, once.
func (p *planner) rows(part pattern, sub Set) float64 {
	f := part.vars()
	if f.known {
		return f.rows
	}
	n := 1.0
	switch part := part.(type) {
	case *path:
		n = guessed
		for _, node := range []algebra.Node{part.path.S, part.path.O} {
			if !node.IsVar() || sub.Has(node.Slot) {
				n /= 30
			}
		}
	case *values:
		n = float64(len(part.op.Rows))
	case *union:
		n = 0
		for _, input := range part.inputs {
			n += p.rows(input, sub)
		}
	case *eachGraph:
		n = p.rows(part.input, part.sub)
	case *aggregation:
		if n = p.rows(part.input, sub); len(part.op.Keys) == 0 {
			n = 1
		} else {
			n = max(1, n/4)
		}
	case *distinct:
		n = p.rows(part.input, sub)
	case *sorted:
		n = p.rows(part.input, sub)
	case *slice:
		if n = p.rows(part.input, sub); part.op.Limit != algebra.NoLimit {
			n = min(n, float64(part.op.Limit))
		}
	case *service:
		n = guessed
	case *group:
		n = p.rowsOfGroup(part, sub)
	}
	f.rows, f.known = n, true
	return n
}

func (p *planner) rowsOfGroup(g *group, sub Set) float64 {
	o := newOrdering(p, around{sub: sub, rows: 1, limit: math.Inf(1)}, g)
	for len(o.left) > 0 {
		o.take(o.best())
	}
	return o.rows
}

// estimateScan estimates a triple pattern from the store's counts.
func (p *planner) estimateScan(s *scan, sub Set) estimate {
	e := estimate{rows: guessed, values: map[algebra.Slot]float64{}}
	if s.magic {
		return e
	}
	pattern, ok := p.constants(s)
	if !ok {
		e.rows = 0
		return e
	}
	e.rows = p.count(pattern)
	distinct := p.spread(pattern, e.rows)
	for i, n := range [...]algebra.Node{s.triple.S, s.triple.P, s.triple.O, s.graph} {
		switch {
		case !n.IsVar():
		case sub.Has(n.Slot):
			e.rows /= max(1, distinct[i])
		default:
			if old, ok := e.values[n.Slot]; ok { // a repeated variable
				e.rows /= max(1, old, distinct[i])
			}
			e.values[n.Slot] = distinct[i]
		}
	}
	return e
}

// constants returns a triple pattern with its constants as IDs; false if it matches nothing.
func (p *planner) constants(s *scan) (out quads.Pattern, ok bool) {
	out, ok = quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: p.counted}, true
	id := func(n algebra.Node, any quads.ID) quads.ID {
		if n.IsVar() {
			return any
		}
		id, found := p.id(n.Term)
		ok = ok && found
		return id
	}
	out.S, out.P, out.O = id(s.triple.S, quads.Any), id(s.triple.P, quads.Any), id(s.triple.O, quads.Any)
	if !s.graph.IsDefault() {
		out.G = id(s.graph, quads.Named)
	}
	return out, ok
}

// spread estimates the numbers of distinct subjects, predicates, objects and graphs over which the quads of a
// pattern are spread. With a known predicate these are the numbers of all its quads. With a known graph they
// are the pattern's own, since the quads of a graph describe the same resources.
func (p *planner) spread(pattern quads.Pattern, rows float64) [4]float64 {
	out := [4]float64{rows / 2, min(rows, 50), rows / 2, math.Sqrt(rows)}
	if pattern.P == quads.Any {
		return out
	}
	side := pattern.G
	if side != quads.Default && side != quads.Any {
		side = quads.Named
	}
	stats, err := p.reader.Predicate(pattern.P, side)
	if err != nil {
		p.err = err
	}
	out[0], out[2] = float64(stats.Subjects), float64(stats.Objects)
	if pattern.G != side {
		out[0], out[2] = min(rows, out[0]), min(rows, out[2])
	}
	return out
}

// An around is the context of a pattern.
type around struct {
	in, must Set // variables that may be bound, and that always are
	sub      Set // variables substituted by constants
	rows     float64
	values   map[algebra.Slot]float64
	limit    float64 // most solutions that are requested
	once     bool    // opened once
}

// hiding returns the context without the values of some variables.
func (a around) hiding(s Set) around {
	a.in, a.must = a.in.without(s), a.must.without(s)
	return a
}

// alone returns the context of a pattern that is evaluated by itself.
func (a around) alone() around {
	return around{sub: a.sub, rows: 1, limit: math.Inf(1), once: true}
}
