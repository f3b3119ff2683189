package requisites

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/tdewolff/parse/v2"
	"github.com/tdewolff/parse/v2/css"

	"orbweaver/weburl"
)

// OfStyles returns what a style sheet in ASCII's letters needs: what it imports, fonts and images; most at most. The error means that its
// URL is none.
func OfStyles(url string, sheet []byte, most int) (Found, error) {
	base, err := weburl.NewBase(url)
	if err != nil {
		return Found{}, err
	}
	var r references
	r.styles(sheet)
	return r.resolve(base, most), nil
}

// styles reads a style sheet, or a list of declarations: url(), image-set() and @import.
func (r *references) styles(src []byte) {
	lexer := css.NewLexer(parse.NewInputBytes(src[:len(src):len(src)]))
	rule, depth, set := "", 0, 0 // the at-rule in whose prelude this is; open parentheses; those of an image-set
	for {
		switch kind, token := lexer.Next(); kind {
		case css.ErrorToken:
			return
		case css.AtKeywordToken:
			rule = strings.ToLower(string(token))
		case css.SemicolonToken:
			rule = ""
		case css.LeftBraceToken:
			if rule != "@font-face" {
				rule = ""
			}
		case css.RightBraceToken:
			rule, depth, set = "", 0, 0
		case css.URLToken:
			r.named(rule, inURL(token))
		case css.StringToken:
			if rule == "@import" && depth == 0 || set > 0 && depth == set {
				r.named(rule, token)
			}
		case css.FunctionToken:
			depth++
			name := strings.ToLower(string(token))
			if set == 0 && (name == "image-set(" || name == "-webkit-image-set(" || name == "url(" || name == "src(") {
				set = depth
			}
		case css.LeftParenthesisToken:
			depth++
		case css.RightParenthesisToken:
			if depth--; depth < set {
				set = 0
			}
			depth = max(depth, 0)
		}
	}
}

// named adds what a style sheet names within an at-rule, quoted or not.
func (r *references) named(rule string, token []byte) {
	if len(token) > 0 && (token[0] == '"' || token[0] == '\'') {
		token = bytes.TrimSuffix(token[1:], token[:1])
	}
	ref := unescape(token)
	switch rule {
	case "@namespace": // a name
	case "@import":
		r.add(shape, ref)
	case "@font-face":
		r.add(shape, ref)
	default:
		r.add(image, ref)
	}
}

// inURL returns what is within a token "url(…)".
func inURL(token []byte) []byte {
	_, inside, _ := bytes.Cut(token, []byte("("))
	return bytes.Trim(bytes.TrimSuffix(inside, []byte(")")), " \t\n\f\r")
}

// unescape reads the escapes of a string or URL: CSS Syntax, section 4.3.7.
func unescape(s []byte) string {
	if bytes.IndexByte(s, '\\') < 0 {
		return string(s)
	}
	out := make([]byte, 0, len(s))
	for len(s) > 0 {
		if s[0] != '\\' {
			out = append(out, s[0])
			s = s[1:]
			continue
		}
		var n int
		out, n = appendEscape(out, s[1:])
		s = s[1+n:]
	}
	return string(out)
}

// appendEscape appends the character of an escape, and returns how many bytes it has after its backslash.
func appendEscape(out, s []byte) ([]byte, int) {
	var r rune
	n := 0
	for ; n < len(s) && n < 6; n++ {
		digit := strings.IndexByte("0123456789abcdef", s[n]|0x20)
		if digit < 0 || s[n] < '0' {
			break
		}
		r = r<<4 | rune(digit)
	}
	switch {
	case len(s) == 0:
		return out, 0
	case n == 0 && (s[0] == '\n' || s[0] == '\r' || s[0] == '\f'):
		return out, 1
	case n == 0:
		return append(out, s[0]), 1
	case n < len(s) && (s[n] == ' ' || s[n] == '\t' || s[n] == '\n' || s[n] == '\f'):
		n++
	}
	if r == 0 {
		r = utf8.RuneError
	}
	return utf8.AppendRune(out, r), n
}
