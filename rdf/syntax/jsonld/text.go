package jsonld

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/syntax/internal/source"
)

// quoted reads a string from its quote on. It repairs control characters, bytes that are not UTF-8, unpaired
// surrogates and unknown escapes.
func (d *decoder) quoted() (string, error) {
	start := d.pos
	d.pos++
	var out []byte // nil while the string equals its source
	from := d.pos
	for d.pos < len(d.text) {
		c := d.text[d.pos]
		switch {
		case c == '"':
			out = append(out, d.text[from:d.pos]...)
			d.pos++
			return string(out), nil
		case d.pos-start > d.opts.MaxToken:
			return "", d.fail(start, fmt.Sprintf("string of more than %d bytes", d.opts.MaxToken))
		case c == '\\':
			out = append(out, d.text[from:d.pos]...)
			var err error
			if out, err = d.escape(out); err != nil {
				return "", err
			}
			from = d.pos
			continue
		case c < ' ':
			if err := d.wrong(d.pos, fmt.Sprintf("control character U+%04X in a string", c)); err != nil {
				return "", err
			}
		case c >= utf8.RuneSelf:
			r, size := utf8.DecodeRune(d.text[d.pos:])
			if r != utf8.RuneError || size > 1 {
				d.pos += size
				continue
			}
			if err := d.wrong(d.pos, "bytes in a string are not UTF-8"); err != nil {
				return "", err
			}
			out = append(append(out, d.text[from:d.pos]...), "\ufffd"...)
			from = d.pos + 1
		}
		d.pos++
	}
	return "", d.fail(start, "a string does not end")
}

// escape reads an escape and appends the character.
func (d *decoder) escape(out []byte) ([]byte, error) {
	start := d.pos
	if d.pos++; d.pos == len(d.text) {
		return out, nil // unterminated string
	}
	c := d.text[d.pos]
	d.pos++
	if i := strings.IndexByte(`"\/bfnrt`, c); i >= 0 {
		return append(out, "\"\\/\b\f\n\r\t"[i]), nil
	}
	if c != 'u' {
		r, length := rune(0), 0
		if r, length = lex.Escape(d.text[start:], false); length == 0 && c == 'x' {
			r, length = latin(d.text[start:])
		}
		if err := d.wrong(start, "no escape: "+source.Show(d.text[start:])); err != nil {
			return out, err
		}
		if length > 0 {
			d.pos = start + length
			return utf8.AppendRune(out, r), nil
		}
		d.pos = start + 1 // the character itself
		return out, nil
	}
	unit, ok := d.hex()
	if !ok {
		if err := d.wrong(start, "no escape: "+source.Show(d.text[start:])); err != nil {
			return out, err
		}
		d.pos = start + 2
		return append(out, 'u'), nil
	}
	if !utf16.IsSurrogate(unit) {
		return utf8.AppendRune(out, unit), nil
	}
	if behind := d.pos; bytes.HasPrefix(d.text[d.pos:], []byte(`\u`)) {
		d.pos += 2
		if second, ok := d.hex(); ok {
			if r := utf16.DecodeRune(unit, second); r != utf8.RuneError {
				return utf8.AppendRune(out, r), nil
			}
		}
		d.pos = behind
	}
	return utf8.AppendRune(out, utf8.RuneError), d.wrong(start, "half of a surrogate pair")
}

// latin reads \x41, an escape of JavaScript; length is 0 for another.
func latin(s []byte) (r rune, length int) {
	if len(s) < 4 {
		return 0, 0
	}
	v, err := strconv.ParseUint(string(s[2:4]), 16, 8)
	if err != nil {
		return 0, 0
	}
	return rune(v), 4
}

// hex reads four hexadecimal digits.
func (d *decoder) hex() (rune, bool) {
	if len(d.text)-d.pos < 4 {
		return 0, false
	}
	var v rune
	for _, c := range d.text[d.pos : d.pos+4] {
		switch {
		case c >= '0' && c <= '9':
			v = v<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			v = v<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	d.pos += 4
	return v, true
}

// space skips white space and, as repairs, comments, HTML comment and CDATA marks and, after a document,
// semicolons and commas.
func (d *decoder) space(after bool) error {
	for d.pos < len(d.text) {
		rest := d.text[d.pos:]
		switch c := rest[0]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			d.pos++
			continue
		case c == '/' || c == '<' || c == '-' || c == ']' || c == '&' || c == '\v' || c == '\f' || c >= utf8.RuneSelf:
		case (c == ';' || c == ',') && after && d.script:
		default:
			return nil
		}
		n, what := d.repairable(rest)
		if n == 0 {
			return nil
		}
		if err := d.wrong(d.pos, what); err != nil {
			return err
		}
		d.pos += n
	}
	return nil
}

// blank returns the length of the white space beyond JSON's that a text starts with, of no width included, or of a
// reference to it, which a script has not; 0: there is none.
func blank(rest []byte) int {
	for _, written := range []string{"&nbsp;", "&#160;", "&#xa0;", "&#xA0;"} {
		if bytes.HasPrefix(rest, []byte(written)) {
			return len(written)
		}
	}
	r, size := utf8.DecodeRune(rest)
	if unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b' || r == '\u2060' {
		return size
	}
	return 0
}

// repairable returns the length and name of a text to skip between values; 0 for any other.
func (d *decoder) repairable(rest []byte) (int, string) {
	mark := func(prefix string) bool { return bytes.HasPrefix(rest, []byte(prefix)) }
	if n := blank(rest); n > 0 && (rest[0] != '&' || d.script) {
		return n, "a space that is none of JSON: " + source.Show(rest[:n])
	}
	switch {
	case mark(";") || mark(","):
		return 1, "a document ends with " + source.Show(rest[:1])
	case mark("/*"):
		if end := bytes.Index(rest, []byte("*/")); end >= 0 {
			return end + 2, "a comment"
		}
	case mark("//"):
		trimmed := bytes.TrimLeft(rest[2:], " \t")
		for _, m := range []string{"<![CDATA[", "]]>"} {
			if d.script && bytes.HasPrefix(trimmed, []byte(m)) {
				return len(rest) - len(trimmed) + len(m), "a mark of CDATA"
			}
		}
		if end := bytes.IndexAny(rest, "\r\n"); end >= 0 {
			return end, "a comment"
		}
		return len(rest), "a comment"
	case !d.script:
	case mark("<!--"):
		return htmlComment(rest), "a comment of HTML"
	case mark("-->"):
		return 3, "the end of a comment of HTML"
	case mark("<![CDATA["):
		return 9, "a mark of CDATA"
	case mark("]]>"):
		return 3, "a mark of CDATA"
	}
	return 0, ""
}

// htmlComment returns the length of a comment, or of its mark alone if the document is inside the comment.
func htmlComment(rest []byte) int {
	const open = len("<!--")
	inside := bytes.TrimLeft(rest[open:], " \t\r\n")
	end := bytes.Index(rest[open:], []byte("-->"))
	if end < 0 || len(inside) > 0 && (inside[0] == '{' || inside[0] == '[' || inside[0] == '/' || inside[0] == '<') {
		return open
	}
	return open + end + len("-->")
}
