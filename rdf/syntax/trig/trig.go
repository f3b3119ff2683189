// Package trig reads and writes TriG (W3C Recommendation of 25 February 2014): Turtle, with braces around the
// statements of a graph.
//
// Quads are delivered as they are read, those of a nested node before the one that leads to it.
// Blank nodes are those of the document, whichever graphs they are in: they keep its labels, and the
// ones without get labels of their own, which no label of the document can meet.
package trig

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/grammar"
)

// Read returns the quads of a document. A mistake ends the sequence with a *syntax.Error; in lenient mode reading
// continues behind the end of the statement, or of the graph, as far as that can be guessed. The sequence can be
// ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) { grammar.Quads(r, opts, yield) }
}
