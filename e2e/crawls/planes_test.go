//go:build e2e

package crawls_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
)

// planes is a crawl of the demo web for aircraft, by an ontology of its own, of so many requests.
func planes(t *testing.T, folder string, requests int) *crawl.Crawl {
	t.Helper()
	ontology := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	if _, err := os.Stat(ontology); err != nil {
		text, err := os.ReadFile("../../examples/aircraft.ttl")
		if err = errors.Join(err, os.WriteFile(ontology, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive("../../examples/demo.warc.gz"), crawl.Requests(int64(requests)), crawl.Folder(folder),
		crawl.Set("focus.ontology.files", ontology), crawl.Set("focus.ontology.target", "Airplane"), crawl.Set("archive", "on"),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}
