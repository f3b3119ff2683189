// Package ntriples reads and writes N-Triples (W3C Recommendation of 25 February 2014), the syntax
// of one triple a line.
//
// Reading is strict and complete: IRIs are absolute and of allowed characters, text is UTF-8. What
// is read and written again reads the same.
package ntriples

import (
	"bytes"
	"io"
	"iter"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

// Read returns the triples of a document, in order. A mistake ends the sequence with a
// *syntax.Error; in lenient mode the line is skipped instead, and nothing of it is delivered.
// MaxToken limits a line; Base is not used, since N-Triples has absolute IRIs only. The sequence can
// be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		p := parser{src: source.New(r, opts)}
		for {
			t, found, err := p.next()
			switch {
			case err == nil && !found:
				return
			case err == nil:
				if !yield(t, nil) {
					return
				}
			case !opts.Lenient || p.src.Err() != nil:
				yield(rdf.Triple{}, err)
				return
			default:
				opts.Report(err)
			}
		}
	}
}

// A parser reads lines. Each of its methods that reads a part of a line takes the offset where the
// part starts and returns the one where it ends; the first mistake is kept in wrong and ends the line.
type parser struct {
	src     *source.Source
	line    []byte // without its end
	strings source.Strings
	subject rdf.Term // of the triple before: subjects come in runs
	scratch []byte

	wrong  string // the first mistake of the line; empty: none
	offset int    // where it is
}

// next returns the next triple; found is false at the document's end. After an error the line is
// behind.
func (p *parser) next() (t rdf.Triple, found bool, err error) {
	for {
		length, err := p.readLine()
		if err != nil {
			p.skipLine()
			return rdf.Triple{}, false, err
		}
		if length == 0 {
			return rdf.Triple{}, false, nil
		}
		t, found := p.statement()
		if p.wrong != "" {
			err := p.src.Errorf(p.offset, "%s", p.wrong)
			p.wrong = ""
			p.src.Advance(length)
			return rdf.Triple{}, false, err
		}
		p.src.Advance(length)
		if found {
			return t, true, nil
		}
	}
}

// readLine finds the line at hand and returns its length with its end, 0 when there is none left.
func (p *parser) readLine() (int, error) {
	for {
		window := p.src.Window()
		end := bytes.IndexByte(window, '\n')
		if end < 0 {
			end = len(window)
		}
		if cr := bytes.IndexByte(window[:end], '\r'); cr >= 0 {
			end = cr
		}
		if end < len(window) {
			p.line = window[:end]
			return end + 1, nil
		}
		if p.src.More() {
			continue
		}
		if p.src.AtEnd() {
			p.line = window
			return len(window), nil
		}
		return 0, p.src.Incomplete(0, "")
	}
}

// skipLine advances over a line that did not fit.
func (p *parser) skipLine() {
	for {
		window := p.src.Window()
		if end := bytes.IndexAny(window, "\r\n"); end >= 0 {
			p.src.Advance(end)
			return
		}
		p.src.Advance(len(window))
		p.src.Forgive()
		if !p.src.More() {
			return
		}
	}
}

// statement reads the line: a triple, or nothing but space and comment.
func (p *parser) statement() (t rdf.Triple, found bool) {
	i := p.space(0)
	if i == len(p.line) || p.line[i] == '#' {
		return t, false
	}
	i = p.readSubject(i)
	t.S = p.subject
	t.P, i = p.predicate(p.space(i))
	t.O, i = p.object(p.space(i))
	i = p.space(i)
	if p.wrong != "" {
		return rdf.Triple{}, false
	}
	if i == len(p.line) || p.line[i] != '.' {
		p.fail(i, `"." is missing, found `)
		return rdf.Triple{}, false
	}
	if i = p.space(i + 1); i < len(p.line) && p.line[i] != '#' {
		p.fail(i, "a statement ends here, but its line goes on with ")
	}
	return t, true
}

// fail keeps the first mistake of a line.
func (p *parser) fail(i int, msg string) int {
	if p.wrong == "" {
		p.offset, p.wrong = i, msg+source.Show(p.line[i:])
	}
	return len(p.line)
}

// space returns where spaces and tabs that start at i end.
func (p *parser) space(i int) int {
	for i < len(p.line) && (p.line[i] == ' ' || p.line[i] == '\t') {
		i++
	}
	return i
}

