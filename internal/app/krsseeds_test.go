package app

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/krsdb"
	"orbweaver/ledger"
)

// TestSeedsOfTheCorpus draws documents of a corpus that was a web.
func TestSeedsOfTheCorpus(t *testing.T) {
	dir := planeWeb(t)
	folder, _, err := learn(t, dir, func(j *KRSJob) { j.Corpus = append(j.Corpus, filepath.Join(dir, "planes.warc")) })
	if err != nil {
		t.Fatal(err)
	}
	store, err := krsdb.Open(folder, "")
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	all := []string{"http://planes.test/cake", "http://planes.test/flyer", "http://planes.test/hub", "http://planes.test/works"}
	drawn := map[string]bool{}
	for seed := range int64(20) {
		two, err := drawSeeds(store, crawlfile.KRS{File: folder, Seeds: 2, Seed: seed})
		if err != nil || len(two) != 2 || two[0] == two[1] {
			t.Fatal(two, err)
		}
		if again, _ := drawSeeds(store, crawlfile.KRS{File: folder, Seeds: 2, Seed: seed}); !slices.Equal(again, two) {
			t.Errorf("%v, then %v", two, again)
		}
		drawn[two[0]] = true
	}
	if len(drawn) != len(all) {
		t.Errorf("drawn first: %v", drawn)
	}
	most, err := drawSeeds(store, crawlfile.KRS{File: folder, Seeds: 100, Seed: 1})
	if slices.Sort(most); err != nil || !slices.Equal(most, all) {
		t.Error(most, err)
	}
	if none, err := drawSeeds(store, crawlfile.KRS{File: folder}); err != nil || len(none) > 0 {
		t.Error(none, err)
	}
}

// TestCrawlFromTheCorpus has no other seeds.
func TestCrawlFromTheCorpus(t *testing.T) {
	dir := planeWeb(t)
	_, _, err := learn(t, dir, func(j *KRSJob) { j.Corpus = []string{filepath.Join(dir, "planes.warc")} })
	if err != nil {
		t.Fatal(err)
	}
	file := func(name, krs string) string {
		return put(t, dir, name+".yaml", fmt.Sprintf("seeds: []\nweb: {archive: [planes.warc]}\nfocus: {krs: {file: planes.krs%s}}\noutput: %s\n", krs, name))
	}
	var out bytes.Buffer
	a := &App{Console: console.Console{Out: &out, Err: &out}}
	for range 2 { // the second time nothing is left to do
		if err := a.Crawl(t.Context(), file("out", ", seeds: 1, seed: 3")); err != nil {
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
	if err := a.Crawl(t.Context(), file("none", "")); err == nil || !strings.Contains(err.Error(), "seeds: is empty") {
		t.Errorf("neither seeds nor any of the corpus: %v", err)
	}
}

// TestCorpusOfFilesHasNoSeeds says so before anything is written.
func TestCorpusOfFilesHasNoSeeds(t *testing.T) {
	dir := planeWeb(t)
	if _, _, err := learn(t, dir, func(*KRSJob) {}); err != nil {
		t.Fatal(err)
	}
	file := put(t, dir, "f.yaml", fmt.Sprintf(planesFile, "planes.warc", "seeds: 1", "out"))
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Crawl(t.Context(), file); err == nil || !strings.Contains(err.Error(), "focus.krs.seeds") {
		t.Error(err)
	}
}
