package eval

import (
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/value"
)

// An operand evaluates an expression for the solution in the registers.
type operand func() (value.Value, error)

// A test evaluates an expression to its effective boolean value.
type test func() (bool, error)

// A condition reports whether an expression is true, and not an error.
type condition func() bool

func hold(conditions []condition) bool {
	for _, c := range conditions {
		if !c() {
			return false
		}
	}
	return true
}

// conditions compiles expressions that must be true.
func (x *execution) conditions(list []*plan.Expr) (out []condition) {
	for _, e := range list {
		t := compiler{x, e}.test(e.Expr)
		out = append(out, func() bool {
			ok, err := t()
			return ok && err == nil && x.err == nil
		})
	}
	return out
}

// operand compiles an expression.
func (x *execution) operand(e *plan.Expr) operand { return compiler{x, e}.operand(e.Expr) }

// idOf compiles an expression to the ID of its value, 0 after an error.
func (x *execution) idOf(e *plan.Expr) func() quads.ID {
	if id, ok := (compiler{x, e}).id(e.Expr); ok {
		return id
	}
	value := x.operand(e)
	return func() quads.ID {
		v, err := value()
		if err != nil {
			return 0
		}
		return x.id(v.Term())
	}
}

// A compiler compiles one expression.
type compiler struct {
	x    *execution
	expr *plan.Expr
}

// id compiles expressions that need no decoding.
func (c compiler) id(e algebra.Expr) (func() quads.ID, bool) {
	switch e := e.(type) {
	case *algebra.Var:
		return func() quads.ID { return c.x.reg[e.Slot] }, true
	case *algebra.Const:
		id := c.x.id(e.Term)
		return func() quads.ID { return id }, true
	}
	return nil, false
}

func (c compiler) operand(e algebra.Expr) operand {
	switch e := e.(type) {
	case *algebra.Var:
		return func() (value.Value, error) {
			id := c.x.reg[e.Slot]
			if id == 0 {
				return value.Value{}, value.ErrType
			}
			return c.x.value(id), nil
		}
	case *algebra.Const:
		v := value.Of(quads.Canonical(e.Term))
		return func() (value.Value, error) { return v, nil }
	case *algebra.Function:
		return c.function(e)
	case *algebra.Call:
		switch e.Name {
		case "IF":
			return c.choice(e.Args)
		case "COALESCE":
			return c.coalesce(e.Args)
		case "||", "&&", "!", "=", "!=", "<", ">", "<=", ">=", "BOUND", "IN", "NOT IN", "SAMETERM":
		default:
			return c.call(e)
		}
	}
	t := c.test(e)
	return func() (value.Value, error) {
		b, err := t()
		if err != nil {
			return value.Value{}, err
		}
		return value.Bool(b), nil
	}
}

func (c compiler) operands(list []algebra.Expr) []operand {
	out := make([]operand, len(list))
	for i, e := range list {
		out[i] = c.operand(e)
	}
	return out
}

// strict evaluates all expressions of a list; the first error is returned.
func (c compiler) strict(list []algebra.Expr) func() ([]value.Value, error) {
	args, values := c.operands(list), make([]value.Value, len(list))
	return func() ([]value.Value, error) {
		for i, arg := range args {
			v, err := arg()
			if err != nil {
				return nil, err
			}
			values[i] = v
		}
		return values, nil
	}
}

func (c compiler) call(e *algebra.Call) operand {
	args := c.strict(e.Args)
	return func() (value.Value, error) {
		values, err := args()
		if err != nil {
			return value.Value{}, err
		}
		return value.Call(&c.x.env, e.Name, values)
	}
}

func (c compiler) function(e *algebra.Function) operand {
	args, own := c.strict(e.Args), c.x.opts.Function[e.IRI]
	return func() (value.Value, error) {
		values, err := args()
		switch {
		case err != nil:
			return value.Value{}, err
		case own != nil:
			return own(values)
		}
		return value.Function(&c.x.env, e.IRI, values)
	}
}

func (c compiler) choice(list []algebra.Expr) operand {
	is, then, otherwise := c.test(list[0]), c.operand(list[1]), c.operand(list[2])
	return func() (value.Value, error) {
		ok, err := is()
		switch {
		case err != nil:
			return value.Value{}, err
		case ok:
			return then()
		}
		return otherwise()
	}
}

