//go:build e2e

package crawls_test

import (
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// TestIndexedAlong: when a polite crawl ends, the words of all but its latest pages are indexed, and a search that indexes a little finds
// those too. Without an archive nothing is indexed.
func TestIndexedAlong(t *testing.T) {
	for _, archive := range []string{"on", "off"} {
		t.Run(archive, func(t *testing.T) {
			dir := t.TempDir()
			synctest.Test(t, func(t *testing.T) {
				w := fetchtest.Generate(fetchtest.Plan{
					Seed: 7, Hosts: 10, Pages: 40, Plain: true, Politeness: fetchtest.Politeness{Delay: 2 * time.Second},
				})
				apptest.CrawlLive(t, w, dir, "politeness: {delay: 2s}\narchive: "+archive, w.Seeds()...)
				for _, v := range w.Violations() {
					t.Error(v)
				}
			})
			folder := filepath.Join(dir, "crawls", "live")
			l, err := ledger.OpenForLooks(folder)
			if err != nil {
				t.Fatal(err)
			}
			left, of := l.Wordless(), l.Outcomed()
			if err := l.Close(); err != nil {
				t.Fatal(err)
			}
			if archive == "off" {
				if left != of {
					t.Errorf("%d of %d are indexed", of-left, of)
				}
				return
			}
			if of < 300 || left > of/2 {
				t.Fatalf("%d of %d requests are not indexed", left, of)
			}
			found, err := store.Find(t.Context(), store.NewSilent(), folder, store.SearchJob{Words: "page", Rank: "bm25", Top: 3, Partial: true})
			if err != nil || found.Unindexed != 0 {
				t.Errorf("%+v, %v", found, err)
			}
			t.Logf("%d of %d requests were left to the search", left, of)
		})
	}
}
