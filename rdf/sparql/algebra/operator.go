package algebra

import (
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// An Op is an operator: it gives a multiset of solutions, or a sequence above OrderBy.
type Op interface{ op() }

// The operators, by their names in section 18.
type (
	// A BGP is a basic graph pattern; without patterns it gives the one empty solution.
	BGP struct{ Patterns []Triple }
	// A Path is a property path pattern. PathIRI and PathSequence stand within other paths only, and
	// PathInverse only around PathIRI and PathNot.
	Path struct {
		S    Node
		Path PathExpr
		O    Node
	}
	// A Join gives the compatible combinations of both inputs.
	Join struct{ Left, Right Op }
	// A LeftJoin is OPTIONAL; its condition sees both sides.
	LeftJoin struct {
		Left, Right Op
		Filter      Expr // nil: true
	}
	// A Filter gives the solutions for which the expression is true, and not an error.
	Filter struct {
		Input Op
		Expr  Expr
	}
	// A Union gives the solutions of both.
	Union struct{ Left, Right Op }
	// A Graph evaluates its input in a named graph, or in each.
	Graph struct {
		Name  Node
		Input Op
	}
	// A Minus gives the solutions of the left that are compatible with none of the right that shares a
	// variable with them.
	Minus struct{ Left, Right Op }
	// An Extend is BIND, or (expression AS ?var): an error leaves the variable without a value.
	Extend struct {
		Input Op
		Var   Slot
		Expr  Expr
	}
	// A Group gives one solution for each combination of values, or none, of its keys: the keys and the
	// aggregates. Without keys it gives one solution in any case.
	Group struct {
		Input      Op
		Keys       []Slot
		Aggregates []Aggregate
	}
	// A Values gives constant solutions: every row is as long as Vars; a zero term is unbound.
	Values struct {
		Vars []Slot
		Rows [][]rdf.Term
	}
	// A Project keeps some variables.
	Project struct {
		Input Op
		Vars  []Slot
	}
	// A Distinct removes duplicate solutions.
	Distinct struct{ Input Op }
	// A Reduced may remove duplicate solutions.
	Reduced struct{ Input Op }
	// An OrderBy sorts.
	OrderBy struct {
		Input Op
		Keys  []OrderKey
	}
	// A Slice skips the first solutions and limits the number of the others.
	Slice struct {
		Input  Op
		Offset int64
		Limit  int64 // NoLimit: all
	}
	// A Service sends Query to another endpoint, for Columns.
	Service struct {
		Silent  bool
		Name    Node
		Columns []Column
		base    string
		group   *syntax.Group
	}
)

// NoLimit is the Limit of a Slice without LIMIT.
const NoLimit = -1

// An OrderKey is a key of an OrderBy.
type OrderKey struct {
	Expr       Expr
	Descending bool
}

// An Aggregate is an aggregate of a Group.
type Aggregate struct {
	Var       Slot   // receives its value; unbound after an error
	Name      string // COUNT, SUM, MIN, MAX, AVG, SAMPLE or GROUP_CONCAT
	Distinct  bool
	Expr      Expr   // nil: COUNT(*)
	Separator string // of GROUP_CONCAT
}

func (*BGP) op()      {}
func (*Path) op()     {}
func (*Join) op()     {}
func (*LeftJoin) op() {}
func (*Filter) op()   {}
func (*Union) op()    {}
func (*Graph) op()    {}
func (*Minus) op()    {}
func (*Extend) op()   {}
func (*Group) op()    {}
func (*Values) op()   {}
func (*Project) op()  {}
func (*Distinct) op() {}
func (*Reduced) op()  {}
func (*OrderBy) op()  {}
func (*Slice) op()    {}
func (*Service) op()  {}

// Query returns the query for the endpoint: SELECT for the columns, with the original pattern.
func (s *Service) Query() string {
	var b strings.Builder
	if s.base != "" {
		b.WriteString("BASE <" + s.base + ">\n")
	}
	b.WriteString("SELECT")
	for _, c := range s.Columns {
		b.WriteString(" ?" + c.Name)
	}
	if len(s.Columns) == 0 {
		b.WriteString(" *")
	}
	b.WriteString(" WHERE " + s.group.String() + "\n")
	return b.String()
}

// Inputs returns the inputs of an operator, left first, without the patterns of Exists in its expressions.
func Inputs(op Op) []Op {
	switch op := op.(type) {
	case *Join:
		return []Op{op.Left, op.Right}
	case *LeftJoin:
		return []Op{op.Left, op.Right}
	case *Union:
		return []Op{op.Left, op.Right}
	case *Minus:
		return []Op{op.Left, op.Right}
	case *Filter:
		return []Op{op.Input}
	case *Graph:
		return []Op{op.Input}
	case *Extend:
		return []Op{op.Input}
	case *Group:
		return []Op{op.Input}
	case *Project:
		return []Op{op.Input}
	case *Distinct:
		return []Op{op.Input}
	case *Reduced:
		return []Op{op.Input}
	case *OrderBy:
		return []Op{op.Input}
	case *Slice:
		return []Op{op.Input}
	}
	return nil
}

// Visible returns the variables that solutions of an operator may bind, in ascending order.
func Visible(op Op) []Slot {
	seen := map[Slot]bool{}
	visible(op, seen)
	return sorted(seen)
}

// visible adds the variables of an operator.
func visible(op Op, seen map[Slot]bool) {
	add := func(nodes ...Node) {
		for _, n := range nodes {
			if n.IsVar() {
				seen[n.Slot] = true
			}
		}
	}
	slots := func(vars []Slot) {
		for _, v := range vars {
			seen[v] = true
		}
	}
	switch op := op.(type) {
	case *BGP:
		for _, t := range op.Patterns {
			add(t.S, t.P, t.O)
		}
	case *Path:
		add(op.S, op.O)
	case *Values:
		slots(op.Vars)
	case *Service:
		add(op.Name)
		for _, c := range op.Columns {
			seen[c.Slot] = true
		}
	case *Project: // variables below are not visible, here and in the next two
		slots(op.Vars)
		return
	case *Group:
		slots(op.Keys)
		for _, a := range op.Aggregates {
			seen[a.Var] = true
		}
		return
	case *Minus:
		visible(op.Left, seen)
		return
	case *Graph:
		add(op.Name)
	case *Extend:
		seen[op.Var] = true
	}
	for _, input := range Inputs(op) {
		visible(input, seen)
	}
}
