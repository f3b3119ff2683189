package engine_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// latency is the latency of a live web.
const latency = 30 * time.Millisecond

// A liveWeb is a web with latency. A host's robots.txt lists one forbidden path per line; or it is "503", or
// "-> URL". Some URLs fail at first.
type liveWeb struct {
	pages  web
	walls  map[string]web    // by URL: what answers otherwise once its redirect has set a cookie
	robots map[string]string // by host; absent: 404

	mu     sync.Mutex
	fails  map[string]int // URL → number of 503 answers before the first success
	panics map[string]bool
	visits []visit
}

// A visit is a request that a live web received.
type visit struct {
	url string
	at  time.Time
}

// visit records a request, and tells whether it must fail or panic.
func (w *liveWeb) visit(url string) (fails, panics bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.visits = append(w.visits, visit{url, time.Now()})
	if w.fails[url] > 0 {
		w.fails[url]--
		fails = true
	}
	return fails, w.panics[url]
}

// count returns the number of requests for a URL.
func (w *liveWeb) count(url string) (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, v := range w.visits {
		if v.url == url {
			n++
		}
	}
	return n
}

func (w *liveWeb) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	began := time.Now()
	fails, panics := w.visit(r.URL)
	if panics {
		panic("fetch " + r.URL)
	}
	t := time.NewTimer(latency)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	response, err := w.answer(r, fails)
	if err != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.URL, err)
	}
	response.Started, response.At = began, time.Now()
	return response, nil
}

