package syntax

import (
	"fmt"

	"orbweaver/rdf"
)

// iriNode returns an IRI as a node.
func iriNode(iri string) Node { return Node{Term: rdf.NewIRI(iri)} }

// startsNode reports whether a variable, a term, a collection, a bracketed blank node or a reified triple starts here.
func (p *parser) startsNode() bool {
	switch p.tok.kind {
	case iriRef, prefixed, variable, label, quoted, number:
		return true
	}
	return p.is("[") || p.is("(") || p.is("<<") || p.is("<<(") || p.isLiteral()
}

// startsTriples reports whether triples start here.
func (p *parser) startsTriples() bool { return p.startsNode() }

// triples reads one or more triples separated by full stops.
func (p *parser) triples() (out []Triple) {
	for {
		p.sameSubject(&out)
		if !p.accept(".") || !p.startsTriples() {
			return out
		}
	}
}

// sameSubject reads a subject with its properties.
func (p *parser) sameSubject(out *[]Triple) {
	before := len(*out)
	s := p.node(out, "a subject")
	if p.startsVerb() || len(*out) == before { // [ :p :o ], ( :a ) and << :s :p :o >> may stand alone
		p.properties(s, out)
	}
}

// node reads a variable or term. A collection, bracketed blank node or reified triple adds triples and returns its
// node.
func (p *parser) node(out *[]Triple, what string) Node {
	at := p.tok.pos
	switch {
	case p.tok.kind == variable:
		if p.nodes.noVars {
			p.wrong(at, "no variable may stand in "+p.nodes.what, nil)
		}
		return Node{Var: p.variable()}
	case p.isIRI():
		return iriNode(p.iri(what))
	case p.isLiteral():
		return Node{Term: p.literal()}
	case p.tok.kind == label:
		n := p.blank(p.tok.value, at)
		p.next()
		return n
	case p.is("["):
		return p.brackets(out)
	case p.is("("):
		return p.collection(out)
	case p.is("<<("):
		return p.tripleTerm()
	case p.is("<<"):
		return p.reifiedTriple(out)
	}
	p.expected(what)
	return Node{}
}

// brackets reads a blank node with properties.
func (p *parser) brackets(out *[]Triple) Node {
	depth := p.depth
	p.deeper()
	s := p.blank("", p.tok.pos)
	p.expect("[")
	if !p.is("]") {
		p.properties(s, out)
	}
	p.expect("]")
	p.depth = depth
	return s
}

// collection reads a list.
func (p *parser) collection(out *[]Triple) Node {
	at, depth := p.tok.pos, p.depth
	p.deeper()
	p.expect("(")
	if p.accept(")") {
		p.depth = depth
		return iriNode(rdfNil)
	}
	head := p.blank("", at)
	for cell := head; ; {
		at = p.tok.pos
		p.object(Triple{Pos: at, S: cell, P: iriNode(rdfFirst)}, out, `a member of the list or ")"`)
		if !p.startsNode() {
			p.add(Triple{Pos: at, S: cell, P: iriNode(rdfRest), O: iriNode(rdfNil)}, out)
			break
		}
		next := p.blank("", p.tok.pos)
		p.add(Triple{Pos: at, S: cell, P: iriNode(rdfRest), O: next}, out)
		cell = next
	}
	p.expect(")")
	p.depth = depth
	return head
}

// startsVerb reports whether a predicate or a path starts here.
func (p *parser) startsVerb() bool {
	if p.isIRI() || p.tok.kind == variable || p.isA() {
		return true
	}
	return !p.nodes.noPaths && !p.quoted && (p.is("^") || p.is("!") || p.is("("))
}

// isA reports whether the current token is "a", the only case-sensitive keyword.
func (p *parser) isA() bool { return p.tok.kind == word && p.tok.text == "a" }

// properties reads one or more predicates with their objects.
func (p *parser) properties(s Node, out *[]Triple) {
	for {
		t := Triple{Pos: p.tok.pos, S: s}
		p.verb(&t)
		for {
			p.object(t, out, "an object")
			if !p.accept(",") {
				break
			}
			t.Pos = p.tok.pos
		}
		if !p.is(";") {
			return
		}
		for p.accept(";") { // repeated semicolons are allowed
		}
		if !p.startsVerb() {
			return
		}
	}
}

// object reads a triple's object and puts the triple before those that the object adds, so that variables are
// in text order.
func (p *parser) object(t Triple, out *[]Triple, what string) {
	i := len(*out)
	p.add(t, out)
	o := p.node(out, what)
	(*out)[i].O = o
	if p.is("~") || p.is("{|") {
		p.annotations((*out)[i], out)
	}
}

// add adds a triple. A triple of a few bytes (",1") takes much memory, so the number of triples has a limit,
// too.
func (p *parser) add(t Triple, out *[]Triple) {
	*out = append(*out, t)
	if p.added++; p.added > max(1000, p.opts.MaxBytes/bytesATriple) {
		p.wrong(p.tok.pos, fmt.Sprintf("more than %d triples", p.added-1), ErrSize)
	}
}

// verb reads a predicate or a path.
func (p *parser) verb(t *Triple) {
	switch {
	case p.tok.kind == variable && p.nodes.noVars:
		p.wrong(p.tok.pos, "no variable may stand in "+p.nodes.what, nil)
	case p.tok.kind == variable:
		t.P = Node{Var: p.variable()}
	case !p.startsVerb():
		p.expected("a predicate")
	case p.nodes.noPaths || p.quoted:
		t.P = iriNode(p.step())
	default:
		t.Path = p.path()
		if step, plain := t.Path.(*PathIRI); plain {
			t.P, t.Path = iriNode(step.IRI), nil
		}
	}
}

// step reads an IRI or "a".
func (p *parser) step() string {
	if p.isA() {
		p.next()
		return rdfType
	}
	return p.iri("a predicate")
}

// path reads a path: production Path.
func (p *parser) path() Path {
	depth := p.depth
	p.deeper()
	var parts []Path
	for {
		parts = append(parts, p.pathSequence())
		if !p.accept("|") {
			break
		}
	}
	p.depth = depth
	if len(parts) == 1 {
		return parts[0]
	}
	return &PathAlternative{parts}
}

// pathSequence reads paths with "/" between.
func (p *parser) pathSequence() Path {
	var parts []Path
	for {
		if p.accept("^") {
			parts = append(parts, &PathInverse{p.pathElement()})
		} else {
			parts = append(parts, p.pathElement())
		}
		if !p.accept("/") {
			break
		}
	}
	if len(parts) == 1 {
		return parts[0]
	}
	return &PathSequence{parts}
}

// pathElement reads a step, a negated set or a path in parentheses, and its repetition mark.
func (p *parser) pathElement() (e Path) {
	switch {
	case p.accept("!"):
		e = p.pathNot()
	case p.accept("("):
		e = p.path()
		p.expect(")")
	default:
		e = &PathIRI{p.step()}
	}
	if p.is("*") || p.is("+") || p.is("?") {
		e = &PathRepeat{e, p.tok.value[0]}
		p.next()
	}
	return e
}

// pathNot reads what follows "!".
func (p *parser) pathNot() *PathNot {
	n := &PathNot{}
	one := func() {
		if p.accept("^") {
			n.Backward = append(n.Backward, p.step())
		} else {
			n.Forward = append(n.Forward, p.step())
		}
	}
	if !p.accept("(") {
		one()
		return n
	}
	if p.accept(")") {
		return n
	}
	one()
	for p.accept("|") {
		one()
	}
	p.expect(")")
	return n
}
