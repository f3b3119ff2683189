package grammar

import (
	"bytes"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/syntax/internal/source"
)

// blank reads a blank node's label.
func (p *parser) blank() (rdf.Term, bool) {
	p.ahead(minAhead)
	if window := p.src.Window(); len(window) < 2 || window[1] != ':' {
		return rdf.Term{}, p.fail("a term")
	}
	var end int
	for {
		end = 2 + lex.LabelEnd(p.src.Window()[2:])
		if !p.again(end) {
			break
		}
	}
	switch {
	case end == 2:
		return rdf.Term{}, p.fail("a blank node's label")
	case !p.whole(end):
		return rdf.Term{}, false
	}
	label := p.labels.Own(p.strings.Of(p.src.Window()[2:end]))
	p.src.Advance(end)
	return rdf.NewBlank(label), true
}

// literal reads a string in quotes with what follows it.
func (p *parser) literal(quote byte) (rdf.Term, bool) {
	value, ok := p.quoted(quote)
	if !ok {
		return rdf.Term{}, false
	}
	switch p.peek() {
	case 0:
		if !p.src.AtEnd() {
			return rdf.Term{}, p.incomplete("a statement does not end")
		}
	case '@':
		return p.tagged(value)
	case '^':
		if p.ahead(2); !bytes.HasPrefix(p.src.Window(), []byte("^^")) {
			return rdf.Term{}, p.fail(`"^^"`)
		}
		p.src.Advance(2)
		p.peek()
		datatype, ok := p.iriTerm("a datatype")
		if ok && (datatype.Value == rdf.LangString || datatype.Value == rdf.DirLangString) {
			return rdf.Term{}, p.wrong(0, "literals of this datatype have a language tag instead")
		}
		return rdf.NewTyped(value, datatype.Value), ok
	}
	return rdf.NewString(value), true
}

// tagged reads a language tag.
func (p *parser) tagged(value string) (rdf.Term, bool) {
	p.ahead(minAhead)
	var end, length int
	var dir rdf.Direction
	var known bool
	for {
		length, end, dir, known = lex.TagEnd(p.src.Window()[1:])
		if end++; !p.again(end) {
			break
		}
	}
	switch {
	case length == 0:
		return rdf.Term{}, p.fail("a language tag")
	case !p.whole(end):
		return rdf.Term{}, false
	case !known:
		return rdf.Term{}, p.wrong(1+length, `a direction is "ltr" or "rtl": `+source.Show(p.src.Window()[1:]))
	}
	lang := p.strings.Of(p.src.Window()[1 : 1+length])
	p.src.Advance(end)
	return rdf.NewDirLang(value, lang, dir), true
}

// quoted reads a string with its quotes, of either length.
func (p *parser) quoted(quote byte) (string, bool) {
	p.ahead(minAhead)
	for {
		window := p.src.Window()
		long := len(window) >= 3 && window[1] == quote && window[2] == quote
		var start, end int
		var escaped bool
		if long {
			start = 3
			end, escaped = longEnd(window, quote)
		} else {
			start = 1
			end, escaped = shortEnd(window, quote)
		}
		if end < 0 {
			if p.src.More() {
				continue
			}
			return "", p.incomplete("a string does not end")
		}
		value, ok := p.text(window[start:end], start, escaped, long)
		if ok {
			p.src.Advance(end + start)
		}
		return value, ok
	}
}

// shortEnd returns where a string that starts with one quote ends, -1 when it does not, and whether
// there are escapes in it.
func shortEnd(b []byte, quote byte) (end int, escaped bool) {
	end = 1
	for q := 0; ; { // q: the first quote from end on, looked for once however many escapes stand before it
		if q < end {
			n := bytes.IndexByte(b[end:], quote)
			if n < 0 {
				return -1, escaped
			}
			q = end + n
		}
		slash := bytes.IndexByte(b[end:q], '\\')
		if slash < 0 {
			return q, escaped
		}
		escaped = true
		if end += slash + 2; end > len(b) {
			return -1, true
		}
	}
}

// longEnd does the same for three quotes.
func longEnd(b []byte, quote byte) (end int, escaped bool) {
	end = 3
	for q := 0; ; {
		if q < end {
			n := bytes.IndexByte(b[end:], quote)
			if n < 0 {
				return -1, escaped
			}
			q = end + n
		}
		if slash := bytes.IndexByte(b[end:q], '\\'); slash >= 0 {
			escaped = true
			if end += slash + 2; end > len(b) {
				return -1, true
			}
			continue
		}
		end = q
		switch {
		case end+2 >= len(b):
			return -1, escaped
		case b[end+1] != quote:
			end++
		case b[end+2] != quote:
			end += 2
		default:
			return end, escaped
		}
	}
}

// text makes a string of what stands between quotes, at an offset of the window.
func (p *parser) text(written []byte, offset int, escaped, long bool) (string, bool) {
	if !long {
		if bytes.IndexByte(written, '\n') >= 0 || bytes.IndexByte(written, '\r') >= 0 {
			return "", p.wrong(offset+bytes.IndexAny(written, "\n\r"), "a string does not end on its line")
		}
	}
	if !utf8.Valid(written) {
		return "", p.wrong(offset+validUntil(written), "not valid UTF-8")
	}
	if !escaped {
		return string(written), true
	}
	var bad int
	if p.scratch, bad = lex.Unescape(p.scratch[:0], written, true); bad >= 0 {
		return "", p.wrong(offset+bad, "no escape of a string: "+source.Show(written[bad:]))
	}
	return string(p.scratch), true
}

// validUntil returns the offset of the first byte that is not UTF-8.
func validUntil(b []byte) int {
	for i := 0; ; {
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size <= 1 {
			return i
		}
		i += size
	}
}

// number reads an integer, decimal or double.
func (p *parser) number() (rdf.Term, bool) {
	p.ahead(minAhead)
	var end int
	var datatype string
	for {
		end, datatype = lex.NumberEnd(p.src.Window())
		if !p.again(end) {
			break
		}
	}
	switch {
	case end == 0:
		return rdf.Term{}, p.fail("an object")
	case !p.whole(end):
		return rdf.Term{}, false
	}
	value := p.strings.Of(p.src.Window()[:end])
	p.src.Advance(end)
	return rdf.NewTyped(value, datatype), true
}

// Number returns the datatype that a literal has when it is written without quotes, empty when s is no
// number.
func Number(s string) (datatype string) {
	if end, datatype := lex.NumberEnd(s); end > 0 && end == len(s) {
		return datatype
	}
	return ""
}
