package plan

import (
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
)

// An Expr is an expression with the data needed to plan the patterns of its EXISTS.
type Expr struct {
	algebra.Expr
	uses    Set // variables that it mentions, and the graph of EXISTS
	visible Set // variables that may be bound at its place
	planner *planner
	scope   scope
	plans   []*Exists
}

// expr returns an expression over solutions with the given variables.
func (p *planner) expr(e algebra.Expr, visible Set, in scope) *Expr {
	uses := mentioned(e)
	if hasExists(e) && in.graph.IsVar() {
		uses = uses.with(setOf(in.graph.Slot))
	}
	return &Expr{Expr: e, uses: uses, visible: visible, planner: p, scope: in}
}

// An Exists is the pattern of an EXISTS. The current solution determines which of its variables are
// constants, and hence its plan.
type Exists struct {
	Slots   []algebra.Slot // constants where bound
	Depends []algebra.Slot // always constants, including the graph
	pattern algebra.Op
	expr    *Expr
	plans   []Node
}

// Exists returns the pattern of an EXISTS within the expression.
func (e *Expr) Exists(x *algebra.Exists) *Exists {
	mentions := e.planner.mentions(x.Pattern)
	out := &Exists{pattern: x.Pattern, expr: e}
	sub := e.scope.sub
	if g := e.scope.graph; g.IsVar() {
		sub = sub.with(setOf(g.Slot))
		mentions = mentions.with(setOf(g.Slot))
	}
	out.Slots = mentions.and(e.visible).without(sub).Slots()
	out.Depends = mentions.and(sub).Slots()
	e.plans = append(e.plans, out)
	return out
}

// Plan plans the pattern for solutions with values for some of Slots.
func (x *Exists) Plan(bound Set) (Node, error) {
	e := x.expr
	sub := e.scope.sub.with(bound)
	if g := e.scope.graph; g.IsVar() {
		sub = sub.with(setOf(g.Slot))
	}
	n, err := e.planner.plan(x.pattern, scope{e.scope.graph, sub}, 1)
	x.plans = append(x.plans, n)
	return n, err
}

// SetOf returns a set of slots.
func SetOf(slots ...algebra.Slot) Set { return setOf(slots...) }

// conjuncts splits an expression, which may be nil, into its conjuncts.
func conjuncts(e algebra.Expr) (out []algebra.Expr) {
	call, ok := e.(*algebra.Call)
	switch {
	case e == nil:
		return nil
	case !ok || call.Name != "&&":
		return []algebra.Expr{e}
	}
	for _, arg := range call.Args {
		out = append(out, conjuncts(arg)...)
	}
	return out
}

// walk calls a function for an expression and those within, but not within patterns of Exists.
func walk(e algebra.Expr, visit func(algebra.Expr)) {
	visit(e)
	switch e := e.(type) {
	case *algebra.Call:
		for _, arg := range e.Args {
			walk(arg, visit)
		}
	case *algebra.Function:
		for _, arg := range e.Args {
			walk(arg, visit)
		}
	}
}

// mentioned returns the variables of an expression, including those in patterns of Exists.
func mentioned(e algebra.Expr) Set {
	var m mentions
	m.expr(e)
	return setOf(m.slots...)
}

// mentions returns the variables of an operator, including those in expressions.
func (p *planner) mentions(op algebra.Op) Set {
	var m mentions
	m.op(op)
	return setOf(m.slots...)
}

// A mentions collects variables.
type mentions struct{ slots []algebra.Slot }

func (m *mentions) expr(e algebra.Expr) {
	if e == nil {
		return
	}
	walk(e, func(e algebra.Expr) {
		switch e := e.(type) {
		case *algebra.Var:
			m.slots = append(m.slots, e.Slot)
		case *algebra.Exists:
			m.op(e.Pattern)
		}
	})
}

func (m *mentions) nodes(nodes ...algebra.Node) {
	for _, n := range nodes {
		if n.IsVar() {
			m.slots = append(m.slots, n.Slot)
		}
	}
}

func (m *mentions) op(op algebra.Op) {
	switch op := op.(type) {
	case *algebra.BGP:
		for _, t := range op.Patterns {
			m.nodes(t.S, t.P, t.O)
		}
	case *algebra.Path:
		m.nodes(op.S, op.O)
	case *algebra.LeftJoin:
		m.expr(op.Filter)
	case *algebra.Filter:
		m.expr(op.Expr)
	case *algebra.Graph:
		m.nodes(op.Name)
	case *algebra.Extend:
		m.slots = append(m.slots, op.Var)
		m.expr(op.Expr)
	case *algebra.Group:
		m.slots = append(m.slots, op.Keys...)
		for _, a := range op.Aggregates {
			m.slots = append(m.slots, a.Var)
			m.expr(a.Expr)
		}
	case *algebra.Values:
		m.slots = append(m.slots, op.Vars...)
	case *algebra.Project:
		m.slots = append(m.slots, op.Vars...)
	case *algebra.OrderBy:
		for _, key := range op.Keys {
			m.expr(key.Expr)
		}
	case *algebra.Service:
		m.nodes(op.Name)
		for _, c := range op.Columns {
			m.slots = append(m.slots, c.Slot)
		}
	}
	for _, input := range algebra.Inputs(op) {
		m.op(input)
	}
}

// volatile reports whether an expression may differ between evaluations (RAND, UUID and the like).
func volatile(e algebra.Expr) (found bool) {
	walk(e, func(e algebra.Expr) {
		if call, ok := e.(*algebra.Call); ok {
			switch call.Name {
			case "RAND", "UUID", "STRUUID", "BNODE":
				found = true
			}
		}
	})
	return found
}

func hasExists(e algebra.Expr) (found bool) {
	walk(e, func(e algebra.Expr) {
		if _, ok := e.(*algebra.Exists); ok {
			found = true
		}
	})
	return found
}

// equalities returns the values to which an expression restricts a variable, if it does nothing else: for
// IRIs, "=" is sameTerm.
func equalities(e algebra.Expr) *algebra.Values {
	call, ok := e.(*algebra.Call)
	if !ok {
		return nil
	}
	args := call.Args
	switch call.Name {
	case "=", "SAMETERM":
		if _, ok := args[0].(*algebra.Const); ok {
			args = []algebra.Expr{args[1], args[0]}
		}
	case "IN":
	default:
		return nil
	}
	v, ok := args[0].(*algebra.Var)
	if !ok || len(args) < 2 {
		return nil
	}
	out := &algebra.Values{Vars: []algebra.Slot{v.Slot}}
	seen := map[rdf.Term]bool{}
	for _, arg := range args[1:] {
		c, ok := arg.(*algebra.Const)
		if !ok || c.Term.Kind != rdf.IRI && call.Name != "SAMETERM" {
			return nil
		}
		if !seen[c.Term] {
			seen[c.Term] = true
			out.Rows = append(out.Rows, []rdf.Term{c.Term})
		}
	}
	return out
}
