// Package lines reads the common part of N-Triples and N-Quads: one statement per line, without or with a
// graph. See rdf/syntax/ntriples and rdf/syntax/nquads.
package lines

import (
	"bytes"
	"io"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/source"
)

// A Reader reads lines. A method that reads a part of a line takes the offset of its start and returns that
// of its end. The first mistake is kept in wrong and ends the line.
type Reader struct {
	src     *source.Source
	graphs  bool           // a fourth term may name a graph
	line    []byte         // without its end
	iris    source.Strings // already checked
	strings source.Strings // labels and language tags
	scratch []byte

	tooLong bool // the current line is already reported as too long, or reading failed: the next call skips it

	wrong  string // the first mistake of the line; empty: none
	offset int    // of the first mistake
}

// New returns a reader at the start of a document; graphs allows a fourth term. MaxToken limits a line.
func New(r io.Reader, opts syntax.Options, graphs bool) *Reader {
	return &Reader{src: source.New(r, opts), graphs: graphs}
}

// Failed reports whether the underlying reader failed; nothing follows then.
func (p *Reader) Failed() bool { return p.src.Err() != nil }

// Next reads the next statement into q; found is false at the document's end. After an error, a *syntax.Error,
// it continues after the line, and q is invalid.
func (p *Reader) Next(q *rdf.Quad) (found bool, err error) {
	if p.tooLong {
		p.skipLine()
	}
	for {
		length, err := p.readLine()
		if p.tooLong = err != nil; p.tooLong {
			return false, err
		}
		if length == 0 {
			return false, nil
		}
		found := p.statement(q)
		if p.wrong != "" {
			err := p.src.Errorf(p.offset, "%s", p.wrong)
			p.wrong = ""
			p.src.Advance(length)
			return false, err
		}
		p.src.Advance(length)
		if found {
			return true, nil
		}
	}
}

