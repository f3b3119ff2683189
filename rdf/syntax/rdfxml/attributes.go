package rdfxml

import (
	"errors"
	"fmt"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/internal/markup"
	"orbweaver/rdf/syntax/internal/source"
)

// An attribute is an attribute of RDF/XML itself.
type attribute uint8

const (
	isAbout attribute = iota
	isID
	isNodeID
	isResource
	isDatatype
	isParseType
	isAnnotation
	isAnnotationNodeID
	isVersion
	attributes
)

// attributeOf returns which attribute of RDF/XML a local name is.
func attributeOf(local string) (attribute, bool) {
	switch local {
	case "about":
		return isAbout, true
	case "ID":
		return isID, true
	case "nodeID":
		return isNodeID, true
	case "resource":
		return isResource, true
	case "datatype":
		return isDatatype, true
	case "parseType":
		return isParseType, true
	case "annotation":
		return isAnnotation, true
	case "annotationNodeID":
		return isAnnotationNodeID, true
	case "version":
		return isVersion, true
	}
	return 0, false
}

// core reports whether a name of the RDF namespace is one of the coreSyntaxTerms (6.2.2).
func core(local string) bool {
	_, is := attributeOf(local)
	return is || local == "RDF"
}

// old reports whether a name of the RDF namespace was withdrawn (oldTerms, 6.2.4).
func old(local string) bool {
	return local == "aboutEach" || local == "aboutEachPrefix" || local == "bagID"
}

// A tag holds the classified attributes of an element.
type tag struct {
	values     [attributes]string
	present    [attributes]bool
	properties []markup.Attr
}

func (t *tag) has(a attribute) bool { return t.present[a] }

// any reports whether there are attributes of RDF/XML, besides the version.
func (t *tag) any() bool {
	present := t.present
	present[isVersion] = false
	return present != [attributes]bool{}
}

// count returns how many of the given attributes are present.
func (t *tag) count(of ...attribute) (n int) {
	for _, a := range of {
		if t.present[a] {
			n++
		}
	}
	return n
}

// attributes classifies the attributes of a start tag and returns the scope within the element.
func (p *parser) attributes(token *markup.Token, s scope) (t tag, inner scope, err error) {
	direction := ""
	for _, a := range token.Attrs {
		switch a.Space {
		case itsNS:
			if a.Local == "dir" {
				direction = a.Value
			} else if a.Local != "version" {
				t.properties = append(t.properties, a)
			}
		case markup.XMLSpace:
			s, err = p.inherit(a, s)
		case rdfNS:
			err = p.ownAttribute(&t, a)
		case "":
			err = p.bareAttribute(&t, a)
		default:
			t.properties = append(t.properties, a)
		}
		if err != nil {
			return t, s, err
		}
	}
	if t.has(isVersion) {
		s.triples = strings.HasPrefix(t.values[isVersion], version)
	}
	if direction != "" && s.triples {
		s.dir, _ = rdf.DirectionOf(direction)
	}
	return t, s, nil
}

// inherit applies xml:base or xml:lang to a scope.
func (p *parser) inherit(a markup.Attr, s scope) (scope, error) {
	switch a.Local {
	case "lang":
		if a.Value != "" && lex.LangEnd(a.Value) != len(a.Value) {
			return s, p.mistake("xml:lang is no language tag: " + source.Show([]byte(a.Value)))
		}
		s.lang = a.Value
	case "base":
		value, err := s.base.Resolve(a.Value)
		if err == nil {
			var base iri.Base
			if base, err = iri.ParseBase(value); err == nil {
				s.base = base
				return s, nil
			}
		}
		return s, p.mistake("xml:base: " + err.Error())
	}
	return s, nil
}

// ownAttribute classifies an attribute of the RDF namespace.
func (p *parser) ownAttribute(t *tag, a markup.Attr) error {
	if which, is := attributeOf(a.Local); is {
		t.values[which], t.present[which] = a.Value, true
		return nil
	}
	if core(a.Local) || old(a.Local) || a.Local == "Description" || a.Local == "li" {
		return p.mistake(show(a.Name) + " is no attribute")
	}
	t.properties = append(t.properties, a)
	return nil
}

// bareAttribute classifies an attribute without a namespace: a few names count as RDF's (6.1.4).
func (p *parser) bareAttribute(t *tag, a markup.Attr) error {
	switch a.Local {
	case "about", "ID", "resource", "parseType": // not those of RDF 1.2
		which, _ := attributeOf(a.Local)
		t.values[which], t.present[which] = a.Value, true
		return nil
	case "type":
		a.Space = rdfNS
		t.properties = append(t.properties, a)
		return nil
	}
	if strings.HasPrefix(strings.ToLower(a.Local), "xml") {
		return nil // reserved
	}
	return p.mistake("attribute " + a.Local + " has no namespace")
}

// show returns a name for messages.
func show(n markup.Name) string {
	switch {
	case n.Space == rdfNS:
		return "rdf:" + n.Local
	case n.Prefix != "":
		return n.Prefix + ":" + n.Local
	}
	return n.Local
}

// reference returns the IRI of an attribute's value.
func (p *parser) reference(value string, s scope) (rdf.Term, error) {
	if err := iri.CheckRef(value); err != nil {
		if err := p.mistake(err.Error() + ": " + source.Show([]byte(value))); err != nil {
			return rdf.Term{}, err
		}
		value = encoded(value)
	}
	full, err := s.base.Resolve(value)
	if errors.Is(err, iri.ErrRelative) {
		return p.fresh(), p.mistake(err.Error())
	}
	return rdf.NewIRI(full), err
}

// encoded percent-encodes the characters that an IRI does not allow.
func encoded(value string) string {
	value = strings.TrimSpace(strings.ToValidUTF8(value, "\ufffd"))
	var out []byte
	for i := range len(value) {
		if iri.Allowed(value[i]) {
			out = append(out, value[i])
		} else {
			out = fmt.Appendf(out, "%%%02X", value[i])
		}
	}
	return string(out)
}

// identified returns the IRI of an rdf:ID, which must be unique in the document.
func (p *parser) identified(id string, s scope) (rdf.Term, error) {
	if !isName(id) {
		if err := p.mistake("rdf:ID is no name: " + source.Show([]byte(id))); err != nil {
			return rdf.Term{}, err
		}
	}
	node, err := p.reference("#"+id, s)
	if err != nil || node.Kind != rdf.IRI {
		return node, err
	}
	if p.ids[node.Value] {
		return node, p.mistake("rdf:ID stands twice: " + source.Show([]byte(id)))
	}
	p.ids[node.Value] = true
	return node, nil
}

// labelled returns the blank node of an rdf:nodeID.
func (p *parser) labelled(label string) (rdf.Term, error) {
	if !isName(label) {
		if err := p.mistake("rdf:nodeID is no name: " + source.Show([]byte(label))); err != nil {
			return rdf.Term{}, err
		}
	}
	if lex.LabelEnd(label) == len(label) && label != "" {
		return rdf.NewBlank(p.labels.Own(label)), nil
	}
	known, ok := p.nodes[label]
	if !ok {
		known = p.labels.Fresh()
		p.nodes[label] = known
	}
	return rdf.NewBlank(known), nil
}

// isName reports whether s is a name without colon (NCName).
func isName(s string) bool {
	for i, r := range s {
		if !(lex.IsNameStart(r) || r == '_' || i > 0 && (lex.IsName(r) || r == '.')) {
			return false
		}
	}
	return s != ""
}
