package searxng

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// A Getter makes one GET request and returns the response, whatever its status, and its payload without content
// codings; the response's Body is not read. It follows no redirect and bounds the payload. Errors wrap an
// orbweaver.Failure, or the context's.
type Getter interface {
	Get(ctx context.Context, url, accept string) (*step.Response, []byte, error)
}

// A Result is a search result.
type Result struct {
	URL   string // canonical
	Title string // one line; may be empty
}

// Options configure an engine; the zero value has the defaults.
type Options struct {
	Delay time.Duration // from the end of a response to the next request; 0: 1 s
	Pages int           // of results, at most; 0: 10
}

const (
	usualDelay = time.Second
	usualPages = 10
	maxHops    = 5    // redirects followed in a row
	maxResults = 1000 // examined per page
	maxTitle   = 300  // bytes
)

// An Engine is a search engine. It is immutable and safe for concurrent use.
type Engine struct {
	name   string // its URL, for errors
	get    Getter
	opts   Options
	accept string
	paged  bool
	page   func(query string, page int) string // the URL of a page of results, from 1
	read   func(at string, body []byte) ([]found, error)
	off    func(status int, body []byte) error // the error of a status other than 2xx
}

// A found is a result as an engine wrote it.
type found struct{ url, title string }

// Instance returns the instance of SearXNG at a URL such as "https://searx.example/". The error wraps
// ErrBadURL.
func Instance(address string, get Getter, opts Options) (*Engine, error) {
	base, err := weburl.Canonical(address)
	if err != nil {
		return nil, fmt.Errorf("searxng: %w: %w", orbweaver.ErrBadURL, err)
	}
	base, _, _ = strings.Cut(base, "?")
	base = strings.TrimSuffix(strings.TrimSuffix(base, "/"), "/search")
	e := newEngine(base, get, opts)
	e.accept, e.paged = "application/json", true
	e.page = func(query string, page int) string {
		return base + "/search?q=" + url.QueryEscape(query) + "&format=json&pageno=" + strconv.Itoa(page)
	}
	e.read, e.off = e.instance, e.refused
	return e, nil
}

// Template returns an engine by the URL of its results, in which "{query}" is replaced by the query and the
// optional "{page}" by the number of the page of results, from 1.
//
// With a path the response is JSON, and the path selects the result URLs: keys separated by dots, arrays are
// traversed, as in "web.results.url"; titles are the sibling keys "title" or "name". Without a path the
// response is HTML: results are links to other domains, directly or as a parameter of a link to the engine's
// own domain, which have text and are neither in <nav> nor in <footer>. The error wraps ErrBadURL or ErrInput.
func Template(address, path string, get Getter, opts Options) (*Engine, error) {
	if !strings.Contains(address, "{query}") {
		return nil, fmt.Errorf("search engine %q: no {query} in it (%w)", address, orbweaver.ErrInput)
	}
	name := strings.NewReplacer("{query}", "x", "{page}", "1").Replace(address)
	if _, err := weburl.Canonical(name); err != nil {
		return nil, fmt.Errorf("search engine: %w: %w", orbweaver.ErrBadURL, err)
	}
	e := newEngine(address, get, opts)
	e.accept, e.paged = "text/html, */*;q=0.1", strings.Contains(address, "{page}")
	e.page = func(query string, page int) string {
		return strings.NewReplacer("{query}", url.QueryEscape(query), "{page}", strconv.Itoa(page)).Replace(address)
	}
	e.read = readHTML
	if path != "" {
		e.accept = "application/json"
		e.read = func(_ string, body []byte) ([]found, error) { return e.readJSON(body, strings.Split(path, ".")) }
	}
	return e, nil
}

func newEngine(name string, get Getter, opts Options) *Engine {
	if opts.Delay <= 0 {
		opts.Delay = usualDelay
	}
	if opts.Pages <= 0 {
		opts.Pages = usualPages
	}
	e := &Engine{name: name, get: get, opts: opts}
	e.off = func(status int, body []byte) error {
		return e.failed(orbweaver.ErrStatus, "%d: %s", status, saying(body))
	}
	return e
}

// Search ranges over the results of an engine, page after page, each URL once, until a page has no new one.
// Invalid URLs are left out. An error ends the sequence; it wraps a Class or an orbweaver.Failure, or the
// context's error.
func (e *Engine) Search(ctx context.Context, query string) iter.Seq2[Result, error] {
	return func(yield func(Result, error) bool) {
		pages := e.opts.Pages
		if !e.paged {
			pages = 1
		}
		seen := map[string]bool{}
		asking := &asking{Engine: e}
		for page := 1; page <= pages; page++ {
			all, err := asking.results(ctx, e.page(query, page))
			if err != nil {
				yield(Result{}, err)
				return
			}
			before := len(seen)
			for _, f := range all[:min(len(all), maxResults)] {
				url, err := weburl.Canonical(f.url)
				if err != nil || seen[url] {
					continue
				}
				seen[url] = true
				if !yield(Result{url, saying([]byte(f.title))}, nil) {
					return
				}
			}
			if len(seen) == before {
				return
			}
		}
	}
}

// An asking is one search in progress.
type asking struct {
	*Engine
	last time.Time // end of the last response
}

// results requests a page of results and follows redirects.
func (a *asking) results(ctx context.Context, address string) ([]found, error) {
	at, err := weburl.Canonical(address)
	if err != nil {
		return nil, a.failed(orbweaver.ErrBadURL, "%v", err)
	}
	for range maxHops + 1 {
		if err := a.rest(ctx); err != nil {
			return nil, err
		}
		response, body, err := a.get.Get(ctx, at, a.accept)
		a.last = time.Now()
		switch {
		case err != nil:
			return nil, fmt.Errorf("search engine %s: %w", a.name, err)
		case response.Status/100 == 2:
			return a.read(at, body)
		case response.Status == http.StatusTooManyRequests:
			return nil, a.limited(response.Header)
		case response.Status/100 != 3:
			return nil, a.off(response.Status, body)
		case response.Redirect == "":
			return nil, a.failed(orbweaver.ErrBadTarget, "status %d", response.Status)
		}
		at = response.Redirect
	}
	return nil, a.failed(orbweaver.ErrRedirects, "more than %d", maxHops)
}

// rest waits until the delay since the last response is over.
func (a *asking) rest(ctx context.Context) error {
	if a.last.IsZero() {
		return ctx.Err()
	}
	timer := time.NewTimer(time.Until(a.last.Add(a.opts.Delay)))
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
