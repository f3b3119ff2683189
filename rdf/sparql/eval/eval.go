// Package eval evaluates SPARQL 1.1 queries and updates over a quad store.
//
// A plan (rdf/sparql/plan) becomes iterators over one array of registers, one for each variable. A register
// holds the ID of a term, or 0 if unbound. An open iterator gives the solutions compatible with the
// registers, one at a time, in the registers; at its end it restores them. So a row needs no memory. Only
// grouping, sorting, distinct solutions and joined tables keep rows, and their memory is counted. Terms are
// decoded only in expressions and in the answer; computed terms have IDs of the execution.
package eval

import (
	"context"
	"errors"
	"iter"
	"math"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/plan"
	"orbweaver/rdf/sparql/value"
)

// Errors that end a query early.
var (
	ErrTime    = errors.New("time limit exceeded")
	ErrSteps   = errors.New("step limit exceeded")
	ErrRows    = errors.New("too many rows")
	ErrMemory  = errors.New("too much memory")
	ErrService = errors.New("SERVICE is not configured") // SERVICE without Options.Service
)

// Options configure an evaluation. The zero value has no limits and no services.
type Options struct {
	MaxSteps int64 // quads and rows examined; 0: no limit
	MaxRows  int64 // rows or triples of the answer; 0: no limit
	MaxBytes int64 // kept in memory, approximately; 0: no limit

	// Union makes the union of all graphs, with each triple once, the default graph of a query without FROM
	// and of an update's WHERE without USING and WITH. What an update inserts or deletes without GRAPH still
	// concerns the store's default graph.
	Union bool

	Now      time.Time            // value of NOW(); zero: the start of the evaluation
	Random   func() float64       // source of RAND(), in [0, 1); nil: the system's
	NewUUID  func() string        // source of UUID() and STRUUID(); nil: the system's
	NewBlank func() string        // unique labels of new blank nodes; nil: "e1", "e2" …
	Service  Service              // nil: SERVICE is an error
	MaxAsked int                  // requests to services; 0: no limit
	Function map[string]Function  // by IRI
	Magic    map[string]Predicate // by IRI
	SeekCost float64              // see plan.Options
	Explain  bool                 // measure for Explain
	Turn     Turn                 // shares the processors with other evaluations; nil: they are its own
}

// A Turn decides when an evaluation goes on. The evaluation's goroutine calls it; an error ends the evaluation.
type Turn interface {
	// Planned is called once, before the first step, with the estimated rows that the plan passes on: plan.Cost.
	Planned(cost float64) error
	// Pause is called after some hundreds of steps, with the steps and the bytes kept so far.
	Pause(steps, bytes int64) error
}

// A Service queries another endpoint.
type Service interface {
	// Select returns the answer to a SELECT query. A row has one term per column, zero if unbound.
	Select(ctx context.Context, endpoint, query string, columns []string) iter.Seq2[[]rdf.Term, error]
}

// A Function is an extension function. Its error is the error of the expression.
type Function func(args []value.Value) (value.Value, error)

// A Predicate computes triples: it returns those with a given subject and object, where the zero term matches
// any. Triples that do not match are ignored. The object is bound if the query binds it anywhere.
type Predicate func(ctx context.Context, s, o rdf.Term) iter.Seq2[[2]rdf.Term, error]

// A Result is a query's answer. It is read once, by the method for its form.
type Result struct {
	Form    algebra.Form
	Vars    []string // of SELECT
	Boolean bool     // of ASK
	x       *execution
	query   *algebra.Query
	root    iterator
}

// Query evaluates a query over a store. It returns errors before the first row, and the answer of ASK, at
// once. The caller must close a Result that it does not read to the end.
func Query(ctx context.Context, r quads.Reader, q *algebra.Query, opts Options) (*Result, error) {
	x, root, err := start(ctx, r, q.Pattern, q.Vars, setting{base: q.Base, dataset: q.Dataset}, opts)
	if err != nil {
		return nil, err
	}
	if opts.Turn != nil {
		rows := math.Inf(1)
		if q.Form == algebra.AskForm {
			rows = 1
		}
		if err := opts.Turn.Planned(x.plan.Cost(rows)); err != nil {
			x.fail(err)
			return nil, x.close()
		}
	}
	res := &Result{Form: q.Form, x: x, query: q, root: root}
	for _, c := range q.Columns {
		if q.Form == algebra.SelectForm {
			res.Vars = append(res.Vars, c.Name)
		}
	}
	if q.Form == algebra.AskForm {
		root.open()
		if res.Boolean = root.next(); res.Boolean {
			root.stop()
		}
		return res, res.Close()
	}
	return res, nil
}

// Close ends the evaluation and returns the error that ended it, if any. It may be called repeatedly.
func (r *Result) Close() error { return r.x.close() }

// Explain returns the plan with its estimates and, if Options request it and the result was read, with the
// measured figures.
func (r *Result) Explain() string { return r.x.explain() }

// A setting is the dataset of a pattern.
type setting struct {
	base    string
	dataset algebra.Dataset
	with    string // default graph if the dataset has none
}

// start plans and prepares an evaluation.
func start(ctx context.Context, r quads.Reader, op algebra.Op, vars []string, c setting, opts Options) (*execution, iterator, error) {
	x := newExecution(ctx, r, c.base, opts)
	if err := x.dataset(c); err != nil {
		return nil, nil, err
	}
	var magic []string
	for iri := range opts.Magic {
		magic = append(magic, iri)
	}
	p, err := plan.New(r, op, vars, plan.Options{Magic: magic, Graph: x.graphs.counted(), SeekCost: opts.SeekCost})
	if err != nil {
		return nil, nil, err
	}
	x.plan = p
	x.reg = make([]quads.ID, p.Slots)
	root := x.iterator(p.Root)
	return x, root, x.err
}
