// Package syntax reads and writes SPARQL 1.1 Query and Update (sections 19.2 to 19.8 of the Query
// recommendation): text to a tree, and a tree back to text.
//
// A tree is what was written, with three things done to it: IRIs are absolute, collections and blank
// nodes in brackets are spelled out as triples, and what the notes of section 19.8 forbid has been
// refused. What it means is the business of rdf/sparql/algebra.
//
// Reading takes time linear in the text, and nesting and sizes are bounded, so that a hostile query
// costs an error and nothing else.
//
// Code point escapes are read in IRIs and strings, where each stands for its character and for nothing
// more, as SPARQL 1.2 has it: SPARQL 1.1, which replaces them before reading, cannot say "\u0022", and
// no known query writes its keywords with them.
package syntax

import (
	"errors"

	rdfsyntax "orbweaver/rdf/syntax"
)

// Default limits.
const (
	DefaultMaxBytes = 1 << 20 // of a query's or an update's text
	DefaultMaxDepth = 256     // nested groups, expressions, paths, collections and blank nodes
)

// The limits that no option moves. They bound how deep a tree is where nothing nests in the text (a
// chain of OPTIONALs, sums of many terms), and how wide solutions are.
const (
	maxLinks     = 10_000
	maxVariables = 10_000
	bytesATriple = 8 // of MaxBytes, at least: a triple is 250 in memory
)

// What an Error wraps where a text is refused for its size rather than its content.
var (
	ErrDepth = errors.New("nested too deeply")
	ErrSize  = errors.New("too large")
)

// An Error is a syntax error with its position and what was expected. Lines and columns, in characters, count
// from 1.
type Error = rdfsyntax.Error

// Options say how a text is read. The zero value has the default limits and no base.
type Options struct {
	Name     string // name of the text in errors; empty: "query" or "update"
	Base     string // absolute IRI that relative ones are resolved against; empty: relative ones are errors
	MaxBytes int    // of text; 0: DefaultMaxBytes
	MaxDepth int    // nesting allowed; 0: DefaultMaxDepth
}

// filled returns the options with defaults.
func (o Options) filled(name string) Options {
	if o.Name == "" {
		o.Name = name
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	return o
}

// ParseQuery reads a query. Errors are *Error.
func ParseQuery(text string, opts Options) (*Query, error) {
	p := newParser(text, opts.filled("query"))
	q := p.query()
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// ParseUpdate reads a sequence of update operations, of which there may be none. Errors are *Error.
func ParseUpdate(text string, opts Options) (*Update, error) {
	p := newParser(text, opts.filled("update"))
	u := p.update()
	if p.err != nil {
		return nil, p.err
	}
	return u, nil
}
