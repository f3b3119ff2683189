package syntax

// update reads a whole text as operations: production UpdateUnit.
func (p *parser) update() *Update {
	u := &Update{}
	for {
		p.prologue()
		if p.tok.kind == atEnd {
			break
		}
		p.operation++
		if op := p.one(); op != nil {
			u.Operations = append(u.Operations, op)
		}
		if !p.accept(";") {
			break
		}
	}
	p.end(`";" or the end of the update`)
	u.Prologue = Prologue{p.base.String(), p.prefixes}
	return u
}

// one reads an operation.
func (p *parser) one() Operation {
	at := p.tok.pos
	switch {
	case p.acceptWord("LOAD"):
		l := &Load{Pos: at, Silent: p.acceptWord("SILENT")}
		l.Source = p.iri("the IRI of a document")
		if p.acceptWord("INTO") {
			p.expectWord("GRAPH")
			l.Into = p.oneGraph()
		}
		return l
	case p.acceptWord("CLEAR"):
		return &Clear{at, p.acceptWord("SILENT"), p.target()}
	case p.acceptWord("DROP"):
		return &Drop{at, p.acceptWord("SILENT"), p.target()}
	case p.acceptWord("CREATE"):
		c := &Create{Pos: at, Silent: p.acceptWord("SILENT")}
		p.expectWord("GRAPH")
		c.Graph = p.oneGraph().IRI
		return c
	case p.acceptWord("ADD"):
		return p.transfer(at, Add)
	case p.acceptWord("MOVE"):
		return p.transfer(at, Move)
	case p.acceptWord("COPY"):
		return p.transfer(at, Copy)
	case p.acceptWord("INSERT"):
		return p.insert(at)
	case p.acceptWord("DELETE"):
		return p.delete(at)
	case p.acceptWord("WITH"):
		m := &Modify{Pos: at, With: p.iri("a graph's IRI")}
		if !p.isWord("DELETE") && !p.isWord("INSERT") {
			p.expected("DELETE or INSERT")
		}
		if p.acceptWord("DELETE") {
			p.deleted(m)
		}
		return p.modify(m)
	}
	p.expected("an operation such as INSERT, DELETE or LOAD")
	return nil
}

// oneGraph reads a graph's IRI.
func (p *parser) oneGraph() Target { return Target{OneGraph, p.iri("a graph's IRI")} }

// target reads the target of CLEAR and DROP.
func (p *parser) target() Target {
	switch {
	case p.acceptWord("GRAPH"):
		return p.oneGraph()
	case p.acceptWord("DEFAULT"):
		return Target{Kind: DefaultGraph}
	case p.acceptWord("NAMED"):
		return Target{Kind: NamedGraphs}
	case p.acceptWord("ALL"):
		return Target{Kind: AllGraphs}
	}
	p.expected("GRAPH, DEFAULT, NAMED or ALL")
	return Target{}
}

// transfer reads what follows ADD, MOVE and COPY.
func (p *parser) transfer(at Pos, kind TransferKind) Operation {
	t := &Transfer{Pos: at, Kind: kind, Silent: p.acceptWord("SILENT")}
	t.From = p.graphOrDefault()
	p.expectWord("TO")
	t.To = p.graphOrDefault()
	return t
}

// graphOrDefault reads DEFAULT or a graph's IRI, with optional GRAPH.
func (p *parser) graphOrDefault() Target {
	if p.acceptWord("DEFAULT") {
		return Target{Kind: DefaultGraph}
	}
	p.acceptWord("GRAPH")
	return p.oneGraph()
}

// insert reads what follows INSERT.
func (p *parser) insert(at Pos) Operation {
	if p.acceptWord("DATA") {
		return &InsertData{at, p.quads(nodes{noVars: true, data: true, what: "INSERT DATA"})}
	}
	m := &Modify{Pos: at}
	p.inserted(m)
	return p.modified(m)
}

// delete reads what follows DELETE.
func (p *parser) delete(at Pos) Operation {
	switch {
	case p.acceptWord("DATA"):
		return &DeleteData{at, p.quads(nodes{noVars: true, noBlanks: true, what: "DELETE DATA"})}
	case p.acceptWord("WHERE"):
		return &DeleteWhere{at, p.quads(nodes{noBlanks: true, what: "DELETE WHERE"})}
	}
	m := &Modify{Pos: at}
	p.deleted(m)
	return p.modify(m)
}

// deleted reads the template of DELETE.
func (p *parser) deleted(m *Modify) {
	m.DoDelete = true
	m.Delete = p.quads(nodes{noBlanks: true, template: true, what: "DELETE"})
}

// inserted reads the template of INSERT.
func (p *parser) inserted(m *Modify) {
	m.DoInsert = true
	m.Insert = p.quads(nodes{template: true, what: "INSERT"})
}

// modify reads what follows the template of DELETE, or WITH.
func (p *parser) modify(m *Modify) Operation {
	if p.acceptWord("INSERT") {
		p.inserted(m)
	}
	return p.modified(m)
}

// modified reads USING and WHERE of an update.
func (p *parser) modified(m *Modify) Operation {
	p.dataset(&m.Using, "USING")
	p.expectWord("WHERE")
	p.scope = scope{}
	m.Where = p.group(false)
	m.Base = p.base.String()
	return m
}

// quads reads triples and graphs of triples in braces: production Quads.
func (p *parser) quads(allowed nodes) (out []Quad) {
	allowed.noPaths = true
	p.nodes = allowed
	p.newBlock()
	p.expect("{")
	for {
		if p.startsTriples() {
			out = quadsOf(out, p.triples(), Node{})
		}
		if !p.acceptWord("GRAPH") {
			break
		}
		if p.tok.kind == variable && allowed.noVars {
			p.wrong(p.tok.pos, "no variable may stand in "+allowed.what, nil)
		}
		name := p.varOrIRI()
		out = quadsOf(out, p.template(), name)
		p.accept(".")
	}
	p.expect("}")
	p.nodes = nodes{}
	return out
}

// quadsOf appends triples of a graph.
func quadsOf(out []Quad, triples []Triple, graph Node) []Quad {
	for _, t := range triples {
		out = append(out, Quad{t, graph})
	}
	return out
}
