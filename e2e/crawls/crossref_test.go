//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/crossref"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
)

// crossrefCrawl crawls the small web for an item and returns its folder and the printed text.
func crossrefCrawl(t *testing.T, dir, item, more string) (folder, told string, err error) {
	t.Helper()
	file := toy.Put(t, dir, "x.yaml", fmt.Sprintf("web: {archive: small.warc}\nfocus: {crossref: {item: %s, round: 3%s}}\nlimits: {requests: 9}\noutput: out\n", item, more))
	var out bytes.Buffer
	err = verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}}, file)
	return filepath.Join(dir, "out"), out.String(), err
}

func TestCrossrefOfAURL(t *testing.T) {
	dir := toy.SmallWeb(t)
	folder, told, err := crossrefCrawl(t, dir, "http://small.test/sea0", "")
	if err != nil {
		t.Fatal(err, told)
	}
	sea := 0
	for l, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(l.URL, "/sea") && l.Score > 0 {
			sea++
		}
	}
	if sea != 5 {
		t.Errorf("%d pages like it, not the other 5: %s", sea, told)
	}
	var rounds []crossref.Figures
	text, err := os.ReadFile(filepath.Join(folder, "rounds.json"))
	if err != nil || json.Unmarshal(text, &rounds) != nil || len(rounds) < 2 || rounds[0].Pages == 0 {
		t.Errorf("%s %v", text, err)
	}
	model, _, err := labelmodel.Open(folder, "")
	if err != nil || model.Labels.Items() != int64(model.Terms.N()) || model.Terms.N() < 6 {
		t.Errorf("%+v %v", model, err)
	}
	log, err := os.ReadFile(filepath.Join(folder, "model", stream.DriftFile))
	drift := string(log)
	if err != nil {
		t.Error(err)
	}
	if !strings.HasPrefix(drift, `{"item":1,"id":"http://small.test/sea0","kind":"term"`) || !strings.Contains(drift, "\n"+`{"item":2,"id":"http://small.test/sea1","at":"2020-`) {
		t.Errorf("the item is not in the log, or what came next not with its time:\n%.1000s", drift)
	}
	kept, err := os.ReadFile(filepath.Join(folder, "item.html"))
	if err != nil || !strings.HasPrefix(string(kept), "http://small.test/sea0\n<html") {
		t.Errorf("%.80s %v", kept, err)
	}
	if _, told, err := crossrefCrawl(t, dir, "http://small.test/sea0", ""); err != nil {
		t.Errorf("a crawl that is over is gone on with: %v %s", err, told)
	}
	if _, told, err := crossrefCrawl(t, dir, "http://small.test/sea0", ", model: "+folder); err == nil {
		t.Errorf("another focus in the same folder: %s", told)
	}
}

func TestCrossrefOfAFile(t *testing.T) {
	dir := toy.SmallWeb(t)
	toy.Put(t, dir, "item.html", "<html lang=en><title>Wood</title><p>"+strings.Repeat("wood ", 20)+"<a href=http://small.test/hub>hub</a> <a href=rel>relative</a>")
	folder, told, err := crossrefCrawl(t, dir, "item.html", ", without: [labels, layers]")
	if err != nil {
		t.Fatal(err, told)
	}
	wood, accepted := 0, 0
	for l := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if strings.Contains(l.URL, "invalid") {
			t.Errorf("a link of the file that leads nowhere: %s", l.URL)
		}
		if strings.Contains(l.URL, "/wood") {
			wood++
		}
		if l.Accepted {
			accepted++
		}
	}
	if wood < 3 || accepted == 0 || accepted > wood {
		t.Errorf("%d pages of wood, %d accepted: %s", wood, accepted, told)
	}
}

