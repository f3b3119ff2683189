package nquads

import (
	"fmt"
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/valid"
	"orbweaver/rdf/syntax/ntriples"
)

// heldBack is how many bytes are written at once, but for the last and for longer lines.
const heldBack = 16 << 10

// A Writer writes quads, one a line, in the canonical form of ntriples.AppendTriple. It holds a few
// kilobytes of them back. The first error of writing is that of all calls behind it.
type Writer struct {
	out  io.Writer
	err  error
	buf  []byte   // lines not written yet
	last rdf.Quad // the quad before, which was checked: most have its subject and graph
}

// NewWriter returns a writer on w.
func NewWriter(w io.Writer) *Writer { return &Writer{out: w} }

// Write writes a quad. One that N-Quads cannot say, such as one with a literal as subject or with a
// relative IRI, is an error, of which nothing is written; the writer can be used on.
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

// appendChecked appends a term that was checked, as ntriples.AppendTerm does.
func appendChecked(dst []byte, t *rdf.Term) []byte {
	if t.Kind == rdf.IRI {
		return append(append(append(dst, '<'), t.Value...), '>')
	}
	return ntriples.AppendTerm(dst, *t)
}

// flush writes what is held back.
func (w *Writer) flush() error {
	if w.err == nil && len(w.buf) > 0 {
		var n int
		if n, w.err = w.out.Write(w.buf); n < len(w.buf) && w.err == nil {
			w.err = io.ErrShortWrite
		}
	}
	w.buf = w.buf[:0]
	if cap(w.buf) > 64*heldBack {
		w.buf = nil // after a line that was very long
	}
	if w.err != nil {
		return fmt.Errorf("writing N-Quads: %w", w.err)
	}
	return nil
}

// Close writes what is held back. It closes nothing else.
func (w *Writer) Close() error { return w.flush() }

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
