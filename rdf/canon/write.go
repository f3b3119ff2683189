package canon

import (
	"fmt"
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
		switch t.Kind {
		case rdf.IRI:
			dst = appendIRI(dst, t.Value)
		case rdf.Blank:
			dst = append(append(dst, "_:"...), label(t.Value)...)
		case rdf.Literal:
			dst = appendLiteral(dst, t)
		}
	}
	return append(dst, " .\n"...)
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
	for i := range len(value) {
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
			if c < ' ' || c == 0x7F {
				dst = fmt.Appendf(dst, `\u%04X`, c)
			} else {
				dst = append(dst, c)
			}
		}
	}
	dst = append(dst, '"')
	switch {
	case t.Lang != "":
		return append(append(dst, '@'), t.Lang...)
	case t.Datatype != rdf.XSDString && t.Datatype != "":
		return appendIRI(append(dst, "^^"...), t.Datatype)
	}
	return dst
}
