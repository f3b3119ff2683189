//go:build e2e

package crawls_test

import (
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
	"orbweaver/internal/realdata"
)

// BenchmarkEffect measures the effect of an edit of the ontology on all pages of an encyclopaedia of 4 600 articles.
func BenchmarkEffect(b *testing.B) {
	root, data := realdata.Root(b), realdata.Folder(b, "wikispeedia.warc.gz")
	folder := b.TempDir()
	file := filepath.Join(folder, "music.ttl")
	text, err := os.ReadFile(filepath.Join(root, "examples/wikispeedia/music.ttl"))
	if err != nil {
		b.Fatal(err)
	}
	if err := os.WriteFile(file, text, 0o666); err != nil {
		b.Fatal(err)
	}
	c, err := crawl.New(
		crawl.Seeds("http://wikispeedia.test/wiki/Culture.html"), crawl.Archive(filepath.Join(data, "wikispeedia.warc.gz")), crawl.Folder(filepath.Join(folder, "out")),
		crawl.Set("focus.ontology.files", file), crawl.Set("focus.ontology.target", "http://example.org/music#Music"), crawl.Requests(4200),
	)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := c.Run(b.Context()); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		e, err := c.Effect(b.Context(), crawl.Revision{Keys: map[string]string{"focus.ontology.base": "0.3"}})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(e.Judged), "pages")
		b.ReportMetric(float64(e.Changed), "changed")
		b.Logf("%+v", []any{e.Pages, e.Judged, e.Complete, e.Before, e.After})
	}
}
