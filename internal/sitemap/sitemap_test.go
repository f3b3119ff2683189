package sitemap_test

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/realdata"
	"orbweaver/internal/sitemap"
	"orbweaver/page"
)

func demo(t *testing.T) *archive.Web {
	t.Helper()
	web, err := archive.OpenWeb([]string{filepath.Join(realdata.Root(t), "examples/demo.warc.gz")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { web.Close() })
	return web
}

func share(x float64) *float64 { return &x }

// listed reads the sitemap of a host as a crawl does.
func listed(t *testing.T, w *sitemap.Web, web *archive.Web, host string) (urls []string) {
	t.Helper()
	response, err := w.Fetching(web).Fetch(t.Context(), orbweaver.Request{URL: w.Of(host)})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	p, err := w.Reading(page.NewReader(page.Options{})).Read(t.Context(), response, payload)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range p.Links {
		if l.Origin != orbweaver.FromSitemap {
			t.Errorf("%s is a link of origin %s", l.To, l.Origin)
		}
		urls = append(urls, l.To)
	}
	return urls
}

func TestSitemapOfAnArchive(t *testing.T) {
	web := demo(t)
	if w := sitemap.New(web, crawlfile.Sitemap{}, nil); w != nil || w.Of("http://hangar.example") != "" || w.Words() != "" {
		t.Error("no sitemap is one")
	}
	const host = "http://hangar.example"
	var pages []string
	for e := range web.All() {
		if strings.HasPrefix(e.URL, host+"/") && e.Status == 200 && e.URL != host+"/robots.txt" {
			pages = append(pages, e.URL)
		}
	}
	all := sitemap.New(web, crawlfile.Sitemap{Share: share(1), Seed: 1}, nil)
	if got := listed(t, all, web, host); len(pages) == 0 || !slices.Equal(got, pages) {
		t.Errorf("%d URLs listed, %d pages", len(got), len(pages))
	}
	if _, err := all.Fetching(web).Fetch(t.Context(), orbweaver.Request{URL: host + "/orbweaver-sitemap-2.xml"}); err == nil {
		t.Error("there is a second part")
	}
	half := listed(t, sitemap.New(web, crawlfile.Sitemap{Share: share(0.5), Seed: 1}, nil), web, host)
	other := listed(t, sitemap.New(web, crawlfile.Sitemap{Share: share(0.5), Seed: 2}, nil), web, host)
	if n := len(pages); len(half) < n/4 || len(half) > n*3/4 || slices.Equal(half, other) {
		t.Errorf("halves of %d and %d of %d pages", len(half), len(other), n)
	}
}

// TestOpaque: with replaced URLs, a page has its number in the sitemap and in links, and answers by it alone.
func TestOpaque(t *testing.T) {
	web := demo(t)
	const seed = "http://hangar.example/"
	w := sitemap.New(web, crawlfile.Sitemap{Share: share(1), Opaque: 1, Seed: 1}, []string{seed})
	urls := listed(t, w, web, "http://hangar.example")
	fetch, read := w.Fetching(web), w.Reading(page.NewReader(page.Options{}))
	for _, url := range urls {
		if url == seed {
			continue
		}
		if strings.Trim(strings.TrimPrefix(url, seed), "0123456789") != "" {
			t.Fatalf("%s has words", url)
		}
	}
	response, err := fetch.Fetch(t.Context(), orbweaver.Request{URL: seed})
	if err != nil {
		t.Fatal(err)
	}
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	p, err := read.Read(t.Context(), response, payload)
	if err != nil || p.URL != seed {
		t.Fatalf("%v, %v", p, err)
	}
	known := 0
	for _, l := range p.Links {
		if slices.Contains(urls, l.To) {
			known++
		}
	}
	if known == 0 {
		t.Error("no link of the seed is in the sitemap")
	}
	for e := range web.All() {
		if shown := w.Shown(e.URL); shown != e.URL {
			if _, err := fetch.Fetch(t.Context(), orbweaver.Request{URL: e.URL}); err == nil {
				t.Errorf("%s answers by its words", e.URL)
			}
			if again, _ := w.Canonical(e.URL); again != shown {
				t.Errorf("%s is %s and %s", e.URL, shown, again)
			}
			return
		}
	}
	t.Error("nothing was replaced")
}
