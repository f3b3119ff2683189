// Package turtle reads and writes Turtle (W3C Recommendation of 25 February 2014). It also reads Notation3
// files that use only the common subset.
//
// Triples are delivered as they are read, those of a nested node before the triple that refers to it. Blank
// nodes keep the document's labels; anonymous ones get fresh labels that never collide with labels of the
// document.
package turtle

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/grammar"
)

// Read returns the triples of a document. A mistake ends the sequence with a *syntax.Error. In lenient mode
// reading resumes after the presumed end of the statement. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return ReadScoped(r, opts, nil)
}

// A Scope is the prefixes and base in effect at a place of a document.
type Scope struct {
	Prefixes map[string]string // absolute namespaces, by prefix without its colon
	Base     string            // absolute IRI that relative ones are resolved against; empty: none
}

// ReadScoped is like Read. When the sequence has ended, *scope holds the prefixes and base in effect where
// reading stopped; scope may be nil.
func ReadScoped(r io.Reader, opts syntax.Options, scope *Scope) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		prefixes, base := grammar.Triples(r, opts, yield)
		if scope != nil {
			*scope = Scope{prefixes, base}
		}
	}
}

// An Event is a place in the structure of a document.
type Event = grammar.Event

// The events. Each has the offset of a byte in the document: of the first of what begins, or of the one behind what ends.
const (
	Statement  = grammar.Statement  // triples with one subject begin
	End        = grammar.End        // behind their full stop
	Directive  = grammar.Directive  // behind a directive
	SubjectEnd = grammar.SubjectEnd //
	Verb       = grammar.Verb       //
	VerbEnd    = grammar.VerbEnd    //
	Object     = grammar.Object     // of a statement; items of a collection have no events of their own
	ObjectEnd  = grammar.ObjectEnd  // its triple is delivered next
	Open       = grammar.Open       // of a property list or a collection; triples until its Close are within
	Close      = grammar.Close      // the last triple of a collection is delivered next
	Comma      = grammar.Comma      //
	Semicolon  = grammar.Semicolon  //
	Reified    = grammar.Reified    // a reified triple or an annotation begins: what is in it has no place in this order
)

// ReadShaped is like ReadScoped, and hands the structure of the document to see.
func ReadShaped(r io.Reader, opts syntax.Options, scope *Scope, see func(Event, int)) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		prefixes, base := grammar.Shaped(r, opts, see, yield)
		*scope = Scope{prefixes, base}
	}
}
