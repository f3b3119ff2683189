package plan

import (
	"math"
	"slices"

	"orbweaver/rdf/sparql/algebra"
)

// build makes the node of a pattern.
func (p *planner) build(l pattern, a around) Node {
	switch l := l.(type) {
	case *group:
		return p.buildGroup(l, a)
	case *scan:
		if l.magic {
			return &Magic{Triple: l.triple}
		}
		return &Scan{Triple: l.triple, Graph: l.graph}
	case *path:
		free := func(n algebra.Node) bool { return n.IsVar() && !a.sub.Has(n.Slot) }
		return &Path{S: l.path.S, O: l.path.O, Path: l.path.Path, Graph: l.graph, Check: free(l.path.S) && free(l.path.O)}
	case *values:
		return &Values{Vars: l.op.Vars, Rows: l.op.Rows}
	case *bind:
		return &Extend{Input: &Join{}, Var: l.slot, Expr: l.expr}
	case *union:
		u := &Union{}
		for _, input := range l.inputs {
			n := p.build(input, a)
			u.Rows += Estimate(n)
			u.Inputs = append(u.Inputs, n)
		}
		return u
	case *eachGraph:
		inner := a
		if l.name.IsVar() {
			inner.sub = a.sub.with(setOf(l.context))
			inner = inner.hiding(setOf(l.context))
			inner.once = false
		}
		return &EachGraph{Input: p.build(l.input, inner), Name: l.name, Context: l.context}
	case *service:
		return &Service{Service: l.op}
	}
	return p.buildModifier(l, a)
}

// buildModifier makes the node of an operator over all solutions.
func (p *planner) buildModifier(l pattern, a around) Node {
	switch l := l.(type) {
	case *aggregation:
		hidden := a.in.without(setOf(l.op.Keys...).and(l.input.certain), a.sub)
		inner := a.hiding(hidden)
		inner.limit = math.Inf(1)
		g := &Group{Input: p.build(l.input, inner), Keys: l.op.Keys, Aggregates: l.aggregates, Columns: algebra.Visible(l.op.Input)}
		g.Rows = p.rows(l, a.sub)
		return masked(g, hidden)
	case *distinct:
		f := l.input.vars()
		hidden := f.visible.without(f.certain, a.sub).and(a.in)
		input := p.build(l.input, a.hiding(hidden))
		return masked(&Distinct{Info{Estimate(input)}, input, l.columns}, hidden)
	case *sorted:
		inner := a
		inner.limit = math.Inf(1)
		input := p.build(l.input, inner)
		return &Sort{Info{Estimate(input)}, input, l.keys, l.columns, algebra.NoLimit}
	case *slice:
		return masked(p.buildSlice(l, a.hiding(a.in.without(a.sub))), a.in.without(a.sub))
	}
	return &Join{}
}

// buildSlice makes the node of a slice. A Sort below it keeps only the rows that the slice needs.
func (p *planner) buildSlice(l *slice, a around) Node {
	if l.op.Limit != algebra.NoLimit && float64(l.op.Limit)+float64(l.op.Offset) < math.MaxInt64 {
		a.limit = min(a.limit, float64(l.op.Limit)+float64(l.op.Offset))
	}
	input := p.build(l.input, a)
	if s, ok := input.(*Sort); ok && l.op.Limit != algebra.NoLimit && l.op.Limit <= math.MaxInt64-l.op.Offset {
		s.Limit = l.op.Limit + l.op.Offset
	}
	return &Slice{Info{min(Estimate(input), a.limit)}, input, l.op.Offset, l.op.Limit}
}

// masked hides variables from a node.
func masked(n Node, hidden Set) Node {
	if hidden.empty() {
		return n
	}
	return &Mask{Info{Estimate(n)}, n, hidden.Slots()}
}

