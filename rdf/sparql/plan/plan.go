// Package plan translates algebra to query plans: it chooses join orders, filter positions and materialized
// tables.
//
// A plan runs on one array of registers, one for each variable. Opening a node requests the solutions
// compatible with the current registers; each step leaves one solution in the registers. The semantics of
// SPARQL is bottom-up: the context of an operator must not change its result. A value is therefore passed
// down only into operators whose solutions are the same without it, apart from the incompatible ones.
// Elsewhere a Mask hides the variable from the input and compares afterwards. The rule by operator:
//
//	a filter, an expression   hides variables that it mentions and its input does not always bind
//	an OPTIONAL, a MINUS      hides variables that its right side may bind and its left does not always bind
//	DISTINCT, GROUP BY        hides variables not always bound, the latter all but its keys
//	a slice                   hides all
//
// The pattern of EXISTS differs: values of the current solution are substituted as constants (section 18.6),
// and nothing hides them.
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
	Rows float64 // estimated solutions over all times the node is opened
}

func (i *Info) info() *Info { return i }

// Estimate returns the estimated number of solutions of a node over all times it is opened.
func Estimate(n Node) float64 { return n.info().Rows }

// The nodes.
type (
	// A Scan matches a triple pattern. Its graph is the default one, a term, or a variable that ranges
	// over the named graphs.
	Scan struct {
		Info
		algebra.Triple
		Graph     algebra.Node
		BySubject bool // if neither subject nor object is known, quads come in the order of subjects where the store has both orders at hand
	}
	// A Path matches a property path. Its graph is bound when it is opened.
	Path struct {
		Info
		S, O  algebra.Node
		Path  algebra.PathExpr
		Graph algebra.Node
		Check bool // the empty path matches a term only if the graph contains it
	}
	// A Magic matches a triple pattern whose predicate is computed.
	Magic struct {
		Info
		algebra.Triple
	}
	// A Join opens each input for every solution of the preceding inputs. Without inputs it gives one
	// solution, the current registers.
	Join struct {
		Info
		Inputs []Node
	}
	// An Optional gives, for each solution of the left, the solutions of the right that meet the conditions,
	// or the left solution alone.
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
	// A Minus gives the solutions of the left without those that some solution of the right is compatible
	// with and shares a variable with. With Probe the right is opened once per left solution and every shared
	// variable is bound.
	Minus struct {
		Info
		Left, Right Node
		Shared      []algebra.Slot
		Probe       bool
	}
	// A Filter gives the solutions that meet all conditions.
	Filter struct {
		Info
		Input      Node
		Conditions []*Expr
	}
	// An Extend binds a variable to the value of an expression.
	Extend struct {
		Info
		Input Node
		Var   algebra.Slot
		Expr  *Expr
	}
	// A Values gives constant solutions.
	Values struct {
		Info
		Vars []algebra.Slot
		Rows [][]rdf.Term
	}
	// A Group groups and aggregates.
	Group struct {
		Info
		Input      Node
		Keys       []algebra.Slot
		Aggregates []Aggregate
		Columns    []algebra.Slot // of COUNT(DISTINCT *)
	}
	// A Table materializes the solutions of its input, evaluated without outer values, and gives those
	// compatible with the registers. Key lists variables bound on both sides.
	Table struct {
		Info
		Input   Node
		Columns []algebra.Slot
		Key     []algebra.Slot
		Clear   []algebra.Slot // variables that may be bound outside
		Depends []algebra.Slot // variables whose values change the result of the input
	}
	// A Mask hides the values of variables from its input.
	Mask struct {
		Info
		Input Node
		Slots []algebra.Slot
	}
	// An EachGraph opens its input for each named graph; Context holds the graph, and Var receives it
	// afterwards. If the name is a term, it opens the input for this graph, if it exists.
	EachGraph struct {
		Info
		Input   Node
		Name    algebra.Node
		Context algebra.Slot
	}
	// A Distinct removes duplicate solutions.
	Distinct struct {
		Info
		Input   Node
		Columns []algebra.Slot
	}
	// A Sort sorts and keeps at most Limit solutions, unless Limit is algebra.NoLimit.
	Sort struct {
		Info
		Input   Node
		Keys    []SortKey
		Columns []algebra.Slot // that nodes above use
		Limit   int64
	}
	// A Slice skips the first solutions and limits the number of the others.
	Slice struct {
		Info
		Input         Node
		Offset, Limit int64
	}
	// A Service queries another endpoint.
	Service struct {
		Info
		Service *algebra.Service
	}
)

// A SortKey is a key of a Sort.
type SortKey struct {
	Expr       *Expr
	Descending bool
}

// An Aggregate is an aggregate of a Group.
type Aggregate struct {
	algebra.Aggregate
	Expr *Expr // nil: COUNT(*)
}

// Inputs returns the inputs of a node, in order.
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
