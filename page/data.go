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

// DataOptions configure reading the data of a page. The zero value loads no contexts.
type DataOptions struct {
	// Load fetches JSON-LD's remote contexts, as in jsonld.Options. Data whose context cannot be fetched yields
	// only an error.
	Load     func(ctx context.Context, url string) (body io.ReadCloser, contentType, finalURL string, err error)
	Contexts *jsonld.Contexts // caches them across pages; nil: for this page only
	Used     func(url string) // called for each context that a script or document needs, cached ones included; may be nil

	Syntaxes []embedded.Syntax // that are read within HTML; nil: all
	Bare     bool              // the statements are added to the page, and no links, text, title or language
}

// Limits on the data of a page.
const (
	maxQuads    = 100_000
	maxTerms    = 32 << 20 // bytes of all terms
	maxProblems = 100
)

// Limits on JSON-LD. Within them a script can take three seconds, and cannot be interrupted.
const (
	maxScripts      = 64      // of a page
	maxValues       = 1 << 17 // of the JSON of a document, script or context
	maxContextBytes = 1 << 20 // of all contexts of a document or script
)

// errMoreData means that a page exceeds the limits on data.
var errMoreData = errors.New("more data than is kept of a page")

// Data reads the data of a page that is Pending: that embedded in HTML, or a document of JSON-LD, whose
// contexts may have to be fetched. It sets Quads, at most 100 000 read, each once, with at most 100 problems between them, and Data, and
// appends links FromTriple, within Options.MaxLinks. IRIs that describe a page's display, such as Open Graph's,
// are no links. A document of JSON-LD also gets its text, title and language.
//
// The page must not be shared yet. Data leaves a page that is not Pending unchanged, and also one whose reading
// ctx ends, with ctx's error, which is the only one: problems of the data are in Quads. ctx is checked between
// the scripts and syntaxes of a page, each of which may take seconds if it is hostile.
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
	flawed(p, flawData, d.kept.mistakes)
	d.once()
	if d.kept.any() || p.MediaType == typeLDJSON {
		p.Quads = d.kept.all
	}
	if p.Data = d.counts(); p.MediaType == typeLDJSON {
		p.Data = inDocument(int64(len(d.kept.quads)))
	}
	if !opts.Bare {
		d.finish(r.opts.Simhash)
	}
	return nil
}

// data is what was read of one page. The page changes only when all of it has been read.
type data struct {
	page   *orbweaver.Page
	opts   DataOptions
	limits Options
	kept   store
	said   []saying // by quad; not of a document
}

// A saying is how a statement stands within HTML.
type saying struct {
	in     embedded.Syntax
	layout bool // it describes layout and is no link
}

// once removes quads that stand before, said by another syntax or said twice. What is layout to one syntax alone is not layout. All of them
// have counted to the limits: a page that says the same without end is not read to its end.
func (d *data) once() {
	first := make(map[rdf.Quad]int, len(d.kept.quads))
	d.kept.thin(func(from, to int) bool {
		q := d.kept.quads[from]
		at, again := first[q]
		switch {
		case again && d.said != nil:
			d.said[at].layout = d.said[at].layout && d.said[from].layout
		case !again && d.said != nil:
			d.said[to] = d.said[from]
		}
		if !again {
			first[q] = to
		}
		return !again
	})
	if d.said != nil {
		d.said = d.said[:len(d.kept.quads)]
	}
}

// jsonLD returns the options of JSON-LD.
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
			d.said = append(d.said, saying{s.Syntax, s.Syntax == embedded.OpenGraph || isLayout(s.P.Value)})
		}
	}
}

// counts returns the statements within HTML by syntax; those of a syntax follow one another.
func (d *data) counts() (list []rdf.Count) {
	for _, s := range d.said {
		if n := len(list); n == 0 || list[n-1].In != string(s.in) {
			list = append(list, rdf.Count{In: string(s.in)})
		}
		list[len(list)-1].Triples++
	}
	return list
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

// document reads a document of JSON-LD. A panic of the reader ends the document.
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

// contextRelation is the Link relation of an external context (JSON-LD 1.1, section 6.1).
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

// isLinkedJSON reports whether a page is JSON with a context in its header.
func isLinkedJSON(p *orbweaver.Page) bool {
	plain := p.MediaType == typeJSON || strings.HasSuffix(p.MediaType, "+json") && p.MediaType != typeJSONFeed
	return plain && headerContext(p) != ""
}

// inContext returns a JSON document with the context of its header. If the document has its own context, the
// header's is ignored, although JSON-LD 1.1 would combine them.
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

// finish sets the properties of the page that derive from its quads.
func (d *data) finish(simhash bool) {
	p := d.page
	g := newGraph(p, d.limits)
	if p.MediaType != typeLDJSON {
		for i, q := range d.kept.quads {
			if !d.said[i].layout {
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

// A store keeps the quads of a page with the problems between them.
type store struct {
	page     string
	quads    []rdf.Quad
	problems []problem
	bytes    int // of terms
	more     int // problems beyond the limit
	mistakes int // of the page itself
	full     bool
}

// A problem is an error after a number of quads.
type problem struct {
	behind int
	err    error
}

// any reports whether there is anything to report.
func (s *store) any() bool { return len(s.quads)+len(s.problems) > 0 }

// add keeps a quad, or a problem if there is one; false: the limit is reached.
func (s *store) add(q rdf.Quad, err error) bool {
	if at := new(syntax.Error); errors.As(err, &at) && at.Err == nil {
		s.mistakes++
	}
	switch {
	case s.full:
	case err != nil && len(s.problems) == maxProblems-1: // the last one reports the number of further ones
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

// thin removes the quads that keep does not want: it is called with the index of each, and that which it will have.
func (s *store) thin(keep func(from, to int) bool) {
	to, next := 0, 0
	for from, q := range s.quads {
		for ; next < len(s.problems) && s.problems[next].behind == from; next++ {
			s.problems[next].behind = to
		}
		if keep(from, to) {
			s.quads[to] = q
			to++
		}
	}
	for ; next < len(s.problems); next++ {
		s.problems[next].behind = to
	}
	s.quads = s.quads[:to]
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
