package plan

import (
	"math"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
)

// Options configure a plan.
type Options struct {
	Magic    []string // IRIs of predicates that are computed
	Graph    quads.ID // graph whose counts estimate the default graph; Named: some of the named ones; Any: all
	SeekCost float64  // of a lookup, in cursor steps; 0: 10
}

// A Plan is the plan of a pattern.
type Plan struct {
	Root  Node
	Slots int // number of registers: the variables, and those that the plan adds
	vars  []string
	p     *planner
}

// New plans a pattern over a store. vars are the names of its variables. Errors are the store's.
func New(r quads.Reader, op algebra.Op, vars []string, opts Options) (*Plan, error) {
	p := &planner{reader: r, counted: opts.Graph, slots: len(vars), magic: map[string]bool{}, counts: map[quads.Pattern]int64{}, terms: map[rdf.Term]quads.ID{}, columns: map[quads.ID]bool{}}
	if p.seekCost = opts.SeekCost; p.seekCost == 0 {
		p.seekCost = seekCost
	}
	for _, iri := range opts.Magic {
		p.magic[iri] = true
	}
	p.reserve(op)
	root, err := p.plan(op, scope{graph: algebra.Node{Slot: algebra.NoSlot}}, math.Inf(1))
	return &Plan{Root: root, Slots: p.slots, vars: vars, p: p}, err
}

// A planner plans one query, and later the patterns of EXISTS on their first evaluation.
type planner struct {
	reader   quads.Reader
	counted  quads.ID // graph whose counts estimate the default graph
	magic    map[string]bool
	seekCost float64
	slots    int
	graphs   map[algebra.Op]algebra.Slot
	counts   map[quads.Pattern]int64
	terms    map[rdf.Term]quads.ID
	columns  map[quads.ID]bool
	err      error
}

// columnar reports whether the store has, or would have, the triples of a pattern's predicate in memory.
func (p *planner) columnar(t algebra.Triple, graph algebra.Node) bool {
	if p.counted != quads.Default || !graph.IsDefault() || t.P.IsVar() {
		return false
	}
	id, ok := p.id(t.P.Term)
	if !ok {
		return false
	}
	is, known := p.columns[id]
	if !known {
		is = quads.Columnar(p.reader, id)
		p.columns[id] = is
	}
	return is
}

// triplesOf returns the number of triples that have the predicate of a columnar scan.
func (p *planner) triplesOf(s *scan) float64 {
	id, _ := p.id(s.triple.P.Term)
	return p.count(quads.Pattern{S: quads.Any, P: id, O: quads.Any, G: quads.Default})
}

// reserve allocates a register for the graph of every GRAPH whose pattern mentions its own variable, so that
// the number of registers is known before execution.
func (p *planner) reserve(op algebra.Op) {
	p.graphs = map[algebra.Op]algebra.Slot{}
	var visit func(op algebra.Op)
	expr := func(e algebra.Expr) {
		if e == nil {
			return
		}
		walk(e, func(e algebra.Expr) {
			if x, ok := e.(*algebra.Exists); ok {
				visit(x.Pattern)
			}
		})
	}
	visit = func(op algebra.Op) {
		switch op := op.(type) {
		case *algebra.Graph:
			if op.Name.IsVar() {
				p.graphs[op] = algebra.Slot(p.slots)
				p.slots++
			}
		case *algebra.Filter:
			expr(op.Expr)
		case *algebra.LeftJoin:
			expr(op.Filter)
		case *algebra.Extend:
			expr(op.Expr)
		case *algebra.OrderBy:
			for _, key := range op.Keys {
				expr(key.Expr)
			}
		case *algebra.Group:
			for _, a := range op.Aggregates {
				expr(a.Expr)
			}
		}
		for _, input := range algebra.Inputs(op) {
			visit(input)
		}
	}
	visit(op)
}

// plan plans an operator of which at most limit solutions are requested.
func (p *planner) plan(op algebra.Op, in scope, limit float64) (Node, error) {
	l := p.sequence(op, in)
	n := p.build(l, around{sub: in.sub, rows: 1, limit: limit, once: in.sub.empty()})
	err := p.err
	p.err = nil
	return n, err
}

// count returns the estimated number of quads that match.
func (p *planner) count(pattern quads.Pattern) float64 {
	n, ok := p.counts[pattern]
	if !ok {
		var err error
		if n, err = p.reader.Count(pattern); err != nil {
			p.err = err
		}
		p.counts[pattern] = n
	}
	return float64(n)
}

// id returns the ID of a term; false if the store has none.
func (p *planner) id(t rdf.Term) (quads.ID, bool) {
	id, ok := p.terms[t]
	if !ok {
		var found bool
		var err error
		if id, found, err = p.reader.Lookup(t); err != nil {
			p.err = err
		}
		if !found {
			id = 0
		}
		p.terms[t] = id
	}
	return id, id != 0
}
