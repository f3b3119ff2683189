// Package syntax has the common parts of the readers and writers of all RDF syntaxes: options, errors and
// format detection. Each syntax is a package below this one; rdf/syntax/document selects among them.
//
// Every reader streams: it holds the current token, not the document. Every depth and length is bounded, so a
// hostile document only causes an error.
package syntax

import (
	"fmt"
	"strconv"
)

// Default limits.
const (
	DefaultMaxDepth = 256      // nested blank nodes, collections or XML elements
	DefaultMaxToken = 16 << 20 // bytes of one IRI, literal, line or tag
)

// Options configure reading. The zero value is strict, with the default limits.
type Options struct {
	Name string // name of the document in errors; empty: Base, or "input"
	Base string // absolute IRI that relative ones are resolved against; empty: relative ones are errors

	// Lenient makes a reader skip what it cannot parse and continue. It reports each mistake to OnError;
	// triples of the statement before the mistake are already delivered. Errors of the underlying io.Reader
	// still end the sequence.
	Lenient bool
	OnError func(error) // called in lenient mode only, on the reading goroutine; may be nil

	MaxDepth int // nesting allowed; 0: DefaultMaxDepth. The upper bound is 10 000
	MaxToken int // bytes allowed to a token; 0: DefaultMaxToken
}

// Filled returns the options with defaults for unset fields.
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

// Report passes an error to OnError, if set.
func (o Options) Report(err error) {
	if o.OnError != nil {
		o.OnError(err)
	}
}

// DefaultWindow is the default of WriteOptions.Window.
const DefaultWindow = 16 << 10

// WriteOptions configure the writing of Turtle and TriG. The zero value chooses prefixes itself.
type WriteOptions struct {
	// Prefixes maps prefixes, without colons, to namespaces; all are declared. Nil: the writer names and
	// declares the namespaces in the first window of statements.
	Prefixes map[string]string

	// Window is the number of statements that are buffered, in order to write a blank node inside the
	// statement that uses it. This requires a single use, and no statement about it outside the window. 0:
	// DefaultWindow; in any case at most four megabytes of text are buffered.
	Window int
}

// An Error reports a mistake in a document.
type Error struct {
	Name   string // the document
	Line   int    // from 1
	Column int    // in characters, from 1
	Msg    string
	Err    error // error of the underlying reader; nil for a mistake of the document
}

// Error returns "NAME:LINE:COLUMN: MESSAGE".
func (e *Error) Error() string {
	where := e.Name + ":" + strconv.Itoa(e.Line) + ":" + strconv.Itoa(e.Column) + ": "
	if e.Err != nil {
		return fmt.Sprintf("%s%s: %v", where, e.Msg, e.Err)
	}
	return where + e.Msg
}

// Unwrap returns the error of the underlying reader, if any.
func (e *Error) Unwrap() error { return e.Err }
