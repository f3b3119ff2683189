package offline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/gate"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/contexts"
	"orbweaver/internal/services/wire"
	"orbweaver/page"
	"orbweaver/rdf"
	inpage "orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/rdfa"
	"orbweaver/weburl"
)

// ExtractOptions configures ExtractRDF. The zero value writes Turtle.
type ExtractOptions struct {
	NQuads   bool     // each syntax in its own graph
	JSON     bool     // only counts and problems
	Base     string   // base URL of the page; empty: its own URL
	Contexts []string // IRI=FILE: local copies of JSON-LD's remote contexts

	// For URLs.
	Crawl   string // crawl file whose settings and archive the fetch uses; empty: the defaults
	Contact string // sent with every request
	Private bool   // private addresses may be reached
	Force   bool   // ignore scope and robots.txt
}

// ExtractRDF writes the data embedded in a page to Out, syntax by syntax, and its problems to Err. The
// page is a file, "-" for In, or a URL. Fetching a URL, and the JSON-LD contexts of its page, follows a
// crawl's politeness; a file causes no request.
//
// Errors wrap ErrInput if the file cannot be read or is not a page; otherwise they describe why the fetch
// failed. A page without data is not an error.
func ExtractRDF(ctx context.Context, a *job.Job, from string, opts ExtractOptions) error {
	remote, err := contexts.NewRemote(ctx, opts.Contexts)
	if err = errors.Join(err, rdffile.CheckBase(opts.Base)); err != nil {
		return err
	}
	var p *markup
	if isAddress(from) {
		t, isPrivate, err := newFetchRun(a.Schema(), opts, a.Wire)
		if err != nil {
			return err
		}
		defer t.Web.Close()
		if p, err = markupAt(ctx, t, from); err != nil {
			return reachable(err, from, !opts.Private && isPrivate(ctx, from))
		}
		defer remote.From(ctx, t.Get, t.Hops)()
	} else if p, err = markupOf(ctx, a, from); err != nil {
		return err
	}
	if opts.Base != "" {
		p.base = opts.Base
	}
	if p.base == "" {
		return fmt.Errorf("%s: embedded data describes its page: give the page's URL with --base (%w)", p.name, orbweaver.ErrInput)
	}
	e := p.extract(ctx, remote)
	if ctx.Err() != nil {
		return console.ErrInterrupted
	}
	if remote.StoodIn {
		console.Say(a.Err, "%s: schema.org's context is unavailable: all its names are read as http://schema.org/ names, all values as text; name a local copy with --context https://schema.org=FILE", p.name)
	}
	return printExtract(a, e, opts)
}

// reachable adds --allow-private to the error of a URL that the user named at a private address. The error may also be a
// robots.txt refusal, if robots.txt could not be fetched; --force does not help then. An address to which a server redirects
// is no reason for the advice.
func reachable(err error, url string, private bool) error {
	if !private || !errors.Is(err, orbweaver.ErrPrivate) && !strings.Contains(err.Error(), "robots.txt: "+string(orbweaver.ErrPrivate)) {
		return err
	}
	return fmt.Errorf("fetch %s: %w: it is on a private network; --allow-private permits that", url, orbweaver.ErrPrivate)
}

