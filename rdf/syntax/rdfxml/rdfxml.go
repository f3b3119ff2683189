// Package rdfxml reads RDF/XML (RDF 1.1 XML Syntax, W3C Recommendation of 25 February 2014), and what RDF 1.2 adds to it: triple terms
// (rdf:parseType="Triple") and directions (its:dir) where rdf:version says 1.2, and annotations.
//
// Triples are delivered as they are read. Memory holds the path of open elements and, since an rdf:ID must be
// unique, the set of all IDs. Numbers in comments name sections of the recommendation.
package rdfxml

import (
	"bytes"
	"io"
	"iter"
	"strconv"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/markup"
	"orbweaver/rdf/syntax/internal/source"
)

const (
	rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	itsNS = "http://www.w3.org/2005/11/its" // of the direction of text

	// version begins those in which there are triple terms and directions.
	version = "1.2"
)

// Read returns the triples of a document. A mistake ends the sequence with a *syntax.Error. Lenient mode
// skips mistakes of RDF: it drops an attribute that is not allowed, percent-encodes an IRI, and skips an
// element that it cannot read, with its content, as one whose prefix is not declared. XML whose tags are not
// well-formed ends the sequence in both modes; what is wrong within a text or the value of an attribute does not.
// MaxDepth counts XML elements, MaxToken limits tags, texts and XML literals. The sequence can be ranged over
// once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		opts := opts.Filled()
		p := parser{yield: yield, opts: opts, ids: map[string]bool{}, nodes: map[string]string{}}
		if err := p.run(r); err != nil && !p.stopped {
			yield(rdf.Triple{}, err)
		}
	}
}

// A parser reads by recursive descent over XML tokens. A method that reads an element is called after its
// start tag is read, and returns after its end tag is read.
type parser struct {
	xml     *markup.Reader
	yield   func(rdf.Triple, error) bool
	opts    syntax.Options
	labels  source.Labeller
	strings source.Strings
	scratch []byte
	text    []byte            // of the open properties, concatenated
	ids     map[string]bool   // IRIs made by rdf:ID
	nodes   map[string]string // fresh labels of the rdf:nodeIDs that are not valid labels

	stopped bool

	within   bool         // a triple term is read: its statements are not delivered
	captured []rdf.Triple // those of the triple term, up to one too many
}

// A scope is the state that elements inherit.
type scope struct {
	base    iri.Base
	lang    string
	dir     rdf.Direction
	triples bool // RDF 1.2: there may be triple terms and directions
}

// stop is returned to unwind when the consumer stops.
type stop struct{}

func (stop) Error() string { return "stopped" }

// run reads the document: rdf:RDF with node elements, or one node element (7.2.8).
func (p *parser) run(r io.Reader) (err error) {
	var s scope
	if p.opts.Base != "" {
		if s.base, err = iri.ParseBase(p.opts.Base); err != nil {
			return &syntax.Error{Name: p.opts.Name, Line: 1, Column: 1, Msg: "base: " + err.Error()}
		}
	}
	if p.xml, err = markup.NewReader(r, p.opts); err != nil {
		return err
	}
	for {
		token, err := p.next()
		switch {
		case err != nil:
			return err
		case token.Kind == markup.EOF:
			return nil
		case token.Kind == markup.Start:
			if err := p.root(token, s); err != nil {
				return err
			}
		}
	}
}

// root reads the root element.
func (p *parser) root(token *markup.Token, s scope) error {
	if token.Name.Space != rdfNS || token.Name.Local != "RDF" {
		_, err := p.node(token, s)
		return err
	}
	tag, s, err := p.attributes(token, s)
	if err != nil {
		return err
	}
	if tag.any() || len(tag.properties) > 0 {
		if err := p.mistake("rdf:RDF has no attributes of RDF"); err != nil {
			return err
		}
	}
	return p.children(func(t *markup.Token) error {
		_, err := p.node(t, s)
		return err
	})
}

// next returns the next token.
func (p *parser) next() (*markup.Token, error) { return p.xml.Next() }

// children calls read for every child element of the open element. Text between children is a mistake, except
// for white space.
func (p *parser) children(read func(*markup.Token) error) error {
	for {
		token, err := p.next()
		if err != nil {
			return err
		}
		switch token.Kind {
		case markup.End:
			return nil
		case markup.Start:
			err = read(token)
		case markup.Text:
			err = p.onlySpace(token.Text)
		}
		if err != nil {
			return err
		}
	}
}

func (p *parser) onlySpace(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 {
		return p.mistake("text where an element should be: " + source.Show(text))
	}
	return nil
}

// skip reads to the end of the open element.
func (p *parser) skip() error {
	for depth := 1; depth > 0; {
		token, err := p.next()
		if err != nil {
			return err
		}
		switch token.Kind {
		case markup.Start:
			depth++
		case markup.End:
			depth--
		}
	}
	return nil
}

// mistake returns an error at the current token; in lenient mode it reports it and returns nil.
func (p *parser) mistake(msg string) error {
	e := p.xml.At()
	e.Msg = msg
	if p.opts.Lenient {
		p.opts.Report(&e)
		return nil
	}
	return &e
}

