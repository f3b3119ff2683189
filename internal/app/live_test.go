package app_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/app"
	"orbweaver/internal/console"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// liveFile is a crawl file of a web in memory; %s: seeds, more keys.
const liveFile = `seeds: [%s]
focus: {breadth_first: {}}
allow_private: true
sitemaps: all
%s
`

// crawlLive crawls a web in memory in virtual time, and returns its pages.jsonl and what was printed.
func crawlLive(t *testing.T, w *fetchtest.Web, dir, keys string, seeds ...string) (lines []ledger.Line, printed string) {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	w.Serve(n)
	file := filepath.Join(dir, "live.yaml")
	text := fmt.Sprintf(liveFile, strings.Join(seeds, ", "), keys)
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &app.App{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	if err := a.Crawl(context.Background(), file); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for line, err := range ledger.Lines(filepath.Join(dir, "crawls", "live", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines, out.String()
}

// pagesOf are the URLs that answered 2xx and are no sitemaps, sorted.
func pagesOf(lines []ledger.Line) []string {
	var pages []string
	for _, l := range lines {
		if l.Status/100 == 2 && !strings.Contains(l.URL, "sitemap") {
			pages = append(pages, l.URL)
		}
	}
	slices.Sort(pages)
	return pages
}

// TestPolite crawls webs with redirects, retries, sitemaps and odd robots.txt files, in virtual time:
// no gap is too short, nothing forbidden is asked for, and nothing that is allowed is missed.
func TestPolite(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := fetchtest.Generate(fetchtest.Plan{
					Seed: seed, Hosts: 20, Addresses: 12, Pages: 12, Latency: 70 * time.Millisecond,
					Manners: fetchtest.Manners{Delay: time.Second, Retries: 2},
				})
				began := time.Now()
				lines, _ := crawlLive(t, w, dir, "politeness: {delay: 1s, retries: 2, contact: me@example.org}", w.Seeds()...)
				for _, v := range w.Violations() {
					t.Error(v)
				}
				if got, want := pagesOf(lines), w.Allowed(); !slices.Equal(got, want) {
					t.Errorf("%d pages, want %d; missing %v, too many %v", len(got), len(want), without(want, got), without(got, want))
				}
				t.Logf("%d outcomes in %v of virtual time", len(lines), time.Since(began))
			})
		})
	}
}

// without are the members of a that b lacks.
func without(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// TestThousandHosts crawls a thousand hosts with a delay of two seconds, exact to the tick: what every
// host was asked, it was asked every two seconds.
func TestThousandHosts(t *testing.T) {
	dir := t.TempDir()
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		w := fetchtest.Generate(fetchtest.Plan{
			Seed: 1, Hosts: 1000, Pages: 4, Plain: true, Manners: fetchtest.Manners{Delay: 2 * time.Second},
		})
		crawlLive(t, w, dir, "politeness: {delay: 2s}\nworkers: 2000\narchive: off", w.Seeds()...)
		for _, v := range w.Violations() {
			t.Error(v)
		}
		last := map[string]time.Time{}
		for _, v := range w.Visits() {
			if before, ok := last[v.Host]; ok && v.At.Sub(before)%(2*time.Second) != 0 {
				t.Fatalf("%s%s was asked %v after the one before", v.Host, v.Path, v.At.Sub(before))
			}
			last[v.Host] = v.At
		}
		if len(last) != 1000 {
			t.Errorf("%d hosts were asked", len(last))
		}
	})
	t.Logf("%v of real time", time.Since(began))
}