// buildGroup makes the node of a group: a join of its parts in their order, and its tails.
func (p *planner) buildGroup(g *group, a around) Node {
	hidden := g.open.and(a.in).without(a.sub)
	o := newOrdering(p, a.hiding(hidden), g)
	j := &Join{}
	filters := g.filters
	var n Node
	n, filters = o.filtered(j, filters)
	for i := 0; len(o.left) > 0; {
		o.waits = filters
		if i = o.best(); len(j.Inputs) == 0 {
			i = o.start(filters)
		}
		part := o.left[i]
		node := o.inner(part, len(j.Inputs) == 0)
		o.take(i)
		node.info().Rows = o.rows
		if t, ok := node.(*Table); ok {
			filters = o.within(t, part, filters)
		}
		node, filters = o.filtered(node, filters)
		j.Inputs = append(j.Inputs, node)
	}
	j.Rows = o.rows
	p.bySubject(j.Inputs, a.in)
	if n == Node(j) && len(j.Inputs) == 1 {
		n = j.Inputs[0]
	}
	for _, t := range g.tails {
		n = o.tail(n, t)
	}
	return masked(n, hidden)
}

// bySubject has scans of whole predicates come in the order of subjects if the next scan is of the same subject: its lookups then ascend.
func (p *planner) bySubject(inputs []Node, known Set) {
	for i, input := range inputs[:max(0, len(inputs)-1)] {
		here, next := scanOf(input), scanOf(inputs[i+1])
		if here == nil {
			return
		}
		free := func(n algebra.Node) bool { return n.IsVar() && !known.Has(n.Slot) }
		if next != nil && free(here.S) && free(here.O) && !decodesOf(input, here.O.Slot) && p.columnar(here.Triple, here.Graph) {
			s, o := here.S.Slot, here.O.Slot
			here.BySubject = next.S.IsVar() && next.S.Slot == s || next.O.IsVar() && next.O.Slot == s && !(next.S.IsVar() && next.S.Slot == o)
		}
		for _, n := range [...]algebra.Node{here.S, here.P, here.O} {
			if n.IsVar() {
				known = known.with(setOf(n.Slot))
			}
		}
	}
}

// decodesOf reports whether a node is a filter that needs the terms of a variable.
func decodesOf(n Node, slot algebra.Slot) bool {
	f, ok := n.(*Filter)
	return ok && slices.ContainsFunc(f.Conditions, func(e *Expr) bool { return e.uses.Has(slot) && decodes(e.Expr) })
}

// scanOf returns the scan of a node, if that is one, or a filter of one.
func scanOf(n Node) *Scan {
	if f, ok := n.(*Filter); ok {
		n = f.Input
	}
	s, _ := n.(*Scan)
	return s
}

// filtered adds the filters whose variables are bound to a node and returns the rest.
func (o *ordering) filtered(n Node, filters []*Expr) (Node, []*Expr) {
	known := o.must.with(o.sub)
	var now, later []*Expr
	for _, e := range filters {
		if e.uses.within(known) {
			now = append(now, e)
		} else {
			later = append(later, e)
		}
	}
	if len(now) == 0 {
		return n, filters
	}
	o.rows *= math.Pow(0.5, float64(len(now)))
	return &Filter{Info{o.rows}, n, now}, later
}

// within pushes the filters that mention only a part's variables below its table.
func (o *ordering) within(t *Table, part pattern, filters []*Expr) (later []*Expr) {
	known := part.vars().certain.with(o.sub)
	f := &Filter{Input: t.Input}
	depends := setOf(t.Depends...)
	for _, e := range filters {
		if !e.uses.within(known) {
			later = append(later, e)
			continue
		}
		f.Conditions = append(f.Conditions, e)
		depends = depends.with(e.uses.and(o.sub))
	}
	if len(f.Conditions) == 0 {
		return filters
	}
	left := math.Pow(0.5, float64(len(f.Conditions)))
	f.Rows, o.rows = Estimate(t.Input)*left, o.rows*left
	t.Input, t.Depends, t.Rows = f, depends.Slots(), o.rows
	return later
}

