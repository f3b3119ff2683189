// Package contexts provides the remote contexts that JSON-LD documents name. A Library serves the pages of
// a crawl and is safe for concurrent use. A Remote serves a single job, from files first. Both fetch with
// a pipeline.Get, which obeys robots.txt. Reading the data fails if a context is unavailable.
package contexts

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/rdf/syntax/embedded"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/weburl"
)

// Library fetches the remote contexts that the JSON-LD of a crawl names. The first page that needs a
// context fetches it; a Library fetches each context once a session, failures included, within its size
// limits. It is safe for concurrent use.
type Library struct {
	parsed *jsonld.Contexts
	hops   int // redirects followed in a row

	mu      sync.Mutex
	volumes map[string]*volume // by the URL in the document
	bytes   int                // total size of the kept payloads
}

// volume is the result of fetching a context.
type volume struct {
	ready  chan struct{} // closed when the other fields are set
	body   []byte
	kind   string // Content-Type
	found  string // URL after redirects
	beside []any  // *Aside: the exchanges, redirects first
	err    error
}

// Limits of a library.
const (
	maxVolumes      = 4096     // contexts, including failed ones
	maxVolumeBytes  = 32 << 20 // of all payloads
	maxContextBytes = jsonld.DefaultMaxContextBytes
)

// NewLibrary returns an empty library that follows up to hops redirects in a row.
func NewLibrary(hops int) *Library {
	return &Library{parsed: jsonld.NewContexts(Kept), hops: hops, volumes: map[string]*volume{}}
}

// Data reads the data of a page, of some syntaxes or (nil) of all, and fetches contexts with get. It returns the exchanges to archive with
// the page. Its error is that of ctx.
func (l *Library) Data(ctx context.Context, reader *page.Reader, p *orbweaver.Page, syntaxes []embedded.Syntax, get pipeline.Get, away pipeline.Away) (beside []any, err error) {
	return l.data(ctx, reader, p, page.DataOptions{Syntaxes: syntaxes}, get, away)
}

// data is Data with further options.
func (l *Library) data(ctx context.Context, reader *page.Reader, p *orbweaver.Page, opts page.DataOptions, get pipeline.Get, away pipeline.Away) (beside []any, err error) {
	opts.Load, opts.Contexts = l.load(get, away), l.parsed
	opts.Used = func(url string) { beside = append(beside, l.beside(url)...) }
	err = reader.Data(ctx, p, opts)
	if !p.Pending && strings.Contains(p.MediaType, "html") {
		p.Body = nil // no later step reads it
	}
	return beside, err
}

// Completer reads the data of a crawl's pages. It implements pipeline.Completer.
type Completer struct {
	*Library
	Reader   *page.Reader
	Syntaxes []embedded.Syntax          // that are read within HTML; nil: all
	Picks    func(*orbweaver.Page) bool // of which pages data is read, of HTML only the statements; nil: all of all
}

// Complete reads the data of a page.
func (c Completer) Complete(ctx context.Context, p *orbweaver.Page, get pipeline.Get, away pipeline.Away) ([]any, error) {
	if !p.Pending {
		return nil, nil
	}
	if c.Picks != nil && !c.Picks(p) {
		p.Body = nil // no later step reads it
		return nil, nil
	}
	bare := c.Picks != nil && strings.Contains(p.MediaType, "html") // a document of JSON-LD has no other text and links
	return c.data(ctx, c.Reader, p, page.DataOptions{Syntaxes: c.Syntaxes, Bare: bare}, get, away)
}

// AtOnce is the pipeline.Away of a caller that holds no CPU slot.
func AtOnce(wait func()) { wait() }

// CompleterOf returns the completer of a crawl that reads all embedded data, of some syntaxes or (nil) of all, or whose
// focus reads that of some pages (orbweaver.DataReader); nil for other crawls.
func CompleterOf(f orbweaver.Focus, data bool, syntaxes []embedded.Syntax, redirects int, reader *page.Reader) pipeline.Completer {
	c := Completer{Library: NewLibrary(redirects), Reader: reader, Syntaxes: syntaxes}
	if data {
		return c
	}
	some, ok := f.(orbweaver.DataReader)
	if !ok {
		return nil
	}
	c.Picks = some.ReadsData
	return c
}

// load returns a loader for one page. It fetches with get and waits within away.
func (l *Library) load(get pipeline.Get, away pipeline.Away) func(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
	return func(ctx context.Context, url string) (io.ReadCloser, string, string, error) {
		var v *volume
		away(func() { v = l.volume(ctx, url, get) })
		if v.err != nil {
			if isSchemaOrg(url) && ctx.Err() == nil {
				return io.NopCloser(strings.NewReader(schemaOrgContext)), "application/ld+json", url, nil
			}
			return nil, "", "", v.err
		}
		return io.NopCloser(bytes.NewReader(v.body)), v.kind, v.found, nil
	}
}

