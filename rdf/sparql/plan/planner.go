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
	Graph    quads.ID // that the default graph's patterns are counted in; Named: some of the named ones; Any: all
	SeekCost float64  // cost of a lookup, in steps of a cursor; 0: 10
}

// A Plan is a plan of a pattern.
type Plan struct {
	Root  Node
	Slots int // how many registers there are: the variables, and what the plan needs beside
	vars  []string
	p     *planner
}

// New plans a pattern whose variables have the given names, over a store. The errors are the store's.
func New(r quads.Reader, op algebra.Op, vars []string, opts Options) (*Plan, error) {
	p := &planner{reader: r, counted: opts.Graph, slots: len(vars), magic: map[string]bool{}, counts: map[quads.Pattern]int64{}, terms: map[rdf.Term]quads.ID{}}
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
	counted  quads.ID // the graph that stands for the default one in counts
	magic    map[string]bool
	seekCost float64
	slots    int
	graphs   map[algebra.Op]algebra.Slot
	counts   map[quads.Pattern]int64
	terms    map[rdf.Term]quads.ID
	err      error
}

// reserve gives every GRAPH with a variable that its pattern mentions a register for the graph, so
// that the number of registers is known before anything runs.
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

// plan plans an operator of which only some solutions may be asked for.
func (p *planner) plan(op algebra.Op, in scope, limit float64) (Node, error) {
	l := p.sequence(op, in)
	n := p.build(l, around{sub: in.sub, rows: 1, limit: limit, once: in.sub.empty()})
	err := p.err
	p.err = nil
	return n, err
}

// count returns how many quads match, estimated.
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

// id returns the ID of a term; false: nothing in the store has it.
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
