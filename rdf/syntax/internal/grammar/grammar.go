// Package grammar reads the common part of Turtle and TriG: everything except the braces of graphs. See
// rdf/syntax/turtle and rdf/syntax/trig.
package grammar

import (
	"io"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

const (
	rdfType  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfFirst = "http://www.w3.org/1999/02/22-rdf-syntax-ns#first"
	rdfRest  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#rest"
	rdfNil   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#nil"
)

// Triples hands the triples of a Turtle document to yield as they are read, and its first mistake, a
// *syntax.Error; in lenient mode mistakes are reported and skipped. It stops where yield says false.
// What names stood for there is returned: namespaces by prefix, and the base.
func Triples(r io.Reader, opts syntax.Options, yield func(rdf.Triple, error) bool) (prefixes map[string]string, base string) {
	p := parser{triples: yield}
	p.read(r, opts.Filled())
	return p.prefixes, p.baseIRI
}

// An Event is a place in the structure of a Turtle document.
type Event uint8

// The events. Each has the offset of a byte: of the first of what begins, or of the one behind what ends. A subject or an object that is a
// property list or a collection has Open and Close between its own two.
const (
	Statement Event = iota // triples begin
	End                    // behind their full stop
	Directive              // behind a directive
	SubjectEnd
	Verb
	VerbEnd
	Object
	ObjectEnd // before the object's triple is emitted; items of a collection have none
	Open      // "[" or "("
	Close     // behind "]" or ")"
	Comma
	Semicolon
	Reified // a reified triple or an annotation begins: events and triples of what stands in it have no place in this order
)

// Shaped is Triples, and hands the structure of the document to see.
func Shaped(r io.Reader, opts syntax.Options, see func(Event, int), yield func(rdf.Triple, error) bool) (prefixes map[string]string, base string) {
	p := parser{triples: yield, see: see}
	p.read(r, opts.Filled())
	return p.prefixes, p.baseIRI
}

// at hands an event to whoever looks at the structure.
func (p *parser) at(e Event) {
	if p.see != nil {
		p.see(e, p.src.Offset())
	}
}

// Quads does the same with a TriG document.
func Quads(r io.Reader, opts syntax.Options, yield func(rdf.Quad, error) bool) {
	p := parser{quads: yield, graphs: true}
	p.read(r, opts.Filled())
}

// A parser reads by recursive descent. Its methods stand at the start of what they read, and return
// false when the reading of the statement has to end: because of err, or because the consumer has
// stopped. What was read is advanced over, a token that is wrong is not.
type parser struct {
	src      *source.Source
	triples  func(rdf.Triple, error) bool // takes what is read; of TriG quads does
	quads    func(rdf.Quad, error) bool
	base     iri.Base
	baseIRI  string // what base was made of
	prefixes map[string]string
	declared int // bytes that prefixes take
	labels   source.Labeller
	iris     source.Names   // by what stands between < and >
	names    source.Strings // what prefixed names stand for
	strings  source.Strings // labels, language tags and numbers
	scratch  []byte
	depth    int
	maxDepth int

	see func(Event, int) // nil: nobody looks at the structure

	graphs bool     // the document is TriG
	inside bool     // a graph's braces
	graph  rdf.Term // the graph's name; none outside and in the default graph

	reopened bool // a graph starts within another, at the brace here

	unclosed bool // a long string did not end: recovery looks for the end of no other

	stopped bool // the consumer wants no more
	err     error
}

// read reads a document.
func (p *parser) read(r io.Reader, opts syntax.Options) {
	p.maxDepth, p.prefixes, p.baseIRI = min(opts.MaxDepth, source.GreatestDepth), map[string]string{}, opts.Base
	if opts.Base != "" {
		if p.base, p.err = iri.ParseBase(opts.Base); p.err != nil {
			p.report(&syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: "base: " + p.err.Error()})
			return
		}
	}
	p.src = source.New(r, opts)
	p.document(opts)
}

