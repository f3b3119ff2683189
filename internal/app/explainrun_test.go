package app

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/console"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// pausedCrawl is a crawl of the demo web that runs, paused before its first request of this session,
// served by its socket. before prepares its ledger.
func pausedCrawl(tb testing.TB, file string, before func(*ledger.Ledger)) (dir string, t *control) {
	tb.Helper()
	folder := tb.TempDir()
	path := filepath.Join(folder, "f.yaml")
	if err := os.WriteFile(path, []byte(file+"output: crawl\n"), 0o666); err != nil {
		tb.Fatal(err)
	}
	c, err := prepare(tb.Context(), (&App{}).FromFile(path), wire.Wire{})
	if err != nil {
		tb.Fatal(err)
	}
	if err := c.open(); err != nil {
		tb.Fatal(err)
	}
	before(c.ledger)
	turns := frontier.New(turnsOf(c.file))
	cfg := c.config(turns)
	session := engine.New(cfg, c.ledger.Progress())
	session.Pause()
	hangUp := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).listen(c, session, turns, nil)
	ctx, stop := context.WithCancel(context.Background())
	over := make(chan error, 1)
	go func() {
		_, err := session.Run(ctx)
		over <- err
	}()
	tb.Cleanup(func() {
		err := hangUp()
		stop()
		for _, err := range []error{err, <-over, c.ledger.Close(), c.close()} {
			if err != nil {
				tb.Error(err)
			}
		}
	})
	return filepath.Join(folder, "crawl"), &control{c: c, session: session, turns: turns}
}

// fill lets n requests wait, the best last, and fetches the first of them.
func fill(tb testing.TB, l *ledger.Ledger, n int) {
	tb.Helper()
	batch := step.Batch{}
	for i := range n {
		url := fmt.Sprintf("http://host%d.example/a/rather/usual/path/page%d.html", i%97, i)
		p := orbweaver.Proposal{
			Request: orbweaver.Request{URL: url, Depth: 1, Parent: "http://tidings.example/", Note: make([]byte, 60),
				Via: &orbweaver.Link{To: url, Anchor: "a usual link", Context: strings.Repeat("words ", 40), Origin: orbweaver.FromAnchor}},
			Judgement: orbweaver.Judgement{Score: float64(i) / float64(n), Reasons: []orbweaver.Reason{
				{Rule: "page", Evidence: "http://tidings.example/ scores 0.3", Weight: 0.1},
				{Rule: "context", Evidence: "airline: fleet, carrier; pilot: pilot", Weight: 0.1},
				{Rule: "inlinks", Evidence: "3 pages link here", Weight: -0.1},
			}},
		}
		id, _ := l.Offer(p.Request)
		batch.Waiting = append(batch.Waiting, step.Waiting{ID: id, Proposal: p})
	}
	if err := l.Commit(batch); err != nil {
		tb.Fatal(err)
	}
	first := batch.Waiting[0]
	page := &orbweaver.Page{Request: first.Request, URL: first.URL, Status: 200, Links: []orbweaver.Link{{To: "http://airfields.example/live/x"}}}
	o := &orbweaver.Outcome{Request: first.Request, Status: 200, Page: page}
	if err := l.Commit(step.Batch{Done: first.ID, Outcome: o, Progress: step.Progress{Requests: 1, Pages: 1}}); err != nil {
		tb.Fatal(err)
	}
}

// TestExplainWhileItRuns: the crawl's own process answers, with ranks of its queue.
func TestExplainWhileItRuns(t *testing.T) {
	dir, _ := pausedCrawl(t, demoLines(t)+"focus: {breadth_first: {}}\nscope: {exclude: [out.example]}\nlimits: {per_host: 1}\n", func(l *ledger.Ledger) { fill(t, l, 200) })
	for _, tc := range []struct {
		url, kind, says string
		rank            int
	}{
		{"http://host0.example/a/rather/usual/path/page0.html", kindPage, "request 1", 0},
		{"http://host5.example/a/rather/usual/path/page199.html", kindWaiting, "rank 1 of 199", 1},
		{"http://host1.example/a/rather/usual/path/page1.html", kindWaiting, "rank 199 of 199 (3 of its host)", 199},
		{"http://host0.example/a/rather/usual/path/page97.html", kindWaiting, "limits.per_host", 103},
		{"http://host1.example/a/rather/usual/path/page2.html", kindUnlinked, "No page", 0},
		{"http://airfields.example/live/x", kindRobots, "Disallow: /live/", 0},
		{"http://www.out.example/", kindUnlinked, "excludes it by out.example", 0},
	} {
		x := explained(t, dir, tc.url)
		if x.Kind != tc.kind || !strings.Contains(x.Why, tc.says) || tc.rank > 0 && x.Waiting.Rank != tc.rank {
			t.Errorf("%s: %s, %q; want %s, %q", tc.url, x.Kind, x.Why, tc.kind, tc.says)
		}
	}
	if x := explained(t, dir, "http://host1.example/a/rather/usual/path/page.html"); len(x.Nearest) != maxNear {
		t.Errorf("nearest: %v", x.Nearest)
	}
	if err := (&App{Console: console.Console{Out: io.Discard}}).Explain(t.Context(), dir, "mailto:me@a.example", false); orbweaver.FailureOf(err) != orbweaver.ErrBadURL {
		t.Errorf("no URL: %v", err)
	}
}

// TestReportWhileItRuns: the report is written, the summary says that the crawl runs, and is told.
func TestReportWhileItRuns(t *testing.T) {
	dir, _ := pausedCrawl(t, demoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { fill(t, l, 10) })
	text, err := saying(func(a *App) error { return a.Report(t.Context(), dir) })
	if err != nil || !strings.Contains(text, "crawl: running after 1 requests") {
		t.Errorf("%v\n%s", err, text)
	}
	report, err := os.ReadFile(filepath.Join(dir, reportFile))
	if err != nil || !strings.Contains(string(report), "Crawl crawl") {
		t.Errorf("no report: %v", err)
	}
}

// BenchmarkExplain asks a running crawl in whose queue 100 000 requests wait, over its socket.
func BenchmarkExplain(b *testing.B) {
	dir, _ := pausedCrawl(b, demoLines(b)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { fill(b, l, 100_001) })
	for _, tc := range []struct{ name, url string }{
		{"page", "http://host0.example/a/rather/usual/path/page0.html"},
		{"waiting", "http://host5.example/a/rather/usual/path/page199.html"},
		{"robots", "http://airfields.example/live/x"},
		{"unlinked", "http://host5.example/a/rather/usual/path/page.html"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				if err := (&App{Console: console.Console{Out: io.Discard}}).Explain(b.Context(), dir, tc.url, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
