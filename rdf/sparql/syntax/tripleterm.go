package syntax

import (
	"fmt"

	"orbweaver/rdf"
)

// tripleTerm reads a triple term of a pattern or template.
func (p *parser) tripleTerm() Node {
	at, depth, quoted := p.tok.pos, p.depth, p.quoted
	p.deeper()
	p.quoted = true
	p.expect("<<(")
	var t Triple
	t.S = p.part(nil, "the subject of a triple term")
	p.verb(&t)
	t.O = p.part(nil, "the object of a triple term")
	p.expect(")>>")
	p.depth, p.quoted = depth, quoted
	return p.quote(at, t)
}

// reifiedTriple reads a reified triple, adds the statement that its reifier reifies it, and returns the reifier.
func (p *parser) reifiedTriple(out *[]Triple) Node {
	at, depth, quoted := p.tok.pos, p.depth, p.quoted
	p.deeper()
	p.quoted = true
	p.expect("<<")
	t := Triple{Pos: at}
	t.S = p.part(out, "the subject of a reified triple")
	p.verb(&t)
	t.O = p.part(out, "the object of a reified triple")
	var reifier Node
	if p.is("~") {
		reifier = p.reifier()
	} else {
		reifier = p.blank("", at)
	}
	p.expect(">>")
	p.depth, p.quoted = depth, quoted
	p.add(Triple{Pos: at, S: reifier, P: iriNode(rdf.Reifies), O: p.quote(at, t)}, out)
	return reifier
}

// part reads the subject or object of a quoted triple: no collection, and no blank node with properties. Only where there is out may it
// be a reified triple.
func (p *parser) part(out *[]Triple, what string) Node {
	switch {
	case p.is("["):
		n := p.blank("", p.tok.pos)
		p.next()
		p.expect("]")
		return n
	case p.is("("), p.is("<<") && out == nil:
		p.expected(what)
		return Node{}
	}
	return p.node(out, what)
}

// quote returns a triple as a node: a term if it has neither variables nor blank nodes.
func (p *parser) quote(at Pos, t Triple) Node {
	ground := rdf.Triple{S: t.S.Term, P: t.P.Term, O: t.O.Term}
	if ground.O.Depth() >= rdf.MaxTripleDepth || nested(t.O) >= rdf.MaxTripleDepth || nested(t.S) >= rdf.MaxTripleDepth {
		p.wrong(at, fmt.Sprintf("more than %d triple terms within each other", rdf.MaxTripleDepth), ErrDepth)
	}
	if p.nodes.noVars && p.err == nil && t.S.Term.Kind == rdf.Literal {
		p.wrong(at, "no literal may be a subject in "+p.nodes.what, nil)
	}
	for _, n := range [...]Node{t.S, t.P, t.O} {
		if n.Term.IsZero() || n.Term.Kind == rdf.Blank {
			return Node{Triple: &TripleNode{t.S, t.P, t.O}}
		}
	}
	return Node{Term: rdf.NewTripleTerm(ground)}
}

// nested returns how deep a node is nested.
func nested(n Node) int {
	if n.Triple == nil {
		return n.Term.Depth()
	}
	return 1 + max(nested(n.Triple.S), nested(n.Triple.O))
}

// reifier reads "~" and the node behind it, a new one if there is none.
func (p *parser) reifier() Node {
	at := p.tok.pos
	p.expect("~")
	if p.tok.kind == variable || p.isIRI() || p.tok.kind == label || p.is("[") {
		return p.part(nil, "a reifier")
	}
	return p.blank("", at)
}

// annotations reads what stands behind the object of a triple: its reifiers, and statements about them.
func (p *parser) annotations(t Triple, out *[]Triple) {
	if t.Path != nil {
		p.wrong(p.tok.pos, "a path has no annotation", nil)
		return
	}
	depth := p.depth
	p.deeper()
	at := p.tok.pos
	quoted := p.quote(at, t)
	reifies := func(reifier Node) {
		p.add(Triple{Pos: p.tok.pos, S: reifier, P: iriNode(rdf.Reifies), O: quoted}, out)
	}
	for reifier := (Node{}); ; {
		switch {
		case p.is("~"):
			reifier = p.reifier()
			reifies(reifier)
			continue
		case p.is("{|"):
			if reifier.IsZero() {
				reifier = p.blank("", p.tok.pos)
				reifies(reifier)
			}
			p.next()
			p.properties(reifier, out)
			p.expect("|}")
			reifier = Node{}
			continue
		}
		p.depth = depth
		return
	}
}

// exprTriple reads a triple term of an expression.
func (p *parser) exprTriple() Expr {
	at, depth := p.tok.pos, p.depth
	p.deeper()
	p.expect("<<(")
	c := &Call{Pos: at, Name: "TRIPLE"}
	c.Args = append(c.Args, p.exprNode(false), p.exprNode(false))
	if p.is("<<(") {
		c.Args = append(c.Args, p.exprTriple())
	} else {
		c.Args = append(c.Args, p.exprNode(true))
	}
	p.expect(")>>")
	p.depth = depth
	var t [3]rdf.Term
	for i, arg := range c.Args {
		term, constant := arg.(*TermExpr)
		if !constant {
			return c
		}
		t[i] = term.Term
	}
	return &TermExpr{at, p.quote(at, Triple{S: Node{Term: t[0]}, P: Node{Term: t[1]}, O: Node{Term: t[2]}}).Term}
}

// exprNode reads a variable, an IRI or, as an object, a literal, which stands within a triple term of an expression.
func (p *parser) exprNode(object bool) Expr {
	at := p.tok.pos
	switch {
	case p.tok.kind == variable:
		return &VarExpr{at, p.variable()}
	case object && p.isLiteral():
		return &TermExpr{at, p.literal()}
	case !object && p.isA():
		return &TermExpr{at, rdf.NewIRI(p.step())}
	}
	return &TermExpr{at, rdf.NewIRI(p.iri("a part of a triple term"))}
}

// dataTriple reads a triple term of VALUES.
func (p *parser) dataTriple() rdf.Term {
	at, depth := p.tok.pos, p.depth
	p.deeper()
	p.expect("<<(")
	t := Triple{S: iriNode(p.iri("the subject of a triple term")), P: iriNode(p.step())}
	switch {
	case p.is("<<("):
		t.O.Term = p.dataTriple()
	case p.isLiteral():
		t.O.Term = p.literal()
	default:
		t.O = iriNode(p.iri("the object of a triple term"))
	}
	p.expect(")>>")
	p.depth = depth
	return p.quote(at, t).Term
}