// answer answers a request.
func (w *liveWeb) answer(r orbweaver.Request, fails bool) (*step.Response, error) {
	plain := func(status int, body string) (*step.Response, error) {
		return &step.Response{Request: r, Status: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
	rules, ruled := w.robots[weburl.Host(r.URL)]
	ruled = ruled && strings.HasSuffix(r.URL, "/robots.txt")
	switch target, moved := strings.CutPrefix(rules, "-> "); {
	case fails, ruled && rules == "503":
		return plain(503, "")
	case ruled && moved:
		response, err := plain(301, "")
		response.Redirect = target
		return response, err
	case ruled:
		return plain(200, rules)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if body := w.pages[r.URL]; body == "connect" {
		return nil, orbweaver.ErrConnect
	} else if body == "cut" {
		return nil, orbweaver.ErrCut
	} else if body == "304" {
		return plain(304, "")
	}
	response, err := w.pages.Fetch(context.Background(), r)
	if errors.Is(err, orbweaver.ErrAbsent) {
		return plain(404, "")
	}
	if behind, is := w.walls[r.URL]; is && err == nil && response.Redirect != "" {
		response.Cookies = true
		maps.Copy(w.pages, behind)
	}
	return response, err
}

// rules is a simple Robots.
type rules map[string]string

func (r rules) Answer(host string, hops int, response *step.Response, payload []byte, err error) engine.RobotsDecision {
	switch {
	case err != nil || response.Status == 503:
		return engine.RobotsDecision{Later: true, Why: "no answer"}
	case response.Redirect != "" && hops < 5:
		return engine.RobotsDecision{Next: response.Redirect}
	case response.Status == 200:
		r[host] = string(payload)
	}
	return engine.RobotsDecision{Why: "read"}
}

func (r rules) Allows(url string) (bool, string) {
	for path := range strings.FieldsSeq(r[weburl.Host(url)]) {
		if strings.HasPrefix(url, weburl.Host(url)+path) {
			return false, path
		}
	}
	return true, ""
}

// A digesting reader sets digests.
type digesting struct{ reader }

func (d digesting) Read(ctx context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	p, err := d.reader.Read(ctx, r, payload)
	p.Digest, p.Size = "bytes:"+string(payload), int64(len(payload))
	return p, err
}

// A guest is one session of a crawl of a live web.
type guest struct {
	session
	web     *liveWeb
	polite  bool // robots.txt is requested
	retries int
	refresh time.Duration
	render  pipeline.Renderer
	locate  func(host string) error
	meddle  func(c *engine.Crawl, stop context.CancelFunc) // runs beside the crawl
	observe func(orbweaver.Outcome)
}

// run runs a session and returns its result; the frontier is restored from the accounts of earlier sessions.
func (g guest) run(t testing.TB, dir string) (step.Progress, error) {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	}()
	crawl := engine.New(g.config(t, book), book.Progress())
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var beside sync.WaitGroup
	if g.meddle != nil {
		beside.Go(func() { g.meddle(crawl, stop) })
	}
	progress, err := crawl.Run(ctx)
	stop()
	beside.Wait()
	return progress, err
}

// config returns the configuration of the session.
func (g guest) config(t testing.TB, book *ledger.Ledger) engine.Config {
	turns := g.turns
	turns.Live, turns.Robots = true, g.polite
	turns.Connections = cmp.Or(turns.Connections, 1)
	hosts := frontier.New(turns)
	for a, err := range book.Accounts() {
		if err != nil {
			t.Fatal(err)
		}
		hosts.Restore(a)
	}
	known := rules{}
	cfg := engine.Config{
		Focus: g.focus, Fetch: g.web, Read: digesting{}, Ledger: &mortal{Ledger: book, left: g.commits},
		Frontier: hosts, Recorder: g.recorder, Seeds: g.seeds, Limits: g.limits, Workers: cmp.Or(g.workers, 8), Snapshot: 7,
		Render: g.render,
		Live: &engine.Live{
			Hosts: hosts, Retries: g.retries, Refresh: g.refresh, Overlap: turns.Connections > 1 && turns.Delay > 0,
			Locate: func(_ context.Context, host string) (string, error) {
				if g.locate != nil {
					return "", g.locate(host)
				}
				return "", nil
			},
		},
		Again: func(_ context.Context, o orbweaver.Outcome) (*step.Response, error) {
			return web{o.Request.URL: strings.TrimPrefix(o.Page.Digest, "bytes:")}.Fetch(context.Background(), o.Request)
		},
		Observe: func(o orbweaver.Outcome, _ step.Progress) {
			if g.observe != nil {
				g.observe(o)
			}
		},
		Scope: func(url string) (bool, string) { return known.Allows(url) },
	}
	if g.polite {
		cfg.Live.Robots = known
	}
	if g.read != nil {
		cfg.Read = g.read
	}
	if g.seeds == nil {
		cfg.Seeds = []string{"http://a/"}
	}
	cfg.Limits.Redirects = cmp.Or(cfg.Limits.Redirects, 10)
	return cfg
}

// untilDone runs sessions, each killed at the every-th commit, until the crawl is over.
func (g guest) untilDone(t testing.TB, dir string, fresh func() orbweaver.Focus, every int) step.Progress {
	t.Helper()
	g.commits = every + 1
	for {
		g.focus = fresh()
		progress, err := g.run(t, dir)
		if err == nil {
			return progress
		}
		if !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
	}
}

// asked returns the URLs of the outcomes, sorted.
func asked(t testing.TB, dir string) []string {
	t.Helper()
	var urls []string
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		urls = append(urls, l.URL)
	}
	slices.Sort(urls)
	return urls
}

// reachable returns all URLs reachable by links and redirects, sorted.
func (w web) reachable(seeds ...string) []string {
	seen := map[string]bool{}
	for next := seeds; len(next) > 0; {
		url := next[0]
		next = next[1:]
		if seen[url] {
			continue
		}
		seen[url] = true
		if target, moved := strings.CutPrefix(w[url], "-> "); moved {
			next = append(next, target)
			continue
		}
		for line := range strings.Lines(w[url]) {
			to, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			next = append(next, to)
		}
	}
	urls := make([]string, 0, len(seen))
	for url := range seen {
		urls = append(urls, url)
	}
	slices.Sort(urls)
	return urls
}

// after waits for an amount of virtual time.
func after(d time.Duration) {
	t := time.NewTimer(d)
	<-t.C
}
