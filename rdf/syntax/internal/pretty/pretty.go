// Package pretty writes readable Turtle and TriG: prefixes, each run of a subject's statements as one sentence,
// lists in parentheses, blank nodes nested in the statement that uses them. See rdf/syntax/turtle and
// rdf/syntax/trig.
//
// A blank node loses its label only if all statements that may refer to it are in the window: at the end of a
// document that fits the window, and where the caller says so (Settle). Otherwise all blank nodes are written
// with their labels.
package pretty

import (
	"fmt"
	"io"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/valid"
)

// mostText is how many bytes of terms are held back.
const mostText = 4 << 20

// A Writer writes the statements of a document.
type Writer struct {
	format  syntax.Format // for errors, and whether there are graphs
	opts    syntax.WriteOptions
	held    []rdf.Quad
	text    int  // bytes of the terms of held
	settled int  // how many of held no later statement shares a blank node with
	loose   bool // labels stay: a blank node may be one that was written
	out     printer
	begun   bool // the prefixes are written
	err     error
}

// New returns a writer on w of Turtle or TriG.
func New(w io.Writer, format syntax.Format, opts syntax.WriteOptions) *Writer {
	if opts.Window <= 0 {
		opts.Window = syntax.DefaultWindow
	}
	out := &Writer{format: format, opts: opts, out: printer{w: w}}
	if opts.Prefixes != nil {
		out.err = out.fail(checkPrefixes(opts.Prefixes))
	}
	return out
}

// fail says what was being done when an error came up.
func (w *Writer) fail(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("writing %v: %w", w.format, err)
}

// Write adds a statement. An invalid statement is an error after which the writer can still be used; any other
// error is returned by all later calls.
func (w *Writer) Write(q rdf.Quad) error {
	if w.err != nil {
		return w.err
	}
	if err := valid.Quad(&q); err != nil {
		return w.fail(err)
	}
	if err := checkPaths(&q); err != nil {
		return w.fail(err)
	}
	w.held = append(w.held, q)
	w.text += size(&q)
	switch {
	case w.loose:
		w.write(w.held, false)
		w.keep(len(w.held))
	case len(w.held) >= w.opts.Window || w.text >= mostText:
		w.makeRoom()
	}
	return w.check()
}

// terms returns the terms of a quad.
func terms(q *rdf.Quad) [4]*rdf.Term { return [...]*rdf.Term{&q.S, &q.P, &q.O, &q.G} }

// size returns the bytes of a quad's terms.
func size(q *rdf.Quad) (n int) {
	for _, t := range terms(q) {
		n += len(t.Value) + len(t.Datatype) + len(t.Lang)
	}
	return n
}

// checkPaths refuses an IRI with "." or ".." in its path: Turtle resolves it to another (RFC 3986,
// section 5.2.2), so that there is no way to write it.
func checkPaths(q *rdf.Quad) error {
	for _, t := range terms(q) {
		if err := checkPath(t); err != nil {
			return err
		}
	}
	return nil
}

// checkPath does so for a term.
func checkPath(t *rdf.Term) (err error) {
	value := t.Value
	if t.Kind == rdf.Literal {
		value = t.Datatype
	}
	if t.Kind == rdf.Blank || !strings.Contains(value, "/.") {
		return nil
	}
	if t.Kind == rdf.TripleTerm {
		t.Each(func(part rdf.Term) {
			if err == nil {
				err = checkPath(&part)
			}
		})
		return err
	}
	if resolved, err := (iri.Base{}).Resolve(value); err != nil || resolved != value {
		return fmt.Errorf("<%s> would read as <%s>", value, resolved)
	}
	return nil
}

// makeRoom writes what is settled or, when nothing is, all. If that has a blank node none loses its
// label from there on: any may be one that was written.
func (w *Writer) makeRoom() {
	if n := w.settled; n > 0 {
		w.write(w.held[:n], true)
		w.keep(n)
		return
	}
	w.loose = hasBlank(w.held)
	w.write(w.held, false)
	w.keep(len(w.held))
}

// keep forgets the first n of what is held, which are written.
func (w *Writer) keep(n int) {
	kept := copy(w.held, w.held[n:])
	clear(w.held[kept:])
	w.held, w.settled, w.text = w.held[:kept], 0, 0
	for i := range w.held {
		w.text += size(&w.held[i])
	}
}

// hasBlank reports whether there is a blank node in one of the statements.
func hasBlank(quads []rdf.Quad) bool {
	for i := range quads {
		if q := &quads[i]; q.S.Kind == rdf.Blank || q.O.HasBlank() || q.G.Kind == rdf.Blank {
			return true
		}
	}
	return false
}

// Settle declares that no later statement refers to a blank node of an earlier one.
func (w *Writer) Settle() {
	w.settled, w.loose = len(w.held), false
}

// Close writes the buffered statements and the end. It closes nothing else.
func (w *Writer) Close() error {
	if w.err != nil {
		return w.err
	}
	w.write(w.held, true)
	w.held = nil
	w.out.endGraph()
	w.out.flush(0)
	return w.check()
}

// write writes statements; whole says that their blank nodes are in no others.
func (w *Writer) write(quads []rdf.Quad, whole bool) {
	var s *shape
	if whole && hasBlank(quads) {
		s = shapeOf(quads)
	}
	if !w.begun {
		prefixes := w.opts.Prefixes
		if prefixes == nil {
			prefixes = collect(quads, s)
		}
		w.out.declare(prefixes)
		w.begun = true
	}
	w.out.write(quads, s)
}

// check keeps an error of the writer below.
func (w *Writer) check() error {
	w.err = w.fail(w.out.err)
	return w.err
}
