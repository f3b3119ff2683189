package plan

import "orbweaver/rdf/sparql/algebra"

// usedBy returns all variables that a pattern uses.
func (p *planner) usedBy(l pattern) Set {
	var u user
	u.pattern(l)
	return setOf(u.slots...).with(u.sets...)
}

// A user collects variables.
type user struct {
	mentions
	sets []Set
}

func (u *user) exprs(list ...*Expr) {
	for _, e := range list {
		if e != nil {
			u.sets = append(u.sets, e.uses)
		}
	}
}

func (u *user) pattern(l pattern) {
	u.sets = append(u.sets, l.vars().visible)
	switch l := l.(type) {
	case *scan:
		u.nodes(l.triple.S, l.triple.P, l.triple.O, l.graph)
	case *path:
		u.nodes(l.path.S, l.path.O, l.graph)
	case *values:
		u.slots = append(u.slots, l.op.Vars...)
	case *union:
		for _, input := range l.inputs {
			u.pattern(input)
		}
	case *bind:
		u.exprs(l.expr)
		u.slots = append(u.slots, l.slot)
	case *eachGraph:
		u.nodes(l.name, algebra.Node{Slot: l.context})
		u.pattern(l.input)
	case *aggregation:
		u.slots = append(u.slots, l.op.Keys...)
		for _, agg := range l.aggregates {
			u.exprs(agg.Expr)
		}
		u.pattern(l.input)
	case *distinct:
		u.pattern(l.input)
	case *sorted:
		for _, key := range l.keys {
			u.exprs(key.Expr)
		}
		u.pattern(l.input)
	case *slice:
		u.pattern(l.input)
	case *service:
		u.nodes(l.op.Name)
	case *group:
		u.group(l)
	}
}

func (u *user) group(g *group) {
	for _, part := range g.parts {
		u.pattern(part)
	}
	u.exprs(g.filters...)
	for _, t := range g.tails {
		u.exprs(t.exprs...)
		if t.right != nil {
			u.pattern(t.right)
		}
		if t.bind != nil {
			u.pattern(t.bind)
		}
	}
}
