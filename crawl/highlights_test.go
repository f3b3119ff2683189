package crawl_test

import (
	"path/filepath"
	"slices"
	"testing"

	"orbweaver/crawl"
)

// TestHighlights: the newest and the best pages are those of the list, also when the crawl has gone on.
func TestHighlights(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	for _, requests := range []int{60, 140} {
		c := planes(t, folder, requests)
		if newest, best, err := c.Highlights(t.Context(), 5); requests == 60 && (len(newest)+len(best) != 0 || err != nil) {
			t.Errorf("before the crawl: %v, %v, %v", newest, best, err)
		}
		if _, err := c.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		newest, best, err := c.Highlights(t.Context(), 15)
		if err != nil {
			t.Fatal(err)
		}
		list, err := c.Pages(t.Context(), crawl.PageQuery{})
		if err != nil {
			t.Fatal(err)
		}
		urls := func(pages []crawl.Page) (all []string) {
			for _, p := range pages {
				all = append(all, p.URL)
			}
			return all
		}
		want := slices.Clone(list.Pages)
		slices.Reverse(want)
		if got := urls(newest); !slices.Equal(got, urls(want[:15])) {
			t.Errorf("newest %q, want %q", got, urls(want[:15]))
		}
		list, err = c.Pages(t.Context(), crawl.PageQuery{Sort: "score", Limit: 15})
		if err != nil {
			t.Fatal(err)
		}
		if got := urls(best); !slices.Equal(got, urls(list.Pages)) {
			t.Errorf("best %q, want %q", got, urls(list.Pages))
		}
	}
}
