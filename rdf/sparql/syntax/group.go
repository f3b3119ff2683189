package syntax

import (
	"slices"

	"orbweaver/rdf"
)

// group reads a group in braces. Its variables are in scope around it, if visible.
func (p *parser) group(visible bool) *Group {
	g := &Group{Pos: p.tok.pos}
	outer, depth := p.scope, p.depth
	p.deeper()
	p.expect("{")
	p.scope = scope{}
	p.newBlock()
	if p.isWord("SELECT") {
		g.Elements = append(g.Elements, p.subSelect())
	} else {
		p.elements(g)
	}
	p.expect("}")
	p.newBlock()
	inner := p.scope
	p.scope, p.depth = outer, depth
	if visible {
		p.scope = p.scope.with(inner)
	}
	return g
}

// newBlock starts another basic graph pattern.
func (p *parser) newBlock() {
	p.blocks++
	p.block = p.blocks
}

// elements reads the elements of a group: production GroupGraphPatternSub.
func (p *parser) elements(g *Group) {
	for {
		if p.startsTriples() {
			at := p.tok.pos
			triples := p.triples()
			p.inScope(triples)
			g.Elements = append(g.Elements, &Triples{at, triples})
		}
		e := p.element()
		if e == nil {
			if !p.is("}") {
				p.expected(`a pattern or "}"`)
			}
			return
		}
		g.Elements = append(g.Elements, e)
		p.accept(".")
	}
}

// element reads an element other than triples, or returns nil. Every element except a filter ends the basic
// graph pattern before it.
func (p *parser) element() Pattern {
	at, block := p.tok.pos, p.block
	if p.acceptWord("FILTER") {
		f := &Filter{at, p.constraint(false)}
		p.block = block
		return f
	}
	var e Pattern
	switch {
	case p.acceptWord("OPTIONAL"):
		e = &Optional{at, p.group(true)}
	case p.acceptWord("MINUS"):
		e = &Minus{at, p.group(false)}
	case p.acceptWord("GRAPH"):
		name := p.graphName()
		e = &Graph{at, name, p.group(true)}
	case p.acceptWord("SERVICE"):
		silent := p.acceptWord("SILENT")
		name := p.graphName()
		e = &Service{at, silent, name, p.group(true)}
	case p.acceptWord("BIND"):
		e = p.bind(at)
	case p.isWord("VALUES"):
		e = p.values()
	case p.is("{"):
		e = p.groupOrUnion()
	default:
		return nil
	}
	p.link()
	p.newBlock()
	return e
}

// graphName reads the name of GRAPH and SERVICE; a variable comes into scope.
func (p *parser) graphName() Node {
	n := p.varOrIRI()
	if n.Var != "" {
		p.scope.add(n.Var)
	}
	return n
}

// groupOrUnion reads one group, or several with UNION between.
func (p *parser) groupOrUnion() Pattern {
	u := &Union{Pos: p.tok.pos}
	for {
		u.Branches = append(u.Branches, p.group(true))
		if !p.acceptWord("UNION") {
			break
		}
		p.link()
	}
	if len(u.Branches) == 1 {
		return u.Branches[0]
	}
	return u
}

// bind reads what follows BIND.
func (p *parser) bind(at Pos) *Bind {
	p.expect("(")
	b := &Bind{Pos: at, Expr: p.plainExpr()}
	p.expectWord("AS")
	b.Var = p.introduce("BIND")
	p.expect(")")
	return b
}

// introduce reads a variable that must not be in scope.
func (p *parser) introduce(by string) string {
	at := p.tok.pos
	name := p.variable()
	if p.scope[name] {
		p.wrong(at, by+" gives a value to ?"+name+", which has one already", nil)
	}
	p.scope.add(name)
	return name
}

// subSelect reads a sub-query. Only the variables that it selects come into scope.
func (p *parser) subSelect() *SubSelect {
	s := &SubSelect{Pos: p.tok.pos}
	outer := p.aggregates
	p.aggregates = aggregates{}
	p.selectClause(&s.Select)
	p.where(&s.Select)
	p.modifiers(&s.Select)
	p.aggregates = outer
	p.scope = scope{}
	for _, item := range s.Select.Items {
		p.scope.add(item.Var)
	}
	return s
}

// values reads VALUES with its rows.
func (p *parser) values() *Values {
	v := &Values{Pos: p.tok.pos}
	p.expectWord("VALUES")
	single := p.tok.kind == variable
	if single {
		v.Vars = []string{p.variable()}
	} else {
		p.expect("(")
		for p.tok.kind == variable {
			at := p.tok.pos
			v.Vars = append(v.Vars, p.variable())
			if n := len(v.Vars) - 1; slices.Contains(v.Vars[:n], v.Vars[n]) {
				p.wrong(at, "VALUES has ?"+v.Vars[n]+" twice", nil)
			}
		}
		p.expect(")")
	}
	for _, name := range v.Vars {
		p.scope.add(name)
	}
	p.expect("{")
	for p.err == nil && !p.is("}") {
		v.Rows = append(v.Rows, p.row(len(v.Vars), single))
	}
	p.expect("}")
	return v
}

// row reads one row of VALUES.
func (p *parser) row(width int, single bool) []rdf.Term {
	row := make([]rdf.Term, 0, width)
	if single {
		return append(row, p.value("a value"))
	}
	at := p.tok.pos
	p.expect("(")
	for p.err == nil && !p.is(")") {
		if len(row) == width {
			p.wrong(p.tok.pos, "more values than variables", nil)
		}
		row = append(row, p.value(`a value or ")"`))
	}
	p.expect(")")
	if len(row) < width {
		p.wrong(at, "fewer values than variables", nil)
	}
	return row
}

// value reads a value of VALUES; the zero term is UNDEF.
func (p *parser) value(what string) rdf.Term {
	switch {
	case p.acceptWord("UNDEF"):
		return rdf.Term{}
	case p.isLiteral():
		return p.literal()
	case p.is("<<("):
		return p.dataTriple()
	}
	return rdf.NewIRI(p.iri(what))
}
