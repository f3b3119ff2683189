package sparql

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

const (
	maxHead    = 16 << 10 // bytes of an answer that are examined to see what it is
	maxMessage = 300      // bytes of what an endpoint says that are kept
)

// sayings are what errors of endpoints say, in lower case, and what it means. The first that is found
// counts: messages about a query may quote it, and so say anything further on.
var sayings = [...]struct {
	text  string
	class Class
}{
	{"estimated execution time", ErrTooMuch},     // Virtuoso, 42000
	{"sr353", ErrTooMuch},                        // Virtuoso: sorted TOP of more than 10 000 rows
	{"length of generated sql text", ErrTooMuch}, // Virtuoso, SP031: about 100 branches of UNION
	{"error sq200", ErrTooMuch},                  // Virtuoso: its stack overflows, at about 500 of them
	{"malformed query", ErrParse},
	{"malformedquery", ErrParse},
	{"sparql compiler", ErrParse}, // Virtuoso, SP030 and SP031
	{"queryparseexception", ErrParse},
	{"parse error", ErrParse},
	{"syntax error", ErrParse},
	{"lexical error", ErrParse},
	{"could not properly handle", ErrParse}, // ARC2
	{"unresolved prefix", ErrParse},
	{"undeclared prefix", ErrParse},
	{"was expecting one of", ErrParse},
	{"no query parameter", ErrNoEndpoint},
	{"missing query", ErrNoEndpoint},
	{"no 'query' parameter", ErrNoEndpoint},
	{"timed out", ErrTimedOut},
	{"timeout", ErrTimedOut},
	{"time limit", ErrTimedOut},
	{"due to time", ErrTimedOut},
	{"s1t00", ErrTimedOut}, // Virtuoso
	{"under maintenance", ErrUnavailable},
	{"temporarily unavailable", ErrUnavailable},
	{"service unavailable", ErrUnavailable},
	{"no available server", ErrUnavailable},
	{"overload", ErrUnavailable},
	{"too many requests", ErrUnavailable},
	{"too many queries", ErrUnavailable},
	{"too many connections", ErrUnavailable},
	{"cannot connect", ErrUnavailable},
	{"connection refused", ErrUnavailable},
	{"after connection closed", ErrUnavailable},
	{"out of memory", ErrUnavailable},
	{"access denied", ErrForbidden},
	{"permission denied", ErrForbidden},
	{"forbidden", ErrForbidden},
	{"authentication required", ErrForbidden},
	{"please log in", ErrForbidden},
}

// classify returns the meaning of an unsuccessful status with such a text as answer to a query; stated: the text
// decided rather than the status. A refusal or a missing resource is one whatever its text.
func classify(status int, text string) (class Class, stated bool) {
	class = ofStatus(status)
	switch class {
	case ErrParse, ErrTimedOut, ErrUnavailable, ErrInternal:
		if said := says(text); said != "" {
			return said, true
		}
	}
	return class, false
}

// says returns the class that a text speaks of, empty for none.
func says(text string) Class {
	text = strings.ToLower(text)
	for _, s := range sayings {
		if strings.Contains(text, s.text) {
			return s.class
		}
	}
	return ""
}

// classifyPage returns what it means that a query is answered with a page, in HTML, and success.
func classifyPage(page []byte) Class {
	lower := bytes.ToLower(page)
	has := func(s string) bool { return bytes.Contains(lower, []byte(s)) }
	switch {
	case has(`type="password"`), has(`type='password'`), has(`type=password`):
		return ErrForbidden
	case has(`name="query"`), has(`name='query'`), has(`name=query`):
		return ErrNoEndpoint // the words of a form ("timeout", "forbidden") are no message
	case has(`<table class="sparql"`):
		return ErrFormat
	}
	if said := says(text(page)); said != "" {
		return said
	}
	return ErrNoEndpoint
}

// isPage reports whether bytes begin a page in HTML.
func isPage(head []byte) bool {
	lower := bytes.ToLower(bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n"))
	if len(lower) == 0 || lower[0] != '<' {
		return false
	}
	for _, start := range [...]string{"<!doctype html", "<html", "<head", "<body", "<center", "<h1"} {
		if bytes.HasPrefix(lower, []byte(start)) {
			return true
		}
	}
	prolog := lower[:min(len(lower), 1000)]
	return (bytes.HasPrefix(lower, []byte("<?xml")) || bytes.HasPrefix(lower, []byte("<!--"))) &&
		(bytes.Contains(prolog, []byte("<html")) || bytes.Contains(prolog, []byte("<!doctype html")))
}

// plain returns what bytes say as one line of printable text, without markup, cut to maxMessage.
func plain(b []byte) string {
	s := text(b)
	if len(s) <= maxMessage {
		return s
	}
	s = s[:maxMessage]
	for len(s) > 0 && !utf8.ValidString(s) { // of the last character alone
		s = s[:len(s)-1]
	}
	return s + "…"
}

// text returns the text of bytes that may be a page or not, in one line.
func text(b []byte) string {
	b = b[:min(len(b), maxHead)]
	if !isMarkup(b) {
		return line(string(b))
	}
	var s strings.Builder
	z := html.NewTokenizer(bytes.NewReader(b))
	hidden := ""
	for {
		switch z.Next() {
		case html.ErrorToken:
			return line(s.String())
		case html.StartTagToken:
			if name, _ := z.TagName(); hidden == "" && (string(name) == "style" || string(name) == "script") {
				hidden = string(name)
			}
			s.WriteByte(' ')
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == hidden {
				hidden = ""
			}
			s.WriteByte(' ')
		case html.TextToken:
			if hidden == "" {
				s.Write(z.Text())
			}
		}
	}
}

// isMarkup reports whether bytes hold elements rather than the IRIs of a quoted query.
func isMarkup(b []byte) bool {
	lower := bytes.ToLower(b)
	for _, tag := range [...]string{"<html", "<p>", "<h1", "<pre", "<title", "<br", "</"} {
		if bytes.Contains(lower, []byte(tag)) {
			return true
		}
	}
	return false
}

// line returns text in one line, of printable characters.
func line(s string) string {
	s = strings.Map(func(r rune) rune {
		if !strconv.IsPrint(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// number returns a whole number of a header, 0 for none.
func number(s string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(s), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