// emit delivers a triple, unless a mistake left one of its terms empty.
func (p *parser) emit(s, pred, o rdf.Term) error {
	if pred.IsZero() || o.IsZero() {
		return nil
	}
	if p.within {
		if len(p.captured) < 2 {
			p.captured = append(p.captured, rdf.Triple{S: s, P: pred, O: o})
		}
		return nil
	}
	if !p.yield(rdf.Triple{S: s, P: pred, O: o}, nil) {
		p.stopped = true
		return stop{}
	}
	return nil
}

// state delivers a triple and, if it has an ID, its reification (7.3).
func (p *parser) state(s, pred, o rdf.Term, id rdf.Term) error {
	if err := p.emit(s, pred, o); err != nil || id.IsZero() {
		return err
	}
	for _, t := range []struct {
		name  string
		value rdf.Term
	}{{"type", rdf.NewIRI(rdfNS + "Statement")}, {"subject", s}, {"predicate", pred}, {"object", o}} {
		if err := p.emit(id, rdf.NewIRI(rdfNS+t.name), t.value); err != nil {
			return err
		}
	}
	return nil
}

// fresh returns a new blank node.
func (p *parser) fresh() rdf.Term { return rdf.NewBlank(p.labels.Fresh()) }

// node reads a node element (7.2.11) and returns its subject.
func (p *parser) node(token *markup.Token, s scope) (rdf.Term, error) {
	subject, s, err := p.subject(token, s)
	if err != nil {
		return subject, err
	}
	if subject.IsZero() {
		return p.fresh(), p.skip()
	}
	members := 0
	return subject, p.children(func(t *markup.Token) error { return p.property(t, subject, &members, s) })
}

// subject reads the start tag of a node element and delivers its triples. The subject is zero for an element
// to skip.
func (p *parser) subject(token *markup.Token, s scope) (rdf.Term, scope, error) {
	name := token.Name
	if name.Undeclared() {
		return rdf.Term{}, s, nil
	}
	if name.Space == "" || name.Space == rdfNS && (core(name.Local) || name.Local == "li" || old(name.Local)) {
		return rdf.Term{}, s, p.mistake(show(name) + " is no node")
	}
	tag, s, err := p.attributes(token, s)
	if err != nil {
		return rdf.Term{}, s, err
	}
	subject, err := p.identity(tag, s)
	if err != nil {
		return subject, s, err
	}
	if tag.count(isDatatype, isParseType, isResource, isAnnotation, isAnnotationNodeID) > 0 {
		if err := p.mistake("rdf:datatype, rdf:parseType, rdf:resource and rdf:annotation belong to properties, not to nodes"); err != nil {
			return subject, s, err
		}
	}
	if name.Space != rdfNS || name.Local != "Description" {
		class, err := p.named(name)
		if err != nil {
			return subject, s, err
		}
		if err := p.emit(subject, rdf.NewIRI(rdfNS+"type"), class); err != nil {
			return subject, s, err
		}
	}
	return subject, s, p.describe(subject, tag, s)
}

// identity returns the node named by rdf:about, rdf:ID or rdf:nodeID, or a new one.
func (p *parser) identity(tag tag, s scope) (rdf.Term, error) {
	if tag.count(isAbout, isID, isNodeID) > 1 {
		if err := p.mistake("rdf:about, rdf:ID and rdf:nodeID exclude each other"); err != nil {
			return rdf.Term{}, err
		}
	}
	switch {
	case tag.has(isAbout):
		return p.reference(tag.values[isAbout], s)
	case tag.has(isID):
		return p.identified(tag.values[isID], s)
	case tag.has(isNodeID):
		return p.labelled(tag.values[isNodeID])
	}
	return p.fresh(), nil
}

// describe delivers the property attributes of a node.
func (p *parser) describe(subject rdf.Term, tag tag, s scope) error {
	for _, a := range tag.properties {
		object := literal(a.Value, s)
		if a.Space == rdfNS && a.Local == "type" {
			var err error
			if object, err = p.reference(a.Value, s); err != nil {
				return err
			}
		}
		predicate, err := p.named(a.Name)
		if err != nil {
			return err
		}
		if err := p.emit(subject, predicate, object); err != nil {
			return err
		}
	}
	return nil
}

// literal returns a literal in the scope's language.
func literal(text string, s scope) rdf.Term {
	if s.lang != "" {
		return rdf.NewDirLang(text, s.lang, s.dir)
	}
	return rdf.NewString(text)
}

// named returns the IRI of an element's or attribute's name. In lenient mode it returns the zero Term if
// namespace and name do not form an IRI.
func (p *parser) named(name markup.Name) (rdf.Term, error) {
	p.scratch = append(append(p.scratch[:0], name.Space...), name.Local...)
	value, slot, known := p.strings.Find(p.scratch)
	if !known {
		value = string(p.scratch)
		if err := iri.Check(value); err != nil {
			return rdf.Term{}, p.mistake(show(name) + ": " + err.Error())
		}
		p.strings.Keep(slot, value)
	}
	return rdf.NewIRI(value), nil
}

// member returns rdf:_n.
func member(n int) rdf.Term { return rdf.NewIRI(rdfNS + "_" + strconv.Itoa(n)) }
