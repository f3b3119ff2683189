// Package opengraph reads the Open Graph (https://ogp.me/) and Twitter card metadata of HTML pages: <meta
// property="og:title" content="…">, also with "name" instead of "property".
//
// The subject of every triple is the page, by its URL. A property is a term of the namespace of its prefix:
// og:title is http://ogp.me/ns#title, article:author is http://ogp.me/ns/article#author. Structured
// properties stay flat, as in RDFa: og:image:width is http://ogp.me/ns#image:width, and the triples do not
// say to which of several images it belongs. Twitter cards have no vocabulary; https://dev.twitter.com/cards#
// serves as their namespace.
//
// Values are plain strings, except for properties that are URLs: those are IRIs, resolved against the page's
// URL or its <base>.
package opengraph

import (
	"bytes"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
)

// maxNames is the maximum number of properties in one tag.
const maxNames = 16

// Read returns the triples of a page's metadata in page order, in head and body. Base is the page's URL and
// is required. The page is read as a stream of tags, in UTF-8; MaxToken bounds one tag. Nothing in a page is
// a mistake: unknown content is skipped. The sequence ends with an error, in lenient mode too, if reading
// fails, a tag is too long or there is no base. It can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		opts := opts.Filled()
		p := reader{at: syntax.Error{Name: opts.Name, Line: 1, Column: 1}, yield: yield}
		if err := p.run(r, opts); err != nil {
			yield(rdf.Triple{}, err)
		}
	}
}

// A reader reads the tags of a page.
type reader struct {
	at    syntax.Error // where the current tag starts
	yield func(rdf.Triple, error) bool
	page  rdf.Term
	base  iri.Base
	based bool // a <base> was seen; the first counts
}

// run reads the page. It returns nil when the consumer stops.
func (p *reader) run(r io.Reader, opts syntax.Options) (err error) {
	if p.base, err = iri.ParseBase(opts.Base); err != nil {
		return p.wrong("base: "+err.Error(), nil)
	}
	p.page = rdf.NewIRI(p.base.String())
	z := html.NewTokenizer(r)
	z.SetMaxBuf(opts.MaxToken)
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return p.end(z.Err())
		case html.StartTagToken, html.SelfClosingTagToken:
			if !p.tag(z) {
				return nil
			}
		}
		p.pass(raw)
	}
}

// end returns the error that ended the page.
func (p *reader) end(err error) error {
	switch err {
	case io.EOF:
		return nil
	case html.ErrBufferExceeded:
		return p.wrong("a tag or text is too long", nil)
	}
	return p.wrong("reading", err)
}

func (p *reader) wrong(msg string, err error) error {
	e := p.at
	e.Msg, e.Err = msg, err
	return &e
}

// pass advances the position past a token.
func (p *reader) pass(raw []byte) {
	if lines := bytes.Count(raw, []byte{'\n'}); lines > 0 {
		p.at.Line += lines
		p.at.Column = 1
		raw = raw[bytes.LastIndexByte(raw, '\n')+1:]
	}
	p.at.Column += utf8.RuneCount(raw)
}

// tag reads a start tag and reports whether the consumer wants more.
func (p *reader) tag(z *html.Tokenizer) bool {
	name, more := z.TagName()
	if !more {
		return true
	}
	switch string(name) {
	case "base":
		p.rebase(attributes(z)["href"])
	case "meta":
		return p.meta(attributes(z))
	}
	return true
}

// attributes returns the relevant attributes of a tag, the first of each name.
func attributes(z *html.Tokenizer) map[string]string {
	values := map[string]string{}
	for more := true; more; {
		var key, value []byte
		key, value, more = z.TagAttr()
		switch name := string(key); name {
		case "property", "name", "content", "href":
			if _, seen := values[name]; !seen {
				values[name] = strings.ToValidUTF8(string(value), "\ufffd")
			}
		}
	}
	return values
}

// rebase sets the base URL to the page's <base>.
func (p *reader) rebase(href string) {
	if p.based || href == "" {
		return
	}
	p.based = true
	if address, ok := p.resolve(href); ok {
		if base, err := iri.ParseBase(address); err == nil {
			p.base = base
		}
	}
}

// meta delivers the triples of a <meta> and reports whether the consumer wants more.
func (p *reader) meta(attrs map[string]string) bool {
	content, ok := attrs["content"]
	if content = strings.TrimSpace(content); !ok || content == "" {
		return true
	}
	names := strings.Fields(attrs["property"])
	if len(names) == 0 {
		names = strings.Fields(attrs["name"])
	}
	for _, name := range names[:min(len(names), maxNames)] {
		prefix, local, _ := strings.Cut(name, ":")
		prefix = strings.ToLower(prefix)
		space := namespace(prefix)
		if space == "" || local == "" || iri.CheckRef(local) != nil {
			continue
		}
		triple := rdf.Triple{S: p.page, P: rdf.NewIRI(space + local), O: p.value(prefix, local, content)}
		if !p.yield(triple, nil) {
			return false
		}
	}
	return true
}
