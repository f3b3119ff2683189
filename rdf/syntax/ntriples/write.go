package ntriples

import (
	"bufio"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// Write writes triples, one per line. The error is the first of the sequence's and the writer's; earlier
// lines are written.
func Write(w io.Writer, triples iter.Seq2[rdf.Triple, error]) error {
	out := bufio.NewWriter(w)
	var line []byte
	for t, err := range triples {
		if err != nil {
			out.Flush() // the sequence's error takes precedence
			return err
		}
		line = AppendTriple(line[:0], t)
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("writing N-Triples: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("writing N-Triples: %w", err)
	}
	return nil
}

// AppendTriple appends a triple as a line in canonical form: single spaces, a final newline, and the fewest
// possible escapes.
func AppendTriple(dst []byte, t rdf.Triple) []byte {
	dst = append(AppendTerm(dst, t.S), ' ')
	dst = append(AppendTerm(dst, t.P), ' ')
	return append(AppendTerm(dst, t.O), " .\n"...)
}

// AppendTerm appends a term; nothing for the zero Term. Blank node labels are not checked.
func AppendTerm(dst []byte, t rdf.Term) []byte {
	switch t.Kind {
	case rdf.IRI:
		return appendIRI(dst, t.Value)
	case rdf.Blank:
		return append(append(dst, "_:"...), t.Value...)
	case rdf.Literal:
		dst = appendQuoted(dst, t.Value)
		switch {
		case t.Lang != "":
			return appendTag(dst, t)
		case t.Datatype != rdf.XSDString && t.Datatype != "":
			return appendIRI(append(dst, "^^"...), t.Datatype)
		}
	case rdf.TripleTerm:
		triple, _ := t.Triple()
		dst = append(AppendTerm(append(dst, "<<( "...), triple.S), ' ')
		dst = append(AppendTerm(dst, triple.P), ' ')
		return append(AppendTerm(dst, triple.O), " )>>"...)
	}
	return dst
}

// appendTag appends a language tag with its direction.
func appendTag(dst []byte, t rdf.Term) []byte {
	dst = append(append(dst, '@'), t.Lang...)
	if t.Dir == rdf.Undirected {
		return dst
	}
	return append(append(dst, "--"...), t.Dir.String()...)
}

// appendIRI appends an IRI in angle brackets. Invalid characters are escaped, so that any IRI stays on one
// line.
func appendIRI(dst []byte, s string) []byte {
	dst = append(dst, '<')
	if iri.Plain(s) {
		return append(append(dst, s...), '>')
	}
	for i := range len(s) {
		if iri.Allowed(s[i]) {
			dst = append(dst, s[i])
		} else {
			dst = fmt.Appendf(dst, `\u%04X`, s[i])
		}
	}
	return append(dst, '>')
}

// appendQuoted appends a string in quotes; bytes that are not UTF-8 become U+FFFD.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	start := 0
	for i := range len(s) {
		escape := escapes[s[i]]
		if escape == 0 {
			continue
		}
		dst = append(append(dst, s[start:i]...), '\\', escape)
		start = i + 1
	}
	return append(append(dst, s[start:]...), '"')
}

// escapes maps characters that must be escaped in a string to the letter after the backslash. Read-only.
var escapes = [256]byte{'"': '"', '\\': '\\', '\n': 'n', '\r': 'r'}
