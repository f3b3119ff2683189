package nquads

import (
	"fmt"
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/valid"
	"orbweaver/rdf/syntax/ntriples"
)

// heldBack is the size of the write buffer in bytes.
const heldBack = 16 << 10

// A Writer writes quads, one per line, in the canonical form of ntriples.AppendTriple. It buffers a few
// kilobytes. A write error is returned by all later calls, too.
type Writer struct {
	out  io.Writer
	err  error
	buf  []byte   // lines not written yet
	last rdf.Quad // the previous quad, already checked: most quads repeat its subject and graph
}

// NewWriter returns a writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Write writes a quad. A quad that N-Quads cannot express, such as one with a literal subject or a relative
// IRI, is an error; nothing of it is written, and the writer remains usable.
func (w *Writer) Write(q rdf.Quad) error {
	if err := valid.Next(&q, &w.last); err != nil {
		return fmt.Errorf("writing N-Quads: %w", err)
	}
	w.last = q
	for i, t := range [...]*rdf.Term{&q.S, &q.P, &q.O, &q.G} {
		if i == 3 && t.IsZero() {
			break
		}
		w.buf = append(appendChecked(w.buf, t), ' ')
	}
	if w.buf = append(w.buf, ".\n"...); len(w.buf) >= heldBack || w.err != nil {
		return w.flush()
	}
	return nil
}

// appendChecked is ntriples.AppendTerm for a checked term.
func appendChecked(dst []byte, t *rdf.Term) []byte {
	if t.Kind == rdf.IRI {
		return append(append(append(dst, '<'), t.Value...), '>')
	}
	return ntriples.AppendTerm(dst, *t)
}

// flush writes the buffer.
func (w *Writer) flush() error {
	if w.err == nil && len(w.buf) > 0 {
		var n int
		if n, w.err = w.out.Write(w.buf); n < len(w.buf) && w.err == nil {
			w.err = io.ErrShortWrite
		}
	}
	w.buf = w.buf[:0]
	if cap(w.buf) > 64*heldBack {
		w.buf = nil // after a very long line
	}
	if w.err != nil {
		return fmt.Errorf("writing N-Quads: %w", w.err)
	}
	return nil
}

// Close writes the buffer. It does not close the underlying writer.
func (w *Writer) Close() error { return w.flush() }

// AppendQuad appends a quad as a line, like ntriples.AppendTriple, without checking its terms.
func AppendQuad(dst []byte, q rdf.Quad) []byte {
	dst = append(ntriples.AppendTerm(dst, q.S), ' ')
	dst = append(ntriples.AppendTerm(dst, q.P), ' ')
	dst = append(ntriples.AppendTerm(dst, q.O), ' ')
	if !q.G.IsZero() {
		dst = append(ntriples.AppendTerm(dst, q.G), ' ')
	}
	return append(dst, ".\n"...)
}
