package page

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/rdfa"
	"orbweaver/text"
)

// DataOptions say how the data of a page is read. The zero value loads no contexts.
type DataOptions struct {
	// Load fetches JSON-LD's remote contexts, as in jsonld.Options. What has one that cannot be had says
	// nothing but that.
	Load     func(ctx context.Context, url string) (body io.ReadCloser, contentType, finalURL string, err error)
	Contexts *jsonld.Contexts // keeps them from one page to the next; nil: for this page alone
	Used     func(url string) // receives each context that a script or document needs, kept ones included; may be nil

	Syntaxes []embedded.Syntax // that are read within HTML; nil: all
}

// What is kept of the data of a page.
const (
	maxQuads    = 100_000
	maxTerms    = 32 << 20 // bytes of all terms
	maxProblems = 100
)

// What JSON-LD may cost. A script can be made to take three seconds, and is not stopped in between.
const (
	maxScripts      = 64      // of a page
	maxValues       = 1 << 17 // of the JSON of a document, script or context
	maxContextBytes = 1 << 20 // of all contexts of a document or script
)

// errMoreData says that a page has more data than is kept.
var errMoreData = errors.New("more data than is kept of a page")

// Data reads the data of a page that is Pending: that embedded in HTML, or a document of JSON-LD, whose contexts may
// have to be fetched. It gives the page its Quads, at most 100 000 with at most 100 problems between them, and links
// FromTriple, as many as Options allows a page, after the existing ones. IRIs that describe a page's display, such as
// Open Graph's, are no links. A document of JSON-LD gets its text, title and language, too.
//
// The page must not be shared yet. A page that is not Pending stays as it is; so does one whose reading ctx ends,
// with ctx's error, which is the only one: what is wrong with data is in Quads. ctx is examined between the scripts
// and syntaxes of a page, each of which may be seconds of work if it means harm.
func (r *Reader) Data(ctx context.Context, p *orbweaver.Page, opts DataOptions) error {
	if !p.Pending {
		return ctx.Err()
	}
	d := data{page: p, opts: opts, limits: r.opts, kept: store{page: p.URL}}
	read := d.embedded
	if p.MediaType == typeLDJSON {
		read = d.document
	}
	if read(ctx); ctx.Err() != nil {
		return ctx.Err()
	}
	p.Pending = false
	if d.kept.any() || p.MediaType == typeLDJSON {
		p.Quads = d.kept.all
	}
	d.finish(r.opts.Simhash)
	return nil
}

// data is what is read of one page. Nothing of the page is changed before all of it is.
type data struct {
	page   *orbweaver.Page
	opts   DataOptions
	limits Options
	kept   store
	layout []bool // of the quads kept: it is no link's
}

// jsonLD returns how JSON-LD is read.
func (d *data) jsonLD() jsonld.Options {
	return jsonld.Options{Load: d.opts.Load, Contexts: d.opts.Contexts, Used: d.opts.Used, MaxValues: maxValues, MaxContextBytes: maxContextBytes}
}

// embedded reads the data within HTML.
func (d *data) embedded(ctx context.Context) {
	opts := embedded.Options{Name: d.page.URL, Base: iri.Encode(d.page.URL), Syntaxes: d.opts.Syntaxes, JSONLD: d.jsonLD(), MaxScripts: maxScripts}
	if d.page.MediaType == typeXHTML {
		opts.Host = rdfa.XHTML5
	}
	for s, err := range embedded.Read(ctx, d.page.Body, opts) {
		if !d.kept.add(s.Quad, err) {
			return
		}
		if err == nil {
			d.layout = append(d.layout, s.Syntax == embedded.OpenGraph || isLayout(s.P.Value))
		}
	}
}

// isLayout reports whether a predicate describes a page's display, or is a name with an undeclared prefix.
func isLayout(predicate string) bool {
	rest, secure := strings.CutPrefix(predicate, "https://")
	if !secure {
		var plain bool
		if rest, plain = strings.CutPrefix(predicate, "http://"); !plain {
			return !strings.HasPrefix(predicate, "urn:")
		}
	}
	for _, start := range [...]string{
		"ogp.me/ns", "opengraphprotocol.org/schema/", "www.facebook.com/2008/fbml", "dev.twitter.com/cards#",
		"www.w3.org/1999/xhtml/vocab#", "www.w3.org/ns/rdfa#", "api.w.org/",
	} {
		if strings.HasPrefix(rest, start) {
			return true
		}
	}
	return false
}