// isAddress reports whether an argument is a URL, not a file.
func isAddress(s string) bool {
	scheme, _, found := strings.Cut(s, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// markup is the source of a page.
type markup struct {
	name string // name in messages
	base string // URL of the page
	host rdfa.Host
	text []byte // UTF-8
}

// newFetchRun returns a JudgeRun without a focus: it only fetches and parses pages. isPrivate reports whether a URL is refused
// for the address of its own host.
func newFetchRun(schema crawlfile.Schema, opts ExtractOptions, wire wire.Wire) (t *judge.JudgeRun, isPrivate func(context.Context, string) bool, err error) {
	file := schema.Defaults()
	if opts.Crawl != "" {
		if file, err = schema.Load(opts.Crawl); err != nil {
			return nil, nil, err
		}
	}
	file.Truth, file.Render.When = nil, "never"
	if opts.Private {
		file.AllowPrivate.All = true
	}
	if opts.Contact != "" {
		file.Politeness.Contact = opts.Contact
	}
	c := &assembly.Crawl{Path: opts.Crawl, File: file, Wire: wire}
	if err = c.PrepareWeb(wire); err == nil {
		c.Gate, err = gate.New(file.Scope, c.Web, file.Politeness.Robots && (file.Web == nil || file.Web.Robots == "archived"), file.Politeness.UserAgent)
	}
	if err != nil {
		return nil, nil, errors.Join(err, c.Close())
	}
	isPrivate = func(ctx context.Context, url string) bool {
		if canonical, err := judge.AddressOf(url); err == nil && c.Client != nil {
			_, err = c.Client.Locate(ctx, weburl.Host(canonical))
			return errors.Is(err, orbweaver.ErrPrivate)
		}
		return false
	}
	return &judge.JudgeRun{
		Web: judge.Source(c), Scope: c.Gate.Scope.Allows, Hops: file.Limits.Redirects, Force: opts.Force,
		Pipeline: &pipeline.Pipeline{Read: page.NewReader(page.Options{MaxBody: file.Limits.Body}), MaxBody: file.Limits.Body},
	}, isPrivate, nil
}

// markupAt fetches a page.
func markupAt(ctx context.Context, t *judge.JudgeRun, address string) (*markup, error) {
	url, err := judge.AddressOf(address)
	if err != nil {
		return nil, err
	}
	v := &judge.Verdict{URL: url}
	response, payload, err := t.Answer(ctx, url, v)
	if err != nil {
		return nil, err
	}
	p, _, err := t.Pipeline.Page(ctx, response, payload, pipeline.Direct(t.Get))
	if err != nil {
		return nil, err
	}
	m := &markup{name: v.Last(), base: v.Last()}
	switch p.MediaType {
	case "text/html":
	case "application/xhtml+xml":
		m.host = rdfa.XHTML5
	default:
		return nil, fmt.Errorf("%s: %w: %s is not a page; orbweaver rdf convert reads RDF documents", m.name, orbweaver.ErrUnreadable, p.MediaType)
	}
	body, err := page.Decode(response.Header, payload, t.Pipeline.MaxBody)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", m.name, err)
	}
	m.text = rdffile.AsUTF8(body, response.Header.Get("Content-Type"))
	return m, nil
}

// markupOf reads a page from a file.
func markupOf(ctx context.Context, a *job.Job, name string) (*markup, error) {
	in, err := rdffile.Open(ctx, name, a.In)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	if n, _ := rdffile.Guess(in.Inner, in.Head()); n != "" {
		return nil, fmt.Errorf("%s: is %s, not a page: read it with orbweaver rdf convert (%w)", in.Name, n.Title(), orbweaver.ErrInput)
	}
	text, err := io.ReadAll(io.LimitReader(in.Text, rdffile.MaxPage+1))
	if err == nil && len(text) > rdffile.MaxPage {
		err = orbweaver.ErrTooLarge
	}
	switch {
	case ctx.Err() != nil:
		return nil, console.ErrInterrupted
	case err != nil:
		return nil, fmt.Errorf("%s: %w (%w)", in.Name, err, orbweaver.ErrInput)
	}
	host := rdfa.HTML5
	if strings.HasSuffix(strings.ToLower(in.Inner), ".xhtml") {
		host = rdfa.XHTML5
	}
	return &markup{name: in.Name, base: in.Base, host: host, text: rdffile.AsUTF8(text, "")}, nil
}

// extract is the data of a page.
type extract struct {
	URL      string     `json:"url"`
	Triples  int        `json:"triples"`
	Syntaxes []dataPart `json:"syntaxes"` // all syntaxes of embedded data

	name string
}

// dataPart is the data in one syntax.
type dataPart struct {
	Syntax   rdffile.Notation `json:"syntax"`
	Triples  int              `json:"triples"`
	Problems []problem        `json:"problems,omitempty"`
	More     int              `json:"more_problems,omitempty"` // beyond maxProblems

	quads []rdf.Quad
}

// problem is an error in the page. Line 0 means an unknown position.
type problem struct {
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Message string `json:"message"`
}

// maxProblems bounds the listed problems of a syntax.
const maxProblems = 100

// maxScripts bounds the JSON-LD scripts of a page that are read.
const maxScripts = inpage.DefaultMaxScripts

// extract reads all data of a page. A problem ends only the element that it occurs in.
func (m *markup) extract(ctx context.Context, remote *contexts.Remote) *extract {
	e := &extract{URL: m.base, name: m.name}
	parts := map[inpage.Syntax]*dataPart{}
	for _, n := range rdffile.Embedded() {
		e.Syntaxes = append(e.Syntaxes, dataPart{Syntax: n})
	}
	for i := range e.Syntaxes {
		parts[inpage.Syntax(e.Syntaxes[i].Syntax)] = &e.Syntaxes[i]
	}
	opts := inpage.Options{
		Name: m.name, Base: m.base, Host: m.host, Apart: true, MaxScripts: maxScripts,
		JSONLD: jsonld.Options{Load: remote.LoadOrStandIn, Context: remote.Ctx, Contexts: remote.Kept},
	}
	for s, err := range inpage.Read(ctx, m.text, opts) {
		if p := parts[s.Syntax]; err != nil {
			p.complain(err)
		} else {
			p.quads = append(p.quads, s.Quad)
			p.Triples++
			e.Triples++
		}
	}
	return e
}

// complain records a problem.
func (p *dataPart) complain(err error) {
	if len(p.Problems) == maxProblems {
		p.More++
		return
	}
	found := problem{Message: err.Error()}
	var at *inpage.Problem
	if errors.As(err, &at) {
		found = problem{Line: at.Line, Column: at.Column, Message: at.Msg}
	}
	p.Problems = append(p.Problems, found)
}
