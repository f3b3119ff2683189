//go:build e2e

package crawls_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/ledger"
)

// pagesOf returns the URLs with status 2xx that are not sitemaps, sorted.
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
// no delay is too short, no disallowed URL is requested, and no allowed URL is missed.
func TestPolite(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := fetchtest.Generate(fetchtest.Plan{
					Seed: seed, Hosts: 20, Addresses: 12, Pages: 12, Latency: 70 * time.Millisecond,
					Politeness: fetchtest.Politeness{Delay: time.Second, Retries: 2},
				})
				began := time.Now()
				lines, _ := apptest.CrawlLive(t, w, dir, "politeness: {delay: 1s, retries: 2, contact: me@example.org}", w.Seeds()...)
				for _, v := range w.Violations() {
					t.Error(v)
				}
				if got, want := pagesOf(lines), w.Allowed(); !slices.Equal(got, want) {
					t.Errorf("%d pages, want %d; missing %v, too many %v", len(got), len(want), toy.Without(want, got), toy.Without(got, want))
				}
				t.Logf("%d outcomes in %v of virtual time", len(lines), time.Since(began))
			})
		})
	}
}

// TestThousandHosts crawls a thousand hosts with a delay of two seconds. Every host gets a request exactly every two
// seconds.
func TestThousandHosts(t *testing.T) {
	dir := t.TempDir()
	began := time.Now()
	synctest.Test(t, func(t *testing.T) {
		w := fetchtest.Generate(fetchtest.Plan{
			Seed: 1, Hosts: 1000, Pages: 4, Plain: true, Politeness: fetchtest.Politeness{Delay: 2 * time.Second},
		})
		apptest.CrawlLive(t, w, dir, "politeness: {delay: 2s}\nworkers: 2000\narchive: off", w.Seeds()...)
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
