package naive

import (
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/value"
)

// holds reports whether an expression is true.
func (e *evaluator) holds(expr algebra.Expr, s Solution, graph []rdf.Triple, sub Solution) bool {
	ok, err := e.boolean(expr, s, graph, sub)
	return ok && err == nil
}

func (e *evaluator) boolean(expr algebra.Expr, s Solution, graph []rdf.Triple, sub Solution) (bool, error) {
	v, err := e.expr(expr, s, graph, sub)
	if err != nil {
		return false, err
	}
	return value.EBV(v)
}

// expr evaluates an expression (section 17).
func (e *evaluator) expr(expr algebra.Expr, s Solution, graph []rdf.Triple, sub Solution) (value.Value, error) {
	switch expr := expr.(type) {
	case *algebra.Const:
		return value.Of(expr.Term), nil
	case *algebra.Var:
		if t, ok := lookUp(expr.Slot, s, sub); ok {
			return value.Of(t), nil
		}
		return value.Value{}, value.ErrType
	case *algebra.Exists:
		inner, _ := merged(s, sub)
		found := len(e.eval(expr.Pattern, graph, inner)) > 0
		return value.Bool(found != expr.Not), nil
	case *algebra.Function:
		args, err := e.args(expr.Args, s, graph, sub)
		if err != nil {
			return value.Value{}, err
		}
		return value.Function(e.env, expr.IRI, args)
	case *algebra.Call:
		return e.call(expr, s, graph, sub)
	}
	panic("naive: expression")
}

// lookUp returns the value of a variable.
func lookUp(v algebra.Slot, s, sub Solution) (rdf.Term, bool) {
	if t, ok := sub[v]; ok {
		return t, true
	}
	t, ok := s[v]
	return t, ok
}

func (e *evaluator) args(list []algebra.Expr, s Solution, graph []rdf.Triple, sub Solution) (out []value.Value, err error) {
	for _, arg := range list {
		v, err := e.expr(arg, s, graph, sub)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}

// call evaluates functions that do not evaluate all arguments, and passes the others to value.
func (e *evaluator) call(c *algebra.Call, s Solution, graph []rdf.Triple, sub Solution) (value.Value, error) {
	switch c.Name {
	case "BOUND":
		_, ok := lookUp(c.Args[0].(*algebra.Var).Slot, s, sub)
		return value.Bool(ok), nil
	case "IF":
		ok, err := e.boolean(c.Args[0], s, graph, sub)
		switch {
		case err != nil:
			return value.Value{}, err
		case ok:
			return e.expr(c.Args[1], s, graph, sub)
		}
		return e.expr(c.Args[2], s, graph, sub)
	case "COALESCE":
		for _, arg := range c.Args {
			if v, err := e.expr(arg, s, graph, sub); err == nil {
				return v, nil
			}
		}
		return value.Value{}, value.ErrType
	case "||", "&&":
		return e.logical(c, s, graph, sub)
	case "!":
		b, err := e.boolean(c.Args[0], s, graph, sub)
		return value.Bool(!b), err
	case "IN", "NOT IN":
		return e.in(c, s, graph, sub)
	}
	args, err := e.args(c.Args, s, graph, sub)
	if err != nil {
		return value.Value{}, err
	}
	return value.Call(e.env, c.Name, args)
}

// logical implements the truth table of section 17.2.
func (e *evaluator) logical(c *algebra.Call, s Solution, graph []rdf.Triple, sub Solution) (value.Value, error) {
	result, failed := e.boolean(c.Args[0], s, graph, sub)
	for _, arg := range c.Args[1:] {
		b, err := e.boolean(arg, s, graph, sub)
		if c.Name == "||" {
			result, failed = value.Or(result, failed, b, err)
		} else {
			result, failed = value.And(result, failed, b, err)
		}
	}
	return value.Bool(result), failed
}

// in is a disjunction of equalities (section 17.4.1.9).
func (e *evaluator) in(c *algebra.Call, s Solution, graph []rdf.Triple, sub Solution) (value.Value, error) {
	v, err := e.expr(c.Args[0], s, graph, sub)
	if err != nil {
		return v, err
	}
	result, failed := false, error(nil)
	for _, arg := range c.Args[1:] {
		w, err := e.expr(arg, s, graph, sub)
		equal := false
		if err == nil {
			equal, err = value.Equal(v, w)
		}
		result, failed = value.Or(result, failed, equal, err)
	}
	return value.Bool(result == (c.Name == "IN")), failed
}