// readSubject sets p.subject.
func (p *parser) readSubject(i int) int {
	switch p.at(i) {
	case '<':
		var value string
		value, i = p.iri(i)
		p.subject = rdf.NewIRI(value)
	case '_':
		p.subject, i = p.blank(i)
	default:
		return p.fail(i, "a subject must be an IRI or a blank node, found ")
	}
	return i
}

func (p *parser) predicate(i int) (rdf.Term, int) {
	if p.at(i) != '<' {
		return rdf.Term{}, p.fail(i, "a predicate must be an IRI, found ")
	}
	value, i := p.iri(i)
	return rdf.NewIRI(value), i
}

func (p *parser) object(i int) (rdf.Term, int) {
	switch p.at(i) {
	case '<':
		value, i := p.iri(i)
		return rdf.NewIRI(value), i
	case '_':
		return p.blank(i)
	case '"':
		return p.literal(i)
	}
	return rdf.Term{}, p.fail(i, "an object must be an IRI, a blank node or a literal, found ")
}

// at returns the byte at i, 0 behind the line's end.
func (p *parser) at(i int) byte {
	if i < len(p.line) {
		return p.line[i]
	}
	return 0
}

// iri reads from "<" on.
func (p *parser) iri(i int) (string, int) {
	length := bytes.IndexByte(p.line[i:], '>')
	if length < 0 {
		return "", p.fail(i, "an IRI does not end: ")
	}
	written, end := p.line[i+1:i+length], i+length+1
	value, slot, known := p.strings.Find(written)
	if known && value != "" {
		return value, end // was checked when it was kept
	}
	value = string(written)
	if bytes.IndexByte(written, '\\') >= 0 {
		var bad int
		if p.scratch, bad = source.Unescape(p.scratch[:0], written, false); bad >= 0 {
			return "", p.fail(i+1+bad, "no escape of an IRI: ")
		}
		value = string(p.scratch)
	}
	if err := iri.Check(value); err != nil {
		return "", p.fail(i, err.Error()+": ")
	}
	if len(value) == len(written) {
		p.strings.Keep(slot, value)
	}
	return value, end
}

// blank reads from "_" on.
func (p *parser) blank(i int) (rdf.Term, int) {
	if p.at(i+1) != ':' {
		return rdf.Term{}, p.fail(i, "no term: ")
	}
	length := source.LabelEnd(p.line[i+2:])
	if length == 0 {
		return rdf.Term{}, p.fail(i, "a blank node has no label: ")
	}
	end := i + 2 + length
	return rdf.NewBlank(p.strings.Of(p.line[i+2 : end])), end
}

// literal reads from the quote on.
func (p *parser) literal(i int) (rdf.Term, int) {
	value, i := p.quoted(i)
	switch i = p.space(i); p.at(i) {
	case '@':
		length := source.LangEnd(p.line[i+1:])
		if length == 0 {
			return rdf.Term{}, p.fail(i, "no language tag: ")
		}
		end := i + 1 + length
		return rdf.NewLang(value, p.strings.Of(p.line[i+1:end])), end
	case '^':
		if p.at(i+1) != '^' {
			return rdf.Term{}, p.fail(i, "no datatype: ")
		}
		if i = p.space(i + 2); p.at(i) != '<' {
			return rdf.Term{}, p.fail(i, "a datatype must be an IRI, found ")
		}
		datatype, i := p.iri(i)
		return rdf.NewTyped(value, datatype), i
	}
	return rdf.NewString(value), i
}

// quoted reads a string with its quotes.
func (p *parser) quoted(i int) (string, int) {
	start, escaped := i+1, false
	end := start
	for {
		n := bytes.IndexByte(p.line[end:], '"')
		if n < 0 {
			return "", p.fail(i, "a string does not end: ")
		}
		slash := bytes.IndexByte(p.line[end:end+n], '\\')
		if slash < 0 {
			end += n
			break
		}
		escaped = true
		if end += slash + 2; end > len(p.line) {
			return "", p.fail(i, "a string does not end: ")
		}
	}
	written := p.line[start:end]
	if !utf8.Valid(written) {
		return "", p.fail(i, "a string is not valid UTF-8: ")
	}
	if !escaped {
		return string(written), end + 1
	}
	var bad int
	if p.scratch, bad = source.Unescape(p.scratch[:0], written, true); bad >= 0 {
		return "", p.fail(start+bad, "no escape of a string: ")
	}
	return string(p.scratch), end + 1
}
