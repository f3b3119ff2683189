package plan

import (
	"orbweaver/rdf/sparql/algebra"
)

// A pattern is an operator on the way to its node: joins are groups, projections are gone (what they
// hide has slots of its own), and triples know their graph.
type pattern interface{ vars() *facts }

// facts say what variables a pattern's solutions have.
type facts struct {
	visible Set // some may have them
	certain Set // all have them
	rows    float64
	known   bool // rows was estimated
}

func (f *facts) vars() *facts { return f }

type (
	scan struct {
		facts
		estimate // once known
		triple   algebra.Triple
		graph    algebra.Node
		magic    bool
	}
	path struct {
		facts
		path  *algebra.Path
		graph algebra.Node
	}
	values struct {
		facts
		op *algebra.Values
	}
	union struct {
		facts
		inputs []*group
	}
	// bind is an Extend of whatever comes before it.
	bind struct {
		facts
		slot algebra.Slot
		expr *Expr
	}
	eachGraph struct {
		facts
		name    algebra.Node
		context algebra.Slot
		input   *group
		sub     Set
	}
	aggregation struct {
		facts
		op         *algebra.Group
		input      *group
		aggregates []Aggregate
	}
	distinct struct {
		facts
		input   pattern
		columns []algebra.Slot
	}
	sorted struct {
		facts
		input   *group
		keys    []SortKey
		columns []algebra.Slot
	}
	slice struct {
		facts
		input pattern
		op    *algebra.Slice
	}
	service struct {
		facts
		op *algebra.Service
	}
)

// A group is a join of parts in any order, and what follows them in this one.
type group struct {
	facts
	parts   []pattern
	firm    Set     // variables that the parts always bind, before any tail
	filters []*Expr // hold wherever their variables, which are firm, have values
	tails   []tail
	open    Set  // what tails mention and the parts that were there did not always bind
	sealed  bool // must be evaluated once, by itself: something in it has another value each time
}

// A tail is what is done with the solutions of all parts of a group and the tails before it.
type tail struct {
	kind  tailKind
	right *group  // of optional and minus
	exprs []*Expr // conditions of an optional or a filter
	bind  *bind
	open  Set // see group
}

type tailKind uint8

const (
	tailFilter tailKind = iota
	tailOptional
	tailMinus
	tailBind
)

// groupOf makes a group of one pattern.
func groupOf(p pattern) *group {
	if g, ok := p.(*group); ok {
		return g
	}
	f := p.vars()
	return &group{facts: facts{visible: f.visible, certain: f.certain}, firm: f.certain, parts: []pattern{p}}
}

// whole makes a part of a group that cannot be taken apart.
func whole(g *group) *group {
	return &group{facts: facts{visible: g.visible, certain: g.certain}, firm: g.certain, parts: []pattern{g}, sealed: g.sealed}
}

// joined merges two groups. One whose tails would see what the other binds stays a part.
func joined(a, b *group) *group {
	if a.sealed || a.open.meets(b.visible) {
		a = whole(a)
	}
	if b.sealed || b.open.meets(a.visible) {
		b = whole(b)
	}
	a.parts = append(a.parts, b.parts...)
	a.filters = append(a.filters, b.filters...)
	a.tails = append(a.tails, b.tails...)
	a.open, a.sealed = a.open.with(b.open), a.sealed || b.sealed
	a.visible, a.certain, a.firm = a.visible.with(b.visible), a.certain.with(b.certain), a.firm.with(b.firm)
	return a
}

// add puts a tail behind a group.
func (g *group) add(t tail) {
	g.tails = append(g.tails, t)
	g.open = g.open.with(t.open)
	switch t.kind {
	case tailOptional:
		g.visible = g.visible.with(t.right.visible)
		g.sealed = g.sealed || t.right.sealed
	case tailMinus:
		g.sealed = g.sealed || t.right.sealed
	case tailBind:
		g.visible = g.visible.with(setOf(t.bind.slot))
		if t.bind.certain.Has(t.bind.slot) {
			g.certain = g.certain.with(setOf(t.bind.slot))
		}
	}
}

// A scope is what is around an operator that it has to know.
type scope struct {
	graph algebra.Node
	sub   Set // variables with values that are constants here: of EXISTS, and the graph
}

// unbound reports whether the graph is a variable that a group does not bind.
func (s scope) unbound(g *group) bool {
	return s.graph.IsVar() && !s.sub.Has(s.graph.Slot) && !g.certain.Has(s.graph.Slot)
}

// pattern translates an operator.
func (p *planner) pattern(op algebra.Op, in scope) *group {
	switch op := op.(type) {
	case *algebra.BGP:
		return p.bgp(op, in)
	case *algebra.Path:
		return p.path(op, in)
	case *algebra.Join:
		return p.join(op, in)
	case *algebra.LeftJoin:
		return p.optional(op, in)
	case *algebra.Filter:
		return p.filter(op, in)
	case *algebra.Union:
		return p.union(op, in)
	case *algebra.Graph:
		return p.graph(op, in)
	case *algebra.Minus:
		return p.minus(op, in)
	case *algebra.Extend:
		return p.extend(op, in)
	case *algebra.Values:
		v := setOf(op.Vars...)
		certain := v
		for _, row := range op.Rows {
			for i, t := range row {
				if t.IsZero() {
					certain = certain.without(setOf(op.Vars[i]))
				}
			}
		}
		return groupOf(&values{facts{visible: v, certain: certain}, op})
	case *algebra.Service:
		v := setOf()
		for _, c := range op.Columns {
			v = v.with(setOf(c.Slot))
		}
		if op.Name.IsVar() {
			v = v.with(setOf(op.Name.Slot))
		}
		return groupOf(&service{facts{visible: v}, op})
	case *algebra.OrderBy: // order is not visible
		return p.pattern(op.Input, in)
	case *algebra.Project:
		g := p.pattern(op.Input, in)
		keep := setOf(op.Vars...)
		if in.graph.IsVar() { // the graph is not selected, and every part is within it
			keep = keep.with(setOf(in.graph.Slot).without(in.sub))
		}
		g.visible, g.certain = g.visible.and(keep), g.certain.and(keep)
		return g
	}
	return p.modifier(op, in)
}
