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

// Browser renders the pages that a crawl file selects. It implements pipeline.Renderer. It fetches each
// subresource once a crawl, within the limit of its cache.
type Browser struct {
	*render.Browser
	always bool
	reader *page.Reader
	assets assets
}

// renderTime bounds the time of a page in the browser, most of which is waiting for turns of its
// subresources.
const renderTime = 2 * time.Minute

// NewBrowser starts the browser of a crawl file; it returns nil if nothing is rendered. A browser that
// does not start is an error of the user's setup and is reported before the crawl begins.
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

// Render renders an HTML page if the crawl file selects it. It returns the page unchanged if the browser
// fails on it.
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
	made.Digest, made.Size = p.Digest, p.Size // of the received document
	return made, nil
}

// asset is the response to a subresource request.
type asset struct {
	status int
	header http.Header
	body   []byte
}

// maxAssets bounds the memory of cached subresources, in bytes.
const maxAssets = 64 << 20

// assets caches the subresources of a crawl by canonical URL. The first page that needs one fetches it,
// and other pages wait for it. Without space in the cache it is fetched again.
type assets struct {
	mu     sync.Mutex
	kept   map[string]asset
	bytes  int                      // size of kept, in bytes
	coming map[string]chan struct{} // closed when the fetch has ended
}

// getter serves the subresource requests of one page. It makes them one after the other, because the Get
// of a judge run is for one goroutine.
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

// get returns a cached asset or fetches it. After a failure the next page tries again.
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

// arrived caches an asset if there is space, and wakes the pages that wait for it.
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
