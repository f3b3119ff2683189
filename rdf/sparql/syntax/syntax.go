// Package syntax reads and writes SPARQL 1.1 Query and Update (sections 19.2 to 19.8 of the Query
// recommendation): text to a tree, and a tree back to text.
//
// A tree mirrors the text, with three changes: IRIs are absolute, collections and bracketed blank nodes are
// expanded to triples, and texts that the notes of section 19.8 forbid are rejected. Package
// rdf/sparql/algebra defines the meaning.
//
// Parsing takes time linear in the text. Nesting and sizes are bounded, so a hostile query only causes an
// error.
//
// Code point escapes are recognized in IRIs and strings only, and never act as syntax, as in SPARQL 1.2.
// SPARQL 1.1 replaces them before parsing, and so cannot express "\u0022"; no known query uses them in
// keywords.
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

// Fixed limits. They bound the depth of a tree without nesting in the text (a chain of OPTIONALs, sums of
// many terms), and the number of variables.
const (
	maxLinks     = 10_000
	maxVariables = 10_000
	bytesATriple = 8 // bytes of MaxBytes per triple, at least: a triple takes 250 in memory
)

// Errors wrapped by an Error that rejects a text for its size.
var (
	ErrDepth = errors.New("nested too deeply")
	ErrSize  = errors.New("too large")
)

// An Error is a syntax error with its position and what was expected. Lines and columns, in characters, count
// from 1.
type Error = rdfsyntax.Error

// Options configure parsing. The zero value has the default limits and no base.
type Options struct {
	Name     string // name of the text in errors; empty: "query" or "update"
	Base     string // absolute IRI that relative ones are resolved against; empty: relative ones are errors
	MaxBytes int    // of text; 0: DefaultMaxBytes
	MaxDepth int    // nesting allowed; 0: DefaultMaxDepth
	Only12   bool   // \u and \U are escapes in strings and IRIs alone, as in SPARQL 1.2; else anywhere, as in 1.1
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

// ParseQuery parses a query. Errors are *Error.
func ParseQuery(text string, opts Options) (*Query, error) {
	p := newParser(text, opts.filled("query"))
	q := p.query()
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// ParseUpdate parses a possibly empty sequence of update operations. Errors are *Error.
func ParseUpdate(text string, opts Options) (*Update, error) {
	p := newParser(text, opts.filled("update"))
	u := p.update()
	if p.err != nil {
		return nil, p.err
	}
	return u, nil
}
