// Package plan makes plans of algebra: which pattern is matched first, where a filter stands, what is
// kept in a table.
//
// A plan is run on one array of registers, a place for each variable. To open a node is to ask for
// the solutions that are compatible with what the registers hold then; each in turn is what the
// registers hold after a step. The meaning of SPARQL is bottom-up, and what is around an operator may
// not change it: values reach down into one only where its solutions are the same without them, but
// for those that disagree. Where they are not, a Mask hides a variable's value from what is below and
// compares afterwards. What follows in this package is the rule, operator by operator:
//
//	a filter, an expression   hides what it mentions and its input does not always bind
//	an OPTIONAL, a MINUS      hides what its right side may bind and its left does not always bind
//	DISTINCT, GROUP BY        hides what is not always bound, the latter all but its keys
//	a slice                   hides all
//
// The pattern of EXISTS is different: the values of the solution it is asked for are constants of it,
// as section 18.6 has it, and are hidden from nothing.
package plan

import (
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/algebra"
)

// A Node is a step of a plan.
type Node interface {
	info() *Info
}

// An Info is the estimates of a node.
type Info struct {
	Rows float64 // solutions, of all times it is opened; an estimate
}

func (i *Info) info() *Info { return i }

// Estimate returns how many solutions a node is expected to give, of all times it is opened.
func Estimate(n Node) float64 { return n.info().Rows }

// The nodes.
type (
	// A Scan matches a triple pattern. Its graph is the default one, a term, or a variable that ranges
	// over the named graphs.
	Scan struct {
		Info
		algebra.Triple
		Graph algebra.Node
	}
	// A Path matches a property path. Its graph has a value when it is opened.
	Path struct {
		Info
		S, O  algebra.Node
		Path  algebra.PathExpr
		Graph algebra.Node
		Check bool // a term leads to itself by no step only if it is in the graph
	}
	// A Magic matches a triple pattern whose predicate is computed.
	Magic struct {
		Info
		algebra.Triple
	}
	// A Join opens each input for every solution of those before. Without inputs it gives the
	// registers as they are.
	Join struct {
		Info
		Inputs []Node
	}
	// An Optional gives for each solution of the left those of the right for which the conditions
	// hold, or itself.
	Optional struct {
		Info
		Left, Right Node
		Conditions  []*Expr
	}
	// A Union gives the solutions of its inputs, one input after the other.
	Union struct {
		Info
		Inputs []Node
	}
	// A Minus gives the solutions of the left for which the right has none that agrees on the shared
	// variables and has one of them. With Probe the right is opened for each, and has them all.
	Minus struct {
		Info
		Left, Right Node
		Shared      []algebra.Slot
		Probe       bool
	}
	// A Filter gives the solutions for which all conditions hold.
	Filter struct {
		Info
		Input      Node
		Conditions []*Expr
	}
	// An Extend gives a variable the value of an expression.
	Extend struct {
		Info
		Input Node
		Var   algebra.Slot
		Expr  *Expr
	}
	// Values are given solutions.
	Values struct {
		Info
		Vars []algebra.Slot
		Rows [][]rdf.Term
	}
	// A Group groups.
	Group struct {
		Info
		Input      Node
		Keys       []algebra.Slot
		Aggregates []Aggregate
		Columns    []algebra.Slot // of COUNT(DISTINCT *)
	}
	// A Table keeps the solutions of its input, made without any of the values around it, and gives
	// those that agree with the registers. Key are variables that have a value in both.
	Table struct {
		Info
		Input   Node
		Columns []algebra.Slot
		Key     []algebra.Slot
		Clear   []algebra.Slot // variables that may have values around it
		Depends []algebra.Slot // variables whose values change what the input gives
	}
	// A Mask hides the values of variables from its input.
	Mask struct {
		Info
		Input Node
		Slots []algebra.Slot
	}
	// An EachGraph opens its input for each named graph, which Context then holds and, afterwards, Var;
	// where the name is a term, if there is such a graph.
	EachGraph struct {
		Info
		Input   Node
		Name    algebra.Node
		Context algebra.Slot
	}
	// A Distinct gives no solution twice.
	Distinct struct {
		Info
		Input   Node
		Columns []algebra.Slot
	}
	// A Sort sorts, and keeps no more than Limit, if that is not algebra.NoLimit.
	Sort struct {
		Info
		Input   Node
		Keys    []SortKey
		Columns []algebra.Slot // that are of use above
		Limit   int64
	}
	// A Slice leaves out the first, and gives no more than some.
	Slice struct {
		Info
		Input         Node
		Offset, Limit int64
	}
	// A Service asks another endpoint.
	Service struct {
		Info
		Service *algebra.Service
	}
)

// A SortKey is one of Sort.
type SortKey struct {
	Expr       *Expr
	Descending bool
}

// An Aggregate is one of Group.
type Aggregate struct {
	algebra.Aggregate
	Expr *Expr // nil: COUNT(*)
}

// Inputs returns the nodes that a node opens, in their order.
func Inputs(n Node) []Node {
	switch n := n.(type) {
	case *Join:
		return n.Inputs
	case *Union:
		return n.Inputs
	case *Optional:
		return []Node{n.Left, n.Right}
	case *Minus:
		return []Node{n.Left, n.Right}
	case *Filter:
		return []Node{n.Input}
	case *Extend:
		return []Node{n.Input}
	case *Group:
		return []Node{n.Input}
	case *Table:
		return []Node{n.Input}
	case *Mask:
		return []Node{n.Input}
	case *EachGraph:
		return []Node{n.Input}
	case *Distinct:
		return []Node{n.Input}
	case *Sort:
		return []Node{n.Input}
	case *Slice:
		return []Node{n.Input}
	}
	return nil
}
