package algebra

import (
	"maps"
	"slices"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// An Expr is an expression.
type Expr interface{ expr() }

// The expressions.
type (
	// A Var is a variable.
	Var struct{ Slot Slot }
	// A Const is an IRI or a literal.
	Const struct{ Term rdf.Term }
	// A Call is an operator or a built-in function, by its name in capitals: "||" and "&&" with two
	// arguments or more, "=" "!=" "<" ">" "<=" ">=" "*" "/" with two, "+" and "-" with two or, as a
	// sign, one, "!" with one, "IN" and "NOT IN" with the list behind the first, and "STR" and the
	// others of section 17.4, where "URI" is "IRI" and "ISURI" is "ISIRI". The number of arguments is
	// right, and that of BOUND is a Var.
	Call struct {
		Name string
		Args []Expr
	}
	// A Function is a function by its IRI: a cast, or an extension.
	Function struct {
		IRI      string
		Distinct bool
		Args     []Expr
	}
	// An Exists is EXISTS or NOT EXISTS of a pattern.
	Exists struct {
		Not     bool
		Pattern Op
	}
)

func (*Var) expr()      {}
func (*Const) expr()    {}
func (*Call) expr()     {}
func (*Function) expr() {}
func (*Exists) expr()   {}

// A PathExpr is a property path.
type PathExpr = syntax.Path

// The property paths, as the syntax has them.
type (
	// A PathIRI is a step along a predicate.
	PathIRI = syntax.PathIRI
	// A PathInverse is a path from its end.
	PathInverse = syntax.PathInverse
	// A PathSequence is one path after another.
	PathSequence = syntax.PathSequence
	// A PathAlternative is any of its paths; solutions add up.
	PathAlternative = syntax.PathAlternative
	// A PathRepeat is a path any number of times ('*'), once or more ('+'), or once or not at all ('?').
	PathRepeat = syntax.PathRepeat
	// A PathNot is a step along any other predicate: forward where Forward has any or nothing is listed
	// at all, and backward where Backward has any.
	PathNot = syntax.PathNot
)

// sorted returns the variables of a set in ascending order.
func sorted(set map[Slot]bool) []Slot { return slices.Sorted(maps.Keys(set)) }
