//go:build e2e

package crawls_test

import (
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
)

// BenchmarkLooks tells what looks at a crawl at rest cost: at the crawl folder ORBWEAVER_LOOKS, or without that at a crawl of the demo web. Each
// look opens the folder anew, as a command does. What the folder lacks of indexes is made by the first look that needs it.
func BenchmarkLooks(b *testing.B) {
	dir := os.Getenv("ORBWEAVER_LOOKS")
	if dir == "" {
		folder := b.TempDir()
		apptest.CrawlIn(b, folder, toy.DemoLines(b)+toy.DemoFocus(b)+"limits: {requests: 100}\n")
		dir = filepath.Join(folder, "crawl")
	}
	page, waiting := crawlUrls(b, dir)
	rare := crawl.PageQuery{Text: "no page says this", Limit: 10}
	for _, look := range []struct {
		name string
		at   func(*crawl.Crawl) error
	}{
		{"Status", func(c *crawl.Crawl) error { _, err := c.Status(b.Context()); return err }},
		{"Explain", func(c *crawl.Crawl) error { _, err := c.Explain(b.Context(), page); return err }},
		{"ExplainWaiting", func(c *crawl.Crawl) error { _, err := c.Explain(b.Context(), waiting); return err }},
		{"Pages", func(c *crawl.Crawl) error { return read(b, c, crawl.PageQuery{Limit: 10}) }},
		{"PagesByScore", func(c *crawl.Crawl) error {
			return read(b, c, crawl.PageQuery{Limit: 10, Accepted: true, Sort: "score"})
		}},
		{"PagesByBytes", func(c *crawl.Crawl) error {
			return read(b, c, crawl.PageQuery{Limit: 10, MinScore: 0.7, Sort: "bytes"})
		}},
		{"PagesSaying", func(c *crawl.Crawl) error { return read(b, c, rare) }},
		{"PagesOfLang", func(c *crawl.Crawl) error { return read(b, c, crawl.PageQuery{Limit: 10, Lang: "xx"}) }},
		{"PagesOfEntity", func(c *crawl.Crawl) error { return read(b, c, crawl.PageQuery{Limit: 10, Entity: "no such entity"}) }},
		{"Search", func(c *crawl.Crawl) error {
			_, err := c.Search(b.Context(), crawl.SearchQuery{Words: "astronomy", Rank: "bm25", Top: 20})
			return err
		}},
		{"Report", func(c *crawl.Crawl) error { _, err := c.Report(b.Context()); return err }},
	} {
		b.Run(look.name, func(b *testing.B) {
			for b.Loop() {
				c, err := crawl.Open(dir)
				if err == nil {
					err = look.at(c)
				}
				if err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// read reads a list of pages to its end.
func read(b *testing.B, c *crawl.Crawl, q crawl.PageQuery) error {
	for _, err := range c.AllPages(b.Context(), q) {
		if err != nil {
			return err
		}
	}
	return nil
}

// urls returns a page of a crawl, and a URL that waits, or that page if none does.
func crawlUrls(b *testing.B, dir string) (page, waiting string) {
	b.Helper()
	c, err := crawl.Open(dir)
	if err != nil {
		b.Fatal(err)
	}
	list, err := c.Pages(b.Context(), crawl.PageQuery{Sort: crawl.PageSorts()[0], Limit: 100})
	if err != nil || len(list.Pages) == 0 {
		b.Fatalf("%+v, %v", list, err)
	}
	page = list.Pages[len(list.Pages)-1].URL
	wait, err := c.Waiting(b.Context(), crawl.WaitQuery{Limit: 100})
	if err != nil {
		b.Fatal(err)
	}
	if len(wait) == 0 {
		return page, page
	}
	return page, wait[len(wait)-1].URL
}
