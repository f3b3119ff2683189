package syntax

import "orbweaver/rdf"

// A Pos is a position in the text; the zero Pos is none.
type Pos struct {
	Line   int // from 1
	Column int // in characters, from 1
}

// At returns the position, for types that embed it.
func (p Pos) At() Pos { return p }

// A Prologue is the effect of BASE and PREFIX.
type Prologue struct {
	Base     string            // absolute IRI without fragment; empty: none
	Prefixes map[string]string // namespaces by prefix, without its colon; nil: none
}

// A Form is the form of a query's answer.
type Form uint8

// The forms.
const (
	SelectForm Form = iota
	ConstructForm
	DescribeForm
	AskForm
)

// A Query is a whole query.
type Query struct {
	Pos
	Prologue
	Form     Form
	Template []Triple // of CONSTRUCT; blank nodes are made anew for each solution
	Describe []Node   // of DESCRIBE: IRIs and variables; empty is "*"
	Dataset  Dataset
	Select   Select // the pattern and what is done with its solutions, of every form
}

// A Dataset is the content of FROM and FROM NAMED, or USING and USING NAMED. Both empty: the default of the
// evaluator.
type Dataset struct {
	Default []string // graphs whose merge is the default graph
	Named   []string
}

// NoLimit is the Limit of a Select without LIMIT.
const NoLimit = -1

// A Select is a pattern with its solution modifiers: of a query or a sub-query.
type Select struct {
	Distinct, Reduced bool
	Star              bool         // SELECT *: Items are the variables in scope, in the order of their first appearance
	Items             []Projection // of SELECT
	Where             *Group       // nil for DESCRIBE without a pattern
	GroupBy           []GroupKey
	Having            []Expr
	OrderBy           []OrderKey
	Limit             int64 // NoLimit: none
	Offset            int64
	Values            *Values // behind all else; nil: none
}

// A Projection is a variable of SELECT.
type Projection struct {
	Pos
	Var  string // without "?"
	Expr Expr   // of (expression AS ?var); nil for a variable alone
}

// A GroupKey is one of GROUP BY.
type GroupKey struct {
	Pos
	Expr Expr
	Var  string // of (expression AS ?var); empty: none
}

// An OrderKey is one of ORDER BY.
type OrderKey struct {
	Pos
	Expr       Expr
	Descending bool
}

// A Node is a variable, a term, or a triple term with variables or blank nodes.
type Node struct {
	Var    string      // without "?"; empty: a term
	Term   rdf.Term    // zero: a variable. A blank node in a pattern acts like a variable
	Triple *TripleNode // instead of both
}

// A TripleNode is a triple term with variables or blank nodes at any depth.
type TripleNode struct{ S, P, O Node }

// IsZero reports whether the node is neither.
func (n Node) IsZero() bool { return n == Node{} }

// A Triple is a triple pattern, a pattern with a path, or one of a template.
type Triple struct {
	Pos
	S, P, O Node
	Path    Path // instead of P, where it is more than an IRI; nil: none
}

// A Quad is a triple of a graph in an update; the zero G is the default graph, or that of WITH.
type Quad struct {
	Triple
	G Node
}

// A Pattern is one element of a group.
type Pattern interface {
	At() Pos
	pattern()
}

