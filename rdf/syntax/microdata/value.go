package microdata

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"orbweaver/rdf"
	"orbweaver/rdf/internal/lex"
	"orbweaver/rdf/iri"
)

// value returns the value of a property's element: an item, a URL, a number, a time or a text (6.1, "property
// value"). It is zero if there is none.
func (p *reader) value(el *html.Node, vocab *vocabulary, depth int) (rdf.Term, error) {
	if has(el, "itemscope") {
		return p.item(el, vocab, depth+1)
	}
	key := valueAttribute(el)
	value, there := attr(el, key)
	switch key {
	case "href", "src", "data":
		if there {
			return p.reference(el, value)
		}
		return p.instead(el)
	case "value":
		if there {
			return number(value), nil
		}
	case "datetime":
		if !there {
			value = p.written(el)
		}
		return p.moment(el, value), nil
	}
	return p.literal(el, p.written(el)), nil
}

// valueAttribute returns the attribute that holds an element's value in HTML; empty for its text.
func valueAttribute(el *html.Node) string {
	switch el.DataAtom {
	case atom.A, atom.Area, atom.Link:
		return "href"
	case atom.Audio, atom.Embed, atom.Iframe, atom.Img, atom.Source, atom.Track, atom.Video:
		return "src"
	case atom.Object:
		return "data"
	case atom.Data, atom.Meter:
		return "value"
	case atom.Time:
		return "datetime"
	}
	return ""
}

// instead returns the value of an element that lacks its URL: its content attribute, or the text of an <a>,
// if any.
func (p *reader) instead(el *html.Node) (rdf.Term, error) {
	text, ok := attr(el, "content")
	if !ok && el.DataAtom == atom.A {
		text = content(el)
	}
	if trim(text) == "" {
		return rdf.Term{}, nil
	}
	return p.literal(el, text), nil
}

// written returns an element's content attribute, or otherwise its text. A <meta> has no text.
func (p *reader) written(el *html.Node) string {
	if text, ok := attr(el, "content"); ok {
		return text
	}
	return content(el)
}

// content returns the text in an element, without scripts and styles.
func content(el *html.Node) string {
	var text strings.Builder
	skip := false
	for n := next(el, el, false); n != nil; n = next(n, el, skip) {
		skip = n.Type == html.ElementNode && (inert(n) || n.DataAtom == atom.Script || n.DataAtom == atom.Style)
		if n.Type == html.TextNode {
			text.WriteString(n.Data)
		}
	}
	return text.String()
}

// literal returns a text in its element's language.
func (p *reader) literal(el *html.Node, text string) rdf.Term {
	if lang := p.languageOf(el); lang != "" {
		return rdf.NewLang(text, lang)
	}
	return rdf.NewString(text)
}

// languageOf returns the language of an element: that of the nearest lang attribute, or else of the page;
// empty if unknown or not a valid language tag.
func (p *reader) languageOf(el *html.Node) string {
	lang := p.language
	for n := el; n != nil; n = n.Parent {
		value, ok := attr(n, "lang")
		if !ok {
			value, ok = attr(n, "xml:lang")
		}
		if ok {
			lang = trim(value)
			break
		}
	}
	if lang != "" && lex.LangEnd(lang) == len(lang) {
		return lang
	}
	return ""
}

// reference returns the IRI of a URL in an element.
func (p *reader) reference(el *html.Node, value string) (rdf.Term, error) {
	address, err := p.resolve(value)
	if err != nil {
		return rdf.Term{}, p.mistake(el, err.Error())
	}
	return rdf.NewIRI(address), nil
}

// resolve returns the absolute IRI of a URL as written in a page.
func (p *reader) resolve(written string) (string, error) {
	written = strings.Map(func(r rune) rune { // as in HTML's URL parsing
		if r == '\t' || r == '\n' || r == '\r' {
			return -1
		}
		return r
	}, strings.TrimFunc(written, func(r rune) bool { return r <= ' ' }))
	return p.base.Resolve(encoded(written, ""))
}

// rebase sets the base URL to the page's <base>.
func (p *reader) rebase(href string) {
	address, err := p.resolve(href)
	if err != nil {
		return
	}
	if base, err := iri.ParseBase(address); err == nil {
		p.base = base
	}
}

// reserved are the characters that end the fragment of an IRI, or whose escapes change its meaning.
const reserved = "#%[]"

// encoded percent-encodes the characters that an IRI does not allow, and those in more.
func encoded(s, more string) string {
	const hex = "0123456789ABCDEF"
	allowed := func(c byte) bool { return iri.Allowed(c) && strings.IndexByte(more, c) < 0 }
	i := 0
	for i < len(s) && allowed(s[i]) {
		i++
	}
	if i == len(s) {
		return s
	}
	out := append(make([]byte, 0, len(s)+16), s[:i]...)
	for ; i < len(s); i++ {
		if c := s[i]; allowed(c) {
			out = append(out, c)
		} else {
			out = append(out, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(out)
}
