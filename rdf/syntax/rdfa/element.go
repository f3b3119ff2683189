package rdfa

import (
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

// A scope is the evaluation context of section 7.5, without prefixes.
type scope struct {
	base       *iri.Base
	subject    rdf.Term // parent subject
	object     rdf.Term // parent object
	incomplete []incomplete
	lists      *lists
	lang       string
	vocab      string
}

// An incomplete triple waits for the next subject among the descendants (hanging rel).
type incomplete struct {
	predicate rdf.Term
	list      *list // the list to append to, for inlist
	reverse   bool
}

// A frame is an open element.
type frame struct {
	name     string
	scope    scope    // for the content
	owned    *lists   // lists that end with the element
	literal  *literal // made of the content
	bindings int      // prefix bindings in effect before the element
	muted    bool     // the content is not part of the page
}

// An element is the result of steps 5 and 6.
type element struct {
	subject rdf.Term // new subject
	object  rdf.Term // current object resource
	typed   rdf.Term // typed resource
	given   rdf.Term // resource named by resource, href or src
	skip    bool
}

// start opens an element; its attributes are in the tag.
func (p *parser) start(name string) {
	outer := &p.stack[len(p.stack)-1]
	f := frame{name: name, scope: outer.scope, bindings: len(p.names.undone), muted: outer.muted}
	root := len(p.stack) == 1
	p.literals.open(name, &p.tag, &p.names, &p.out)
	if !f.muted && (root || !p.tag.silent()) {
		p.declare(&f.scope)
		if p.tag.has(isRole) {
			p.role(&f.scope)
		}
		p.process(&f, root)
	}
	f.muted = f.muted || name == "template" && p.opts.Host.isHTML()
	p.stack = append(p.stack, f)
}

// text reads text; raw marks the content of a script or style element.
func (p *parser) text(b []byte, raw bool) {
	if !p.literals.idle() && !p.stack[len(p.stack)-1].muted {
		p.literals.add(b, raw, &p.out)
	}
}

// declare does steps 2 to 4.
func (p *parser) declare(s *scope) {
	t := &p.tag
	if t.has(isXMLBase) && !p.opts.Host.hasHead() {
		if full, err := s.base.Resolve(encoded(t.get(isXMLBase))); err == nil {
			if base, err := iri.ParseBase(full); err == nil {
				s.base = &base
			}
		}
	}
	if t.has(isVocab) {
		s.vocab = ""
		if value := strings.TrimSpace(t.get(isVocab)); value != "" {
			if vocab, ok := p.names.address(value, s); ok {
				s.vocab = vocab.Value
				p.out.emit(p.names.page(*s.base), rdf.NewIRI(rdfaNS+"usesVocabulary"), vocab)
			}
		}
	}
	for _, d := range t.spaces {
		if d.name == "" || bindable(d.name) {
			p.names.bind(d.name, d.value)
		}
	}
	if t.has(isPrefix) {
		p.names.declare(t.get(isPrefix))
	}
	for _, a := range []attribute{isLang, isXMLLang} { // the latter prevails
		if !t.has(a) || a == isLang && !p.opts.Host.hasHead() {
			continue
		}
		if s.lang = strings.TrimSpace(t.get(a)); lex.LangEnd(s.lang) != len(s.lang) {
			s.lang = ""
		}
	}
}

// process does steps 5 to 13 and sets the frame's scope to the context of the content.
func (p *parser) process(f *frame, root bool) {
	outer := f.scope
	s := &f.scope
	p.mute()
	e := p.resources(s, root, f.name)
	if !e.typed.IsZero() && p.tag.has(isTypeof) {
		for name := range strings.FieldsSeq(p.tag.get(isTypeof)) {
			if class, ok := p.names.name(name, s); ok {
				p.out.emit(e.typed, rdf.NewIRI(rdfType), class)
			}
		}
	}
	if !e.subject.IsZero() && e.subject != outer.object { // step 8
		s.lists = &lists{}
		f.owned = s.lists
	}
	s.incomplete = nil
	if p.tag.present&(1<<isRel|1<<isRev) != 0 {
		p.relate(&e, s)
	}
	if p.tag.has(isProperty) {
		p.property(f, &e)
	}
	if e.skip {
		s.incomplete = outer.incomplete
		return
	}
	p.complete(outer, e.subject)
	if !e.subject.IsZero() {
		s.subject, s.object = e.subject, e.subject
	} else {
		s.object = s.subject
	}
	if !e.object.IsZero() {
		s.object = e.object
	}
}

// mute drops rel and rev values of HTML itself if there is a property attribute (HTML+RDFa, section 3.1).
func (p *parser) mute() {
	if !p.opts.Host.isHTML() || !p.tag.has(isProperty) {
		return
	}
	for _, a := range []attribute{isRel, isRev} {
		if !p.tag.has(a) {
			continue
		}
		var kept []string
		for name := range strings.FieldsSeq(p.tag.get(a)) {
			if strings.IndexByte(name, ':') >= 0 {
				kept = append(kept, name)
			}
		}
		if p.tag.values[a] = strings.Join(kept, " "); kept == nil {
			p.tag.drop(a)
		}
	}
}

// reference returns the resource of the first of the given attributes that has one.
func (p *parser) reference(s *scope, of ...attribute) (t rdf.Term) {
	for _, a := range of {
		if !p.tag.has(a) {
			continue
		}
		ok := false
		if a == isHref || a == isSrc {
			t, ok = p.names.address(p.tag.get(a), s)
		} else {
			t, ok = p.names.reference(p.tag.get(a), s)
		}
		if ok {
			return t
		}
	}
	return rdf.Term{}
}

// resources does steps 5 and 6.
func (p *parser) resources(s *scope, root bool, name string) (e element) {
	t := &p.tag
	about := p.reference(s, isAbout)
	given := p.reference(s, isResource, isHref, isSrc)
	e.given = given
	inherited := s.object // subject of an element without one of its own
	if root {
		inherited = p.names.page(*s.base)
	}
	part := root || p.opts.Host.hasHead() && (name == "head" || name == "body")
	switch {
	case t.present&(1<<isRel|1<<isRev) != 0: // step 6
		e.subject, e.object = first(about, inherited), given
		if t.has(isTypeof) {
			if e.typed = about; about.IsZero() {
				e.object = p.orFresh(given)
				e.typed = e.object
			}
		}
	case t.has(isProperty) && t.present&(1<<isContent|1<<isDatatype) == 0: // step 5.1
		e.subject = first(about, inherited)
		if t.has(isTypeof) {
			switch {
			case !about.IsZero():
				e.typed = about
			case root:
				e.typed = inherited
			case part:
				e.typed = first(given, inherited)
			default:
				e.typed = p.orFresh(given)
			}
			e.object = e.typed
		}
	default: // step 5.2
		e.subject = first(about, given)
		switch {
		case !e.subject.IsZero():
		case part:
			e.subject = inherited
		case t.has(isTypeof):
			e.subject = p.names.fresh()
		default:
			e.subject = inherited
			e.skip = !t.has(isProperty)
		}
		if t.has(isTypeof) {
			e.typed = e.subject
		}
	}
	return e
}

// first returns a, or b if a is zero.
func first(a, b rdf.Term) rdf.Term {
	if a.IsZero() {
		return b
	}
	return a
}

// orFresh returns t, or a new blank node if t is zero.
func (p *parser) orFresh(t rdf.Term) rdf.Term {
	if t.IsZero() {
		return p.names.fresh()
	}
	return t
}

// relate does steps 9 and 10.
func (p *parser) relate(e *element, s *scope) {
	hanging := e.object.IsZero()
	for name := range strings.FieldsSeq(p.tag.get(isRel)) {
		predicate, ok := p.names.predicate(name, s)
		switch inlist := p.tag.has(isInlist); {
		case !ok:
		case hanging && inlist:
			s.incomplete = append(s.incomplete, incomplete{list: s.lists.of(e.subject, predicate)})
		case hanging:
			s.incomplete = append(s.incomplete, incomplete{predicate: predicate})
		case inlist:
			p.out.append(s.lists.of(e.subject, predicate), e.object)
		default:
			p.out.emit(e.subject, predicate, e.object)
		}
	}
	for name := range strings.FieldsSeq(p.tag.get(isRev)) {
		predicate, ok := p.names.predicate(name, s)
		switch {
		case !ok:
		case hanging:
			s.incomplete = append(s.incomplete, incomplete{predicate: predicate, reverse: true})
		default:
			p.out.emit(e.object, predicate, e.subject)
		}
	}
	if hanging && len(s.incomplete) > 0 {
		e.object = p.names.fresh()
	}
}

// complete does step 12.
func (p *parser) complete(outer scope, subject rdf.Term) {
	if subject.IsZero() {
		return
	}
	for _, i := range outer.incomplete {
		switch {
		case p.out.full:
			return
		case i.list != nil:
			p.out.append(i.list, subject)
		case i.reverse:
			p.out.emit(subject, i.predicate, outer.subject)
		default:
			p.out.emit(outer.subject, i.predicate, subject)
		}
	}
}

// role reads a role attribute. Its subject is the element's id, else a blank node.
func (p *parser) role(s *scope) {
	node := rdf.Term{}
	if id := strings.TrimSpace(p.tag.get(isID)); id != "" {
		node, _ = p.names.address("#"+id, s)
	}
	node = p.orFresh(node)
	inner := *s
	inner.vocab = xhvNS
	for name := range strings.FieldsSeq(p.tag.get(isRole)) {
		if role, ok := p.names.name(name, &inner); ok {
			p.out.emit(node, rdf.NewIRI(xhvNS+"role"), role)
		}
	}
}

// end closes the innermost element and completes its text and its lists (step 14).
func (p *parser) end() {
	f := &p.stack[len(p.stack)-1]
	p.literals.close(f, &p.out)
	if f.owned != nil {
		p.out.close(f.owned, &p.names)
	}
	p.names.release(f.bindings)
	p.stack = p.stack[:len(p.stack)-1]
}
