package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A dressing renderer requests the URLs after "+" in a page's text, in parallel, and records the results.
type dressing struct {
	mu   sync.Mutex
	came map[string]string
}

func (d *dressing) Render(ctx context.Context, _ *step.Response, _ []byte, p *orbweaver.Page, get pipeline.Get) (*orbweaver.Page, error) {
	var all sync.WaitGroup
	for _, l := range p.Links {
		if l.Anchor != "+" {
			continue
		}
		all.Go(func() {
			_, payload, err := get(ctx, l.To, "")
			d.mu.Lock()
			defer d.mu.Unlock()
			d.came[l.To] = string(payload) + string(orbweaver.FailureOf(err))
		})
	}
	all.Wait()
	p.Links = slices.DeleteFunc(p.Links, func(l orbweaver.Link) bool { return l.Anchor == "+" })
	return p, nil
}

// TestSubresources: subresource requests succeed or fail, but always end: with one worker, at the last page of a
// limit, at hosts that are down or forbidden or unknown, and with a client that panics.
func TestSubresources(t *testing.T) {
	for _, limits := range []engine.Limits{{}, {Requests: 1}, {Pages: 1}} {
		bubble(t, func(t *testing.T, dir string) {
			w := &liveWeb{
				pages: web{
					"http://a/":   "http://a/s +\nhttp://b/s +\nhttp://c/s +\nhttp://c/t +\nmailto:x +\nhttp://b/no +\nhttp://a/bad +\nhttp://d/x .5\nhttp://a/x .5",
					"http://a/s":  "script a",
					"http://b/s":  "script b",
					"http://d/x":  "",
					"http://a/x":  "",
					"http://b/no": "secret",
				},
				robots: map[string]string{"http://b": "/no"},
				panics: map[string]bool{"http://a/bad": true},
			}
			d := &dressing{came: map[string]string{}}
			g := guest{web: w, polite: true, render: d, locate: noSuch("http://c"),
				session: session{focus: focus{}, workers: 1, limits: limits, recorder: &tape{}, turns: frontier.Options{Delay: time.Second}}}
			if _, err := g.run(t, dir); err != nil {
				t.Fatal(err)
			}
			want := map[string]string{
				"http://a/s": "script a", "http://b/s": "script b", "http://c/s": "host-down", "http://c/t": "host-down",
				"mailto:x": "host-down", "http://b/no": "robots", "http://a/bad": "unreadable",
			}
			if fmt.Sprint(d.came) != fmt.Sprint(want) {
				t.Errorf("came %v,\nwant %v", d.came, want)
			}
			w.keepsDelay(t, time.Second)
			if got := len(asked(t, dir)); limits.Requests+limits.Pages == 1 && got != 1 || got > 3 {
				t.Errorf("%d outcomes", got)
			}
		})
	}
}

// TestCanceledSubresource: a canceled subresource request leaves nothing behind.
func TestCanceledSubresource(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		began := time.Now()
		w := &liveWeb{pages: web{"http://a/": ""}}
		g := guest{web: w, polite: true, session: session{focus: focus{}, workers: 1, turns: frontier.Options{Delay: time.Hour}}, render: hasty{}}
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(began); took > time.Hour+time.Second+2*latency || w.count("http://a/s") != 0 {
			t.Errorf("the crawl took %v, asked %d times", took, w.count("http://a/s"))
		}
	})
}

// A hasty renderer waits one second for a script.
type hasty struct{}

func (hasty) Render(ctx context.Context, _ *step.Response, _ []byte, p *orbweaver.Page, get pipeline.Get) (*orbweaver.Page, error) {
	ctx, stop := context.WithTimeout(ctx, time.Second)
	defer stop()
	if _, _, err := get(ctx, "http://a/s", ""); !errors.Is(err, context.DeadlineExceeded) {
		return nil, fmt.Errorf("the script came: %w", err)
	}
	return p, nil
}

