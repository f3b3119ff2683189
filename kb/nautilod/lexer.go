package nautilod

import (
	"fmt"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf/iri"
)

// A kind is the kind of a token.
type kind uint8

const (
	atEnd     kind = iota
	sign           // one of ( ) / | * ? + ^, in text
	inverted       // ^-1
	named          // an IRI in brackets, in text
	anything       // _ or <_>
	times          // <m-n>
	ask            // [ASK …], in text
	act            // ACT[save]
	option         // -p, -saveGraph, -domains, in text
	braces         // {…}, in text
	swgetWord      // swget
)

// A token is a piece of the text.
type token struct {
	kind     kind
	at       int // byte offset of its start
	text     string
	from, to int // for kind times
}

// A lexer splits a text into tokens.
type lexer struct {
	name     string
	text     string
	at       int
	prefixes map[string]string
	err      error // the first error: an *Error
}

func newLexer(text string, opts Options) lexer {
	l := lexer{name: opts.Name, text: text, prefixes: WellKnown()}
	if l.name == "" {
		l.name = "expression"
	}
	maps.Copy(l.prefixes, opts.Prefixes)
	switch {
	case len(text) > MaxText:
		l.text = ""
		l.fail(0, "longer than %d bytes", MaxText)
	case !utf8.ValidString(text):
		l.text = ""
		l.fail(0, "not UTF-8")
	}
	return l
}

// fail records an error at a byte offset, and ends the text.
func (l *lexer) fail(at int, format string, args ...any) {
	if l.err != nil {
		return
	}
	line, column := position(l.text[:at])
	l.failAt(line, column, fmt.Sprintf(format, args...))
}

func (l *lexer) failAt(line, column int, msg string) {
	if l.err == nil {
		l.err = &Error{Name: l.name, Line: line, Column: column, Msg: msg}
		l.at = len(l.text)
	}
}

// position returns the line and column after a text. Lines end as in SPARQL.
func position(before string) (line, column int) {
	before = strings.ReplaceAll(strings.ReplaceAll(before, "\r\n", "\n"), "\r", "\n")
	last := strings.LastIndexByte(before, '\n') + 1
	return 1 + strings.Count(before, "\n"), 1 + utf8.RuneCountInString(before[last:])
}

// next returns the next token; after the last one, and after an error, atEnd.
func (l *lexer) next() token {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	t := token{at: l.at}
	if l.at == len(l.text) {
		return t
	}
	switch rest := l.text[l.at:]; {
	case strings.HasPrefix(rest, "^-1"):
		t.kind = inverted
		l.at += len("^-1")
	case strings.IndexByte("()/|*?+^", rest[0]) >= 0:
		t.kind, t.text = sign, rest[:1]
		l.at++
	case rest[0] == '_':
		t.kind = anything
		l.at++
	case rest[0] == '<':
		l.bracketed(&t)
	case rest[0] == '[':
		t.kind = ask
		t.text = l.square(&t)
	case rest[0] == '{':
		t.kind = braces
		t.text = l.upTo("}", "braces are not closed")
	case rest[0] == '-':
		t.kind, t.text = option, rest[:1+letters(rest[1:])]
		l.at += len(t.text)
	default:
		l.word(&t)
	}
	if l.err != nil {
		return token{at: l.at}
	}
	return t
}

// letters returns the number of ASCII letters at the start of a text.
func letters(s string) int {
	for i := range len(s) {
		if c := s[i] | 0x20; c < 'a' || c > 'z' {
			return i
		}
	}
	return len(s)
}

// word reads swget or ACT[save].
func (l *lexer) word(t *token) {
	rest := l.text[l.at:]
	word := rest[:letters(rest)]
	switch word {
	case "swget":
		t.kind = swgetWord
		l.at += len(word)
	case "ACT":
		t.kind = act
		l.at += len(word)
		l.at += len(l.text[l.at:]) - len(strings.TrimLeft(l.text[l.at:], " \t\r\n"))
		if l.at == len(l.text) || l.text[l.at] != '[' {
			l.fail(l.at, "ACT is followed by [save]")
		} else if what := strings.TrimSpace(l.square(t)); l.err == nil && what != "save" {
			l.fail(t.at, "the action %q is not allowed: ACT[save] is the only one", what)
		}
	default:
		_, size := utf8.DecodeRuneInString(rest)
		if word == "" {
			word = rest[:size]
		}
		l.fail(t.at, "%q means nothing here: IRIs and prefixed names stand in <>", word)
	}
}

// upTo returns the text from the current byte to end.
func (l *lexer) upTo(end, problem string) string {
	inside, _, closed := strings.Cut(l.text[l.at+1:], end)
	if !closed {
		l.fail(l.at, "%s", problem)
		return ""
	}
	l.at += 1 + len(inside) + len(end)
	return inside
}

// bracketed reads a token in <>.
func (l *lexer) bracketed(t *token) {
	inside := strings.TrimSpace(l.upTo(">", "no > for this <"))
	if l.err != nil {
		return
	}
	if inside == "_" {
		t.kind = anything
		return
	}
	if m, n, ok := strings.Cut(inside, "-"); ok && digits(m) && digits(n) {
		t.kind = times
		t.from, t.to = number(m), number(n)
		if t.to < 1 || t.to > MaxRepeat || t.from > t.to {
			l.fail(t.at, "<%s> is no range: <m-n> has m up to n, and n from 1 to %d", inside, MaxRepeat)
		}
		return
	}
	t.kind = named
	name, problem := l.resolve(inside)
	if t.text = name; problem != "" {
		l.fail(t.at, "<%s>: %s", inside, problem)
	}
}

func digits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// number parses digits; numbers too large for a range become an arbitrary one that is also too large.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return MaxRepeat + 1
	}
	return n
}

// resolve returns the IRI denoted by a name in brackets.
func (l *lexer) resolve(name string) (whole, problem string) {
	prefix, local, ok := strings.Cut(name, ":")
	if !ok {
		return "", "neither an IRI nor prefix:name"
	}
	whole = name
	if !isWhole(name) {
		namespace, known := l.prefixes[prefix]
		if !known {
			return "", fmt.Sprintf("unknown prefix %q", prefix)
		}
		if whole = namespace + local; !isWhole(whole) {
			return "", fmt.Sprintf("prefix %q is of no absolute IRI: %q", prefix, namespace)
		}
	}
	if err := iri.Check(whole); err != nil {
		return "", err.Error()
	}
	return whole, ""
}

// isWhole reports whether a name is an IRI rather than a prefixed name.
func isWhole(name string) bool {
	scheme, rest, _ := strings.Cut(name, ":")
	return strings.HasPrefix(rest, "//") || strings.EqualFold(scheme, "urn") && rest != ""
}
