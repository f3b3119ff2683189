package algebra

import (
	"slices"

	"orbweaver/rdf/sparql/syntax"
)

// selection translates a pattern with its solution modifiers (sections 18.2.4 and 18.2.5).
func (t *translator) selection(s *syntax.Select, project bool) Op {
	op := Op(&BGP{})
	if s.Where != nil {
		op = t.whole(s.Where)
	}
	if isGrouped(s) {
		op = t.grouped(op, s.GroupBy)
	}
	if len(s.Having) > 0 {
		op = &Filter{op, t.conjunction(s.Having)}
	}
	if s.Values != nil {
		op = join(op, t.values(s.Values))
	}
	for _, item := range s.Items {
		if item.Expr != nil {
			op = &Extend{op, t.slot(item.Var), t.expr(item.Expr)}
			t.groups.know(t.slot(item.Var))
		}
	}
	if s.OrderBy != nil {
		o := &OrderBy{Input: op}
		for _, key := range s.OrderBy {
			o.Keys = append(o.Keys, OrderKey{t.expr(key.Expr), key.Descending})
		}
		op = o
	}
	t.groups = nil
	if project {
		op = t.projection(op, s)
	}
	if s.Offset > 0 || s.Limit != NoLimit {
		op = &Slice{op, s.Offset, s.Limit}
	}
	return op
}

// projection translates SELECT itself.
func (t *translator) projection(op Op, s *syntax.Select) Op {
	p := &Project{op, t.selected(s)}
	switch {
	case s.Distinct:
		return &Distinct{p}
	case s.Reduced:
		return &Reduced{p}
	}
	return p
}

// selected returns the variables of SELECT, each once.
func (t *translator) selected(s *syntax.Select) (vars []Slot) {
	seen := make(map[Slot]bool, len(s.Items))
	for _, item := range s.Items {
		if v := t.slot(item.Var); !seen[v] {
			seen[v] = true
			vars = append(vars, v)
		}
	}
	return vars
}

// conjunction translates the conjunction of expressions.
func (t *translator) conjunction(list []syntax.Expr) Expr {
	if len(list) == 1 {
		return t.expr(list[0])
	}
	return &Call{"&&", t.exprs(list)}
}

// A grouping translates expressions over grouped solutions (section 18.2.4.1).
type grouping struct {
	group   *Group
	known   map[Slot]bool // variables with a value per group: keys, and those defined by SELECT
	samples map[Slot]Slot // for other variables, the variable of their SAMPLE
}

// know marks a variable as having a value per group. Without grouping it does nothing.
func (g *grouping) know(v Slot) {
	if g != nil {
		g.known[v] = true
	}
}

// grouped translates GROUP BY, or an implicit single group.
func (t *translator) grouped(op Op, keys []syntax.GroupKey) Op {
	g := &grouping{&Group{}, map[Slot]bool{}, map[Slot]Slot{}}
	for _, key := range keys {
		v, plain := key.Expr.(*syntax.VarExpr)
		var s Slot
		switch {
		case plain && key.Var == "":
			s = t.slot(v.Var)
		case key.Var != "":
			s = t.slot(key.Var)
			op = &Extend{op, s, t.expr(key.Expr)}
		default:
			s = t.fresh()
			op = &Extend{op, s, t.expr(key.Expr)}
		}
		if !g.known[s] {
			g.group.Keys = append(g.group.Keys, s)
		}
		g.know(s)
	}
	g.group.Input = op
	t.groups = g
	return g.group
}

// aggregate adds an aggregate to the group, and returns the variable of its value.
func (t *translator) aggregate(a Aggregate) Expr {
	a.Var = t.fresh()
	t.groups.group.Aggregates = append(t.groups.group.Aggregates, a)
	return &Var{a.Var}
}

// value translates a variable in an expression; a variable without a value per group becomes a SAMPLE.
func (t *translator) value(name string) Expr {
	s := t.slot(name)
	if t.groups == nil || t.groups.known[s] {
		return &Var{s}
	}
	sample, ok := t.groups.samples[s]
	if !ok {
		sample = t.aggregate(Aggregate{Name: "SAMPLE", Expr: &Var{s}}).(*Var).Slot
		t.groups.samples[s] = sample
	}
	return &Var{sample}
}

// expr translates an expression.
func (t *translator) expr(e syntax.Expr) Expr {
	switch e := e.(type) {
	case *syntax.VarExpr:
		return t.value(e.Var)
	case *syntax.TermExpr:
		return &Const{e.Term}
	case *syntax.Call:
		return &Call{e.Name, t.exprs(e.Args)}
	case *syntax.FunctionCall:
		return &Function{e.IRI, e.Distinct, t.exprs(e.Args)}
	case *syntax.Exists:
		groups := t.groups
		t.groups = nil
		pattern := t.whole(e.Group)
		t.groups = groups
		return &Exists{e.Not, pattern}
	case *syntax.Aggregate:
		a := Aggregate{Name: e.Name, Distinct: e.Distinct, Separator: e.Separator}
		if e.Expr != nil {
			groups := t.groups
			t.groups = nil
			a.Expr = t.expr(e.Expr)
			t.groups = groups
		}
		return t.aggregate(a)
	}
	return nil
}

func (t *translator) exprs(list []syntax.Expr) []Expr {
	out := make([]Expr, len(list))
	for i, e := range list {
		out[i] = t.expr(e)
	}
	return out
}

// isGrouped reports whether there is GROUP BY, or an aggregate.
func isGrouped(s *syntax.Select) bool {
	return s.GroupBy != nil ||
		slices.ContainsFunc(s.Having, hasAggregate) ||
		slices.ContainsFunc(s.Items, func(p syntax.Projection) bool { return hasAggregate(p.Expr) }) ||
		slices.ContainsFunc(s.OrderBy, func(k syntax.OrderKey) bool { return hasAggregate(k.Expr) })
}

// hasAggregate reports whether there is an aggregate in an expression, which may be nil.
func hasAggregate(e syntax.Expr) bool {
	switch e := e.(type) {
	case *syntax.Aggregate:
		return true
	case *syntax.Call:
		return slices.ContainsFunc(e.Args, hasAggregate)
	case *syntax.FunctionCall:
		return slices.ContainsFunc(e.Args, hasAggregate)
	}
	return false
}
