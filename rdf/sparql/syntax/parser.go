package syntax

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

const (
	rdfNS    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfType  = rdfNS + "type"
	rdfFirst = rdfNS + "first"
	rdfRest  = rdfNS + "rest"
	rdfNil   = rdfNS + "nil"
)

// known are prefixes that people write without declaring them.
func known(prefix string) string {
	switch prefix {
	case "ow":
		return "http://orbweaver.example/terms#"
	case "rdf":
		return rdfNS
	case "rdfs":
		return "http://www.w3.org/2000/01/rdf-schema#"
	case "owl":
		return "http://www.w3.org/2002/07/owl#"
	case "xsd":
		return "http://www.w3.org/2001/XMLSchema#"
	case "skos":
		return "http://www.w3.org/2004/02/skos/core#"
	case "prov":
		return "http://www.w3.org/ns/prov#"
	case "dcterms":
		return "http://purl.org/dc/terms/"
	case "foaf":
		return "http://xmlns.com/foaf/0.1/"
	case "schema":
		return "https://schema.org/"
	}
	return ""
}

// declaration is what a message says of a prefix that is not declared: how its usual namespace is, if it has one.
func declaration(prefix string) string {
	if space := known(prefix); space != "" {
		return "; begin with PREFIX " + prefix + ": <" + space + ">"
	}
	return ""
}

// A parser reads one text by recursive descent. After the first error every further token is atEnd, so that
// all loops end without checking err.
type parser struct {
	opts     Options
	lex      lexer
	tok      token
	err      error
	base     iri.Base
	prefixes map[string]string
	depth    int
	links    int // see maxLinks
	added    int // triples

	order map[string]int // all variables, by first appearance
	scope scope          // variables in scope in the part of the group read so far (section 18.2.1)
	nodes nodes          // nodes allowed in triples here

	blanks     map[string]int // labels of patterns → their basic graph pattern
	block      int            // the basic graph pattern being read
	blocks     int            // basic graph patterns so far
	data       map[string]int // labels of INSERT DATA → their operation
	operation  int
	generated  int // last generated label of an anonymous blank node
	aggregates aggregates
	quoted     bool // within a triple term or a reified triple, where no path stands
	closed     bool // the last primary expression was parenthesized
}

// nodes describe the nodes allowed in triples, and their purpose.
type nodes struct {
	noVars, noBlanks, noPaths bool
	data                      bool // INSERT DATA
	template                  bool // labels do not belong to basic graph patterns
	what                      string
}

func newParser(text string, opts Options) *parser {
	p := &parser{
		opts: opts, lex: lexer{text: text, pos: Pos{1, 1}},
		scope: scope{}, order: map[string]int{}, blanks: map[string]int{}, data: map[string]int{},
	}
	if len(text) > opts.MaxBytes {
		p.wrong(Pos{1, 1}, fmt.Sprintf("%d bytes, more than %d", len(text), opts.MaxBytes), ErrSize)
		return p
	}
	if opts.Base != "" {
		base, err := iri.ParseBase(opts.Base)
		if err != nil {
			p.wrong(Pos{1, 1}, "base: "+err.Error(), nil)
		}
		p.base = base
	}
	if bad := invalid(text); bad >= 0 {
		p.lex.advance(bad)
		p.wrong(p.lex.pos, "not valid UTF-8", nil)
	}
	if !opts.Only12 {
		p.lex.text = codePoints(text)
	}
	if strings.HasPrefix(text, "\uFEFF") {
		p.lex.at = len("\uFEFF")
	}
	p.next()
	return p
}

// next advances to the next token.
func (p *parser) next() {
	if p.err != nil {
		return
	}
	tok, err := p.lex.next()
	p.tok = tok
	if err != nil {
		p.wrong(tok.pos, err.Error(), nil)
	}
}

// wrong records the first error and moves to the end of the text.
func (p *parser) wrong(at Pos, msg string, cause error) {
	if p.err == nil {
		p.err = &Error{Name: p.opts.Name, Line: at.Line, Column: at.Column, Msg: msg, Err: cause}
	}
	p.tok = token{pos: at}
}

// expected sets an error with the expected token and the current one.
func (p *parser) expected(what string) {
	found := "the end"
	if p.tok.kind != atEnd {
		found = show(p.tok.text)
	}
	p.wrong(p.tok.pos, "expected "+what+", found "+found, nil)
}

// is reports whether the current token is a punctuation mark.
func (p *parser) is(s string) bool { return p.tok.kind == mark && p.tok.value == s }

// isWord reports whether the current token is a keyword, in capitals.
func (p *parser) isWord(s string) bool { return p.tok.kind == word && p.tok.value == s }

// accept skips punctuation if it is the current token.
func (p *parser) accept(s string) bool {
	if !p.is(s) {
		return false
	}
	p.next()
	return true
}

// acceptWord skips a keyword if it is the current token.
func (p *parser) acceptWord(s string) bool {
	if !p.isWord(s) {
		return false
	}
	p.next()
	return true
}

// expect skips required punctuation.
func (p *parser) expect(s string) {
	if !p.accept(s) {
		p.expected(strconv.Quote(s))
	}
}

// expectWord skips a required keyword.
func (p *parser) expectWord(s string) {
	if !p.acceptWord(s) {
		p.expected(s)
	}
}

