package services

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/render"
	"orbweaver/internal/coding"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/rendering"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/weburl"
)

// Browser renders the pages that a crawl file selects. It implements pipeline.Chooser. It fetches each
// subresource once a crawl, within the limit of its cache.
type Browser struct {
	*render.Browser
	when   string
	body   int64 // most bytes of a page, decoded
	live   bool  // what a page teaches holds at once; in an archive, when the page is decided
	reader *page.Reader
	assets assets
	turns  chan struct{} // one slot for each page in the browser: others wait, and may learn meanwhile that they need not be rendered

	mu        sync.Mutex
	predictor *rendering.Predictor
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
	actions, err := actionsOf(f.Render.Actions)
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	program, err := render.New(render.Options{
		Browser: f.Render.Browser, Timeout: renderTime, MaxBody: f.Limits.Body, UserAgent: f.Politeness.UserAgent,
		Actions: actions, Tabs: tabs,
	})
	if err == nil {
		err = program.Start(context.Background())
	}
	if err != nil {
		return nil, fmt.Errorf("render: %w", err)
	}
	return &Browser{
		Browser: program, when: f.Render.When, body: f.Limits.Body, live: f.Web == nil,
		reader: page.NewReader(Reading(f)),
		assets: assets{kept: map[string]asset{}, coming: map[string]chan struct{}{}},
		turns:  make(chan struct{}, tabs), predictor: rendering.New(f.Render.Pages),
	}, nil
}

// tabs is how many pages are rendered at a time.
const tabs = 2

// actionsOf returns the actions for the page of a URL; nil if there are none.
func actionsOf(list []rendering.Action) (func(url string) []render.Action, error) {
	type one struct {
		on *weburl.Scope // nil: every page
		do render.Action
	}
	var all []one
	for _, a := range list {
		next := one{do: render.Action{Scroll: a.Scroll, Click: a.Click, Times: a.Times}}
		if a.On != "" {
			var err error
			if next.on, err = weburl.CompileScope([]string{a.On}, nil, nil); err != nil {
				return nil, err
			}
		}
		all = append(all, next)
	}
	if all == nil {
		return nil, nil
	}
	return func(url string) (actions []render.Action) {
		for _, a := range all {
			if a.on != nil {
				if ok, _ := a.on.Allows(url); !ok {
					continue
				}
			}
			actions = append(actions, a.do)
		}
		return actions
	}, nil
}

// Resume tells the browser what the earlier sessions of a crawl folder did about pages' scripts. A nil Browser takes no notice.
func (b *Browser) Resume(folder string) error {
	if b == nil || b.when != "auto" {
		return nil
	}
	for line, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if err != nil {
			return err
		}
		if r := line.Rendering; r != nil {
			b.learn(line.URL, r)
		}
	}
	return nil
}

// Render renders an HTML page if the crawl file selects it, or takes what an archive has of it. It returns the page unchanged, with the reason in its
// Rendering, if the browser fails on it.
func (b *Browser) Render(ctx context.Context, response *step.Response, payload []byte, p *orbweaver.Page, get pipeline.Get) (*orbweaver.Page, error) {
	if !strings.Contains(p.MediaType, "html") {
		return p, nil
	}
	if b.when != "auto" {
		if p.Scripted || b.when == "always" {
			return b.make(ctx, response, payload, p, get, &step.Rendering{})
		}
		return p, nil
	}
	r := &step.Rendering{Kind: kindOf(response, payload, b.body), Empty: p.Scripted}
	if response.Told || response.Rendered != nil {
		r.Given = true
		if response.Rendered == nil {
			r.Scripts, r.Why = step.ScriptsLeft, "the archive has the page as it was received"
			p.Rendering = r
			return p, nil
		}
		r.Why = "the archive has the page as its scripts left it"
		return b.make(ctx, response, payload, p, get, r)
	}
	if !b.chosen(p, r) {
		return p, nil
	}
	if b.live {
		select {
		case b.turns <- struct{}{}:
			defer func() { <-b.turns }()
		case <-ctx.Done():
			return p, ctx.Err()
		}
		if !b.chosen(p, r) { // others have been rendered meanwhile
			return p, nil
		}
		defer func() { b.learn(p.URL, r) }()
	}
	return b.make(ctx, response, payload, p, get, r)
}

// chosen chooses whether a page is rendered, and keeps the choice in it.
func (b *Browser) chosen(p *orbweaver.Page, r *step.Rendering) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	render, why := b.predictor.Choose(lookAt(p.URL, r))
	r.Why, r.Scripts, p.Rendering = why, step.ScriptsLeft, r
	return render
}

// make renders a page, or takes what an archive has of it, and says in r what came of it.
func (b *Browser) make(ctx context.Context, response *step.Response, payload []byte, p *orbweaver.Page, get pipeline.Get, r *step.Rendering) (*orbweaver.Page, error) {
	html, err := b.html(ctx, response, payload, p, get)
	var made *orbweaver.Page
	if err == nil {
		made, err = b.reader.Read(ctx, pipeline.Made(response), html)
	}
	if err != nil {
		r.Scripts, r.Why = step.ScriptsFailed, "it could not be rendered: "+string(orbweaver.FailureOf(err))
		p.Rendering, response.Rendered = r, nil
		return p, ctx.Err()
	}
	made.Digest, made.Size = p.Digest, p.Size // of the received document
	response.Rendered = func() ([]byte, error) { return html, nil }
	if b.when == "auto" {
		r.Scripts = step.ScriptsSame
		if rendering.Changes(p, made) {
			r.Scripts = step.ScriptsChanged
		}
		made.Rendering = r
	}
	return made, nil
}

// html returns what the scripts of a page make of it.
func (b *Browser) html(ctx context.Context, response *step.Response, payload []byte, p *orbweaver.Page, get pipeline.Get) ([]byte, error) {
	if response.Rendered != nil {
		return response.Rendered()
	}
	return b.Browser.Render(ctx, p.URL, response.Header, payload, b.assets.getter(get))
}

// kindOf tells pages of other scripts apart; 0: the page has none, or cannot be read.
func kindOf(response *step.Response, payload []byte, most int64) uint64 {
	decoded, err := coding.Decode(response.Header["Content-Encoding"], payload, most)
	if err != nil {
		return 0
	}
	return rendering.Scripts(decoded)
}

// lookAt is what can be seen of a page before it is rendered.
func lookAt(url string, r *step.Rendering) rendering.Look {
	return rendering.Look{URL: url, Scripts: r.Kind, Empty: r.Empty}
}

// Stands reports whether what was chosen for a page would be chosen now. It implements pipeline.Chooser.
func (b *Browser) Stands(p *orbweaver.Page) bool {
	r, ok := p.Rendering.(*step.Rendering)
	if !ok || r.Given || b.live || b.when != "auto" {
		return true
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	render, _ := b.predictor.Choose(lookAt(p.URL, r))
	return render == (r.Scripts != step.ScriptsLeft)
}

// Learn is told each page that was decided, in order. It implements pipeline.Chooser.
func (b *Browser) Learn(p *orbweaver.Page) {
	r, ok := p.Rendering.(*step.Rendering)
	if ok && b.when == "auto" && !(b.live && r.Scripts != step.ScriptsLeft) {
		b.learn(p.URL, r)
	}
}

func (b *Browser) learn(url string, r *step.Rendering) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.predictor.Learn(lookAt(url, r), r.Scripts)
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
