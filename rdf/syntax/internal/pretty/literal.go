package pretty

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax/internal/grammar"
)

// literal writes a literal, without quotes where that says the same.
func (p *printer) literal(t *rdf.Term) {
	if isBare(t) {
		p.text(t.Value)
		return
	}
	p.quoted(t.Value)
	switch {
	case t.Lang != "":
		p.text("@" + t.Lang)
		if t.Dir != rdf.Undirected {
			p.text("--" + t.Dir.String())
		}
	case t.Datatype != rdf.XSDString && t.Datatype != "":
		p.text("^^")
		p.iri(t.Datatype)
	}
}

// isBare reports whether a literal is a number or truth value that reads the same without quotes.
func isBare(t *rdf.Term) bool {
	if t.Lang != "" {
		return false
	}
	switch t.Datatype {
	case rdf.XSDBoolean:
		return t.Value == "true" || t.Value == "false"
	case rdf.XSDInteger, rdf.XSDDecimal, rdf.XSDDouble:
		return grammar.Number(t.Value) == t.Datatype
	}
	return false
}

// quoted writes a string, of several lines between three quotes. Bytes that are not UTF-8 become
// U+FFFD.
func (p *printer) quoted(s string) {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	quotes := `"`
	if strings.Contains(s, "\n") {
		quotes = `"""`
	}
	p.text(quotes)
	written := 0
	for i := range len(s) {
		if s[i] >= ' ' && s[i] != '"' && s[i] != '\\' && s[i] != 0x7F || s[i] == '\t' || s[i] == '\n' {
			continue
		}
		p.text(s[written:i])
		p.escape(s[i])
		written = i + 1
	}
	p.text(s[written:] + quotes)
}

// escape writes a character that may not stand in a string, or that nobody would see there.
func (p *printer) escape(c byte) {
	switch c {
	case '"', '\\':
		p.b = append(p.b, '\\', c)
	case '\r':
		p.text(`\r`)
	default:
		p.b = fmt.Appendf(p.b, `\u%04X`, c)
	}
}
