// Package trig reads and writes TriG (W3C Recommendation of 25 February 2014): Turtle with graphs in braces.
//
// Quads are delivered as they are read, those of a nested node before the quad that refers to it. Blank nodes
// are shared by all graphs of a document and keep its labels; anonymous ones get fresh labels that never
// collide with labels of the document.
package trig

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/grammar"
)

// Read returns the quads of a document. A mistake ends the sequence with a *syntax.Error. In lenient mode
// reading resumes after the presumed end of the statement or the graph. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) { grammar.Quads(r, opts, yield) }
}