func TestCrossrefProblems(t *testing.T) {
	whole := toy.SmallWeb(t)
	if folder, told, err := crossrefCrawl(t, whole, "http://small.test/sea0", ""); err != nil || os.Rename(folder, filepath.Join(whole, "kept")) != nil {
		t.Fatal(err, told)
	}
	model := filepath.Join(whole, "kept", "model")
	head, err := os.ReadFile(filepath.Join(model, stream.HeadFile))
	if err != nil {
		t.Fatal(err)
	}
	later := strings.Replace(string(head), `"version": 1`, `"version": 99`, 1)
	for _, tc := range []struct{ item, more, want string }{
		{"http://small.test/missing", "", "focus.crossref.item"},
		{"none.html", "", "none.html"},
		{"empty.html", "", "empty.html: it has no usable word: it has no text"},
		{"numbers.html", "", "numbers.html: it has no usable word: it has numbers"},
		{"stop.html", "", "stop.html: it has no usable word: it has stop words"},
		{"http://small.test/sea0", ", model: none", "none: no such folder"},
		{"http://small.test/sea0", ", model: .", "neither a model nor a crawl folder"},
		{"http://small.test/sea0", ", model: later", "version 99, and this program reads 1"},
		{"http://small.test/sea0", ", model: damaged", "it is not what model.json says"},
		{"http://small.test/sea0", ", half_life: 7, model: " + model, "half_life: the model in"},
		{"http://small.test/sea0", ", wordnet: .", "focus.crossref.wordnet"},
	} {
		dir := toy.SmallWeb(t)
		toy.Put(t, dir, "empty.html", "<html></html>")
		toy.Put(t, dir, "numbers.html", "<p>12 34 5")
		toy.Put(t, dir, "stop.html", "<html lang=en><p>of the and then")
		for _, name := range []string{"later", "damaged"} {
			if err := os.CopyFS(filepath.Join(dir, name), os.DirFS(model)); err != nil {
				t.Fatal(err)
			}
		}
		toy.Put(t, filepath.Join(dir, "later"), stream.HeadFile, later)
		toy.Put(t, filepath.Join(dir, "damaged"), stream.TermsFile, "damaged")
		folder, _, err := crossrefCrawl(t, dir, tc.item, tc.more)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(fmt.Sprint(err), tc.want) {
			t.Errorf("%s%s: %v, want %s", tc.item, tc.more, err, tc.want)
		}
		if _, err := os.Stat(folder); err == nil {
			t.Errorf("%s%s: a folder was made", tc.item, tc.more)
		}
	}
	if after, err := os.ReadFile(filepath.Join(model, stream.HeadFile)); err != nil || !bytes.Equal(head, after) {
		t.Error("the model that was begun with is another")
	}
}

// TestCrossrefInAnotherLanguage: an item in another language than the pages causes a warning.
func TestCrossrefInAnotherLanguage(t *testing.T) {
	dir := toy.SmallWeb(t)
	toy.Put(t, dir, "de.html", "<html lang=de><title>Holz</title><p>"+strings.Repeat("Das Holz der Bäume. ", 20)+"<a href=http://small.test/hub>hub</a>")
	for item, want := range map[string]bool{"de.html": true, "http://small.test/sea0": false} {
		folder, told, err := crossrefCrawl(t, dir, item, "")
		if err != nil || strings.Contains(told, "in the language of the item (de), most were in another (en)") != want {
			t.Errorf("%s: %v\n%s", item, err, told)
		}
		if err := os.RemoveAll(folder); err != nil {
			t.Fatal(err)
		}
	}
}

// TestCrossrefForEach: the focus uses the drawn item, and the truth its topics.
func TestCrossrefForEach(t *testing.T) {
	dir := toy.SmallWeb(t)
	rows := "url\ttopic\n"
	for _, topic := range []string{"sea", "sky", "wood"} {
		for i := range 6 {
			rows += fmt.Sprintf("http://small.test/%s%d\t%s\n", topic, i, topic)
		}
	}
	truth := toy.Put(t, dir, "topics.tsv", rows)
	_, results, progress, err := apptest.CompareFile(t, dir, `web: {archive: small.warc}
truth: {file: `+truth+`, of: item, topics: [sea, sky]}
each: {items: 4, seed: 1}
seeds: http://small.test/hub
limits: {requests: 12}
runs:
  - {name: crossref, focus: {crossref: {round: 2}}}
  - {name: best-first, focus: {best_first: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(results, "items: 4 drawn of 12 by seed 1") {
		t.Errorf("only pages of the topics are drawn: %s", results)
	}
	if strings.Contains(progress, "/wood") || !strings.Contains(progress, "crossref 100.0 %") {
		t.Errorf("%s", progress)
	}
}