// readLine finds the current line and returns its length including its end, 0 at the end of the document.
func (p *Reader) readLine() (int, error) {
	for {
		window := p.src.Window()
		if end := lineEnd(window); end < len(window) {
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

// lineEnd returns the end of the first line of b, or the length of b.
func lineEnd(b []byte) int {
	if end := bytes.IndexByte(b, '\n'); end >= 0 {
		b = b[:end]
	}
	if end := bytes.IndexByte(b, '\r'); end >= 0 {
		return end
	}
	return len(b)
}

// skipLine skips a line that is too long.
func (p *Reader) skipLine() {
	for {
		window := p.src.Window()
		if end := lineEnd(window); end < len(window) {
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

// statement reads the line into q: a statement, or only white space and a comment.
func (p *Reader) statement(q *rdf.Quad) (found bool) {
	i := p.space(0)
	if i == len(p.line) || p.line[i] == '#' {
		return false
	}
	if p.line[i] == 'V' && p.version(i) {
		return false
	}
	q.S, i = p.subject(i)
	q.P, i = p.predicate(p.space(i))
	q.O, i = p.object(p.space(i))
	i = p.space(i)
	q.G = rdf.Term{}
	if c := p.at(i); p.graphs && c != '.' && p.wrong == "" {
		q.G, i = p.graph(i)
		i = p.space(i)
	}
	if p.wrong != "" {
		return false
	}
	if i == len(p.line) || p.line[i] != '.' {
		p.fail(i, `"." is missing, found `)
		return false
	}
	if i = p.space(i + 1); i < len(p.line) && p.line[i] != '#' {
		p.fail(i, "a statement ends here, but its line goes on with ")
	}
	return true
}

// version reports whether the line is a VERSION announcement of RDF 1.2, which is ignored.
func (p *Reader) version(i int) bool {
	if !bytes.HasPrefix(p.line[i:], []byte("VERSION")) {
		return false
	}
	quoted := p.space(i + len("VERSION"))
	if p.at(quoted) != '"' {
		return false
	}
	_, end := p.quoted(quoted)
	if end = p.space(end); p.wrong == "" && end < len(p.line) && p.line[end] != '#' {
		p.fail(end, "a version ends here, but its line goes on with ")
	}
	return true
}

// fail records the first mistake of a line.
func (p *Reader) fail(i int, msg string) int {
	if p.wrong == "" {
		p.offset, p.wrong = i, msg+source.Show(p.line[i:])
	}
	return len(p.line)
}

// space returns the end of the spaces and tabs at i.
func (p *Reader) space(i int) int {
	for i < len(p.line) && (p.line[i] == ' ' || p.line[i] == '\t') {
		i++
	}
	return i
}

func (p *Reader) subject(i int) (rdf.Term, int) {
	switch p.at(i) {
	case '<':
		if p.at(i+1) == '<' {
			break // no triple term may stand here
		}
		value, i := p.iri(i)
		return rdf.NewIRI(value), i
	case '_':
		return p.blank(i)
	}
	return rdf.Term{}, p.fail(i, "a subject must be an IRI or a blank node, found ")
}

func (p *Reader) predicate(i int) (rdf.Term, int) {
	if p.at(i) != '<' || p.at(i+1) == '<' {
		return rdf.Term{}, p.fail(i, "a predicate must be an IRI, found ")
	}
	value, i := p.iri(i)
	return rdf.NewIRI(value), i
}

func (p *Reader) object(i int) (rdf.Term, int) {
	switch p.at(i) {
	case '<':
		if p.at(i+1) == '<' && p.at(i+2) == '(' {
			return p.triple(i, 0)
		}
		value, i := p.iri(i)
		return rdf.NewIRI(value), i
	case '_':
		return p.blank(i)
	case '"':
		return p.literal(i)
	}
	return rdf.Term{}, p.fail(i, "an object must be an IRI, a blank node, a literal or a triple term, found ")
}

// triple reads a triple term from "<<(" on. depth is how many it stands in.
func (p *Reader) triple(i, depth int) (rdf.Term, int) {
	if depth >= rdf.MaxTripleDepth {
		return rdf.Term{}, p.fail(i, "triple terms are nested too deep: ")
	}
	var t rdf.Triple
	t.S, i = p.subject(p.space(i + len("<<(")))
	t.P, i = p.predicate(p.space(i))
	if i = p.space(i); bytes.HasPrefix(p.line[i:], []byte("<<(")) {
		t.O, i = p.triple(i, depth+1)
	} else {
		t.O, i = p.object(i)
	}
	if i = p.space(i); p.wrong != "" {
		return rdf.Term{}, i
	}
	if !bytes.HasPrefix(p.line[i:], []byte(")>>")) {
		return rdf.Term{}, p.fail(i, `a triple term ends in ")>>", found `)
	}
	return rdf.NewTripleTerm(t), i + len(")>>")
}

// graph reads a graph's name.
func (p *Reader) graph(i int) (rdf.Term, int) {
	switch p.at(i) {
	case '<':
		value, i := p.iri(i)
		return rdf.NewIRI(value), i
	case '_':
		return p.blank(i)
	}
	return rdf.Term{}, p.fail(i, `a graph's name or "." is missing, found `)
}

// at returns the byte at i, 0 after the end of the line.
func (p *Reader) at(i int) byte {
	if i < len(p.line) {
		return p.line[i]
	}
	return 0
}

// iri reads an IRI from "<" on.
func (p *Reader) iri(i int) (string, int) {
	length := bytes.IndexByte(p.line[i:], '>')
	if length < 0 {
		return "", p.fail(i, "an IRI does not end: ")
	}
	written, end := p.line[i+1:i+length], i+length+1
	value, slot, known := p.iris.Find(written)
	if known && value != "" {
		return value, end // checked when it was cached
	}
	value = string(written)
	if bytes.IndexByte(written, '\\') >= 0 {
		var bad int
		if p.scratch, bad = lex.Unescape(p.scratch[:0], written, false); bad >= 0 {
			return "", p.fail(i+1+bad, "no escape of an IRI: ")
		}
		value = string(p.scratch)
	}
	if err := iri.Check(value); err != nil {
		return "", p.fail(i, err.Error()+": ")
	}
	if len(value) == len(written) {
		p.iris.Keep(slot, value)
	}
	return value, end
}

// blank reads a blank node from "_" on.
func (p *Reader) blank(i int) (rdf.Term, int) {
	if p.at(i+1) != ':' {
		return rdf.Term{}, p.fail(i, "no term: ")
	}
	length := lex.LabelEnd(p.line[i+2:])
	if length == 0 {
		return rdf.Term{}, p.fail(i, "a blank node has no label: ")
	}
	end := i + 2 + length
	return rdf.NewBlank(p.strings.Of(p.line[i+2 : end])), end
}

// literal reads a literal from its quote on.
func (p *Reader) literal(i int) (rdf.Term, int) {
	value, i := p.quoted(i)
	switch i = p.space(i); p.at(i) {
	case '@':
		lang, length, dir, ok := lex.TagEnd(p.line[i+1:])
		switch {
		case lang == 0:
			return rdf.Term{}, p.fail(i, "no language tag: ")
		case !ok:
			return rdf.Term{}, p.fail(i, `a direction is "ltr" or "rtl": `)
		}
		return rdf.NewDirLang(value, p.strings.Of(p.line[i+1:i+1+lang]), dir), i + 1 + length
	case '^':
		if p.at(i+1) != '^' {
			return rdf.Term{}, p.fail(i, "no datatype: ")
		}
		if i = p.space(i + 2); p.at(i) != '<' {
			return rdf.Term{}, p.fail(i, "a datatype must be an IRI, found ")
		}
		start := i
		datatype, i := p.iri(i)
		if datatype == rdf.LangString || datatype == rdf.DirLangString {
			return rdf.Term{}, p.fail(start, "literals of this datatype have a language tag instead: ")
		}
		return rdf.NewTyped(value, datatype), i
	}
	return rdf.NewString(value), i
}

// quoted reads a string with its quotes.
func (p *Reader) quoted(i int) (string, int) {
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
	if p.scratch, bad = lex.Unescape(p.scratch[:0], written, true); bad >= 0 {
		return "", p.fail(start+bad, "no escape of a string: ")
	}
	return string(p.scratch), end + 1
}
