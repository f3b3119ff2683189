package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

// A kind is the kind of a token.
type kind uint8

const (
	atEnd    kind = iota
	word          // a keyword, a function's name, "a", "true", "false"
	iriRef        // <...>
	prefixed      // ex:local, or ex: alone
	variable      // ?name or $name
	label         // _:label
	quoted        // a string
	langTag       // @tag
	number        // with or without sign
	mark          // punctuation
)

// A token is a terminal of the grammar (section 19.8, productions 139 and on).
type token struct {
	kind     kind
	text     string // as written
	value    string // content: the IRI reference, name, label, tag or string
	datatype string // of a number
	dir      rdf.Direction
	pos      Pos
}

// A lexer splits a text into tokens.
type lexer struct {
	text string
	at   int // offset of the next token
	pos  Pos // and its position

	// No colon follows the run of name characters that ends here. This bounds the work for runs of many words
	// such as true-true-true.
	plain int
}

// invalid returns the offset of the first byte that is not UTF-8, -1 when there is none.
func invalid(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}

// codePoints replaces the escapes \u and \U, which may stand anywhere in a text (SPARQL 1.1, section 19.2), as in
// \u03B1:a and a\u003Aa. Those of what delimits strings and IRIs, or may not be in them, stay for the tokens they are
// in: to take "\u0022" for three quotes would serve nobody. A backslash that is escaped begins none.
func codePoints(text string) string {
	if !strings.Contains(text, `\u`) && !strings.Contains(text, `\U`) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i+1 == len(text) {
			return b.String() + text
		}
		b.WriteString(text[:i])
		text = text[i:]
		r, n := lex.Escape(text, false)
		if n == 0 || r <= ' ' || strings.ContainsRune("\"'\\<>{}|^`", r) {
			n = max(n, 2)
			if !utf8.RuneStart(text[n-1]) || text[n-1] >= utf8.RuneSelf { // the first byte of a character
				n--
			}
			b.WriteString(text[:n])
		} else {
			b.WriteRune(r)
		}
		text = text[n:]
	}
}

// advance continues by n bytes.
func (l *lexer) advance(n int) {
	for i := l.at; i < l.at+n; i++ {
		switch c := l.text[i]; {
		case c == '\n', c == '\r' && (i+1 == len(l.text) || l.text[i+1] != '\n'):
			l.pos.Line++
			l.pos.Column = 1
		case c < utf8.RuneSelf || c >= 0xC0: // the first byte of a character
			l.pos.Column++
		}
	}
	l.at += n
}

// skip skips white space and comments.
func (l *lexer) skip() {
	for l.at < len(l.text) {
		switch l.text[l.at] {
		case ' ', '\t', '\r', '\n':
			l.advance(1)
		case '#':
			n := strings.IndexAny(l.text[l.at:], "\r\n")
			if n < 0 {
				n = len(l.text) - l.at
			}
			l.advance(n)
		default:
			return
		}
	}
}

// next returns the next token. The error's offset is from the token's start.
func (l *lexer) next() (token, error) {
	l.skip()
	t := token{pos: l.pos}
	rest := l.text[l.at:]
	if rest == "" {
		return t, nil
	}
	length, err := l.scan(rest, &t)
	if err != nil {
		return t, err
	}
	t.text = rest[:length]
	l.advance(length)
	return t, nil
}

// scan recognizes the token at the start of rest and returns its length.
func (l *lexer) scan(rest string, t *token) (length int, err error) {
	switch c := rest[0]; c {
	case '<':
		return scanAngle(rest, t)
	case '?', '$':
		return scanVariable(rest, t)
	case '"', '\'':
		return scanString(rest, t)
	case '@':
		t.kind = langTag
		n, end, dir, ok := lex.TagEnd(rest[1:])
		switch {
		case n == 0:
			return 0, fmt.Errorf("expected a language tag behind %q", c)
		case !ok:
			return 0, fmt.Errorf(`a direction is "ltr" or "rtl": %s`, show(rest))
		}
		t.value, t.dir = rest[1:1+n], dir
		return 1 + end, nil
	case '_':
		t.kind = label
		if len(rest) > 1 && rest[1] == ':' {
			if n := lex.LabelEnd(rest[2:]); n > 0 {
				t.value = rest[2 : 2+n]
				return 2 + n, nil
			}
		}
		return 0, fmt.Errorf("expected a blank node's label")
	case ':':
		return scanPrefixed(rest, 0, t)
	}
	if n := scanNumber(rest, t); n > 0 {
		return n, nil
	}
	if n := scanMark(rest); n > 0 {
		t.kind, t.value = mark, rest[:n]
		return n, nil
	}
	return l.scanName(rest, t)
}

