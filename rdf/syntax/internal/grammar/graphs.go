package grammar

import "orbweaver/rdf"

// brace reads what only TriG has, if it is here: a graph's start, or its end. found is false when it
// is something else, which may be a graph's name still.
func (p *parser) brace(c byte) (found, ok bool) {
	switch {
	case p.inside && c == '}':
		p.src.Advance(1)
		p.inside, p.graph = false, rdf.Term{}
		return true, true
	case c == '{':
		return true, p.open(rdf.Term{})
	case c|0x20 == 'g' && p.graphWord():
		name, ok := p.graphName()
		return true, ok && p.open(name)
	}
	return false, true
}

// open reads the brace that starts a graph. Within a graph that is a mistake: the one before was not
// closed. In lenient mode the new one starts all the same.
func (p *parser) open(name rdf.Term) bool {
	if p.peek() != '{' {
		return p.fail(`"{"`)
	}
	if p.inside {
		p.reopened, p.graph = true, name
		return p.fail(`"}"`)
	}
	p.src.Advance(1)
	p.inside, p.graph = true, name
	return true
}

// graphWord reads the word GRAPH, in whatever case, if it is here.
func (p *parser) graphWord() bool {
	const word = "graph"
	p.ahead(minAhead)
	window := p.src.Window()
	return foldedPrefix(window, word) && p.keyword(string(window[:len(word)]))
}

// graphName reads the name that has to stand behind the word GRAPH.
func (p *parser) graphName() (rdf.Term, bool) {
	switch p.peek() {
	case '_':
		return p.blank()
	case '[':
		p.src.Advance(1)
		return rdf.NewBlank(p.labels.Fresh()), p.expect(']', `"]"`)
	}
	return p.iriTerm("a graph's name")
}
