package plan

import (
	"orbweaver/rdf/sparql/algebra"
)

// modifier translates an operator over all solutions of one graph.
func (p *planner) modifier(op algebra.Op, in scope) *group {
	if in.graph.IsVar() && !in.sub.Has(in.graph.Slot) {
		return p.eachGraph(op, in.graph, in.graph.Slot, in)
	}
	switch op := op.(type) {
	case *algebra.Group:
		return p.aggregation(op, in)
	case *algebra.Distinct:
		return p.distinct(op, in)
	case *algebra.Reduced:
		return p.pattern(op.Input, in)
	case *algebra.OrderBy: // from sequence
		g := p.pattern(op.Input, in)
		return groupOf(p.sorted(g, op, g.visible.Slots(), in))
	case *algebra.Slice:
		input := p.sequence(op.Input, in)
		f := input.vars()
		return groupOf(&slice{facts{visible: f.visible, certain: f.certain}, input, op})
	}
	return &group{}
}

// sequence translates an operator with ordered solutions.
func (p *planner) sequence(op algebra.Op, in scope) pattern {
	switch op := op.(type) {
	case *algebra.Project:
		if o, ok := op.Input.(*algebra.OrderBy); ok {
			g := p.pattern(o.Input, in)
			s := p.sorted(g, o, op.Vars, in)
			keep := setOf(op.Vars...)
			s.visible, s.certain = s.visible.and(keep), s.certain.and(keep)
			return s
		}
	case *algebra.Reduced:
		return p.sequence(op.Input, in)
	case *algebra.Distinct, *algebra.OrderBy, *algebra.Slice:
		return p.modifier(op, scope{in.graph, in.sub}).parts[0]
	}
	return p.pattern(op, in)
}

func (p *planner) sorted(g *group, op *algebra.OrderBy, columns []algebra.Slot, in scope) *sorted {
	s := &sorted{facts: facts{visible: g.visible, certain: g.certain}, input: g, columns: columns}
	for _, key := range op.Keys {
		s.keys = append(s.keys, SortKey{p.expr(key.Expr, g.visible, in), key.Descending})
	}
	return s
}

// distinct translates Distinct. If every sort key is selected, it sorts after removing duplicates, not
// before.
func (p *planner) distinct(op *algebra.Distinct, in scope) *group {
	columns := algebra.Visible(op.Input)
	project, ok := op.Input.(*algebra.Project)
	if ok {
		if o, ok := project.Input.(*algebra.OrderBy); ok && orderedBy(o).within(setOf(columns...)) {
			inner := p.distinct(&algebra.Distinct{Input: &algebra.Project{Input: o.Input, Vars: project.Vars}}, in)
			return groupOf(p.sorted(inner, o, columns, in))
		}
	}
	input := p.sequence(op.Input, in)
	f := input.vars()
	return groupOf(&distinct{facts{visible: f.visible, certain: f.certain}, input, columns})
}

// orderedBy returns the variables of an OrderBy's keys.
func orderedBy(o *algebra.OrderBy) Set {
	var s Set
	for _, key := range o.Keys {
		s = s.with(mentioned(key.Expr))
	}
	return s
}

func (p *planner) aggregation(op *algebra.Group, in scope) *group {
	input := groupOf(p.sequence(op.Input, in)) // GROUP_CONCAT keeps the order of a sub-query
	keys := setOf(op.Keys...)
	a := &aggregation{facts{visible: keys, certain: keys.and(input.certain)}, op, input, nil}
	for _, agg := range op.Aggregates {
		out := Aggregate{Aggregate: agg}
		if agg.Expr != nil {
			out.Expr = p.expr(agg.Expr, input.visible, in)
		}
		a.aggregates = append(a.aggregates, out)
		a.visible = a.visible.with(setOf(agg.Var))
		if agg.Name == "COUNT" {
			a.certain = a.certain.with(setOf(agg.Var))
		}
	}
	return groupOf(a)
}
