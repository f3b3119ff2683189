package nquads

import (
	"bufio"
	"fmt"
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/valid"
	"orbweaver/rdf/syntax/ntriples"
)

// A Writer writes quads, one a line, in the canonical form of ntriples.AppendTriple. It holds a few
// kilobytes of them back. The first error of writing is that of all calls behind it.
type Writer struct {
	out  *bufio.Writer
	line []byte
}

// NewWriter returns a writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriter(w)} }

// Write writes a quad. One that N-Quads cannot say, such as one with a literal as subject or with a
// relative IRI, is an error, of which nothing is written; the writer can be used on.
func (w *Writer) Write(q rdf.Quad) error {
	if err := valid.Quad(&q); err != nil {
		return fmt.Errorf("writing N-Quads: %w", err)
	}
	w.line = AppendQuad(w.line[:0], q)
	if _, err := w.out.Write(w.line); err != nil {
		return fmt.Errorf("writing N-Quads: %w", err)
	}
	return nil
}

// Close writes what is held back. It closes nothing else.
func (w *Writer) Close() error {
	if err := w.out.Flush(); err != nil {
		return fmt.Errorf("writing N-Quads: %w", err)
	}
	return nil
}

// AppendQuad appends a quad as a line, as ntriples.AppendTriple does, whatever its terms.
func AppendQuad(dst []byte, q rdf.Quad) []byte {
	dst = append(ntriples.AppendTerm(dst, q.S), ' ')
	dst = append(ntriples.AppendTerm(dst, q.P), ' ')
	dst = append(ntriples.AppendTerm(dst, q.O), ' ')
	if !q.G.IsZero() {
		dst = append(ntriples.AppendTerm(dst, q.G), ' ')
	}
	return append(dst, ".\n"...)
}