// document reads a document of JSON-LD. A reader that crashes has nothing more to say of it.
func (d *data) document(ctx context.Context) {
	defer func() {
		if crash := recover(); crash != nil {
			d.kept.add(rdf.Quad{}, fmt.Errorf("%s: the reader crashed: %v", d.page.URL, crash))
		}
	}()
	opts := d.jsonLD()
	opts.Context, opts.Options = ctx, syntax.Options{Name: d.page.URL, Base: iri.Encode(d.page.URL)}
	opts.OnError = func(err error) { d.kept.add(rdf.Quad{}, err) }
	body := bytes.NewReader(unicodeText(inContext(d.page), "application/json; charset=utf-8"))
	for q, err := range embedded.Whole(opts, func(o jsonld.Options) iter.Seq2[rdf.Quad, error] { return jsonld.Read(body, o) }) {
		if !d.kept.add(q, err) {
			return
		}
	}
}

// contextRelation is what a header Link calls the context of JSON that has none of its own.
const contextRelation = "http://www.w3.org/ns/json-ld#context"

// headerContext is the URL of the context that a page's header gives it; empty: none.
func headerContext(p *orbweaver.Page) string {
	for i := range p.Links {
		if l := &p.Links[i]; l.Origin == orbweaver.FromHeader && slices.Contains(strings.Fields(l.Rel), contextRelation) {
			return l.To
		}
	}
	return ""
}

// isLinkedJSON says whether a page is JSON that its header says how to read as JSON-LD.
func isLinkedJSON(p *orbweaver.Page) bool {
	plain := p.MediaType == typeJSON || strings.HasSuffix(p.MediaType, "+json") && p.MediaType != typeJSONFeed
	return plain && headerContext(p) != ""
}

// inContext returns a document of JSON-LD with the context that its header gives it. One of its own
// stands alone: JSON-LD 1.1 would have both, one upon the other.
func inContext(p *orbweaver.Page) []byte {
	context := headerContext(p)
	body := bytes.TrimLeft(bytes.TrimPrefix(p.Body, []byte("\xef\xbb\xbf")), " \t\r\n")
	if context == "" || bytes.Contains(body, []byte(`"@context"`)) || len(body) == 0 {
		return p.Body
	}
	start := `{"@context":` + strconv.Quote(context) + `,`
	switch rest := bytes.TrimLeft(body[1:], " \t\r\n"); {
	case body[0] == '[':
		return slices.Concat([]byte(start+`"@graph":`), body, []byte("}"))
	case body[0] == '{' && len(rest) > 0 && rest[0] != '}':
		return append([]byte(start), rest...)
	}
	return p.Body
}

// finish gives the page what follows from its quads.
func (d *data) finish(simhash bool) {
	p := d.page
	g := newGraph(p, d.limits)
	if p.MediaType != typeLDJSON {
		for i, q := range d.kept.quads {
			if !d.layout[i] {
				g.relate(q)
				g.called(q)
			}
		}
		g.anchors()
		return
	}
	was := p.Lang
	p.Lang = ""
	for _, q := range d.kept.quads {
		g.add(q)
	}
	g.finish()
	if p.Lang == "" {
		if p.Lang = was; was == "" {
			p.Lang = language("", p.Text)
		}
	}
	if simhash {
		p.Simhash = text.Simhash(p.Text)
	}
}

// A store keeps the quads of a page with the problems met between them.
type store struct {
	page     string
	quads    []rdf.Quad
	problems []problem
	bytes    int // of terms
	more     int // problems that were not kept
	full     bool
}

// A problem is one that was met when so many quads had been read.
type problem struct {
	behind int
	err    error
}

// any reports whether there is anything to report.
func (s *store) any() bool { return len(s.quads)+len(s.problems) > 0 }

// add keeps a quad, or a problem if there is one; false: no more is kept.
func (s *store) add(q rdf.Quad, err error) bool {
	switch {
	case s.full:
	case err != nil && len(s.problems) == maxProblems-1: // one is left to say that there are more
		s.more++
	case err != nil:
		s.problems = append(s.problems, problem{len(s.quads), err})
	case len(s.quads) == maxQuads || s.bytes > maxTerms:
		s.add(q, fmt.Errorf("%s: %w", s.page, errMoreData))
		s.full = true
	default:
		for _, t := range [...]*rdf.Term{&q.S, &q.P, &q.O, &q.G} {
			s.bytes += len(t.Value)
		}
		s.quads = append(s.quads, q)
	}
	return !s.full
}

// all yields the kept quads; it may be iterated repeatedly.
func (s *store) all(yield func(rdf.Quad, error) bool) {
	next := 0
	for _, p := range s.problems {
		for ; next < p.behind; next++ {
			if !yield(s.quads[next], nil) {
				return
			}
		}
		if !yield(rdf.Quad{}, p.err) {
			return
		}
	}
	for ; next < len(s.quads); next++ {
		if !yield(s.quads[next], nil) {
			return
		}
	}
	if s.more > 0 {
		yield(rdf.Quad{}, fmt.Errorf("%s: %d more problems", s.page, s.more))
	}
}