// deeper counts nesting; the caller restores depth.
func (p *parser) deeper() {
	if p.depth++; p.depth > p.opts.MaxDepth {
		p.wrong(p.tok.pos, fmt.Sprintf("more than %d levels", p.opts.MaxDepth), ErrDepth)
	}
}

// link counts operators, which deepen the tree without nesting in the text.
func (p *parser) link() {
	if p.links++; p.links > maxLinks {
		p.wrong(p.tok.pos, fmt.Sprintf("more than %d operators", maxLinks), ErrDepth)
	}
}

// end requires the end of the text.
func (p *parser) end(what string) {
	if p.err == nil && p.tok.kind != atEnd {
		p.expected(what)
	}
}

// prologue reads any number of BASE, PREFIX and VERSION, which changes nothing.
func (p *parser) prologue() {
	for {
		switch {
		case p.acceptWord("BASE"):
			at := p.tok.pos
			base, err := iri.ParseBase(p.bracketed("the base IRI"))
			if err != nil {
				p.wrong(at, err.Error(), nil)
			}
			p.base = base
		case p.acceptWord("PREFIX"):
			prefix, plain := strings.CutSuffix(p.tok.text, ":")
			if p.tok.kind != prefixed || !plain || strings.Contains(prefix, ":") {
				p.expected(`a prefix and ":"`)
			}
			p.next()
			if p.prefixes == nil {
				p.prefixes = map[string]string{}
			}
			p.prefixes[prefix] = p.bracketed("the prefix's IRI in angle brackets")
		case p.acceptWord("VERSION"):
			if text := p.tok.text; p.tok.kind != quoted || strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''") {
				p.expected("a version between single quotes or double ones")
			}
			p.next()
		default:
			return
		}
	}
}

// bracketed reads an IRI in angle brackets, and resolves it.
func (p *parser) bracketed(what string) string {
	if p.tok.kind != iriRef {
		p.expected(what)
		return ""
	}
	value, err := p.base.Resolve(p.tok.value)
	if err != nil {
		p.wrong(p.tok.pos, err.Error(), nil)
	}
	p.next()
	return value
}

// isIRI reports whether the current token is an IRI, bracketed or prefixed.
func (p *parser) isIRI() bool { return p.tok.kind == iriRef || p.tok.kind == prefixed }

// iri reads an IRI, in brackets or prefixed.
func (p *parser) iri(what string) string {
	if p.tok.kind != prefixed {
		return p.bracketed(what)
	}
	prefix, _, _ := strings.Cut(p.tok.text, ":")
	space, ok := p.prefixes[prefix]
	if !ok {
		p.wrong(p.tok.pos, "prefix "+prefix+": is not declared"+declaration(prefix), nil)
	}
	value := space + p.tok.value
	p.next()
	return value
}

// variable reads a variable, and returns its name.
func (p *parser) variable() string {
	name := p.tok.value
	if p.tok.kind != variable {
		p.expected("a variable")
		return ""
	}
	if _, known := p.order[name]; !known {
		p.order[name] = len(p.order)
		if len(p.order) > maxVariables {
			p.wrong(p.tok.pos, fmt.Sprintf("more than %d variables", maxVariables), ErrSize)
		}
	}
	p.next()
	return name
}

// isLiteral reports whether a literal starts here.
func (p *parser) isLiteral() bool {
	return p.tok.kind == quoted || p.tok.kind == number || p.isWord("TRUE") || p.isWord("FALSE")
}

// literal reads a literal.
func (p *parser) literal() rdf.Term {
	tok := p.tok
	p.next()
	switch {
	case tok.kind == number:
		return rdf.NewTyped(tok.value, tok.datatype)
	case tok.kind == word:
		return rdf.NewTyped(strings.ToLower(tok.value), rdf.XSDBoolean)
	case p.tok.kind == langTag:
		lang, dir := p.tok.value, p.tok.dir
		p.next()
		return rdf.NewDirLang(tok.value, lang, dir)
	case p.accept("^^"):
		return rdf.NewTyped(tok.value, p.iri("a datatype"))
	}
	return rdf.NewString(tok.value)
}

// blank reads a blank node with a label, or generates one for an empty label.
func (p *parser) blank(name string, at Pos) Node {
	if p.nodes.noBlanks {
		p.wrong(at, "no blank node may stand in "+p.nodes.what, nil)
	}
	if name == "" {
		if p.generated == 0 {
			p.generated = lastLabel(p.lex.text)
		}
		p.generated++
		return Node{Term: rdf.NewBlank("b" + strconv.Itoa(p.generated))}
	}
	labels, place, apart := p.blanks, p.block, "basic graph patterns"
	if p.nodes.data {
		labels, place, apart = p.data, p.operation, "INSERT DATA operations"
	}
	if first, known := labels[name]; known && first != place && !p.nodes.template {
		p.wrong(at, "blank node _:"+name+" stands in two "+apart, nil)
	}
	if !p.nodes.template {
		labels[name] = place
	}
	return Node{Term: rdf.NewBlank(name)}
}

// lastLabel returns the highest n of labels _:bn in a text, or 0: generated labels continue from there.
func lastLabel(text string) int {
	last := 0
	for {
		_, rest, found := strings.Cut(text, "_:b")
		if !found {
			return last
		}
		if n, err := strconv.Atoi(rest[:min(lex.Digits(rest, 0), 9)]); err == nil {
			last = max(last, n)
		}
		text = rest
	}
}