// document reads statement after statement.
func (p *parser) document(opts syntax.Options) {
	for {
		p.err, p.depth = nil, 0
		c := p.peek()
		end := c == 0 && p.src.AtEnd() && len(p.src.Window()) == 0
		if end && !p.inside {
			return
		}
		if end {
			p.inside = false
			p.fail(`"}"`)
		} else if p.statement(c) {
			continue
		}
		switch {
		case p.stopped:
			return
		case p.src.Err() != nil: // what looks like a mistake may be where reading failed
			p.report(p.src.Incomplete(0, ""))
			return
		case !opts.Lenient:
			p.report(p.err)
			return
		}
		opts.Report(p.err)
		p.recover()
	}
}

// fail sets the error to the expected and the current input. It returns false.
func (p *parser) fail(expected string) bool {
	window := p.src.Window()
	if len(window) == 0 {
		return p.incomplete(expected + " is missing at the end of the input")
	}
	return p.wrong(0, expected+" is missing, found "+source.Show(window))
}

// wrong sets the error to a message about the window's byte at offset. It returns false.
func (p *parser) wrong(offset int, msg string) bool {
	p.err = p.src.Errorf(offset, "%s", msg)
	return false
}

// incomplete sets the error of a token that does not end. It returns false.
func (p *parser) incomplete(msg string) bool {
	p.err = p.src.Incomplete(0, msg)
	return false
}

// report delivers the error that ends the reading.
func (p *parser) report(err error) {
	if p.graphs {
		p.quads(rdf.Quad{}, err)
	} else {
		p.triples(rdf.Triple{}, err)
	}
}

// emit delivers a statement. It hands triples on as such: turning quads into them takes a tenth of all
// the time.
func (p *parser) emit(s, pred, o rdf.Term) bool {
	if p.graphs {
		p.stopped = !p.quads(rdf.Quad{S: s, P: pred, O: o, G: p.graph}, nil)
	} else {
		p.stopped = !p.triples(rdf.Triple{S: s, P: pred, O: o}, nil)
	}
	return !p.stopped
}

// expect reads one byte of punctuation.
func (p *parser) expect(c byte, name string) bool {
	if p.peek() != c {
		return p.fail(name)
	}
	p.src.Advance(1)
	return true
}

// statement reads a directive, triples with their full stop, or where a graph starts or ends. c is
// what it starts with.
func (p *parser) statement(c byte) bool {
	if p.graphs {
		if found, ok := p.brace(c); found {
			return ok
		}
	}
	if low := c | 0x20; !p.inside && (c == '@' || low == 'p' || low == 'b' || low == 'v') {
		if directive, ok := p.directive(); directive || !ok {
			p.at(Directive)
			return ok
		}
	}
	p.at(Statement)
	subject, described, ok := p.subject(c)
	if !ok {
		return false
	}
	p.at(SubjectEnd)
	next := p.peek()
	if next == '{' && p.graphs && !described && c != '(' {
		return p.open(subject)
	}
	if !(described && (next == '.' || p.inside && next == '}')) && !p.predicates(subject) {
		return false
	}
	if p.inside && p.peek() == '}' {
		return true
	}
	if !p.expect('.', `"."`) {
		return false
	}
	p.at(End)
	return true
}

// subject reads a subject; described says that it was one of those that say something by
// themselves, and need no predicates.
func (p *parser) subject(c byte) (t rdf.Term, described, ok bool) {
	switch c {
	case '[':
		t, described, ok = p.anonymous()
		return t, described, ok
	case '(':
		t, ok = p.collection()
		return t, false, ok
	case '_':
		t, ok = p.blank()
		return t, false, ok
	case '<':
		if p.begins("<<") {
			t, ok = p.reifiedTriple()
			return t, true, ok
		}
	}
	t, ok = p.iriTerm("a subject")
	return t, false, ok
}

