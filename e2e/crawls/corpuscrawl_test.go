//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/offline/export"
)

// TestCorpusOfCrawl: the corpus of a crawl is its accepted pages with text in the order of fetching, with or without
// an archive of its own. The corpus of a folder of crawls is that of each crawl.
func TestCorpusOfCrawl(t *testing.T) {
	for _, more := range []string{"archive: on\n", "archive: off\n"} {
		dir := apptest.CrawledFor(t, more)
		var want []string
		for _, l := range toy.LinesOf(t, dir) {
			if export.IsAccepted(l) && export.IsPage(l) {
				want = append(want, l.URL)
			}
		}
		all, tally, told, err := readCorpus(dir)
		said := fmt.Sprintf(" is a crawl: only what it accepted is taken, %d pages, fetched ", len(want))
		if got := namesIn(all); err != nil || strings.Count(told, "\n") != 1 || !strings.Contains(told, said) || len(want) < 10 || !slices.Equal(got, want) {
			t.Errorf("%v, told %q: %q, want %q", err, told, got, want)
		}
		if tally != (corpus.Tally{Documents: len(want)}) || all[0].Title == "" || all[0].Lang != "en" {
			t.Errorf("%+v, %+v", tally, all[0])
		}
		outer, _, _, err := readCorpus(filepath.Dir(dir))
		if err != nil || !slices.Equal(namesIn(outer), want) {
			t.Errorf("%v: %q", err, namesIn(outer))
		}
	}
}

// TestCorpusOfLostCrawl: a crawl whose archive is missing is reported and skipped.
func TestCorpusOfLostCrawl(t *testing.T) {
	dir := apptest.CrawledFor(t, "archive: on\n")
	for _, path := range sure(filepath.Glob(filepath.Join(dir, "archive", "*.warc.gz"))) {
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, tally, told, err := readCorpus(dir)
	if !errors.Is(err, orbweaver.ErrInput) || tally.Failed == 0 || !strings.Contains(told, "warning: skipped: ") {
		t.Errorf("%v, %+v, told %q", err, tally, told)
	}
}

// readCorpus reads a corpus to its end.
func readCorpus(paths ...string) (all []corpus.Document, tally corpus.Tally, told string, err error) {
	var log bytes.Buffer
	c, err := corpus.Of(&console.Console{Err: &log}, paths)
	if err != nil {
		return nil, tally, log.String(), err
	}
	for range 2 { // as for titles and for nouns: what is said of the whole is said once
		all = nil
		for d, e := range c.Documents(context.Background()) {
			if err = e; err == nil {
				all = append(all, d)
			}
		}
	}
	return all, c.Tally, log.String(), err
}

// namesIn returns the names of documents.
func namesIn(all []corpus.Document) (names []string) {
	for _, d := range all {
		names = append(names, d.ID)
	}
	return names
}

func sure[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
