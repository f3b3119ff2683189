package trig

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/pretty"
)

// A Writer writes TriG for people to read, as turtle.Writer writes Turtle: quads in a row of one graph
// within one pair of braces, those of the default graph within none. A blank node that several graphs
// speak of, or that names one, has a label.
type Writer struct{ out *pretty.Writer }

// NewWriter returns a writer on w. Prefixes that are none are an error of the first Write.
func NewWriter(w io.Writer, opts syntax.WriteOptions) *Writer {
	return &Writer{pretty.New(w, syntax.TriG, opts)}
}

// Write takes a quad. One that TriG cannot say, such as one with a literal as subject or with a
// relative IRI, is an error, of which nothing is written; the writer can be used on. Any other error
// is that of all calls behind it.
func (w *Writer) Write(q rdf.Quad) error { return w.out.Write(q) }

// Settle promises that no quad to come has a blank node in common with those so far, as when the next
// document's quads follow.
func (w *Writer) Settle() { w.out.Settle() }

// Close writes what is held back. It closes nothing else.
func (w *Writer) Close() error { return w.out.Close() }
