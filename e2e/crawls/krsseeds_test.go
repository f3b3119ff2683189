//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/ledger"
)

// TestCrawlFromTheCorpus: the seeds are the pages of the KRS's corpus.
func TestCrawlFromTheCorpus(t *testing.T) {
	dir := krstest.PlaneWeb(t)
	_, _, err := toy.Learn(t, dir, func(j *krs.Job) { j.Corpus = []string{filepath.Join(dir, "planes.warc")} })
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, more string) string {
		return toy.Put(t, dir, name+".yaml", fmt.Sprintf("seeds: []\nweb: {archive: [planes.warc]}\nfocus: {krs: {file: planes.krs%s}}\noutput: %s\n", more, name))
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}}
	for range 2 { // the second session has nothing left to do
		if err := verbs.Crawl(t.Context(), a, file("out", ", seeds: 1, seed: 3")); err != nil {
			t.Fatal(err, out.String())
		}
	}
	n := 0
	for l, err := range ledger.Lines(filepath.Join(dir, "out", ledger.JournalFile)) {
		if n++; err != nil || n == 1 && l.Depth != 0 {
			t.Errorf("%+v %v", l, err)
		}
	}
	if n == 0 {
		t.Errorf("no page: %s", &out)
	}
	if err := verbs.Crawl(t.Context(), a, file("none", "")); err == nil || !strings.Contains(err.Error(), "seeds: is empty") {
		t.Errorf("neither seeds nor any of the corpus: %v", err)
	}
}

// TestCorpusOfFilesHasNoSeeds: a corpus of files gives an error before anything is written.
func TestCorpusOfFilesHasNoSeeds(t *testing.T) {
	dir := krstest.PlaneWeb(t)
	if _, _, err := toy.Learn(t, dir, func(*krs.Job) {}); err != nil {
		t.Fatal(err)
	}
	file := toy.Put(t, dir, "f.yaml", fmt.Sprintf(toy.PlanesFile, "planes.warc", "seeds: 1", "out"))
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, file); err == nil || !strings.Contains(err.Error(), "focus.krs.seeds") {
		t.Error(err)
	}
}
