package turtle

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/pretty"
)

// A Writer writes Turtle for people to read: triples in a row with one subject as one sentence, lists
// in parentheses, a blank node that is used once within the triple that uses it. The same triples
// give the same text, which reads back as the same graph.
//
// It holds a window of triples back, and no more. A document with blank nodes that does not fit the
// window has them by their labels, unless Settle says which triples belong together.
type Writer struct{ out *pretty.Writer }

// NewWriter returns a writer on w. Prefixes that are none are an error of the first Write.
func NewWriter(w io.Writer, opts syntax.WriteOptions) *Writer {
	return &Writer{pretty.New(w, syntax.Turtle, opts)}
}

// Write takes a triple. One that Turtle cannot say, such as one with a literal as subject or with a
// relative IRI, is an error, of which nothing is written; the writer can be used on. Any other error
// is that of all calls behind it.
func (w *Writer) Write(t rdf.Triple) error { return w.out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}) }

// Settle promises that no triple to come has a blank node in common with those so far, as when the
// next document's triples follow.
func (w *Writer) Settle() { w.out.Settle() }

// Close writes what is held back. It closes nothing else.
func (w *Writer) Close() error { return w.out.Close() }
