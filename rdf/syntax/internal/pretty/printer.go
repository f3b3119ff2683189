package pretty

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/source"
)

const (
	full  = 32 << 10 // bytes of text that are written at once
	width = 100      // bytes after which a line is broken where it can be
)

// A printer lays statements out. A sentence, and in TriG a graph, is open until another starts.
type printer struct {
	w     io.Writer
	err   error
	b     []byte
	start int // of the line in b
	level int // of indentation

	spaces []space
	names  source.Names // IRIs as they are written
	key    []byte

	shape *shape
	open  rdf.Quad // of the statement before: what is open; no subject: no sentence
	lines int      // of the sentence, besides its first
	apart bool     // an empty line comes before what is next
}

// flush hands the text on, when there is more than a number of bytes.
func (p *printer) flush(limit int) {
	if len(p.b) <= limit || p.err != nil {
		return
	}
	_, p.err = p.w.Write(p.b)
	p.start -= len(p.b)
	p.b = p.b[:0]
}

func (p *printer) text(s string) { p.b = append(p.b, s...) }

// line starts a new one.
func (p *printer) line() {
	p.b = append(p.b, '\n')
	p.start = len(p.b)
	for range p.level {
		p.text("    ")
	}
}

// gap writes a space before an object, or a new line when the one here is long and the object starts
// none itself.
func (p *printer) gap(next *rdf.Term) {
	if n := p.shape.of(next); len(p.b)-p.start < width || n != nil && n.nested == yes && n.list != yes && n.count > 1 {
		p.text(" ")
		return
	}
	p.level++
	p.line()
	p.level--
}

// write writes statements behind those before. With a shape, their blank nodes are written as it says.
func (p *printer) write(quads []rdf.Quad, s *shape) {
	p.shape = s
	for i := range quads {
		q := &quads[i]
		if s.isNested(&q.S) {
			continue
		}
		p.statement(q)
		p.flush(full)
	}
	p.shape = nil
}

// statement writes one that is not within another.
func (p *printer) statement(q *rdf.Quad) {
	inside := !p.open.G.IsZero()
	if q.G != p.open.G {
		p.endGraph()
		inside = p.startGraph(&q.G)
	}
	switch {
	case p.open.S != q.S:
		p.endSentence()
		p.part()
		if inside {
			p.line()
		}
		p.subject(&q.S)
		p.text(" ")
		p.level++
		p.predicate(&q.P)
		p.text(" ")
	case p.open.P != q.P:
		p.text(" ;")
		p.line()
		p.lines++
		p.predicate(&q.P)
		p.text(" ")
	default:
		p.text(",")
		p.gap(&q.O)
	}
	p.object(&q.O)
	p.open = *q
}

// startGraph writes the start of a graph that has a name.
func (p *printer) startGraph(name *rdf.Term) (inside bool) {
	if name.IsZero() {
		return false
	}
	p.part()
	p.term(name)
	p.text(" {")
	p.level++
	p.open.G = *name
	return true
}

// endSentence ends the sentence that is open. Behind one of several lines stands an empty one.
func (p *printer) endSentence() {
	if p.open.S.IsZero() {
		return
	}
	p.text(" .")
	p.level--
	if p.open.G.IsZero() {
		p.end()
	}
	p.apart, p.lines = p.lines > 0, 0
	p.open = rdf.Quad{G: p.open.G}
}

// endGraph ends the sentence and the graph that are open.
func (p *printer) endGraph() {
	p.endSentence()
	if !p.open.G.IsZero() {
		p.level--
		p.line()
		p.text("}")
		p.end()
		p.apart = true
	}
	p.open = rdf.Quad{}
}

// end ends a line, and starts none.
func (p *printer) end() {
	p.b = append(p.b, '\n')
	p.start = len(p.b)
}

// part writes the empty line that is due.
func (p *printer) part() {
	if p.apart {
		p.end()
		p.apart = false
	}
}

func (p *printer) subject(t *rdf.Term) {
	if p.shape.isNameless(t) {
		p.text("[]")
		return
	}
	p.term(t)
}

func (p *printer) predicate(t *rdf.Term) {
	if t.Value == rdfType {
		p.text("a")
		return
	}
	p.term(t)
}

// object writes a term, or what a nested node says.
func (p *printer) object(t *rdf.Term) {
	n := p.shape.of(t)
	switch {
	case t.Kind == rdf.IRI && t.Value == rdfNil:
		p.text("()")
	case n == nil || n.nested != yes:
		p.term(t)
	case n.list == yes:
		p.list(n)
	case n.count == 0:
		p.text("[]")
	default:
		p.node(n)
	}
}

// list writes the list that starts with a cell.
func (p *printer) list(n *node) {
	p.text("(")
	p.level++
	for {
		item, rest, _ := p.shape.cell(n)
		p.object(item)
		if rest.Kind != rdf.Blank {
			break
		}
		n = p.shape.of(rest)
		item, _, _ = p.shape.cell(n)
		p.gap(item)
	}
	p.level--
	p.text(")")
}

// node writes a nested node's statements, a single one of a plain object on the line.
func (p *printer) node(n *node) {
	short := n.count == 1 && !p.shape.isNested(&p.shape.quads[n.first].O)
	p.text("[")
	p.level++
	var before *rdf.Quad
	for i := n.first; i != none; i = p.shape.next[i] {
		q := &p.shape.quads[i]
		if before != nil && before.P == q.P {
			p.text(",")
			p.gap(&q.O)
			p.object(&q.O)
			continue
		}
		if before != nil {
			p.text(" ;")
		}
		if short {
			p.text(" ")
		} else {
			p.line()
			p.lines++
		}
		p.predicate(&q.P)
		p.text(" ")
		p.object(&q.O)
		before = q
	}
	p.level--
	if short {
		p.text(" ]")
		return
	}
	p.line()
	p.text("]")
}

// declare writes prefixes, in the order of their names.
func (p *printer) declare(prefixes map[string]string) {
	p.spaces = sorted(prefixes)
	for _, s := range p.spaces {
		p.text("@prefix " + s.prefix + ": <" + s.iri + "> .\n")
	}
	p.start, p.apart = len(p.b), len(p.spaces) > 0
	longestFirst(p.spaces)
}

// term writes a term by itself: a blank node by its label.
func (p *printer) term(t *rdf.Term) {
	switch t.Kind {
	case rdf.IRI:
		p.iri(t.Value)
	case rdf.Blank:
		p.text("_:")
		p.text(t.Value)
	case rdf.Literal:
		p.literal(t)
	case rdf.TripleTerm:
		triple, _ := t.Triple()
		p.text("<<( ")
		p.term(&triple.S)
		p.text(" ")
		p.predicate(&triple.P)
		p.text(" ")
		p.term(&triple.O)
		p.text(" )>>")
	}
}

// iri writes an IRI by its prefix, if it has one.
func (p *printer) iri(iri string) {
	p.key = append(p.key[:0], iri...)
	written, slot := p.names.Find(p.key)
	if written == "" {
		written = shorten(iri, p.spaces)
		p.names.Keep(slot, iri, written)
	}
	p.text(written)
}
