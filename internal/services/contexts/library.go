// Package contexts has the remote contexts that JSON-LD names: those of a crawl's pages in a Library,
// which many read at once, those of a single job in a Remote, which files answer first. Either asks by an
// pipeline.Get, which obeys robots.txt. What cannot be had is said in the error of reading the data.
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
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/weburl"
)

// A Library has the remote contexts that the JSON-LD of a crawl names. Each is asked for once a session,
// as far as there is room, by whichever page needs it first; one that cannot be had is not asked for
// again. It is for many goroutines.
type Library struct {
	parsed *jsonld.Contexts
	hops   int // redirects followed in a row

	mu      sync.Mutex
	volumes map[string]*volume // by the URL that is named
	bytes   int                // of the payloads that they keep
}

// A volume is what became of asking for a context.
type volume struct {
	ready  chan struct{} // closed when the rest is set
	body   []byte
	kind   string // Content-Type
	found  string // URL at which it was found
	beside []any  // *aside: the exchanges it took, redirects first
	err    error
}

// The bounds of a library.
const (
	maxVolumes      = 4096     // contexts, those that could not be had included
	maxVolumeBytes  = 32 << 20 // of all payloads
	maxContextBytes = jsonld.DefaultMaxContextBytes
)

// NewLibrary returns an empty one, that follows so many redirects in a row.
func NewLibrary(hops int) *Library {
	return &Library{parsed: jsonld.NewContexts(Kept), hops: hops, volumes: map[string]*volume{}}
}

// Data reads the data of a page, for which get asks for contexts. It returns what goes into the
// archive beside the page. The error is that of ctx.
func (l *Library) Data(ctx context.Context, reader *page.Reader, p *orbweaver.Page, get pipeline.Get, away pipeline.Away) (beside []any, err error) {
	opts := page.DataOptions{Load: l.load(get, away), Contexts: l.parsed}
	opts.Used = func(url string) { beside = append(beside, l.beside(url)...) }
	err = reader.Data(ctx, p, opts)
	if !p.Pending && strings.Contains(p.MediaType, "html") {
		p.Body = nil // nobody needs the text any more
	}
	return beside, err
}

// A Completer reads the data of a crawl's pages, as an pipeline.Completer.
type Completer struct {
	*Library
	Reader *page.Reader
}

// Complete reads the data of a page.
func (c Completer) Complete(ctx context.Context, p *orbweaver.Page, get pipeline.Get, away pipeline.Away) ([]any, error) {
	if !p.Pending {
		return nil, nil
	}
	return c.Data(ctx, c.Reader, p, get, away)
}

// AtOnce is an pipeline.Away for who keeps nobody from working.
func AtOnce(wait func()) { wait() }

// CompleterOf is the completer of a crawl whose focus looks at data within pages, and nil of another.
func CompleterOf(data bool, redirects int, reader *page.Reader) pipeline.Completer {
	if !data {
		return nil
	}
	return Completer{NewLibrary(redirects), reader}
}

// load returns a loader for one page, whose requests get makes, and which waits in away.
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

// schemaOrgContext stands for the context of schema.org where that cannot be had: all names are of its
// vocabulary. Which values are IRIs and dates is lost.
const schemaOrgContext = `{"@context": {"@vocab": "http://schema.org/"}}`

// isSchemaOrg reports whether a context is the one of schema.org, by any of the names it goes by.
func isSchemaOrg(url string) bool {
	switch strings.Replace(Key(url), "://www.", "://", 1) {
	case "http://schema.org", "http://schema.org/docs/jsonldcontext.jsonld", "http://schema.org/docs/jsonldcontext.json":
		return true
	}
	return false
}

// volume returns what became of asking for a context, and asks where nobody has. Whoever comes
// meanwhile waits.
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

// settle keeps a volume, if there is room and the asking came to an end, and lets others have it.
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

// beside is what goes into the archive with a page that needs a context.
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
	default: // it is asked for anew, and its record is there
		return nil
	}
}

// ask asks for a context.
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

// Find fetches a JSON-LD context as scripts of a page are: robots.txt is obeyed, scope is for
// pages. Redirects are followed, and once an answer is no JSON, the alternate in JSON-LD that its
// header names.
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

// alternateOf is where the header of an answer says that it is to be had in JSON-LD; empty: nowhere.
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

// An Aside is an exchange that is kept once a crawl.
type Aside struct {
	Response *step.Response // its body is closed
	Payload  []byte
}
