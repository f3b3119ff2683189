//go:build e2e

package crawls_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/realdata"
)

// islandLines returns the first lines of a crawl file over the demo web's linked data.
func islandLines(t testing.TB) string {
	return "seeds: [http://gazette.example/, http://stacks.example/]\nsitemaps: all\n" +
		"web: {archive: " + filepath.Join(realdata.Root(t), "examples/demo.warc.gz") + "}\n" +
		"scope: {hosts: [gazette.example, stacks.example, herbarium.example, vitrine.example, dataport.example, terms.example, schema.org]}\n" +
		"focus: {linked_data: {}}\n"
}

// TestContextsAreKept: the crawl's own archive holds each JSON-LD context once, whatever the number of workers, and a
// crawl of that archive alone gives the same pages.jsonl.
func TestContextsAreKept(t *testing.T) {
	var journal, archive []byte
	for _, workers := range []string{"1", "8"} {
		folder := t.TempDir()
		_, lines := apptest.CrawlIn(t, folder, islandLines(t)+"archive: on\nworkers: "+workers+"\n")
		files, err := filepath.Glob(filepath.Join(folder, "crawl/archive/*.warc.gz"))
		if err != nil || len(files) != 1 {
			t.Fatalf("%v, %v", files, err)
		}
		warc, err := os.ReadFile(files[0])
		if err != nil {
			t.Fatal(err)
		}
		if journal == nil {
			journal, archive = lines, warc
			checkContexts(t, filepath.Join(folder, "crawl/archive"), lines, islandLines(t))
		}
		if !bytes.Equal(lines, journal) || !bytes.Equal(warc, archive) {
			t.Errorf("with %s workers the crawl or the archive differs", workers)
		}
	}
}

// checkContexts checks the contexts in an archive's index, and crawls the archive.
func checkContexts(t *testing.T, archive string, lines []byte, file string) {
	t.Helper()
	index, err := os.ReadFile(filepath.Join(archive, "index.cdxj"))
	if err != nil {
		t.Fatal(err)
	}
	contexts := 0
	for line := range strings.Lines(string(index)) {
		if strings.Contains(line, `"purpose":"context"`) {
			contexts++
		}
	}
	if contexts == 0 || strings.Count(string(index), `"url":"https://schema.org/","mime"`) > 2 {
		t.Errorf("contexts in the archive: %d\n%s", contexts, index)
	}
	before, after, _ := strings.Cut(file, "web: {archive: ")
	_, after, _ = strings.Cut(after, "\n")
	_, again := apptest.CrawlIn(t, t.TempDir(), before+"web: {archive: "+archive+"}\n"+after)
	if !bytes.Equal(again, lines) {
		t.Errorf("crawled from its own archive:\n%s\nwant:\n%s", again, lines)
	}
	if !bytes.Contains(lines, []byte(`"rule":"embedded"`)) {
		t.Error("no page had data")
	}
}
