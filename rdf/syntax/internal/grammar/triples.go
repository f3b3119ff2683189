package grammar

import (
	"bytes"

	"orbweaver/rdf"
)

// begins reports whether the document goes on with a mark.
func (p *parser) begins(mark string) bool {
	p.ahead(len(mark))
	return bytes.HasPrefix(p.src.Window(), []byte(mark))
}

// mark reads punctuation of several bytes.
func (p *parser) mark(mark string) bool {
	if p.peek(); !p.begins(mark) {
		return p.fail(`"` + mark + `"`)
	}
	p.src.Advance(len(mark))
	return true
}

// tripleTerm reads a triple term, "<<( s p o )>>".
func (p *parser) tripleTerm() (t rdf.Term, ok bool) {
	if !p.enter() {
		return t, false
	}
	defer p.leave()
	p.src.Advance(len("<<("))
	var triple rdf.Triple
	if triple.S, ok = p.node("the subject of a triple term"); !ok {
		return t, false
	}
	if triple.P, ok = p.predicate(); !ok {
		return t, false
	}
	if triple.O, ok = p.inner(false); !ok || !p.mark(")>>") {
		return t, false
	}
	return p.term(triple)
}

// reifiedTriple reads a reified triple, "<< s p o ~ r >>", and returns its reifier.
func (p *parser) reifiedTriple() (reifier rdf.Term, ok bool) {
	if !p.enter() {
		return reifier, false
	}
	defer p.leave()
	p.at(Reified)
	p.src.Advance(len("<<"))
	var t rdf.Triple
	if p.peek() == '<' && p.begins("<<") {
		t.S, ok = p.reifiedTriple()
	} else {
		t.S, ok = p.node("the subject of a reified triple")
	}
	if !ok {
		return reifier, false
	}
	if t.P, ok = p.predicate(); !ok {
		return reifier, false
	}
	if t.O, ok = p.inner(true); !ok {
		return reifier, false
	}
	if p.peek() == '~' {
		reifier, ok = p.reifier()
	} else {
		reifier = rdf.NewBlank(p.labels.Fresh())
	}
	if !ok || !p.mark(">>") {
		return reifier, false
	}
	term, ok := p.term(t)
	return reifier, ok && p.emit(reifier, rdf.NewIRI(rdf.Reifies), term)
}

// node reads an IRI or a blank node without properties.
func (p *parser) node(what string) (rdf.Term, bool) {
	switch p.peek() {
	case '_':
		return p.blank()
	case '[':
		p.src.Advance(1)
		return rdf.NewBlank(p.labels.Fresh()), p.expect(']', `"]"`)
	}
	return p.iriTerm(what)
}

// inner reads the object of a triple within another term; reified allows a reified triple.
func (p *parser) inner(reified bool) (rdf.Term, bool) {
	switch c := p.peek(); {
	case c == '[':
		return p.node("an object")
	case c == '(':
		return rdf.Term{}, p.fail("a term within a triple term")
	case c == '<' && !reified && p.begins("<<") && !p.begins("<<("):
		return rdf.Term{}, p.fail("a term within a triple term")
	}
	return p.object()
}

// reifier reads "~" and the node behind it, a new one if there is none.
func (p *parser) reifier() (rdf.Term, bool) {
	p.src.Advance(1)
	switch c := p.peek(); {
	case c == '>', c == '{', c == '~', c == ',', c == ';', c == '.', c == ']', c == '|', c == '}', c == 0:
		return rdf.NewBlank(p.labels.Fresh()), true
	}
	return p.node("a reifier")
}

// term makes a term of a triple.
func (p *parser) term(t rdf.Triple) (rdf.Term, bool) {
	if t.O.Depth() >= rdf.MaxTripleDepth {
		return rdf.Term{}, p.wrong(0, "triple terms are nested too deep")
	}
	return rdf.NewTripleTerm(t), true
}

// annotations reads what stands behind the object of a triple: reifiers of the triple, and statements about them in "{|" and "|}".
func (p *parser) annotations(t rdf.Triple) (ok bool) {
	if p.graphs && p.peek() == '{' && !p.begins("{|") {
		return true // a graph, where none may begin
	}
	if !p.enter() {
		return false
	}
	defer p.leave()
	p.at(Reified)
	term, ok := p.term(t)
	if !ok {
		return false
	}
	var reifier rdf.Term // that a block is about; none: a new one
	for {
		switch p.peek() {
		case '~':
			if reifier, ok = p.reifier(); !ok || !p.emit(reifier, rdf.NewIRI(rdf.Reifies), term) {
				return false
			}
		case '{':
			if !p.mark("{|") {
				return false
			}
			if reifier.IsZero() {
				reifier = rdf.NewBlank(p.labels.Fresh())
				if !p.emit(reifier, rdf.NewIRI(rdf.Reifies), term) {
					return false
				}
			}
			if !p.predicates(reifier) || !p.mark("|}") {
				return false
			}
			reifier = rdf.Term{}
		default:
			return true
		}
	}
}
