package grammar

import (
	"bytes"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax/internal/source"
)

// minAhead is how many bytes are looked for before a token is read: almost all tokens are shorter,
// so that few have to be read a second time with a longer window.
const minAhead = 512

// margin is how close to the window's end a name may come before more is asked for: an escape may
// be cut there.
const margin = 8

// ahead makes the window at least n bytes long, if the document is.
func (p *parser) ahead(n int) {
	for len(p.src.Window()) < n && p.src.More() {
	}
}

// again reports whether a name that ends at an offset might continue behind the window, which is now longer: read it
// again. Full stops belong to a name only if something follows.
func (p *parser) again(end int) bool {
	rest := p.src.Window()[end:]
	return len(rest) < margin+minAhead && len(bytes.TrimRight(rest, ".")) < margin && p.src.More()
}

// whole reports whether a name that ends at an offset is all there: not if reading failed, or the
// name is too long, before its end was seen.
func (p *parser) whole(end int) bool {
	if p.src.AtEnd() || len(bytes.TrimRight(p.src.Window()[end:], ".")) >= margin {
		return true
	}
	return p.incomplete("a name does not end")
}

// peek advances over space and comments and returns the byte behind them, 0 at the end of input (or
// for that byte, which no token starts with).
func (p *parser) peek() byte {
	for {
		i, window := 0, p.src.Window()
		for i < len(window) && isSpace(window[i]) {
			i++
		}
		p.src.Advance(i)
		switch {
		case i == len(window):
			if !p.src.More() {
				return 0
			}
		case window[i] != '#':
			return window[i]
		default:
			p.comment()
		}
	}
}

// comment advances to the end of the line.
func (p *parser) comment() {
	for {
		window := p.src.Window()
		if end := bytes.IndexAny(window[:min(len(window), minAhead)], "\n\r"); end >= 0 {
			p.src.Advance(end)
			return
		}
		p.src.Advance(min(len(window), minAhead))
		if len(window) <= minAhead && !p.src.More() {
			return
		}
	}
}

// keyword reads a word, if it is here and no name continues behind it.
func (p *parser) keyword(word string) bool {
	p.ahead(len(word) + utf8.UTFMax + 1)
	window := p.src.Window()
	if !bytes.HasPrefix(window, []byte(word)) {
		return false
	}
	rest := window[len(word):]
	if len(rest) == 0 && !p.src.AtEnd() {
		return false // who knows what would follow
	}
	if len(rest) > 0 && rest[0] == '.' && len(rest) > 1 { // a full stop, or within a prefix
		if r, _ := utf8.DecodeRune(rest[1:]); lex.IsName(r) && p.isPrefixed() {
			return false
		}
	}
	if r, _ := utf8.DecodeRune(rest); len(rest) > 0 && (r == ':' || lex.IsName(r)) {
		return false
	}
	p.src.Advance(len(word))
	return true
}

// isPrefixed reports whether a prefix and a colon are here.
func (p *parser) isPrefixed() bool {
	_, ok := p.prefixEnd()
	return ok
}

// iriTerm reads an IRI, in brackets or prefixed; what says what it is for.
func (p *parser) iriTerm(what string) (rdf.Term, bool) {
	var value string
	var ok bool
	if p.peek() == '<' {
		value, ok = p.iriRef()
	} else {
		value, ok = p.prefixed(what)
	}
	return rdf.NewIRI(value), ok
}

// iriRef reads an IRI in brackets and resolves it.
func (p *parser) iriRef() (string, bool) {
	end := p.iriEnd()
	if end < 0 {
		return "", p.incomplete("an IRI does not end")
	}
	written := p.src.Window()[1:end]
	value, slot := p.iris.Find(written)
	if value == "" {
		var ok bool
		if value, ok = p.resolve(written); !ok {
			return "", false
		}
		key := value // most are written in full: one string is both
		if key != string(written) {
			key = string(written)
		}
		p.iris.Keep(slot, key, value)
	}
	p.src.Advance(end + 1)
	return value, true
}

// iriEnd returns the offset of the ">" that ends the IRI here, -1 when there is none. It looks no
// farther than to a character that shows it.
func (p *parser) iriEnd() int {
	for i := 1; ; {
		piece := p.src.Window()[i:]
		piece = piece[:min(len(piece), minAhead)]
		if end := bytes.IndexByte(piece, '>'); end >= 0 {
			return i + end
		}
		if bytes.ContainsAny(piece, "\r\n\t <\"") {
			return -1
		}
		if i += len(piece); len(piece) == 0 && !p.src.More() {
			return -1
		}
	}
}

// resolve makes an IRI of what stands in brackets.
func (p *parser) resolve(written []byte) (string, bool) {
	ref := string(written)
	if bytes.IndexByte(written, '\\') >= 0 {
		var bad int
		if p.scratch, bad = lex.Unescape(p.scratch[:0], written, false); bad >= 0 {
			return "", p.wrong(1+bad, "no escape of an IRI: "+source.Show(written[bad:]))
		}
		ref = string(p.scratch)
	}
	if err := iri.CheckRef(ref); err != nil {
		return "", p.wrong(0, err.Error()+": "+source.Show(p.src.Window()))
	}
	value, err := p.base.Resolve(ref)
	if err != nil {
		return "", p.wrong(0, err.Error())
	}
	return value, true
}

// prefixEnd returns the length of a prefix before its colon; ok is false when there is none here.
func (p *parser) prefixEnd() (end int, ok bool) {
	p.ahead(minAhead)
	for {
		window := p.src.Window()
		end := nameEnd(window)
		switch {
		case end < len(window) && window[end] == ':':
			return end, end == 0 || window[end-1] != '.'
		case end < len(window)-utf8.UTFMax || !p.src.More():
			return 0, false
		}
	}
}

// nameEnd returns the length of the prefix-like run of characters at the start of b.
func nameEnd(b []byte) int {
	for i := 0; i < len(b); {
		c := b[i]
		if c < utf8.RuneSelf {
			if !(lex.IsName(rune(c)) || c == '.') || i == 0 && !lex.IsNameStart(rune(c)) {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if size == 1 || !lex.IsName(r) || i == 0 && !lex.IsNameStart(r) {
			return i
		}
		i += size
	}
	return len(b)
}

// prefixed reads a prefixed name.
func (p *parser) prefixed(what string) (string, bool) {
	colon, ok := p.prefixEnd()
	if !ok {
		return "", p.fail(what)
	}
	var end int
	var escaped bool
	for {
		end, escaped = lex.LocalEnd(p.src.Window()[colon+1:])
		end += colon + 1
		if !p.again(end) {
			break
		}
	}
	if !p.whole(end) {
		return "", false
	}
	value, ok := p.expand(p.src.Window()[:end], colon, escaped)
	if ok {
		p.src.Advance(end)
	}
	return value, ok
}

// expand puts a prefix's IRI in place of the prefix.
func (p *parser) expand(written []byte, colon int, escaped bool) (string, bool) {
	space, ok := p.prefixes[string(written[:colon])]
	if !ok {
		return "", p.wrong(0, "prefix "+string(written[:min(colon+1, 64)])+" is not declared")
	}
	local := written[colon+1:]
	if escaped {
		p.scratch = p.scratch[:0]
		for i := 0; i < len(local); i++ {
			if local[i] == '\\' {
				i++
			}
			p.scratch = append(p.scratch, local[i])
		}
		local = p.scratch
	}
	return p.names.Join(space, local), true
}