func (c compiler) coalesce(list []algebra.Expr) operand {
	args := c.operands(list)
	return func() (value.Value, error) {
		for _, arg := range args {
			if v, err := arg(); err == nil {
				return v, nil
			}
		}
		return value.Value{}, value.ErrType
	}
}

// test compiles an expression to its effective boolean value.
func (c compiler) test(e algebra.Expr) test {
	switch e := e.(type) {
	case *algebra.Exists:
		return c.x.existence(e, c.expr)
	case *algebra.Call:
		switch e.Name {
		case "||":
			return c.logical(e.Args, true)
		case "&&":
			return c.logical(e.Args, false)
		case "!":
			t := c.test(e.Args[0])
			return func() (bool, error) {
				b, err := t()
				return !b, err
			}
		case "BOUND":
			slot := e.Args[0].(*algebra.Var).Slot
			return func() (bool, error) { return c.x.reg[slot] != 0, nil }
		case "IN", "NOT IN":
			return c.in(e)
		case "=", "!=", "<", ">", "<=", ">=", "SAMETERM":
			return c.comparison(e)
		}
	}
	arg := c.operand(e)
	return func() (bool, error) {
		v, err := arg()
		if err != nil {
			return false, err
		}
		return value.EBV(v)
	}
}

// logical compiles a disjunction (decides is true) or a conjunction (decides is false). An operand equal to
// decides determines the result; otherwise an error remains an error.
func (c compiler) logical(list []algebra.Expr, decides bool) test {
	tests := make([]test, len(list))
	for i, e := range list {
		tests[i] = c.test(e)
	}
	return func() (bool, error) {
		var failed error
		for _, t := range tests {
			b, err := t()
			if err != nil {
				failed = err
			} else if b == decides {
				return decides, nil
			}
		}
		return !decides, failed
	}
}

// in compiles IN, a disjunction of equalities, or NOT IN.
func (c compiler) in(e *algebra.Call) test {
	list := make([]test, len(e.Args)-1)
	for i, arg := range e.Args[1:] {
		list[i] = c.comparison(&algebra.Call{Name: "=", Args: []algebra.Expr{e.Args[0], arg}})
	}
	first := c.operand(e.Args[0])
	return func() (bool, error) {
		var failed error
		if len(list) == 0 {
			_, failed = first()
		}
		for _, t := range list {
			b, err := t()
			if err != nil {
				failed = err
			} else if b {
				return e.Name == "IN", nil
			}
		}
		return e.Name != "IN", failed
	}
}

// comparison compiles a comparison operator; it avoids decoding if IDs suffice.
func (c compiler) comparison(e *algebra.Call) test {
	a, b := c.operand(e.Args[0]), c.operand(e.Args[1])
	slow := func() (bool, error) {
		l, err := a()
		if err != nil {
			return false, err
		}
		r, err := b()
		if err != nil {
			return false, err
		}
		return compare(e.Name, l, r)
	}
	left, ok := c.id(e.Args[0])
	right, ok2 := c.id(e.Args[1])
	if !ok || !ok2 {
		return slow
	}
	return func() (bool, error) {
		if result, known := compareIDs(e.Name, left(), right()); known {
			return result, nil
		}
		return slow()
	}
}

// compare compares values.
func compare(name string, l, r value.Value) (bool, error) {
	switch name {
	case "SAMETERM":
		return value.SameTerm(l, r), nil
	case "=":
		return value.Equal(l, r)
	case "!=":
		equal, err := value.Equal(l, r)
		return !equal, err
	}
	n, err := value.Compare(l, r)
	return err == nil && ordered(name, n), err
}

// ordered reports whether an operator holds for the result of a comparison.
func ordered(name string, n int) bool {
	switch name {
	case "<":
		return n < 0
	case ">":
		return n > 0
	case "<=":
		return n <= 0
	}
	return n >= 0
}

// compareIDs compares by ID: equality of IRIs, and the order of small integers.
func compareIDs(name string, l, r quads.ID) (result, known bool) {
	switch {
	case l == 0 || r == 0:
		return false, false
	case name == "SAMETERM":
		return l == r, true
	case l.Kind() == quads.KindIRI && r.Kind() == quads.KindIRI && (name == "=" || name == "!="):
		return (l == r) == (name == "="), true
	case l.Kind() != quads.KindInteger || r.Kind() != quads.KindInteger:
		return false, false
	case name == "=":
		return l == r, true
	case name == "!=":
		return l != r, true
	}
	n := 1
	if l < r {
		n = -1
	} else if l == r {
		n = 0
	}
	return ordered(name, n), true
}
