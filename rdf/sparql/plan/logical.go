package plan

import (
	"orbweaver/rdf/sparql/algebra"
)

// A pattern is an operator in intermediate form: joins are flattened into groups, projections are removed
// (hidden variables have their own slots), and triples know their graph.
type pattern interface{ vars() *facts }

// facts describe which variables a pattern's solutions bind.
type facts struct {
	visible Set // may be bound
	certain Set // always bound
	rows    float64
	known   bool // rows is estimated
}

func (f *facts) vars() *facts { return f }

type (
	scan struct {
		facts
		estimate // valid if known
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
	// A bind is an Extend of the preceding parts.
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

// A group is a join of parts in any order, followed by tails in this order.
type group struct {
	facts
	parts   []pattern
	firm    Set     // variables that the parts always bind, without tails
	filters []*Expr // apply as soon as their variables, which are firm, are bound
	tails   []tail
	open    Set  // variables that tails mention and that the parts did not always bind at that point
	sealed  bool // must be evaluated once, by itself: it contains a volatile expression
}

// A tail is an operator over the solutions of all parts of a group and the preceding tails.
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

// whole wraps a group as a single part.
func whole(g *group) *group {
	return &group{facts: facts{visible: g.visible, certain: g.certain}, firm: g.certain, parts: []pattern{g}, sealed: g.sealed}
}

// joined merges two groups. A group whose tails would see variables of the other stays one part.
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

// add appends a tail to a group.
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

// A scope is the context of an operator during translation.
type scope struct {
	graph algebra.Node
	sub   Set // variables substituted by constants: of EXISTS, and the graph
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
	case *algebra.OrderBy: // order has no effect here
		return p.pattern(op.Input, in)
	case *algebra.Project:
		g := p.pattern(op.Input, in)
		keep := setOf(op.Vars...)
		if in.graph.IsVar() { // the graph is not selected, and every part is inside it
			keep = keep.with(setOf(in.graph.Slot).without(in.sub))
		}
		g.visible, g.certain = g.visible.and(keep), g.certain.and(keep)
		return g
	}
	return p.modifier(op, in)
}
