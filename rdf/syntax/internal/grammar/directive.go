package grammar

import (
	"bytes"

	"orbweaver/rdf/iri"
)

// directive reads a directive, if one is here; found is false when it is something else.
func (p *parser) directive() (found, ok bool) {
	p.ahead(minAhead)
	window := p.src.Window()
	switch {
	case window[0] == '@':
		switch {
		case p.word("@prefix"):
			return true, p.prefix() && p.expect('.', `"."`)
		case p.word("@base"):
			return true, p.setBase() && p.expect('.', `"."`)
		case p.word("@version"):
			return true, p.version() && p.expect('.', `"."`)
		}
		return true, p.fail("@prefix or @base")
	case foldedPrefix(window, "prefix") && p.word(string(window[:6])):
		return true, p.prefix()
	case foldedPrefix(window, "base") && p.word(string(window[:4])):
		return true, p.setBase()
	case foldedPrefix(window, "version") && p.word(string(window[:7])):
		return true, p.version()
	}
	return false, true
}

// foldedPrefix reports whether b starts with a word in whatever case.
func foldedPrefix(b []byte, word string) bool {
	return len(b) >= len(word) && bytes.EqualFold(b[:len(word)], []byte(word))
}

// word reads a directive's name, if it is here and followed by space or what may follow at once.
func (p *parser) word(word string) bool {
	window := p.src.Window()
	if !bytes.HasPrefix(window, []byte(word)) {
		return false
	}
	if len(window) > len(word) {
		switch c := window[len(word)]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '#' || c == '<' || c == '"' || c == '\'':
		case c == ':' && word == "@prefix":
		default:
			return false
		}
	}
	p.src.Advance(len(word))
	return true
}

// prefix reads what follows @prefix.
func (p *parser) prefix() bool {
	p.peek()
	end, ok := p.prefixEnd()
	if !ok {
		return p.fail("a prefix with its colon")
	}
	name := string(p.src.Window()[:end])
	p.src.Advance(end + 1)
	if p.peek() != '<' {
		return p.fail("the prefix's IRI")
	}
	value, ok := p.iriRef()
	if !ok {
		return false
	}
	return p.declare(name, value)
}

// What prefixes may take, in bytes: those of a document that declares millions would not fit.
const (
	mostDeclared = 16 << 20
	perPrefix    = 64
)

// declare has a prefix stand for an IRI.
func (p *parser) declare(name, value string) bool {
	old, known := p.prefixes[name]
	size := len(value) - len(old)
	if !known {
		size += len(name) + perPrefix
	}
	if p.declared+size > mostDeclared {
		return p.wrong(0, "too many prefixes")
	}
	p.declared += size
	p.prefixes[name] = value
	return true
}

// setBase reads what follows @base.
func (p *parser) setBase() bool {
	if p.peek() != '<' {
		return p.fail("the base's IRI")
	}
	offset := p.src.Errorf(0, "")
	value, ok := p.iriRef()
	if !ok {
		return false
	}
	base, err := iri.ParseBase(value)
	if err != nil {
		offset.Msg = "base: " + err.Error()
		p.err = offset
		return false
	}
	p.base, p.baseIRI = base, value
	p.iris.Forget()
	return true
}

// version reads RDF 1.2's announcement of a version, which says nothing to those who do not read what
// is new in it.
func (p *parser) version() bool {
	quote := p.peek()
	p.ahead(3)
	window := p.src.Window()
	if quote != '"' && quote != '\'' || len(window) > 2 && window[1] == quote && window[2] == quote {
		return p.fail("a version in quotes")
	}
	_, ok := p.quoted(quote)
	return ok
}