// The elements of a group, and the group itself, which is one too.
type (
	// A Group is a pattern in braces.
	Group struct {
		Pos
		Elements []Pattern
	}
	// Triples are triple patterns one after another.
	Triples struct {
		Pos
		Triples []Triple
	}
	// A Filter is FILTER; it applies to its whole group.
	Filter struct {
		Pos
		Expr Expr
	}
	// An Optional is OPTIONAL.
	Optional struct {
		Pos
		Group *Group
	}
	// A Union is two groups or more with UNION between.
	Union struct {
		Pos
		Branches []*Group
	}
	// A Graph is GRAPH; its name is an IRI or a variable.
	Graph struct {
		Pos
		Name  Node
		Group *Group
	}
	// A Minus is MINUS.
	Minus struct {
		Pos
		Group *Group
	}
	// A Service is SERVICE; its name is an IRI or a variable.
	Service struct {
		Pos
		Silent bool
		Name   Node
		Group  *Group
	}
	// A Bind is BIND.
	Bind struct {
		Pos
		Expr Expr
		Var  string
	}
	// Values are VALUES: every row is as long as Vars, the zero term is UNDEF.
	Values struct {
		Pos
		Vars []string
		Rows [][]rdf.Term
	}
	// A SubSelect is a sub-query; it is the only element of its group besides Select.Values.
	SubSelect struct {
		Pos
		Select Select
	}
)

func (*Group) pattern()     {}
func (*Triples) pattern()   {}
func (*Filter) pattern()    {}
func (*Optional) pattern()  {}
func (*Union) pattern()     {}
func (*Graph) pattern()     {}
func (*Minus) pattern()     {}
func (*Service) pattern()   {}
func (*Bind) pattern()      {}
func (*Values) pattern()    {}
func (*SubSelect) pattern() {}

// A Path is a property path (section 9.1).
type Path interface{ path() }

// The paths.
type (
	// A PathIRI is a step along a predicate.
	PathIRI struct{ IRI string }
	// A PathInverse is ^path.
	PathInverse struct{ Path Path }
	// A PathSequence is two paths or more, with "/" between.
	PathSequence struct{ Parts []Path }
	// A PathAlternative is two paths or more, with "|" between.
	PathAlternative struct{ Parts []Path }
	// A PathRepeat is path*, path+ or path?.
	PathRepeat struct {
		Path Path
		Mark byte // '*', '+' or '?'
	}
	// A PathNot is a step along any predicate but these, forward where Forward has any or nothing is
	// listed at all, and backward where Backward has any.
	PathNot struct{ Forward, Backward []string }
)

func (*PathIRI) path()         {}
func (*PathInverse) path()     {}
func (*PathSequence) path()    {}
func (*PathAlternative) path() {}
func (*PathRepeat) path()      {}
func (*PathNot) path()         {}

// An Expr is an expression.
type Expr interface {
	At() Pos
	expr()
}

// The expressions.
type (
	// A VarExpr is a variable.
	VarExpr struct {
		Pos
		Var string
	}
	// A TermExpr is an IRI, a literal or a triple term.
	TermExpr struct {
		Pos
		Term rdf.Term
	}
	// A Call is an operator or a built-in function, by its name in capitals: "||" and "&&" with two
	// arguments or more, "=" "!=" "<" ">" "<=" ">=" "*" "/" with two, "+" and "-" with two or, as a
	// sign, one, "!" with one, "IN" and "NOT IN" with the list behind the first, and "STR" and the
	// others of section 17.4, where "URI" is "IRI" and "ISURI" is "ISIRI". A triple term with variables is
	// "TRIPLE".
	Call struct {
		Pos
		Name string
		Args []Expr
	}
	// A FunctionCall is a function by its IRI: a cast, or an extension.
	FunctionCall struct {
		Pos
		IRI      string
		Distinct bool // of extension aggregates
		Args     []Expr
	}
	// An Exists is EXISTS or NOT EXISTS.
	Exists struct {
		Pos
		Not   bool
		Group *Group
	}
	// An Aggregate is one of COUNT, SUM, MIN, MAX, AVG, SAMPLE and GROUP_CONCAT.
	Aggregate struct {
		Pos
		Name      string // in capitals
		Distinct  bool
		Expr      Expr   // nil: COUNT(*)
		Separator string // of GROUP_CONCAT; default " "
	}
)

func (*VarExpr) expr()      {}
func (*TermExpr) expr()     {}
func (*Call) expr()         {}
func (*FunctionCall) expr() {}
func (*Exists) expr()       {}
func (*Aggregate) expr()    {}
