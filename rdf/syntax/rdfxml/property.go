package rdfxml

import (
	"bytes"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/markup"
)

// property reads a property element (7.2.14) of a subject; members counts its rdf:li.
func (p *parser) property(token *markup.Token, subject rdf.Term, members *int, s scope) error {
	name := token.Name
	var predicate rdf.Term
	var err error
	switch {
	case name.Undeclared():
		return p.skip()
	case name.Space == rdfNS && name.Local == "li":
		*members++
		predicate = member(*members)
	case name.Space == "", name.Space == rdfNS && (core(name.Local) || old(name.Local) || name.Local == "Description"):
		if err := p.mistake(show(name) + " is no property"); err != nil {
			return err
		}
		return p.skip()
	default:
		if predicate, err = p.named(name); err != nil {
			return err
		}
	}
	if predicate.IsZero() {
		return p.skip()
	}
	tag, s, err := p.attributes(token, s)
	if err != nil {
		return err
	}
	if err := p.checkProperty(tag); err != nil {
		return err
	}
	var id rdf.Term
	if tag.has(isID) {
		if id, err = p.identified(tag.values[isID], s); err != nil {
			return err
		}
	}
	st := statement{subject: subject, predicate: predicate, id: id}
	switch {
	case tag.has(isAnnotation):
		st.reifier, err = p.reference(tag.values[isAnnotation], s)
	case tag.has(isAnnotationNodeID):
		st.reifier, err = p.labelled(tag.values[isAnnotationNodeID])
	}
	if err != nil {
		return err
	}
	return p.value(tag, st, s)
}

// A statement is a triple whose object is not yet read.
type statement struct{ subject, predicate, id, reifier rdf.Term }

// complete delivers a statement with its object.
func (p *parser) complete(st statement, object rdf.Term) error {
	if err := p.state(st.subject, st.predicate, object, st.id); err != nil || st.reifier.IsZero() || object.IsZero() {
		return err
	}
	term, err := p.term(rdf.Triple{S: st.subject, P: st.predicate, O: object})
	if err != nil {
		return err
	}
	return p.emit(st.reifier, rdf.NewIRI(rdf.Reifies), term)
}

// term makes a term of a triple; none in lenient mode when it is nested too deep.
func (p *parser) term(t rdf.Triple) (rdf.Term, error) {
	if t.O.Depth() >= rdf.MaxTripleDepth {
		return rdf.Term{}, p.mistake("triple terms are nested too deep")
	}
	return rdf.NewTripleTerm(t), nil
}

// triple reads a property element whose object is the one statement within it, as a term (RDF 1.2).
func (p *parser) triple(st statement, s scope) error {
	outer, within := p.captured, p.within
	p.captured, p.within = nil, true
	nodes := 0
	err := p.children(func(t *markup.Token) error {
		nodes++
		_, err := p.node(t, s)
		return err
	})
	inner := p.captured
	p.captured, p.within = outer, within
	if err != nil {
		return err
	}
	if nodes != 1 || len(inner) != 1 {
		return p.mistake("a triple term is one node with one statement")
	}
	object, err := p.term(inner[0])
	if err != nil {
		return err
	}
	return p.complete(st, object)
}

// checkProperty reports attributes that exclude each other.
func (p *parser) checkProperty(tag tag) error {
	msg := ""
	switch {
	case tag.has(isAbout):
		msg = "rdf:about belongs to nodes, not to properties"
	case tag.count(isAnnotation, isAnnotationNodeID) > 1:
		msg = "rdf:annotation and rdf:annotationNodeID exclude each other"
	case tag.has(isParseType) && (tag.count(isResource, isNodeID, isDatatype) > 0 || len(tag.properties) > 0):
		msg = "rdf:parseType allows no other attribute than rdf:ID and rdf:annotation"
	case tag.count(isResource, isNodeID, isDatatype) > 1:
		msg = "rdf:resource, rdf:nodeID and rdf:datatype exclude each other"
	case tag.has(isDatatype) && len(tag.properties) > 0:
		msg = "rdf:datatype allows no attributes that are properties"
	}
	if msg != "" {
		return p.mistake(msg)
	}
	return nil
}

// value reads the value of a property element.
func (p *parser) value(tag tag, st statement, s scope) error {
	switch {
	case tag.has(isParseType) && tag.values[isParseType] == "Resource":
		node := p.fresh()
		if err := p.complete(st, node); err != nil {
			return err
		}
		members := 0
		return p.children(func(t *markup.Token) error { return p.property(t, node, &members, s) })
	case tag.has(isParseType) && tag.values[isParseType] == "Collection":
		return p.collection(st, s)
	case tag.has(isParseType) && tag.values[isParseType] == "Triple":
		if !s.triples {
			return p.skip()
		}
		return p.triple(st, s)
	case tag.has(isParseType):
		return p.xmlLiteral(st)
	case tag.count(isResource, isNodeID) > 0 || len(tag.properties) > 0 && !tag.has(isDatatype):
		return p.empty(tag, st, s)
	}
	return p.content(tag, st, s)
}

