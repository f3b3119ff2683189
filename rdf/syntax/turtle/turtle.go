// Package turtle reads Turtle (W3C Recommendation of 25 February 2014), and so those Notation3 files
// that keep to what the two have in common.
//
// Triples are delivered as they are read, those of a nested node before the one that leads to it.
// Blank nodes keep the document's labels; the ones without get labels of their own, which no label
// of the document can meet.
package turtle

import (
	"io"
	"iter"

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

// Read returns the triples of a document. A mistake ends the sequence with a *syntax.Error; in
// lenient mode reading goes on behind the end of the statement, as far as that can be guessed. The
// sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return ReadScoped(r, opts, nil)
}

// A Scope is what names stand for at a place of a document.
type Scope struct {
	Prefixes map[string]string // namespaces, absolute, by prefix without its colon
	Base     string            // absolute IRI that relative ones are resolved against; empty: none
}

// ReadScoped does what Read does, and when the sequence has ended leaves in scope, unless it is nil,
// what names stood for where reading stopped.
func ReadScoped(r io.Reader, opts syntax.Options, scope *Scope) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		opts = opts.Filled()
		p := parser{yield: yield, maxDepth: opts.MaxDepth, prefixes: map[string]string{}, baseIRI: opts.Base}
		if scope != nil {
			defer func() { *scope = Scope{p.prefixes, p.baseIRI} }()
		}
		if opts.Base != "" {
			if p.base, p.err = iri.ParseBase(opts.Base); p.err != nil {
				yield(rdf.Triple{}, &syntax.Error{Name: opts.Name, Line: 1, Column: 1, Msg: "base: " + p.err.Error()})
				return
			}
		}
		p.src = source.New(r, opts)
		p.document(opts)
	}
}

// A parser reads by recursive descent. Its methods stand at the start of what they read, and return
// false when the reading of the statement has to end: because of err, or because the consumer has
// stopped. What was read is advanced over, a token that is wrong is not.
type parser struct {
	src      *source.Source
	yield    func(rdf.Triple, error) bool
	base     iri.Base
	baseIRI  string // what base was made of
	prefixes map[string]string
	labels   source.Labeller
	iris     source.Names // by what stands between < and >
	names    source.Names // by prefixed name
	strings  source.Strings
	scratch  []byte
	depth    int
	maxDepth int

	unclosed bool // a long string did not end: recovery looks for the end of no other

	stopped bool // the consumer wants no more
	err     error
}

// document reads statement after statement.
func (p *parser) document(opts syntax.Options) {
	for {
		p.err, p.depth = nil, 0
		c := p.peek()
		if c == 0 && p.src.AtEnd() && len(p.src.Window()) == 0 {
			return
		}
		if p.statement(c) {
			continue
		}
		switch {
		case p.stopped:
			return
		case !opts.Lenient || p.src.Err() != nil:
			p.yield(rdf.Triple{}, p.err)
			return
		}
		opts.Report(p.err)
		p.recover()
	}
}

// fail sets the error to what was expected and what is there instead. It returns false.
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

// emit delivers a triple.
func (p *parser) emit(s, pred, o rdf.Term) bool {
	if !p.yield(rdf.Triple{S: s, P: pred, O: o}, nil) {
		p.stopped = true
		return false
	}
	return true
}

// expect reads one byte of punctuation.
func (p *parser) expect(c byte, name string) bool {
	if p.peek() != c {
		return p.fail(name)
	}
	p.src.Advance(1)
	return true
}

// statement reads a directive, or triples with their full stop. c is what it starts with.
func (p *parser) statement(c byte) bool {
	if c == '@' || c|0x20 == 'p' || c|0x20 == 'b' {
		if directive, ok := p.directive(); directive || !ok {
			return ok
		}
	}
	subject, described, ok := p.subject(c)
	if !ok {
		return false
	}
	if !(described && p.peek() == '.') && !p.predicates(subject) {
		return false
	}
	return p.expect('.', `"."`)
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
	}
	t, ok = p.iriTerm("a subject")
	return t, false, ok
}

// predicates reads a predicateObjectList.
func (p *parser) predicates(subject rdf.Term) bool {
	for {
		predicate, ok := p.predicate()
		if !ok || !p.objects(subject, predicate) {
			return false
		}
		if p.peek() != ';' {
			return true
		}
		for p.peek() == ';' {
			p.src.Advance(1)
		}
		if c := p.peek(); c == '.' || c == ']' || c == 0 {
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
		object, ok := p.object()
		if !ok || !p.emit(subject, predicate, object) {
			return false
		}
		if p.peek() != ',' {
			return true
		}
		p.src.Advance(1)
	}
}

// object reads any term.
func (p *parser) object() (rdf.Term, bool) {
	switch c := p.peek(); {
	case c == '<':
		return p.iriTerm("an object")
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
	p.src.Advance(1)
	t = rdf.NewBlank(p.labels.Fresh())
	if p.peek() != ']' {
		described = true
		if !p.predicates(t) {
			return t, true, false
		}
	}
	return t, described, p.expect(']', `"]"`)
}

// collection reads a list in parentheses.
func (p *parser) collection() (rdf.Term, bool) {
	if !p.enter() {
		return rdf.Term{}, false
	}
	defer p.leave()
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
	end := rdf.NewIRI(rdfNil)
	if last.IsZero() {
		return end, true
	}
	return head, p.emit(last, rest, end)
}

// enter goes one level deeper.
func (p *parser) enter() bool {
	if p.depth++; p.depth > p.maxDepth {
		return p.wrong(0, "nested too deep")
	}
	return true
}

func (p *parser) leave() { p.depth-- }
