package canon

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// appendQuad appends a quad as a line of canonical N-Quads, with labels for its blank nodes.
func appendQuad(dst []byte, q rdf.Quad, label func(string) string) []byte {
	for i, t := range []rdf.Term{q.S, q.P, q.O, q.G} {
		switch {
		case t.IsZero():
			continue
		case i > 0:
			dst = append(dst, ' ')
		}
		dst = appendTerm(dst, t, label)
	}
	return append(dst, " .\n"...)
}

// AppendQuad appends a quad as a line of canonical N-Quads, in the default graph of canonical N-Triples (RDF 1.2), with the labels
// that its blank nodes have and its language tags in lower case.
func AppendQuad(dst []byte, q rdf.Quad) []byte {
	lower := func(t rdf.Term) rdf.Term {
		t.Lang = strings.ToLower(t.Lang)
		return t
	}
	q.O = q.O.Map(lower)
	return appendQuad(dst, q, func(label string) string { return label })
}

// appendTerm appends a term, with labels for blank nodes.
func appendTerm(dst []byte, t rdf.Term, label func(string) string) []byte {
	switch t.Kind {
	case rdf.IRI:
		return appendIRI(dst, t.Value)
	case rdf.Blank:
		return append(append(dst, "_:"...), label(t.Value)...)
	case rdf.Literal:
		return appendLiteral(dst, t)
	case rdf.TripleTerm:
		triple, _ := t.Triple()
		dst = append(appendTerm(append(dst, "<<( "...), triple.S, label), ' ')
		dst = append(appendTerm(dst, triple.P, label), ' ')
		return append(appendTerm(dst, triple.O, label), " )>>"...)
	}
	return dst
}

// appendIRI appends an IRI. What no IRI has is escaped, so that a line stays a line.
func appendIRI(dst []byte, s string) []byte {
	dst = append(dst, '<')
	for i := range len(s) {
		if iri.Allowed(s[i]) {
			dst = append(dst, s[i])
		} else {
			dst = fmt.Appendf(dst, `\u%04X`, s[i])
		}
	}
	return append(dst, '>')
}

// appendLiteral appends a literal with the escapes of the canonical form (RDF 1.2 N-Quads, section
// 4), which has more of them than that of RDF 1.1.
func appendLiteral(dst []byte, t rdf.Term) []byte {
	value := t.Value
	if !utf8.ValidString(value) {
		value = string([]rune(value))
	}
	dst = append(dst, '"')
	skip := -1 // the last byte of an escaped character
	for i := range len(value) {
		if i <= skip {
			continue
		}
		switch c := value[i]; c {
		case '\b':
			dst = append(dst, `\b`...)
		case '\t':
			dst = append(dst, `\t`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\f':
			dst = append(dst, `\f`...)
		case '\r':
			dst = append(dst, `\r`...)
		case '"', '\\':
			dst = append(dst, '\\', c)
		default:
			switch {
			case c < ' ' || c == 0x7F:
				dst = fmt.Appendf(dst, `\u%04X`, c)
			case strings.HasPrefix(value[i:], "\uFFFE"), strings.HasPrefix(value[i:], "\uFFFF"): // no characters of XML
				dst = fmt.Appendf(dst, `\uFFF%X`, 0xE+value[i+2]&1)
				skip = i + 2
			default:
				dst = append(dst, c)
			}
		}
	}
	dst = append(dst, '"')
	switch {
	case t.Lang != "":
		dst = append(append(dst, '@'), t.Lang...)
		if t.Dir != rdf.Undirected {
			dst = append(append(dst, "--"...), t.Dir.String()...)
		}
		return dst
	case t.Datatype != rdf.XSDString && t.Datatype != "":
		return appendIRI(append(dst, "^^"...), t.Datatype)
	}
	return dst
}