// tail adds a tail to the node of the preceding parts.
func (o *ordering) tail(n Node, t tail) Node {
	switch t.kind {
	case tailFilter:
		o.rows *= 0.5
		return &Filter{Info{o.rows}, n, t.exprs}
	case tailBind:
		o.in = o.in.with(t.bind.visible)
		o.must = o.must.with(t.bind.certain)
		return &Extend{Info{o.rows}, n, t.bind.slot, t.bind.expr}
	case tailMinus:
		return o.minus(n, t)
	}
	right := o.inner(t.right, false)
	rows, _ := o.joined(t.right)
	o.rows = max(o.rows, rows)
	o.in = o.in.with(t.right.visible)
	return &Optional{Info{o.rows}, n, right, t.exprs}
}

func (o *ordering) minus(n Node, t tail) Node {
	shared := t.right.visible.and(o.in).without(o.sub)
	if shared.empty() {
		return n
	}
	m := &Minus{Info: Info{o.rows}, Left: n, Shared: shared.Slots()}
	if m.Probe = t.right.certain.and(o.must).meets(shared); m.Probe {
		m.Right = o.inner(t.right, false)
	} else {
		m.Right = o.table(t.right)
	}
	return m
}

// fewRows is the largest number of VALUES rows that are scanned without an index.
const fewRows = 8

// inner makes the node of a part that is opened once per preceding solution: the part itself where passing
// bound values into it is cheaper, otherwise a table of it.
func (o *ordering) inner(part pattern, first bool) Node {
	a := o.around
	a.once = a.once && first
	rows, own := o.joined(part)
	left := min(o.rows, o.limit)
	push := left*o.p.seekCost + rows
	table := own*buildCost + left + rows
	if s, ok := part.(*scan); ok && o.p.columnar(s.triple, s.graph) {
		seek := o.columnSeek(s)
		push, table = left*seek+rows, own*columnBuild+left*seek+rows
	}
	pushed := o.pushable(part)
	switch l := part.(type) {
	case *bind:
		return o.p.build(part, a)
	case *values:
		if first || len(l.op.Rows) < fewRows || !o.must.meets(l.visible) {
			return o.p.build(part, a)
		}
		return o.table(part)
	case *scan:
		if l.magic || a.in.empty() && first || push <= table || !o.must.meets(l.visible) {
			return o.p.build(part, a)
		}
		return o.table(part)
	case *service:
		return o.table(part)
	case *slice:
		if !a.once || !a.in.empty() {
			return o.table(part)
		}
	case *group:
		if l.sealed && (!a.once || !a.in.empty()) {
			return o.table(part)
		}
	}
	switch {
	case first && a.in.empty() && (a.once || o.rows <= 1):
	case pushed.empty() && (o.rows > 1 || !a.once):
		return o.table(part)
	case part.vars().visible.empty():
		return o.table(part)
	case table < push && pushed.meets(o.must):
		return o.table(part)
	}
	return o.p.build(part, a)
}

// pushable returns the variables whose values can be passed into a part and make it cheaper.
func (o *ordering) pushable(part pattern) Set {
	f := part.vars()
	shared := f.visible.and(o.in)
	switch l := part.(type) {
	case *group:
		return shared.without(l.open)
	case *aggregation:
		return shared.and(setOf(l.op.Keys...)).and(l.input.certain)
	case *slice:
		return Set{}
	case *distinct:
		return shared.and(f.certain)
	}
	return shared
}

// table materializes the solutions of a part.
func (o *ordering) table(part pattern) Node {
	f := part.vars()
	depends := o.p.usedBy(part).and(o.sub)
	if s, ok := part.(*service); ok && s.op.Name.IsVar() {
		depends = depends.with(setOf(s.op.Name.Slot))
	}
	input := o.p.build(part, o.around.alone())
	input.info().Rows = max(Estimate(input), o.p.estimate(part, o.sub).rows)
	return &Table{
		Info:    Info{o.rows},
		Input:   input,
		Columns: f.visible.without(o.sub).Slots(),
		Key:     f.certain.and(o.must).without(o.sub).Slots(),
		Clear:   o.in.without(depends, o.sub).Slots(),
		Depends: depends.Slots(),
	}
}
