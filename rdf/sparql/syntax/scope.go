package syntax

import (
	"fmt"
	"slices"
)

// A scope is a set of variables; the zero scope must not be added to.
type scope map[string]bool

func (s scope) add(name string) { s[name] = true }

// with returns the variables of both; neither is of use afterwards. The smaller goes into the larger,
// so that variables of deep groups are not copied at every level.
func (s scope) with(other scope) scope {
	if len(s) < len(other) {
		s, other = other, s
	}
	for name := range other {
		s[name] = true
	}
	return s
}

// inScope has the variables of triples in scope.
func (p *parser) inScope(triples []Triple) {
	for _, t := range triples {
		for _, n := range [...]Node{t.S, t.P, t.O} {
			if n.Var != "" {
				p.scope.add(n.Var)
			}
		}
	}
}

// aggregates say where aggregates stand.
type aggregates struct {
	allowed bool // here
	within  bool // the argument of one
	found   bool // in this SELECT
}

// check refuses what the notes of section 19.8 forbid of a SELECT that was read in whole, and fills in
// what "*" stands for.
func (p *parser) check(s *Select) {
	grouped := p.aggregates.found || s.GroupBy != nil
	if s.Star {
		if grouped {
			p.wrong(p.tok.pos, `SELECT * does not go with GROUP BY`, nil)
		}
		for name := range p.scope {
			s.Items = append(s.Items, Projection{Var: name})
		}
		slices.SortFunc(s.Items, func(a, b Projection) int { return p.order[a.Var] - p.order[b.Var] })
		return
	}
	taken := p.scope
	known := keyVars(s) // has one value in a group
	if grouped {        // a group hides what it is not grouped by, as SPARQL 1.2 makes plain
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

// grouped refuses variables that have no one value in a group.
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
