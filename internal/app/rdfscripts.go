package app

import (
	"bytes"
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// A script is JSON-LD as it stands in a page.
type script struct {
	text         []byte
	line, column int // of its first character, from 1
}

// placed is an error in the script's text as one in the page.
func (s script) placed(err error) error {
	var at *syntax.Error
	if !errors.As(err, &at) {
		return err
	}
	e := *at
	if e.Line == 1 {
		e.Column += s.column - 1
	}
	e.Line += s.line - 1
	return &e
}

// scriptsOf returns the JSON-LD scripts of a page, and what is relative in them is relative to: the
// page's <base>, or its URL.
func scriptsOf(text []byte, url string) (found []script, base string) {
	z := html.NewTokenizer(bytes.NewReader(text))
	line, column, inside, based := 1, 1, false, false
	base = url
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return found, base
		case html.TextToken:
			if inside {
				found = append(found, script{bytes.Clone(raw), line, column})
			}
		}
		line, column = behind(raw, line, column) // before attributes are read, which are unescaped in place
		inside = false
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch name, more := z.TagName(); {
		case !more:
		case string(name) == "script":
			mediaType, _, _ := strings.Cut(attribute(z, "type"), ";")
			inside = strings.EqualFold(strings.TrimSpace(mediaType), "application/ld+json")
		case string(name) == "base" && !based:
			if href := strings.TrimSpace(attribute(z, "href")); href != "" {
				based = true
				base = against(url, href)
			}
		}
	}
}

// attribute returns the first attribute of a name of the tag at hand.
func attribute(z *html.Tokenizer, name string) string {
	for more := true; more; {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == name {
			return string(value)
		}
	}
	return ""
}

// against resolves a page's <base>. What is no IRI changes nothing.
func against(url, href string) string {
	b, err := iri.ParseBase(url)
	if err != nil {
		return url
	}
	if base, err := b.Resolve(href); err == nil && iri.Check(base) == nil {
		return base
	}
	return url
}

// behind is the place behind a text that starts at a place.
func behind(raw []byte, line, column int) (int, int) {
	if lines := bytes.Count(raw, []byte{'\n'}); lines > 0 {
		line, column = line+lines, 1
		raw = raw[bytes.LastIndexByte(raw, '\n')+1:]
	}
	return line, column + utf8.RuneCount(raw)
}
