//go:build e2e

package crawls_test

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/judge"
	"orbweaver/ledger"
)

// TestExplainWhileItRuns: the crawl's own process answers with the ranks of its frontier.
func TestExplainWhileItRuns(t *testing.T) {
	dir, _ := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\nscope: {exclude: [out.example]}\nlimits: {per_host: 1}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 200) })
	for _, tc := range []struct {
		url, kind, says string
		rank            int
	}{
		{"http://host0.example/a/rather/usual/path/page0.html", inspect.KindPage, "request 1", 0},
		{"http://host5.example/a/rather/usual/path/page199.html", inspect.KindWaiting, "rank 1 of 199", 1},
		{"http://host1.example/a/rather/usual/path/page1.html", inspect.KindWaiting, "rank 199 of 199 (3 of its host)", 199},
		{"http://host0.example/a/rather/usual/path/page97.html", inspect.KindWaiting, "limits.per_host", 103},
		{"http://host1.example/a/rather/usual/path/page2.html", inspect.KindUnlinked, "No page", 0},
		{"http://airfields.example/live/x", inspect.KindRobots, "Disallow: /live/", 0},
		{"http://www.out.example/", inspect.KindUnlinked, "excludes it by out.example", 0},
	} {
		x := apptest.Explained(t, dir, tc.url)
		if x.Kind != tc.kind || !strings.Contains(x.Why, tc.says) || tc.rank > 0 && x.Waiting.Rank != tc.rank {
			t.Errorf("%s: %s, %q; want %s, %q", tc.url, x.Kind, x.Why, tc.kind, tc.says)
		}
	}
	if x := apptest.Explained(t, dir, "http://host1.example/a/rather/usual/path/page.html"); len(x.Nearest) != judge.MaxNear {
		t.Errorf("nearest: %v", x.Nearest)
	}
	if err := verbs.Explain(t.Context(), &job.Job{Console: console.Console{Out: io.Discard}}, dir, "mailto:me@a.example", false); orbweaver.FailureOf(err) != orbweaver.ErrBadURL {
		t.Errorf("no URL: %v", err)
	}
}

// TestReportWhileItRuns: the report is written, and the printed summary says that the crawl runs.
func TestReportWhileItRuns(t *testing.T) {
	dir, _ := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 10) })
	text, err := apptest.Saying(func(j *job.Job) error { return verbs.Report(t.Context(), j, dir) })
	if err != nil || !strings.Contains(text, "crawl: running after 1 requests") {
		t.Errorf("%v\n%s", err, text)
	}
	report, err := os.ReadFile(filepath.Join(dir, assembly.ReportFile))
	if err != nil || !strings.Contains(string(report), "Crawl crawl") {
		t.Errorf("no report: %v", err)
	}
}

// BenchmarkExplain explains a URL of a running crawl with 100 000 waiting requests, over its socket.
func BenchmarkExplain(b *testing.B) {
	dir, _ := apptest.PausedCrawl(b, toy.DemoLines(b)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(b, l, 100_001) })
	for _, tc := range []struct{ name, url string }{
		{"page", "http://host0.example/a/rather/usual/path/page0.html"},
		{"waiting", "http://host5.example/a/rather/usual/path/page199.html"},
		{"robots", "http://airfields.example/live/x"},
		{"unlinked", "http://host5.example/a/rather/usual/path/page.html"},
	} {
		b.Run(tc.name, func(b *testing.B) {
			for b.Loop() {
				if err := verbs.Explain(b.Context(), &job.Job{Console: console.Console{Out: io.Discard}}, dir, tc.url, false); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
