// Package syntax has what the readers and writers of all RDF syntaxes share: their options, their
// errors and the guessing of a document's syntax. Each syntax is a package of its own below this
// one; rdf/syntax/document picks among them.
//
// Every reader streams: it holds the token it is at, never the document. Every depth and length is
// bounded, so that a hostile document costs an error and nothing else.
package syntax

import (
	"fmt"
	"strconv"
)

// The limits that stand where Options says nothing.
const (
	DefaultMaxDepth = 256      // nested blank nodes, collections or XML elements
	DefaultMaxToken = 16 << 20 // bytes of one IRI, literal, line or tag
)

// Options say how a document is read. The zero value is strict, with the default limits.
type Options struct {
	Name string // what errors call the document; empty: Base, or else "input"
	Base string // absolute IRI that relative ones are resolved against; empty: relative ones are errors

	// Lenient makes a reader skip what it cannot parse and continue. What it skipped is reported to OnError; triples
	// of a statement that came before its mistake have been delivered by then. Errors of the underlying io.Reader end
	// the reading all the same.
	Lenient bool
	OnError func(error) // called in lenient mode only, on the reading goroutine; may be nil

	MaxDepth int // nesting allowed; 0: DefaultMaxDepth. No reader follows more than 10 000
	MaxToken int // bytes allowed to a token; 0: DefaultMaxToken
}

// Filled returns the options with defaults in place of what was left out.
func (o Options) Filled() Options {
	if o.Name == "" {
		o.Name = o.Base
	}
	if o.Name == "" {
		o.Name = "input"
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultMaxDepth
	}
	if o.MaxToken <= 0 {
		o.MaxToken = DefaultMaxToken
	}
	return o
}

// Report hands an error to OnError, if there is one.
func (o Options) Report(err error) {
	if o.OnError != nil {
		o.OnError(err)
	}
}

// The window that stands where WriteOptions says nothing.
const DefaultWindow = 16 << 10

// WriteOptions say how Turtle and TriG are written. The zero value finds the prefixes itself.
type WriteOptions struct {
	// Prefixes are namespaces by prefix, without its colon; all are declared. Nil: those that the
	// first window of statements makes use of, under names made of them.
	Prefixes map[string]string

	// Window is how many statements are held back, to write a blank node within the statement that
	// uses it: it can be where it is used once, and where no statement outside of the window speaks of
	// it. 0: DefaultWindow; no more than four megabytes of text are held, however many.
	Window int
}

// An Error says where a document is not what its syntax asks for.
type Error struct {
	Name   string // the document
	Line   int    // from 1
	Column int    // in characters, from 1
	Msg    string
	Err    error // what reading the bytes failed with; nil for a mistake of the document
}

// Error returns "NAME:LINE:COLUMN: MESSAGE".
func (e *Error) Error() string {
	where := e.Name + ":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column) + ": "
	if e.Err != nil {
		return fmt.Sprintf("%s%s: %v", where, e.Msg, e.Err)
	}
	return where + e.Msg
}

// Unwrap returns the error of the underlying reader, if that is what went wrong.
func (e *Error) Unwrap() error { return e.Err }
