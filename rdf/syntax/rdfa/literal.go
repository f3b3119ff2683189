package rdfa

import (
	"strings"

	"orbweaver/rdf"
)

// A literal is the value of an open element's properties that its content will give.
type literal struct {
	targets  []target
	datatype string   // IRI; empty: plain
	lang     string   // of a plain one
	time     bool     // the form of the text gives the datatype
	start    int      // offset of its text in the text of all open literals
	markup   *capture // replaces text
}

// A target is where a literal goes: the object of a triple, or a member of a list.
type target struct {
	list *list
	at   int
}

// set stores a value in the target.
func (t target) set(value rdf.Term, o *output) {
	switch {
	case t.at < 0:
	case t.list != nil:
		t.list.items[t.at] = value
	default:
		o.triples[t.at].O = value
	}
}

// property does step 11.
func (p *parser) property(f *frame, e *element) {
	s := &f.scope
	value, wait := p.value(f, e)
	var targets []target
	for name := range strings.FieldsSeq(p.tag.get(isProperty)) {
		predicate, ok := p.names.predicate(name, s)
		switch {
		case !ok:
		case value.Kind == rdf.Literal && !p.out.chargeText(len(value.Value), 1):
			return
		case p.tag.has(isInlist):
			l := s.lists.of(e.subject, predicate)
			targets = append(targets, target{l, p.out.append(l, value)})
		default:
			targets = append(targets, target{nil, p.out.emit(e.subject, predicate, value)})
		}
	}
	if wait != nil && len(targets) > 0 {
		wait.targets = targets
		f.literal = wait
		p.literals.wait(wait)
	}
}

// value returns the value of an element's properties, or the literal that its content will give.
func (p *parser) value(f *frame, e *element) (rdf.Term, *literal) {
	t := &p.tag
	html := p.opts.Host.isHTML()
	l := &literal{lang: f.scope.lang}
	if written := strings.TrimSpace(t.get(isDatatype)); written != "" {
		if datatype, ok := p.names.predicate(written, &f.scope); ok && datatype.Value != rdf.LangString {
			l.datatype = datatype.Value
		}
	}
	switch {
	case l.datatype == rdf.XMLLiteral, l.datatype == rdfHTML:
		l.markup = &capture{html: l.datatype == rdfHTML, soup: p.opts.Host == HTML5}
		return rdf.Term{}, l
	case t.has(isContent):
		return l.of(t.get(isContent)), nil
	case html && t.has(isDatetime):
		l.time = !t.has(isDatatype)
		return l.of(t.get(isDatetime)), nil
	case t.has(isDatatype):
		return rdf.Term{}, l
	case html && f.name == "time":
		l.time = true
		return rdf.Term{}, l
	case t.present&(1<<isRel|1<<isRev) == 0 && !e.given.IsZero():
		return e.given, nil
	case t.has(isTypeof) && !t.has(isAbout):
		return e.typed, nil
	}
	return rdf.Term{}, l
}

// of returns the literal of a text.
func (l *literal) of(text string) rdf.Term {
	datatype := l.datatype
	if l.time {
		datatype = timeType(text)
	}
	switch {
	case datatype != "":
		return rdf.NewTyped(text, datatype)
	case l.lang != "":
		return rdf.NewLang(text, l.lang)
	}
	return rdf.NewString(text)
}

// literals keep the text and markup of open literals.
type literals struct {
	text     []byte
	waiting  int
	captures []*capture // innermost last
}

// wait starts to keep the content of an element.
func (k *literals) wait(l *literal) {
	if l.markup != nil {
		k.captures = append(k.captures, l.markup)
		return
	}
	l.start = len(k.text)
	k.waiting++
}

// idle reports whether no literal is open.
func (k *literals) idle() bool { return k.waiting == 0 && len(k.captures) == 0 }

// open keeps a start tag.
func (k *literals) open(name string, t *tag, n *names, out *output) {
	for _, c := range k.captures {
		before := len(c.out)
		c.start(name, t, n)
		if !out.chargeText(len(c.out)-before, 1) {
			return // a limit ended the page
		}
	}
}

// add keeps text; raw marks the content of a script or style element.
func (k *literals) add(text []byte, raw bool, out *output) {
	if k.waiting > 0 {
		k.text = append(k.text, text...)
	}
	for _, c := range k.captures {
		before := len(c.out)
		c.text(text, raw)
		if !out.chargeText(len(c.out)-before, 1) {
			return
		}
	}
}

// close sets the value that an element's content gives, and keeps the end tag.
func (k *literals) close(f *frame, out *output) {
	if l := f.literal; l != nil {
		k.settle(l, out)
	}
	for _, c := range k.captures {
		before := len(c.out)
		c.end(f.name)
		if !out.chargeText(len(c.out)-before, 1) {
			return
		}
	}
}

// settle sets a pending value, unless a limit was reached: its text may be incomplete.
func (k *literals) settle(l *literal, out *output) {
	var value rdf.Term
	if l.markup != nil {
		k.captures = k.captures[:len(k.captures)-1]
		if out.chargeText(len(l.markup.out), len(l.targets)-1) && !out.full {
			value = l.of(string(l.markup.out))
		}
	} else {
		text := k.text[l.start:]
		if out.chargeText(len(text), len(l.targets)) && !out.full {
			value = l.of(string(text))
		}
		if k.waiting--; k.waiting == 0 {
			k.text = k.text[:0]
		}
	}
	for _, t := range l.targets {
		t.set(value, out)
	}
}
