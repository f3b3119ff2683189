package syntax

// An Update is a sequence of operations, executed in order.
type Update struct {
	Prologue
	Operations []Operation
}

// An Operation is one of an update.
type Operation interface {
	At() Pos
	operation()
}

// A TargetKind is the kind of an operation's target.
type TargetKind uint8

// The kinds of targets.
const (
	DefaultGraph TargetKind = iota
	OneGraph                // that of Target.IRI
	NamedGraphs             // all except the default graph
	AllGraphs
)

// A Target is the graphs that an operation affects.
type Target struct {
	Kind TargetKind
	IRI  string // of OneGraph
}

// A TransferKind is one of ADD, MOVE and COPY.
type TransferKind uint8

// The kinds of transfers.
const (
	Add TransferKind = iota
	Move
	Copy
)

// The operations. Silent ones report no failure.
type (
	// A Load is LOAD.
	Load struct {
		Pos
		Silent bool
		Source string
		Into   Target // DefaultGraph or OneGraph
	}
	// A Clear is CLEAR.
	Clear struct {
		Pos
		Silent bool
		Target Target
	}
	// A Drop is DROP.
	Drop struct {
		Pos
		Silent bool
		Target Target
	}
	// A Create is CREATE.
	Create struct {
		Pos
		Silent bool
		Graph  string
	}
	// A Transfer is ADD, MOVE or COPY.
	Transfer struct {
		Pos
		Kind     TransferKind
		Silent   bool
		From, To Target // DefaultGraph or OneGraph
	}
	// An InsertData is INSERT DATA: no variables. Its blank nodes are made anew, one for each label.
	InsertData struct {
		Pos
		Quads []Quad
	}
	// A DeleteData is DELETE DATA: no variables, no blank nodes.
	DeleteData struct {
		Pos
		Quads []Quad
	}
	// A DeleteWhere is DELETE WHERE: its quads are pattern and template alike. No blank nodes.
	DeleteWhere struct {
		Pos
		Quads []Quad
	}
	// A Modify is DELETE, INSERT or both, with WHERE. What it deletes has no blank nodes.
	Modify struct {
		Pos
		Base           string // for IRI() in Where; empty: none
		With           string // the graph of WITH; empty: none
		DoDelete       bool   // DELETE is present, even with empty braces
		DoInsert       bool
		Delete, Insert []Quad
		Using          Dataset
		Where          *Group
	}
)

func (*Load) operation()        {}
func (*Clear) operation()       {}
func (*Drop) operation()        {}
func (*Create) operation()      {}
func (*Transfer) operation()    {}
func (*InsertData) operation()  {}
func (*DeleteData) operation()  {}
func (*DeleteWhere) operation() {}
func (*Modify) operation()      {}