// TestOffer: a URL added by hand while it waits, is in flight, is done, is forbidden, or is new.
func TestOffer(t *testing.T) {
	bubble(t, func(t *testing.T, dir string) {
		w := &liveWeb{
			pages:  web{"http://a/": "http://a/1 .9\nhttp://a/2 .5", "http://a/1": "", "http://a/2": "", "http://a/new": ""},
			robots: map[string]string{"http://a": "/no"},
		}
		g := guest{web: w, polite: true, session: session{focus: focus{}}}
		g.meddle = func(c *engine.Crawl, _ context.CancelFunc) {
			after(2*latency + latency/2) // a/1 is in flight
			for _, tc := range [][2]string{
				{"http://a/1", engine.OfferWaits}, {"http://a/2", engine.OfferWaits}, {"http://a/", engine.OfferFetched},
				{"http://a/no", engine.OfferRefused}, {"http://a/new", engine.OfferAdded}, {"http://a/new", engine.OfferWaits},
			} {
				err := c.Call(t.Context(), func() {
					if result, _, err := c.Offer(tc[0]); result != tc[1] || err != nil {
						t.Errorf("%s: %q, %v, want %q", tc[0], result, err, tc[1])
					}
				})
				if err != nil {
					t.Error(err)
				}
			}
		}
		if _, err := g.run(t, dir); err != nil {
			t.Fatal(err)
		}
		if got := lines(t, dir); !slices.Equal(got, []string{"a/", "a/1", "a/new", "a/2"}) {
			t.Errorf("crawled %q", got)
		}
	})
}

// TestPause: nothing starts during a pause. A pause does not count towards the time limit, and Stop ends it.
func TestPause(t *testing.T) {
	for _, stops := range []bool{false, true} {
		bubble(t, func(t *testing.T, dir string) {
			w := &liveWeb{pages: web{"http://a/": "http://a/1 .9", "http://a/1": ""}}
			g := guest{web: w, session: session{focus: focus{}, limits: engine.Limits{Time: time.Second}}}
			g.meddle = func(c *engine.Crawl, _ context.CancelFunc) {
				after(latency / 2)
				_ = c.Call(t.Context(), c.Pause)
				after(time.Hour)
				if n := len(w.visits); n != 1 {
					t.Errorf("%d requests in a pause", n)
				}
				next := c.Resume
				if stops {
					next = c.Stop
				}
				_ = c.Call(t.Context(), next)
			}
			progress, err := g.run(t, dir)
			want := int64(2)
			if stops {
				want = 1
			}
			if err != nil || progress.Requests != want || progress.Active > time.Second || (progress.Ended == "") != stops {
				t.Errorf("stops %v: %+v, %v", stops, progress, err)
			}
		})
	}
}

// TestCall: a Call before Run waits for it; a Call after its end fails at once; both also for an archive.
func TestCall(t *testing.T) {
	for _, live := range []bool{false, true} {
		bubble(t, func(t *testing.T, dir string) {
			book, err := ledger.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer book.Close()
			w := &liveWeb{pages: web{"http://a/": ""}}
			cfg := guest{web: w, session: session{focus: focus{}}}.config(t, book)
			if !live {
				cfg.Live, cfg.Frontier = nil, frontier.New(frontier.Options{})
			}
			c := engine.New(cfg, step.Progress{})
			early, stop := context.WithTimeout(t.Context(), time.Minute)
			defer stop()
			if err := c.Call(early, func() {}); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("before Run: %v", err)
			}
			called := make(chan error, 1)
			go func() { called <- c.Call(context.Background(), c.Stop) }()
			after(time.Second)
			if progress, err := c.Run(t.Context()); err != nil || progress.Ended != "" || progress.Requests > 0 {
				t.Errorf("stopped at the first step: %+v, %v", progress, err)
			}
			if err := <-called; err != nil {
				t.Error(err)
			}
			if err := c.Call(context.Background(), func() { t.Error("called after the end") }); !errors.Is(err, engine.ErrOver) {
				t.Errorf("after the end: %v", err)
			}
		})
	}
}

// A stumbling focus is canceled when it learns a page for the second time.
type stumbling struct {
	*counting
	stop   context.CancelFunc
	learnt int
}

func (s *stumbling) Learn(ctx context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if s.learnt++; s.stop != nil && s.learnt == 2 {
		s.stop()
		return orbweaver.Lesson{}, ctx.Err()
	}
	return s.counting.Learn(ctx, o)
}

// TestCutInRestoring: a session that ends while the focus is restored saves no model.
func TestCutInRestoring(t *testing.T) {
	dir := t.TempDir()
	w := web{"http://a/": "http://a/1 .5\nhttp://a/2 .4", "http://a/1": "http://a/2 .1", "http://a/2": "http://a/3 .1"}
	if _, err := (session{web: w, focus: newCounting(), commits: 4}).run(t, dir); !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	_, before, _ := book.Model()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	progress, err := engine.New(engine.Config{
		Focus: &stumbling{counting: newCounting(), stop: stop}, Fetch: w, Read: reader{}, Ledger: book,
		Frontier: frontier.New(frontier.Options{}), Limits: engine.Limits{Redirects: 1}, Snapshot: 7,
	}, book.Progress()).Run(ctx)
	if _, n, _ := book.Model(); err != nil || progress.Ended != "" || n != before {
		t.Errorf("the model is as of %d, was of %d; %+v, %v", n, before, progress, err)
	}
}
