package trig

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/pretty"
)

// A Writer writes TriG for people to read, like turtle.Writer: it groups consecutive quads of one graph in
// braces, and writes the default graph without. A blank node that occurs in several graphs, or names one, has
// a label.
type Writer struct{ out *pretty.Writer }

// NewWriter returns a writer on w. The first Write reports invalid prefixes.
func NewWriter(w io.Writer, opts syntax.WriteOptions) *Writer {
	return &Writer{pretty.New(w, syntax.TriG, opts)}
}

// Write takes a quad. A quad that TriG cannot express, such as one with a literal subject or a relative IRI,
// is an error; nothing of it is written, and the writer remains usable. Any other error is returned by all
// later calls, too.
func (w *Writer) Write(q rdf.Quad) error { return w.out.Write(q) }

// Settle promises that later quads share no blank node with earlier ones, as when the next document's quads
// follow.
func (w *Writer) Settle() { w.out.Settle() }

// Close writes the buffered quads. It does not close the underlying writer.
func (w *Writer) Close() error { return w.out.Close() }
