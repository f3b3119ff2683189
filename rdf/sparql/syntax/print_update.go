package syntax

func (p *printer) operation(op Operation) {
	switch op := op.(type) {
	case *Load:
		p.keyword("LOAD", op.Silent)
		p.put(p.iri(op.Source))
		if op.Into.Kind == OneGraph {
			p.put(" INTO GRAPH " + p.iri(op.Into.IRI))
		}
	case *Clear:
		p.keyword("CLEAR", op.Silent)
		p.target(op.Target)
	case *Drop:
		p.keyword("DROP", op.Silent)
		p.target(op.Target)
	case *Create:
		p.keyword("CREATE", op.Silent)
		p.put("GRAPH " + p.iri(op.Graph))
	case *Transfer:
		p.keyword([...]string{Add: "ADD", Move: "MOVE", Copy: "COPY"}[op.Kind], op.Silent)
		p.target(op.From)
		p.put(" TO ")
		p.target(op.To)
	case *InsertData:
		p.quads("INSERT DATA ", op.Quads)
	case *DeleteData:
		p.quads("DELETE DATA ", op.Quads)
	case *DeleteWhere:
		p.quads("DELETE WHERE ", op.Quads)
	case *Modify:
		p.modify(op)
	}
}

// keyword writes an operation's keyword and a space.
func (p *printer) keyword(name string, silent bool) {
	p.put(name + " ")
	if silent {
		p.put("SILENT ")
	}
}

func (p *printer) target(t Target) {
	switch t.Kind {
	case DefaultGraph:
		p.put("DEFAULT")
	case OneGraph:
		p.put("GRAPH " + p.iri(t.IRI))
	case NamedGraphs:
		p.put("NAMED")
	case AllGraphs:
		p.put("ALL")
	}
}

func (p *printer) modify(m *Modify) {
	if m.With != "" {
		p.put("WITH " + p.iri(m.With))
		p.line()
	}
	if m.DoDelete {
		p.quads("DELETE ", m.Delete)
		p.line()
	}
	if m.DoInsert {
		p.quads("INSERT ", m.Insert)
	}
	p.dataset("USING", m.Using)
	p.line()
	p.put("WHERE ")
	p.group(m.Where)
}

// quads writes quads in braces, grouping consecutive ones of a graph.
func (p *printer) quads(keyword string, quads []Quad) {
	p.put(keyword)
	p.block(func() {
		for len(quads) > 0 {
			graph, n := quads[0].G, 1
			for n < len(quads) && quads[n].G == graph {
				n++
			}
			triples := make([]Triple, n)
			for i := range triples {
				triples[i] = quads[i].Triple
			}
			if quads = quads[n:]; graph.IsZero() {
				p.triples(triples)
				continue
			}
			p.line()
			p.put("GRAPH " + p.node(graph) + " ")
			p.block(func() { p.triples(triples) })
		}
	})
}
