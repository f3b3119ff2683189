// Package algebra translates SPARQL 1.2 from its syntax to its algebra (section 18.2 of the Query
// recommendation).
//
// The result is operators and expressions as plain structs, whose variables are numbered: a solution is an
// array with a slot for every variable. Blank nodes of patterns and variables introduced by the translation are
// variables too. A triple term with variables in a pattern is a variable, whose parts are found by functions of SPARQL 1.2: see
// quoted.go. A variable of a sub-query that is not selected has a separate slot from one with the same name
// outside; everywhere else one name is one slot.
//
// The semantics is the specification's, bottom-up: an operator depends only on its inputs, except the pattern
// of Exists, which is evaluated with the values of the current solution. Nothing is optimised here. Optimisers
// and evaluators do not need the syntax.
package algebra

import (
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
)

// Types that the algebra shares with the syntax.
type (
	// A Form is the form of a query's answer.
	Form = syntax.Form
	// A Dataset is the content of FROM and FROM NAMED, or USING and USING NAMED.
	Dataset = syntax.Dataset
	// A Pos is where something starts in the text.
	Pos = syntax.Pos
	// A Target is the graphs that an operation affects.
	Target = syntax.Target
	// A Load is LOAD.
	Load = syntax.Load
	// A Clear is CLEAR.
	Clear = syntax.Clear
	// A Drop is DROP.
	Drop = syntax.Drop
	// A Create is CREATE.
	Create = syntax.Create
	// A Transfer is ADD, MOVE or COPY.
	Transfer = syntax.Transfer
)

// The forms, targets and transfers, by their names in the syntax.
const (
	SelectForm    = syntax.SelectForm
	ConstructForm = syntax.ConstructForm
	DescribeForm  = syntax.DescribeForm
	AskForm       = syntax.AskForm

	DefaultGraph = syntax.DefaultGraph
	OneGraph     = syntax.OneGraph
	NamedGraphs  = syntax.NamedGraphs
	AllGraphs    = syntax.AllGraphs

	Add  = syntax.Add
	Move = syntax.Move
	Copy = syntax.Copy
)

// A Slot is the number of a variable, from 0 and below len(Vars) of its query.
type Slot int

// NoSlot is the Slot of a node that is neither variable nor term.
const NoSlot Slot = -1

// A Node is a variable or a term or, in a template, a triple term with variables or blank nodes.
type Node struct {
	Term   rdf.Term // zero: a variable. Blank nodes occur only in templates, and are created anew for each solution
	Slot   Slot     // of a variable; NoSlot: the default graph
	Triple *Triple  // of a template: what Term, of kind rdf.TripleTerm, is made of for each solution
}

// IsVar reports whether the node is a variable.
func (n Node) IsVar() bool { return n.Term.IsZero() && n.Slot != NoSlot }

// IsDefault reports whether the node, a graph's, is the default graph.
func (n Node) IsDefault() bool { return n.Term.IsZero() && n.Slot == NoSlot }

// A Triple is a triple pattern, or one of a template.
type Triple struct{ S, P, O Node }

// A Quad is a triple of a template and its graph.
type Quad struct {
	Triple
	G Node
}

// A Column is a variable of a result by its name there.
type Column struct {
	Name string
	Slot Slot
}

// A Query is a query, translated.
type Query struct {
	Form     Form
	Base     string   // of IRI(); empty: none
	Vars     []string // the variables by slot. Names are unique; one with "." or ":" is generated
	Dataset  Dataset
	Pattern  Op       // including solution modifiers
	Columns  []Column // of SELECT, in its order
	Template []Triple // of CONSTRUCT
	Describe []Node   // of DESCRIBE: IRIs, and variables; all those in scope for DESCRIBE *
	Prefixes map[string]string
}

// An Update is an update, translated.
type Update struct {
	Operations []Operation
	Prefixes   map[string]string
}

// An Operation is a *Load, *Clear, *Drop, *Create, *Transfer, *InsertData, *DeleteData or *Modify.
type Operation interface{ At() Pos }

// An InsertData is INSERT DATA. Its blank nodes are made anew, one for each label.
type InsertData struct {
	Pos
	Quads []rdf.Quad
}

// A DeleteData is DELETE DATA.
type DeleteData struct {
	Pos
	Quads []rdf.Quad
}

// A Modify deletes and inserts the instances of its templates for each solution of its pattern; all deletions
// precede the insertions. DELETE WHERE is one too.
type Modify struct {
	Pos
	Base           string
	Vars           []string // as in Query
	Delete, Insert []Quad   // WITH has been filled in
	Dataset        Dataset  // of USING
	With           string   // the pattern's default graph, where Dataset is empty; empty: the store's
	Pattern        Op
}