// predicates reads a predicateObjectList.
func (p *parser) predicates(subject rdf.Term) bool {
	for {
		p.peek()
		p.at(Verb)
		predicate, ok := p.predicate()
		if !ok {
			return false
		}
		p.at(VerbEnd)
		if !p.objects(subject, predicate) {
			return false
		}
		if p.peek() != ';' {
			return true
		}
		for p.peek() == ';' {
			p.at(Semicolon)
			p.src.Advance(1)
		}
		if c := p.peek(); c == '.' || c == ']' || c == '|' || c == 0 || c == '}' && p.inside {
			return true
		}
	}
}

// predicate reads an IRI, or "a".
func (p *parser) predicate() (rdf.Term, bool) {
	if p.peek() == 'a' && p.keyword("a") {
		return rdf.NewIRI(rdfType), true
	}
	return p.iriTerm("a predicate")
}

// objects reads an objectList.
func (p *parser) objects(subject, predicate rdf.Term) bool {
	for {
		p.peek()
		p.at(Object)
		object, ok := p.object()
		if !ok {
			return false
		}
		p.at(ObjectEnd)
		if !p.emit(subject, predicate, object) {
			return false
		}
		c := p.peek()
		if c == '~' || c == '{' {
			if !p.annotations(rdf.Triple{S: subject, P: predicate, O: object}) {
				return false
			}
			c = p.peek()
		}
		if c != ',' {
			return true
		}
		p.at(Comma)
		p.src.Advance(1)
	}
}

// object reads any term.
func (p *parser) object() (rdf.Term, bool) {
	switch c := p.peek(); {
	case c == '<' && !p.begins("<<"):
		return p.iriTerm("an object")
	case c == '<' && p.begins("<<("):
		return p.tripleTerm()
	case c == '<':
		return p.reifiedTriple()
	case c == '"' || c == '\'':
		return p.literal(c)
	case c == '[':
		t, _, ok := p.anonymous()
		return t, ok
	case c == '(':
		return p.collection()
	case c == '_':
		return p.blank()
	case c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.':
		return p.number()
	case c == 't' && p.keyword("true"):
		return rdf.NewTyped("true", rdf.XSDBoolean), true
	case c == 'f' && p.keyword("false"):
		return rdf.NewTyped("false", rdf.XSDBoolean), true
	}
	return p.iriTerm("an object")
}

// anonymous reads "[]" or a blankNodePropertyList; described is false for the former.
func (p *parser) anonymous() (t rdf.Term, described, ok bool) {
	if !p.enter() {
		return t, false, false
	}
	defer p.leave()
	p.at(Open)
	p.src.Advance(1)
	t = rdf.NewBlank(p.labels.Fresh())
	if p.peek() != ']' {
		described = true
		if !p.predicates(t) {
			return t, true, false
		}
	}
	ok = p.expect(']', `"]"`)
	p.at(Close)
	return t, described, ok
}

// collection reads a list in parentheses.
func (p *parser) collection() (rdf.Term, bool) {
	if !p.enter() {
		return rdf.Term{}, false
	}
	defer p.leave()
	p.at(Open)
	p.src.Advance(1)
	first, rest := rdf.NewIRI(rdfFirst), rdf.NewIRI(rdfRest)
	var head, last rdf.Term
	for p.peek() != ')' {
		item, ok := p.object()
		if !ok {
			return rdf.Term{}, false
		}
		node := rdf.NewBlank(p.labels.Fresh())
		if last.IsZero() {
			head = node
		} else if !p.emit(last, rest, node) {
			return rdf.Term{}, false
		}
		if !p.emit(node, first, item) {
			return rdf.Term{}, false
		}
		last = node
	}
	p.src.Advance(1)
	p.at(Close)
	end := rdf.NewIRI(rdfNil)
	if last.IsZero() {
		return end, true
	}
	return head, p.emit(last, rest, end)
}

// enter increases the nesting depth.
func (p *parser) enter() bool {
	if p.depth++; p.depth > p.maxDepth {
		return p.wrong(0, "nested too deep")
	}
	return true
}

func (p *parser) leave() { p.depth-- }
