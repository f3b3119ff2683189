// Package turtle reads and writes Turtle (W3C Recommendation of 25 February 2014). It reads those
// Notation3 files, too, that keep to what the two have in common.
//
// Triples are delivered as they are read, those of a nested node before the one that leads to it.
// Blank nodes keep the document's labels; the ones without get labels of their own, which no label
// of the document can meet.
package turtle

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/grammar"
)

// Read returns the triples of a document. A mistake ends the sequence with a *syntax.Error; in lenient mode reading
// continues behind the end of the statement, as far as that can be guessed. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return ReadScoped(r, opts, nil)
}

// A Scope is what names stand for at a place of a document.
type Scope struct {
	Prefixes map[string]string // namespaces, absolute, by prefix without its colon
	Base     string            // absolute IRI that relative ones are resolved against; empty: none
}

// ReadScoped does what Read does, and when the sequence has ended leaves in scope, unless it is nil,
// what names stood for where reading stopped.
func ReadScoped(r io.Reader, opts syntax.Options, scope *Scope) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		prefixes, base := grammar.Triples(r, opts, yield)
		if scope != nil {
			*scope = Scope{prefixes, base}
		}
	}
}
