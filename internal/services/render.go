package services

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/render"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
	"orbweaver/weburl"
)

// A Browser renders the pages that a crawl file says, as an pipeline.Renderer. What scripts ask for is
// fetched once a crawl, as far as there is room.
type Browser struct {
	*render.Browser
	always bool
	reader *page.Reader
	assets assets
}

// renderTime is how long a page may take in the browser: mostly the turns of what it asks for.
const renderTime = 2 * time.Minute

// NewBrowser makes the browser of a crawl file; nil when nothing is rendered. A browser that does not
// start is the user's to mend, and is told before anything is crawled.
func NewBrowser(f *crawlfile.Crawl) (*Browser, error) {
	if f.Render.When == "never" {
		return nil, nil
	}
	program, err := render.New(render.Options{
		Browser: f.Render.Browser, Timeout: renderTime, MaxBody: f.Limits.Body, UserAgent: f.Politeness.UserAgent,
	})
	if err == nil {
		err = program.Start(context.Background())
	}
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return &Browser{
		Browser: program, always: f.Render.When == "always",
		reader: page.NewReader(page.Options{MaxBody: f.Limits.Body}),
		assets: assets{kept: map[string]asset{}, coming: map[string]chan struct{}{}},
	}, nil
}

// Render reads an HTML page as the browser shows it, where it is to be. A page that the browser cannot
// make stays what it is.
func (b *Browser) Render(ctx context.Context, response *step.Response, payload []byte, p *orbweaver.Page, get pipeline.Get) (*orbweaver.Page, error) {
	if !p.Scripted && !(b.always && strings.Contains(p.MediaType, "html")) {
		return p, nil
	}
	html, err := b.Browser.Render(ctx, p.URL, response.Header, payload, b.assets.getter(get))
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

// An asset is what a script asked for.
type asset struct {
	status int
	header http.Header
	body   []byte
}

// maxAssets bounds the memory for what scripts asked for.
const maxAssets = 64 << 20

// assets are what the scripts of a crawl asked for, by canonical URL. Each is fetched once while there
// is room, by whichever page asks first: pages that ask for the same meanwhile wait for it.
type assets struct {
	mu     sync.Mutex
	kept   map[string]asset
	bytes  int                      // of kept
	coming map[string]chan struct{} // closed when it is there, or is not to be had
}

// getter answers the requests of one page. They are made one after the other: a Get of Judge's is for
// one goroutine.
func (s *assets) getter(get pipeline.Get) render.Getter {
	alone := make(chan struct{}, 1)
	return func(ctx context.Context, address, accept string) (int, http.Header, []byte, error) {
		url, err := weburl.Canonical(address)
		if err != nil {
			return 0, nil, nil, err
		}
		a, err := s.get(ctx, url, func() (asset, error) {
			select {
			case alone <- struct{}{}:
				defer func() { <-alone }()
			case <-ctx.Done():
				return asset{}, ctx.Err()
			}
			response, body, err := get(ctx, url, accept)
			if err != nil {
				return asset{}, err
			}
			return asset{response.Status, response.Header, body}, nil
		})
		return a.status, a.header, a.body, err
	}
}

// get returns an asset from before where it is kept, and else has it fetched. After a failure the next
// page that asks for it tries again.
func (s *assets) get(ctx context.Context, url string, fetch func() (asset, error)) (asset, error) {
	for {
		s.mu.Lock()
		a, ok := s.kept[url]
		coming, wait := s.coming[url]
		if !ok && !wait {
			s.coming[url] = make(chan struct{})
		}
		s.mu.Unlock()
		switch {
		case ok:
			return a, nil
		case !wait:
			a, err := fetch()
			s.arrived(url, a, err)
			return a, err
		}
		select {
		case <-coming:
		case <-ctx.Done():
			return asset{}, ctx.Err()
		}
	}
}

// arrived keeps an asset, if there is room, and lets those go on who wait for it.
func (s *assets) arrived(url string, a asset, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil && s.bytes+len(a.body) <= maxAssets {
		s.kept[url] = a
		s.bytes += len(a.body)
	}
	close(s.coming[url])
	delete(s.coming, url)
}
