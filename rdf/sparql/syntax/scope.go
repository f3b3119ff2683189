package syntax

import (
	"fmt"

	"orbweaver/internal/order"
)

// A scope is a set of variables; the zero scope is read-only.
type scope map[string]bool

func (s scope) add(name string) { s[name] = true }

// with returns the union; neither operand may be used afterwards. It merges the smaller into the larger, so
// that deeply nested groups do not copy variables at every level.
func (s scope) with(other scope) scope {
	if len(s) < len(other) {
		s, other = other, s
	}
	for name := range other {
		s[name] = true
	}
	return s
}

// inScope adds the variables of triples to the scope.
func (p *parser) inScope(triples []Triple) {
	for _, t := range triples {
		p.nodesInScope(t.S, t.P, t.O)
	}
}

// nodesInScope adds the variables of nodes.
func (p *parser) nodesInScope(nodes ...Node) {
	for _, n := range nodes {
		switch {
		case n.Var != "":
			p.scope.add(n.Var)
		case n.Triple != nil:
			p.nodesInScope(n.Triple.S, n.Triple.P, n.Triple.O)
		}
	}
}

// aggregates describe where aggregates occur.
type aggregates struct {
	allowed bool // here
	within  bool // inside the argument of one
	found   bool // in this SELECT
}

// check enforces the notes of section 19.8 on a complete SELECT and expands "*".
func (p *parser) check(s *Select) {
	grouped := p.aggregates.found || s.GroupBy != nil
	if s.Star {
		if grouped {
			p.wrong(p.tok.pos, `SELECT * does not go with GROUP BY`, nil)
		}
		for name := range p.scope {
			s.Items = append(s.Items, Projection{Var: name})
		}
		order.By(s.Items, func(a, b Projection) int { return p.order[a.Var] - p.order[b.Var] })
		return
	}
	taken := p.scope
	known := keyVars(s) // variables with one value per group
	if grouped {        // only grouped variables are visible, as SPARQL 1.2 clarifies
		taken = keyVars(s)
		if s.Values != nil {
			for _, name := range s.Values.Vars {
				taken.add(name)
			}
		}
	}
	selected := scope{}
	for _, item := range s.Items {
		e := item.Expr
		if e == nil {
			e = &VarExpr{item.Pos, item.Var}
		} else if taken[item.Var] || selected[item.Var] {
			p.wrong(item.Pos, "SELECT gives a value to ?"+item.Var+", which has one already", nil)
		}
		if grouped {
			p.grouped(e, known)
		}
		selected.add(item.Var)
		if item.Expr != nil {
			known.add(item.Var)
		}
	}
}

// keyVars returns the variables that are grouped by.
func keyVars(s *Select) scope {
	out := scope{}
	for _, key := range s.GroupBy {
		if v, ok := key.Expr.(*VarExpr); ok {
			out.add(v.Var)
		}
		if key.Var != "" {
			out.add(key.Var)
		}
	}
	return out
}

// grouped reports variables without one value per group.
func (p *parser) grouped(e Expr, known scope) {
	switch e := e.(type) {
	case *VarExpr:
		if !known[e.Var] {
			p.wrong(e.Pos, fmt.Sprintf("?%s is not grouped by, and has no aggregate around it", e.Var), nil)
		}
	case *Call:
		for _, arg := range e.Args {
			p.grouped(arg, known)
		}
	case *FunctionCall:
		for _, arg := range e.Args {
			p.grouped(arg, known)
		}
	}
}
