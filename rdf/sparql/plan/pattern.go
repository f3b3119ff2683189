package plan

import (
	"slices"

	"orbweaver/rdf/sparql/algebra"
)

func (p *planner) bgp(op *algebra.BGP, in scope) *group {
	g := &group{}
	for _, t := range op.Patterns {
		s := &scan{triple: t, graph: in.graph, magic: p.magic[t.P.Term.Value] && !t.P.IsVar()}
		for _, n := range []algebra.Node{t.S, t.P, t.O, in.graph} {
			if n.IsVar() && (n != in.graph || !s.magic) {
				s.visible = s.visible.with(setOf(n.Slot))
			}
		}
		s.visible = s.visible.without(in.sub)
		s.certain = s.visible
		g = joined(g, groupOf(s))
	}
	return g
}

func (p *planner) path(op *algebra.Path, in scope) *group {
	if in.graph.IsVar() && !in.sub.Has(in.graph.Slot) {
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	s := &path{path: op, graph: in.graph}
	for _, n := range []algebra.Node{op.S, op.O} {
		if n.IsVar() {
			s.visible = s.visible.with(setOf(n.Slot))
		}
	}
	s.visible = s.visible.without(in.sub)
	s.certain = s.visible
	return groupOf(s)
}

// join flattens chains of joins iteratively.
func (p *planner) join(op *algebra.Join, in scope) *group {
	var rights []algebra.Op
	left := algebra.Op(op)
	for {
		j, ok := left.(*algebra.Join)
		if !ok {
			break
		}
		rights, left = append(rights, j.Right), j.Left
	}
	g := p.pattern(left, in)
	for i := len(rights) - 1; i >= 0; i-- {
		g = joined(g, p.pattern(rights[i], in))
	}
	return g
}

func (p *planner) optional(op *algebra.LeftJoin, in scope) *group {
	g := p.pattern(op.Left, in)
	if in.unbound(g) {
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	right := p.pattern(op.Right, in)
	t := tail{kind: tailOptional, right: right}
	uses := right.visible
	for _, e := range conjuncts(op.Filter) {
		t.exprs = append(t.exprs, p.expr(e, g.visible.with(right.visible), in))
		uses = uses.with(mentioned(e))
	}
	t.open = uses.without(g.certain, in.sub)
	g.add(t)
	return g
}

func (p *planner) minus(op *algebra.Minus, in scope) *group {
	if in.graph.IsVar() && !in.sub.Has(in.graph.Slot) { // not a variable that the sides may share
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	g, right := p.pattern(op.Left, in), p.pattern(op.Right, in)
	g.add(tail{kind: tailMinus, right: right, open: right.visible.without(g.certain, in.sub)})
	return g
}

func (p *planner) filter(op *algebra.Filter, in scope) *group {
	g := p.pattern(op.Input, in)
	if hasExists(op.Expr) && in.unbound(g) {
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	for _, e := range conjuncts(op.Expr) {
		open := mentioned(e).without(g.certain, in.sub)
		expr := p.expr(e, g.visible, in)
		switch {
		case !expr.uses.within(g.firm.with(in.sub)) || volatile(e):
			g.add(tail{kind: tailFilter, exprs: []*Expr{expr}, open: open})
			g.sealed = g.sealed || volatile(e)
		case p.given(g, e):
		default:
			g.filters = append(g.filters, expr)
		}
	}
	return g
}

// given translates "?x = <iri>" and similar filters to a part of a group that binds ?x.
func (p *planner) given(g *group, e algebra.Expr) bool {
	op := equalities(e)
	if op == nil || !g.firm.Has(op.Vars[0]) {
		return false
	}
	v := setOf(op.Vars...)
	g.parts = append(g.parts, &values{facts{visible: v, certain: v}, op})
	return true
}

func (p *planner) union(op *algebra.Union, in scope) *group {
	var branches []algebra.Op
	left := algebra.Op(op)
	for {
		u, ok := left.(*algebra.Union)
		if !ok {
			break
		}
		branches, left = append(branches, u.Right), u.Left
	}
	u := &union{inputs: []*group{p.pattern(left, in)}}
	for i := len(branches) - 1; i >= 0; i-- {
		u.inputs = append(u.inputs, p.pattern(branches[i], in))
	}
	u.certain = u.inputs[0].certain
	sealed := false
	for _, g := range u.inputs {
		u.visible, u.certain = u.visible.with(g.visible), u.certain.and(g.certain)
		sealed = sealed || g.sealed
	}
	g := groupOf(u)
	g.sealed = sealed
	return g
}

// extend translates BIND: to a part if all its variables are always bound, otherwise to a tail.
func (p *planner) extend(op *algebra.Extend, in scope) *group {
	g := p.pattern(op.Input, in)
	if hasExists(op.Expr) && in.unbound(g) {
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	v := setOf(op.Var)
	b := &bind{facts{visible: v}, op.Var, p.expr(op.Expr, g.visible, in)}
	mentions := mentioned(op.Expr)
	open := mentions.without(g.certain, in.sub)
	switch op.Expr.(type) {
	case *algebra.Const:
		b.certain = v
	case *algebra.Var:
		if open.empty() {
			b.certain = v
		}
	case *algebra.Exists:
		b.certain = v
	}
	if open.empty() && !volatile(op.Expr) && len(g.tails) == 0 {
		return joined(g, groupOf(b))
	}
	g.add(tail{kind: tailBind, bind: b, open: open})
	g.sealed = g.sealed || volatile(op.Expr)
	return g
}

// graph translates GRAPH. If the pattern may not bind the variable, an EachGraph does.
func (p *planner) graph(op *algebra.Graph, in scope) *group {
	if !op.Name.IsVar() {
		if binds(op.Input) {
			return p.pattern(op.Input, scope{op.Name, in.sub})
		}
		return p.eachGraph(op.Input, op.Name, algebra.NoSlot, in)
	}
	mentions := p.mentions(op.Input)
	switch {
	case mentions.Has(op.Name.Slot):
		return p.eachGraph(op.Input, op.Name, p.graphs[op], in)
	case in.sub.Has(op.Name.Slot) || !binds(op.Input):
		return p.eachGraph(op.Input, op.Name, op.Name.Slot, in)
	}
	return p.pattern(op.Input, scope{op.Name, in.sub})
}

// eachGraph translates a pattern that is evaluated separately in each graph.
func (p *planner) eachGraph(op algebra.Op, name algebra.Node, context algebra.Slot, in scope) *group {
	graph := name
	inner := scope{graph, in.sub}
	if name.IsVar() {
		inner.graph = algebra.Node{Slot: context}
		inner.sub = in.sub.with(setOf(context))
	}
	g := p.pattern(op, inner)
	e := &eachGraph{facts{visible: g.visible, certain: g.certain}, name, context, g, inner.sub}
	if name.IsVar() {
		v := setOf(name.Slot).without(in.sub)
		e.visible, e.certain = e.visible.with(v), e.certain.with(v)
	}
	out := groupOf(e)
	out.sealed = g.sealed
	return out
}

// binds reports whether every solution of a pattern includes a match in its graph.
func binds(op algebra.Op) bool {
	switch op := op.(type) {
	case *algebra.BGP:
		return len(op.Patterns) > 0
	case *algebra.Path:
		return !Nullable(op.Path) // a constant matches itself without a graph
	case *algebra.Join:
		return binds(op.Left) || binds(op.Right)
	case *algebra.Union:
		return binds(op.Left) && binds(op.Right)
	case *algebra.LeftJoin:
		return binds(op.Left)
	case *algebra.Minus:
		return binds(op.Left)
	case *algebra.Filter:
		return binds(op.Input)
	case *algebra.Extend:
		return binds(op.Input)
	}
	return false
}

// Nullable reports whether a path matches the empty path.
func Nullable(e algebra.PathExpr) bool {
	switch e := e.(type) {
	case *algebra.PathInverse:
		return Nullable(e.Path)
	case *algebra.PathSequence:
		return !slices.ContainsFunc(e.Parts, func(e algebra.PathExpr) bool { return !Nullable(e) })
	case *algebra.PathAlternative:
		return slices.ContainsFunc(e.Parts, Nullable)
	case *algebra.PathRepeat:
		return e.Mark != '+' || Nullable(e.Path)
	}
	return false
}