// scanAngle distinguishes an IRI from "<", "<=", "<<" and "<<(": the longer token wins.
func scanAngle(rest string, t *token) (int, error) {
	for _, m := range [...]string{"<<(", "<<"} {
		if strings.HasPrefix(rest, m) {
			t.kind, t.value = mark, m
			return len(m), nil
		}
	}
	end := 1
	for end < len(rest) && (iri.Allowed(rest[end]) || rest[end] == '\\') {
		end++
	}
	if end == len(rest) || rest[end] != '>' {
		t.kind = mark
		n := 1
		if len(rest) > 1 && rest[1] == '=' {
			n = 2
		}
		t.value = rest[:n]
		return n, nil
	}
	t.kind, t.value = iriRef, rest[1:end]
	if strings.IndexByte(t.value, '\\') >= 0 {
		value, bad := lex.Unescape(nil, t.value, false)
		if bad >= 0 {
			return 0, fmt.Errorf("no escape of an IRI: %s", show(t.value[bad:]))
		}
		t.value = string(value)
	}
	return end + 1, iri.CheckRef(t.value)
}

// scanVariable distinguishes a variable from the "?" of a path.
func scanVariable(rest string, t *token) (int, error) {
	n := 1
	for i, r := range rest[1:] {
		if i == 0 && !isVarStart(r) || !isVar(r) {
			break
		}
		n = 1 + i + utf8.RuneLen(r)
	}
	switch {
	case n > 1:
		t.kind, t.value = variable, rest[1:n]
	case rest[0] == '$':
		return 0, fmt.Errorf("expected a variable's name behind $")
	default:
		t.kind, t.value = mark, "?"
	}
	return n, nil
}

// scanString reads a string in any of its four kinds of quotes.
func scanString(rest string, t *token) (int, error) {
	t.kind = quoted
	quote := rest[:1]
	if long := strings.Repeat(quote, 3); strings.HasPrefix(rest, long) {
		quote = long
	}
	width, escaped := len(quote), false
	for i := width; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\':
			escaped = true
			i++
		case width == 1 && (c == '\n' || c == '\r'):
			return 0, fmt.Errorf("a string does not end on its line")
		case c == quote[0] && strings.HasPrefix(rest[i:], quote):
			t.value = rest[width:i]
			if escaped {
				value, bad := lex.Unescape(nil, t.value, true)
				if bad >= 0 {
					return 0, fmt.Errorf("no escape of a string: %s", show(t.value[bad:]))
				}
				t.value = string(value)
			}
			return i + width, nil
		}
	}
	return 0, fmt.Errorf("a string does not end")
}

// scanPrefixed reads a prefixed name whose prefix ends at colon.
func scanPrefixed(rest string, colon int, t *token) (int, error) {
	n, escaped := lex.LocalEnd(rest[colon+1:])
	n += colon + 1
	t.kind, t.value = prefixed, rest[colon+1:n]
	if escaped {
		var b strings.Builder
		for i := 0; i < len(t.value); i++ {
			if t.value[i] == '\\' {
				i++
			}
			b.WriteByte(t.value[i])
		}
		t.value = b.String()
	}
	return n, nil
}

// scanNumber returns the length of the number, with its optional sign, at the start of rest; 0 if there is
// none.
func scanNumber(rest string, t *token) int {
	n, datatype := lex.NumberEnd(rest)
	if n > 0 {
		t.kind, t.value, t.datatype = number, rest[:n], datatype
	}
	return n
}

// scanMark returns the length of the punctuation at the start of rest, 0 if there is none.
func scanMark(rest string) int {
	if strings.HasPrefix(rest, ")>>") {
		return 3
	}
	if len(rest) > 1 {
		switch rest[:2] {
		case "||", "&&", "!=", ">=", "^^", ">>", "{|", "|}":
			return 2
		}
	}
	if strings.IndexByte("{}()[].,;|/*+-^!=>~", rest[0]) >= 0 {
		return 1
	}
	return 0
}

// scanName distinguishes a prefixed name from a word.
func (l *lexer) scanName(rest string, t *token) (int, error) {
	if first, _ := utf8.DecodeRuneInString(rest); !lex.IsNameStart(first) {
		return 0, fmt.Errorf("unexpected %s", show(rest))
	}
	if l.at >= l.plain {
		end := span(rest, func(r rune) bool { return r == '.' || lex.IsName(r) })
		if end < len(rest) && rest[end] == ':' && rest[end-1] != '.' {
			return scanPrefixed(rest, end, t)
		}
		l.plain = l.at + end
	}
	n := span(rest, func(r rune) bool { return r < utf8.RuneSelf && isVar(r) })
	if n == 0 {
		return 0, fmt.Errorf("unexpected %s", show(rest))
	}
	t.kind, t.value = word, strings.ToUpper(rest[:n])
	return n, nil
}

// show quotes the start of s for messages.
func show(s string) string {
	const most = 30
	if len(s) > most {
		cut := most
		for !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	if end := strings.IndexAny(s, " \t\r\n"); end > 0 {
		s = s[:end]
	}
	return fmt.Sprintf("%q", s)
}