// empty reads a property element whose attributes give the object (7.2.21).
func (p *parser) empty(tag tag, st statement, s scope) (err error) {
	var object rdf.Term
	switch {
	case tag.has(isResource):
		object, err = p.reference(tag.values[isResource], s)
	case tag.has(isNodeID):
		object, err = p.labelled(tag.values[isNodeID])
	default:
		object = p.fresh()
	}
	if err != nil {
		return err
	}
	if err := p.complete(st, object); err != nil {
		return err
	}
	if err := p.describe(object, tag, s); err != nil {
		return err
	}
	return p.children(func(*markup.Token) error {
		if err := p.mistake("a property has an object by its attributes, and elements besides"); err != nil {
			return err
		}
		return p.skip()
	})
}

// content reads a property element that contains text or a node element (7.2.15, 7.2.16).
func (p *parser) content(tag tag, st statement, s scope) error {
	start := len(p.text)
	var node rdf.Term
	for {
		token, err := p.next()
		if err != nil {
			return err
		}
		switch token.Kind {
		case markup.Text:
			if p.text = append(p.text, token.Text...); len(p.text) > p.opts.MaxToken {
				return p.fatal("a literal is too long")
			}
		case markup.Start:
			if node, err = p.nested(token, node, tag, s); err != nil {
				return err
			}
		case markup.End:
			text := p.text[start:]
			p.text = p.text[:start]
			return p.finish(tag, st, text, node, s)
		}
	}
}

// nested reads a node element in a property element; more than one is a mistake.
func (p *parser) nested(token *markup.Token, node rdf.Term, tag tag, s scope) (rdf.Term, error) {
	msg := ""
	switch {
	case !node.IsZero():
		msg = "a property has a second element"
	case tag.has(isDatatype):
		msg = "a property with rdf:datatype has an element"
	}
	if msg != "" {
		if err := p.mistake(msg); err != nil {
			return node, err
		}
		return node, p.skip()
	}
	return p.node(token, s)
}

// finish delivers the statement of a property element after its content.
func (p *parser) finish(tag tag, st statement, text []byte, node rdf.Term, s scope) error {
	switch {
	case !node.IsZero():
		if len(bytes.TrimSpace(text)) > 0 {
			if err := p.mistake("a property has both text and an element"); err != nil {
				return err
			}
		}
		return p.complete(st, node)
	case !tag.has(isDatatype):
		return p.complete(st, literal(string(text), s))
	}
	datatype, err := p.reference(tag.values[isDatatype], s)
	if err != nil {
		return err
	}
	if datatype.Kind != rdf.IRI {
		return p.complete(st, rdf.NewString(string(text))) // the mistake is already reported
	}
	return p.complete(st, rdf.NewTyped(string(text), datatype.Value))
}

// collection reads a list of node elements (7.2.19).
func (p *parser) collection(st statement, s scope) error {
	first, rest := rdf.NewIRI(rdfNS+"first"), rdf.NewIRI(rdfNS+"rest")
	var last rdf.Term
	link := func(next rdf.Term) error {
		if last.IsZero() {
			return p.complete(st, next)
		}
		return p.emit(last, rest, next)
	}
	err := p.children(func(t *markup.Token) error {
		item, err := p.node(t, s)
		if err != nil {
			return err
		}
		cell := p.fresh()
		if err := link(cell); err != nil {
			return err
		}
		last = cell
		return p.emit(cell, first, item)
	})
	if err != nil {
		return err
	}
	return link(rdf.NewIRI(rdfNS + "nil"))
}

// xmlLiteral reads the content of a property element as an XML literal (7.2.17).
func (p *parser) xmlLiteral(st statement) error {
	var c canonical
	for depth := 1; ; {
		token, err := p.next()
		if err != nil {
			return err
		}
		switch token.Kind {
		case markup.Start:
			depth++
		case markup.End:
			if depth--; depth == 0 {
				return p.complete(st, rdf.NewTyped(string(c.out), rdf.XMLLiteral))
			}
		}
		if c.write(token); len(c.out) > p.opts.MaxToken {
			return p.fatal("an XML literal is too long")
		}
	}
}

// fatal returns an error that also ends a read in lenient mode.
func (p *parser) fatal(msg string) error {
	e := p.xml.At()
	e.Msg = msg
	return &e
}