// schemaOrgContext replaces the context of schema.org if that is unavailable: it maps all names to
// schema.org's vocabulary. It does not tell IRIs and dates from strings.
const schemaOrgContext = `{"@context": {"@vocab": "http://schema.org/"}}`

// isSchemaOrg reports whether a URL is one of the URLs of schema.org's context.
func isSchemaOrg(url string) bool {
	switch strings.Replace(Key(url), "://www.", "://", 1) {
	case "http://schema.org", "http://schema.org/docs/jsonldcontext.jsonld", "http://schema.org/docs/jsonldcontext.json":
		return true
	}
	return false
}

// volume returns the result of fetching a context, and fetches it on first use. Concurrent callers wait
// for the first one.
func (l *Library) volume(ctx context.Context, url string, get pipeline.Get) *volume {
	for {
		l.mu.Lock()
		v, known := l.volumes[url]
		if !known {
			v = &volume{ready: make(chan struct{})}
			l.volumes[url] = v
		}
		l.mu.Unlock()
		if !known {
			v.ask(ctx, url, l.hops, get)
			l.settle(ctx, url, v)
			return v
		}
		select {
		case <-v.ready:
			if !errors.Is(v.err, context.Canceled) && !errors.Is(v.err, context.DeadlineExceeded) {
				return v
			}
		case <-ctx.Done():
			return &volume{err: ctx.Err()}
		}
	}
}

// settle keeps a volume if the limits allow and the fetch was not cancelled, and wakes the waiting
// callers.
func (l *Library) settle(ctx context.Context, url string, v *volume) {
	size := 0
	for _, one := range v.beside {
		size += len(one.(*Aside).Payload)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if ctx.Err() != nil {
		v.err = ctx.Err()
	}
	if ctx.Err() != nil || l.bytes+size > maxVolumeBytes || len(l.volumes) > maxVolumes {
		delete(l.volumes, url)
	} else {
		l.bytes += size
	}
	close(v.ready)
}

// beside returns the exchanges to archive with a page that needs a context.
func (l *Library) beside(url string) []any {
	l.mu.Lock()
	v := l.volumes[url]
	l.mu.Unlock()
	if v == nil {
		return nil
	}
	select {
	case <-v.ready:
		return v.beside
	default: // not kept: the next fetch archives it again
		return nil
	}
}

// ask fetches a context.
func (v *volume) ask(ctx context.Context, url string, hops int, get pipeline.Get) {
	canonical, err := weburl.Canonical(url)
	if err != nil {
		v.err = fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
		return
	}
	noted := func(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
		response, payload, err := get(ctx, url, accept)
		if err == nil {
			v.beside = append(v.beside, &Aside{response, payload})
		}
		return response, payload, err
	}
	v.body, v.kind, v.found, v.err = Find(ctx, canonical, hops, noted)
}

// Find fetches a JSON-LD context as a subresource: it obeys robots.txt and ignores the crawl's scope. It
// follows redirects and, if an answer is not JSON, once the JSON-LD alternate in its Link header.
func Find(ctx context.Context, url string, hops int, get pipeline.Get) (body []byte, contentType, found string, err error) {
	for range hops + 1 {
		response, payload, err := get(ctx, url, Accept)
		if err != nil {
			return nil, "", "", err
		}
		if response.Redirect != "" {
			url = response.Redirect
			continue
		}
		if response.Status/100 != 2 {
			return nil, "", "", fmt.Errorf("fetch %s: %w %d", url, orbweaver.ErrStatus, response.Status)
		}
		contentType = response.Header.Get("Content-Type")
		if !strings.Contains(strings.ToLower(contentType), "json") {
			if other := alternateOf(ctx, response); other != "" {
				url = other
				continue
			}
		}
		body, err = page.Decode(response.Header, payload, maxContextBytes)
		return body, contentType, url, err
	}
	return nil, "", "", fmt.Errorf("follow %s: %w", url, orbweaver.ErrRedirects)
}

// alternateOf returns the URL of the JSON-LD alternate in the header of an answer; empty: none.
func alternateOf(ctx context.Context, response *step.Response) string {
	p, err := page.NewReader(page.Options{MaxLinks: 100}).Read(ctx, response, nil)
	if err != nil {
		return ""
	}
	for _, l := range p.Links {
		if l.Origin == orbweaver.FromHeader && strings.EqualFold(l.Rel, "alternate") && strings.EqualFold(l.Type, "application/ld+json") {
			return l.To
		}
	}
	return ""
}

// Aside is an exchange to archive once per crawl.
type Aside struct {
	Response *step.Response // its body is closed
	Payload  []byte
}
