// Package shacl validates a quad store against shapes by SHACL Core (Shapes Constraint Language, W3C Recommendation of 20 July
// 2017): all core constraint components, property paths and targets, severities, messages and validation reports.
//
// The data is the union of all graphs of the store, each statement once; shapes are parsed on their own, and the data needs no
// statement of them. Constraints in SPARQL, entailment and owl:imports are not its business: a shape with SPARQL constraints is an
// error.
//
// Memory holds the shapes, the nodes of one target by ID, and the first results. Steps, results, the nesting of shapes and the
// values of one path are bounded. A shape that refers to itself is well-defined as long as no node is validated within its own
// validation by the same shape: that is ErrRecursive, since the recommendation leaves its meaning open.
package shacl

import (
	"context"
	"errors"
	"fmt"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// NS is the namespace of SHACL.
const NS = "http://www.w3.org/ns/shacl#"

// Severities of results. A shape may state another IRI.
const (
	Violation = NS + "Violation"
	Warning   = NS + "Warning"
	Info      = NS + "Info"
)

// Errors of this package, wrapped with their subject.
var (
	// ErrShapes means that a shapes graph is ill-formed.
	ErrShapes = errors.New("ill-formed shapes")
	// ErrRecursive means that a node must conform to a shape in order to conform to it.
	ErrRecursive = errors.New("the shape refers to itself")
	// ErrDepth means that shapes are nested too deeply for a node.
	ErrDepth = errors.New("shapes are nested too deeply")
	// ErrSteps means that a validation reads more than Options.MaxSteps statements.
	ErrSteps = errors.New("step limit exceeded")
	// ErrValues means that a path leads to too many nodes.
	ErrValues = errors.New("a path leads to too many nodes")
)

// Options are the limits of a validation. A value of zero or less means the default.
type Options struct {
	MaxSteps   int64 // statements read; 1 000 000 000
	MaxResults int   // results kept, the first ones; all are counted; 10 000
	MaxDepth   int   // shapes within shapes for one node; 256
	MaxValues  int   // nodes that one path leads to from one node; 1 000 000
}

func (o Options) filled() Options {
	if o.MaxSteps <= 0 {
		o.MaxSteps = 1_000_000_000
	}
	if o.MaxResults <= 0 {
		o.MaxResults = 10_000
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = 256
	}
	if o.MaxValues <= 0 {
		o.MaxValues = 1_000_000
	}
	return o
}

// A Result is one way in which a node does not conform to a shape.
type Result struct {
	Focus     rdf.Term
	Path      string   // as a property path of SPARQL; empty for a node shape
	Value     rdf.Term // the value node at fault; zero: none is
	Shape     rdf.Term // the shape with the constraint
	Component string   // IRI of the constraint component
	Severity  string   // IRI
	Messages  []rdf.Term

	path *path
}

// A Report is the result of a validation.
type Report struct {
	Conforms bool // there is no result, of whatever severity
	Results  []Result
	Total    int64            // results, including those that were not kept
	Counts   map[string]int64 // results by severity
	Focus    int64            // nodes validated, once for each shape with targets
	Shapes   int              // shapes with targets
}

// Validate validates a store. A shape that is deactivated has no results.
func (s *Shapes) Validate(ctx context.Context, data quads.Reader, opts Options) (report *Report, err error) {
	opts = opts.filled()
	v := &validation{
		graph:  &graph{r: data, ctx: ctx, left: opts.MaxSteps, most: opts.MaxValues, ids: map[rdf.Term]quads.ID{}},
		opts:   opts,
		report: &Report{Conforms: true, Counts: map[string]int64{}},
		within: map[nested]bool{}, instances: map[rdf.Term]map[quads.ID]struct{}{},
	}
	defer func() { err = errors.Join(err, v.close()) }()
	for _, shape := range s.targeted {
		if shape.deactivated {
			continue
		}
		v.report.Shapes++
		err := v.targets(shape, func(focus rdf.Term) error {
			v.report.Focus++
			return v.validate(shape, focus, true)
		})
		if err != nil {
			return nil, fmt.Errorf("shape %s: %w", termText(shape.node), err)
		}
	}
	return v.report, nil
}

// validation is one run of Validate.
type validation struct {
	*graph
	opts      Options
	report    *Report
	within    map[nested]bool // in validation
	instances map[rdf.Term]map[quads.ID]struct{}
}

// nested is a node in validation by a shape.
type nested struct {
	shape *shape
	node  rdf.Term
}

// errFailed ends a validation that only asks whether a node conforms.
var errFailed = errors.New("does not conform")

// validate validates a node. With report, results go into the report; else the first one ends it with errFailed.
func (v *validation) validate(s *shape, focus rdf.Term, report bool) error {
	if s.deactivated {
		return nil
	}
	if err := v.step(); err != nil {
		return err
	}
	at := nested{s, focus}
	switch {
	case v.within[at]:
		return fmt.Errorf("%w at %s", ErrRecursive, termText(focus))
	case len(v.within) >= v.opts.MaxDepth:
		return fmt.Errorf("%w at %s", ErrDepth, termText(focus))
	}
	v.within[at] = true
	defer delete(v.within, at)
	c := &check{validation: v, shape: s, focus: focus, values: []rdf.Term{focus}, reporting: report}
	if s.path != nil {
		var err error
		if c.values, err = v.values(s.path, focus); err != nil {
			return err
		}
	}
	for i := range s.constraints {
		c.component = s.constraints[i].component
		if err := s.constraints[i].check(c); err != nil {
			return err
		}
	}
	return nil
}

// conforms reports whether a node conforms to a shape.
func (v *validation) conforms(s *shape, node rdf.Term) (bool, error) {
	err := v.validate(s, node, false)
	if errors.Is(err, errFailed) {
		return false, nil
	}
	return err == nil, err
}

// check is the validation of one focus node by one shape.
type check struct {
	*validation
	shape     *shape
	component string
	focus     rdf.Term
	values    []rdf.Term
	reporting bool
}

// fail adds a result. The zero value is none.
func (c *check) fail(value rdf.Term, message string) error {
	return c.failAt(c.shape.path, value, message)
}

// failAt is fail with a path of its own.
func (c *check) failAt(p *path, value rdf.Term, message string) error {
	if !c.reporting {
		return errFailed
	}
	c.report.Conforms = false
	c.report.Total++
	c.report.Counts[c.shape.severity]++
	if len(c.report.Results) >= c.opts.MaxResults {
		return nil
	}
	r := Result{
		Focus: c.focus, Value: value, Shape: c.shape.node, Component: NS + c.component + "ConstraintComponent",
		Severity: c.shape.severity, Messages: c.shape.messages, path: p,
	}
	if p != nil {
		r.Path = p.String()
	}
	if len(r.Messages) == 0 {
		r.Messages = []rdf.Term{rdf.NewString(message)}
	}
	c.report.Results = append(c.report.Results, r)
	return nil
}
