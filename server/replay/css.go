package replay

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"
)

// appendCSS appends a style sheet, or a list of declarations, with url() and @import rewritten. All other
// bytes stay.
func (l *linker) appendCSS(dst, src []byte) []byte {
	lexer := css.NewLexer(parse.NewInputBytes(src[:len(src):len(src)]))
	importing := false
	read := 0
	for {
		kind, token := lexer.Next()
		if kind == css.ErrorToken {
			return append(dst, src[read:]...)
		}
		read += len(token)
		switch {
		case kind == css.URLToken:
			dst = l.appendURL(dst, token)
		case kind == css.StringToken && importing:
			dst = l.appendString(dst, token, token)
		default:
			dst = append(dst, token...)
		}
		between := kind == css.WhitespaceToken || kind == css.CommentToken
		importing = importing && between || kind == css.AtKeywordToken && strings.EqualFold(string(token), "@import")
	}
}

// appendURL appends a token "url(…)".
func (l *linker) appendURL(dst, token []byte) []byte {
	_, inside, _ := bytes.Cut(token, []byte("("))
	inside = bytes.Trim(bytes.TrimSuffix(inside, []byte(")")), " \t\n\f\r")
	start := len(dst)
	dst = append(dst, "url("...)
	before := len(dst)
	dst = l.appendString(dst, inside, nil)
	if len(dst) == before {
		return append(dst[:start], token...)
	}
	return append(dst, ')')
}

// appendString appends a reference, quoted or not, as a string, or instead if it is not rewritten.
func (l *linker) appendString(dst, s, instead []byte) []byte {
	if len(s) > 0 && (s[0] == '"' || s[0] == '\'') {
		quote := s[:1]
		s = bytes.TrimSuffix(s[1:], quote)
	}
	to, ok := l.link(unescapeCSS(s))
	if !ok {
		return append(dst, instead...)
	}
	dst = append(dst, '"')
	for i := range len(to) {
		if to[i] == '"' || to[i] == '\\' {
			dst = append(dst, '\\')
		}
		dst = append(dst, to[i])
	}
	return append(dst, '"')
}

// unescapeCSS reads escapes: CSS Syntax, section 4.3.7.
func unescapeCSS(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s)
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		if s[0] != '\\' || len(s) == 1 {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		s = s[1:]
		if s[0] == '\n' || s[0] == '\r' || s[0] == '\f' { // an escaped line break
			s = s[spaceAfter(s, 1):]
			continue
		}
		r, n := hexEscape(s)
		if n == 0 {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		if r == 0 {
			r = utf8.RuneError
		}
		out = utf8.AppendRune(out, r)
		s = s[n:]
	}
	return string(out)
}

// hexEscape reads up to six digits and the white space after them.
func hexEscape(s []byte) (r rune, length int) {
	for length < len(s) && length < 6 {
		c := s[length]
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return r, length + spaceAfter(s[length:], length)
		}
		length++
	}
	return r, length + spaceAfter(s[length:], length)
}

// spaceAfter is the length of the white space that belongs to a hex escape: one character, or CRLF.
func spaceAfter(s []byte, digits int) int {
	switch {
	case digits == 0 || len(s) == 0 || !isSpace(s[0]):
		return 0
	case s[0] == '\r' && len(s) > 1 && s[1] == '\n':
		return 2
	}
	return 1
}
