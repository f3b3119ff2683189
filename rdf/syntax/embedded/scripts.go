package embedded

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
)

// scripts reads a page's JSON-LD, each script as a separate document.
func (r *reader) scripts() {
	if !mentions(r.page, 'j') && !mentions(r.page, 'J') {
		return
	}
	found, total, base := scriptsOf(r.page, r.opts.Base, r.opts.MaxScripts)
	if total > len(found) {
		r.complain(fmt.Errorf("%d scripts: the first %d are read", total, len(found)))
	}
	opts := r.opts.JSONLD
	opts.Name, opts.Base = r.opts.Name, base
	if opts.Context == nil {
		opts.Context = r.ctx
	}
	if opts.Work == nil {
		left := jsonld.MaxWork
		opts.Work = &left
	}
	if opts.Load != nil {
		l := loads{load: opts.Load, left: r.opts.MaxLoads, failed: map[string]error{}}
		if l.left <= 0 {
			l.left = DefaultMaxLoads
		}
		if opts.Load = l.ask; opts.Contexts == nil {
			opts.Contexts = jsonld.NewContexts(jsonld.DefaultMaxContextBytes)
		}
	}
	for i, s := range found {
		if r.stopped || r.ctx.Err() != nil {
			return
		}
		opts.OnError = func(err error) { r.complain(s.placed(err)) }
		quads := Whole(opts, func(o jsonld.Options) iter.Seq2[rdf.Quad, error] { return jsonld.ReadScript(s.text, o) })
		r.take(strconv.Itoa(i+1), func(yield func(rdf.Quad, error) bool) {
			for q, err := range quads {
				if !yield(q, s.placed(err)) {
					return
				}
			}
		})
	}
}

// mentions reports whether "json" occurs in a page, in any case; j is its first letter.
func mentions(page []byte, j byte) bool {
	const word = "json"
	for at := 0; ; at++ {
		i := bytes.IndexByte(page[at:], j)
		if i < 0 {
			return false
		}
		if at += i; len(page)-at >= len(word) && bytes.EqualFold(page[at:at+len(word)], []byte(word)) {
			return true
		}
	}
}

// loads loads the contexts of one page: at most a given number, and none again after a failure.
type loads struct {
	load   func(ctx context.Context, url string) (io.ReadCloser, string, string, error)
	left   int
	failed map[string]error
}

// ask implements jsonld.Options.Load.
func (l *loads) ask(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	if err := l.failed[url]; err != nil {
		return nil, "", "", err
	}
	if l.left--; l.left < 0 {
		return nil, "", "", errors.New("the page asks for too many contexts")
	}
	body, contentType, final, err := l.load(ctx, url)
	if err != nil {
		l.failed[url] = err
	}
	return body, contentType, final, err
}

// Whole reads JSON-LD leniently by a function of package jsonld, except that an unavailable remote context
// ends the sequence with its error: without it names would have a different meaning, or none.
func Whole(opts jsonld.Options, read func(jsonld.Options) iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		var missing error
		report := opts.Report
		opts := opts
		opts.Lenient = true
		opts.OnError = func(err error) {
			var at *syntax.Error
			switch {
			case !errors.As(err, &at) || at.Err == nil || at.Msg != "remote context":
				report(err)
			case missing == nil:
				missing = err
			}
		}
		for q, err := range read(opts) {
			if missing != nil {
				break
			}
			if !yield(q, err) {
				return
			}
		}
		if missing != nil {
			yield(rdf.Quad{}, missing)
		}
	}
}

// A script is the JSON-LD of a script element.
type script struct {
	text         []byte
	line, column int // of its first character, from 1
}

// placed converts the position of an error in the script to one in the page.
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

// scriptsOf returns the first JSON-LD scripts of a page, at most most of them; their total number; and the
// base of relative IRIs: the page's <base>, or its URL.
func scriptsOf(text []byte, url string, most int) (found []script, total int, base string) {
	z := html.NewTokenizer(bytes.NewReader(text))
	line, column, inside, based := 1, 1, false, false
	base = url
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return found, total, base
		case html.TextToken:
			if !inside {
				break
			}
			if total++; total <= most {
				found = append(found, script{bytes.Clone(raw), line, column})
			}
		}
		line, column = behind(raw, line, column) // before attributes are read, which modifies raw
		inside = false
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch name, more := z.TagName(); {
		case string(name) == "noscript": // its content is markup, since no scripts run
			z.NextIsNotRawText()
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

// attribute returns the first attribute with a name in the current tag.
func attribute(z *html.Tokenizer, name string) string {
	for more := true; more; {
		var key, value []byte
		if key, value, more = z.TagAttr(); string(key) == name {
			return string(value)
		}
	}
	return ""
}

// against resolves a page's <base>. An invalid one is ignored.
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

// behind returns the position after a text that starts at a position.
func behind(raw []byte, line, column int) (int, int) {
	if lines := bytes.Count(raw, []byte{'\n'}); lines > 0 {
		line, column = line+lines, 1
		raw = raw[bytes.LastIndexByte(raw, '\n')+1:]
	}
	return line, column + utf8.RuneCount(raw)
}
