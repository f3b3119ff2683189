package app

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/render"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/page"
)

// A browser renders the pages that a crawl file says, as an engine.Renderer. What scripts ask for is
// fetched once a crawl, as far as there is room.
type browser struct {
	*render.Browser
	always bool
	reader *page.Reader

	mu    sync.Mutex
	kept  map[string]asset // by URL
	bytes int              // of kept
}

// An asset is what a script asked for.
type asset struct {
	status int
	header http.Header
	body   []byte
}

// maxAssets bounds the memory for what scripts asked for.
const maxAssets = 64 << 20

// renderTime is how long a page may take in the browser: mostly the turns of what it asks for.
const renderTime = 2 * time.Minute

// newBrowser makes the browser of a crawl file; nil when nothing is rendered.
func newBrowser(f *crawlfile.Crawl) (*browser, error) {
	if f.Render.When == "never" {
		return nil, nil
	}
	program, err := render.New(render.Options{
		Browser: f.Render.Browser, Timeout: renderTime, MaxBody: f.Limits.Body, UserAgent: f.Politeness.UserAgent,
	})
	if err != nil {
		return nil, err
	}
	return &browser{
		Browser: program, always: f.Render.When == "always", kept: map[string]asset{},
		reader: page.NewReader(page.Options{MaxBody: f.Limits.Body}),
	}, nil
}

// Render reads an HTML page as the browser shows it, where it is to be. A page that the browser cannot
// make stays what it is.
func (b *browser) Render(ctx context.Context, response *orbweaver.Response, payload []byte, p *orbweaver.Page, get engine.Get) (*orbweaver.Page, error) {
	if !p.Scripted && !(b.always && strings.Contains(p.MediaType, "html")) {
		return p, nil
	}
	html, err := b.Browser.Render(ctx, p.URL, response.Header, payload, func(ctx context.Context, url, accept string) (int, http.Header, []byte, error) {
		a, err := b.asset(ctx, url, accept, get)
		return a.status, a.header, a.body, err
	})
	if err != nil {
		return p, ctx.Err()
	}
	shown := *response
	shown.Header = response.Header.Clone()
	shown.Header.Del("Content-Encoding")
	shown.Header.Set("Content-Type", "text/html; charset=utf-8")
	made, err := b.reader.Read(ctx, &shown, html)
	if err != nil {
		return p, ctx.Err()
	}
	made.Digest, made.Size = p.Digest, p.Size // of what was received
	return made, nil
}

// asset returns what a script asked for, from before where it is kept.
func (b *browser) asset(ctx context.Context, url, accept string, get engine.Get) (asset, error) {
	b.mu.Lock()
	a, ok := b.kept[url]
	b.mu.Unlock()
	if ok {
		return a, nil
	}
	response, body, err := get(ctx, url, accept)
	if err != nil {
		return asset{}, err
	}
	a = asset{response.Status, response.Header, body}
	b.mu.Lock()
	defer b.mu.Unlock()
	if _, ok := b.kept[url]; !ok && b.bytes+len(body) <= maxAssets {
		b.kept[url] = a
		b.bytes += len(body)
	}
	return a, nil
}
