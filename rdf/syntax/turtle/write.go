package turtle

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/pretty"
)

// A Writer writes Turtle for people to read: it groups consecutive triples by subject, writes lists in
// parentheses, and writes a blank node that is used once inside the triple that uses it. Equal input gives
// equal text, which reads back as the same graph.
//
// It buffers a bounded window of triples. A document with blank nodes that exceeds the window has them by
// label, unless Settle marks groups of triples.
type Writer struct{ out *pretty.Writer }

// NewWriter returns a writer on w. The first Write reports invalid prefixes.
func NewWriter(w io.Writer, opts syntax.WriteOptions) *Writer {
	return &Writer{pretty.New(w, syntax.Turtle, opts)}
}

// Write takes a triple. A triple that Turtle cannot express, such as one with a literal subject or a relative
// IRI, is an error; nothing of it is written, and the writer remains usable. Any other error is returned by
// all later calls, too.
func (w *Writer) Write(t rdf.Triple) error { return w.out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O}) }

// Settle promises that later triples share no blank node with earlier ones, as when the next document's
// triples follow.
func (w *Writer) Settle() { w.out.Settle() }

// Close writes the buffered triples. It does not close the underlying writer.
func (w *Writer) Close() error { return w.out.Close() }
