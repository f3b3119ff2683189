//go:build e2e

package crawls_test

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// BenchmarkCrawl crawls all of wikispeedia with the ontology focus. It measures the full cost of a page, storage and
// the opening of the archive included.
func BenchmarkCrawl(b *testing.B) {
	data := realdata.Folder(b, "wikispeedia.warc.gz")
	file := filepath.Join(b.TempDir(), "crawl.yaml")
	text := `seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html, http://wikispeedia.test/wiki/History.html, http://wikispeedia.test/wiki/Geography.html, http://wikispeedia.test/wiki/Technology.html]
web: {archive: ` + filepath.Join(data, "wikispeedia.warc.gz") + `}
focus: {ontology: {files: ` + filepath.Join(realdata.Root(b), "examples/wikispeedia/computing.ttl") + `, target: "http://example.org/computing#Computing"}}
output: out
`
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(filepath.Dir(file), "out")); err != nil {
			b.Fatal(err)
		}
		if err := verbs.Crawl(b.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, file); err != nil {
			b.Fatal(err)
		}
	}
}
