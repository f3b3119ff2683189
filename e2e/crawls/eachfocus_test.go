//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

const eachFile = `web: {archive: small.warc}
truth: {cosine: 0.25}
each: {items: 8, seed: 3}
limits: {requests: 12}
runs:
  - {name: best-first, focus: {best_first: {}}}
  - {name: sea, focus: {best_first: {terms: sea}}}
`

func TestEachItemFromItsOwnLinks(t *testing.T) {
	folder, results, progress, err := apptest.CompareFile(t, toy.SmallWeb(t), eachFile)
	if err != nil {
		t.Fatal(err)
	}
	o := toy.Read(t, folder)
	items := o.Drawn()
	if sorted := slices.Sorted(slices.Values(items)); o.Items != 8 || len(slices.Compact(sorted)) != 8 || o.Seeds == nil || len(o.Seeds) > 0 {
		t.Errorf("%d items: %v, seeds %v", o.Items, items, o.Seeds)
	}
	for _, url := range items { // the last page of a chain has no links, loners resemble no page, hub and note cannot be items
		if strings.HasSuffix(url, "5") || strings.Contains(url, "loner") || strings.Contains(url, "hub") || strings.Contains(url, "note") {
			t.Errorf("%s was drawn", url)
		}
	}
	// a chain leads through the item's own topic only, so all find all that can be reached
	if o.OfRecall("oracle") != 1 || o.OfRecall("best-first") != 1 || o.Runs[0].Points[0].RecallCI == nil {
		t.Errorf("%+v", o.Runs)
	}
	if o.Runs[0].Focus != "best_first: n = 1, by the item's words" || o.Runs[0].Ended == "" {
		t.Errorf("%+v", o.Runs[0])
	}
	for i, url := range items {
		if want := fmt.Sprintf("item %d of 8: %s: best-first 100.0 %%, sea 100.0 %%, ", i+1, url); !strings.Contains(progress, want) {
			t.Errorf("no %q in\n%s", want, progress)
		}
		if _, err := os.Stat(filepath.Join(folder, "runs", "oracle", fmt.Sprint("item-", i+1), "pages.jsonl")); err != nil {
			t.Error(err)
		}
	}
	if !strings.Contains(results, "items: 8 drawn of 23 by seed 3; ") || !strings.Contains(results, "100.0±0.0") {
		t.Errorf("results\n%s", results)
	}
}

func TestEachItemFromTheSeedsOfTheFile(t *testing.T) {
	folder, _, _, err := apptest.CompareFile(t, toy.SmallWeb(t), strings.Replace(eachFile, "items: 8", "items: 18", 1)+"seeds: http://small.test/hub\n")
	if err != nil {
		t.Fatal(err)
	}
	o := toy.Read(t, folder)
	items := o.Drawn()
	if len(items) != 18 || slices.Contains(items, "http://small.test/island") || o.Web.Reachable != 23 || len(o.Seeds) != 1 {
		t.Errorf("got %v, want all of the three chains and not the island; %+v, seeds %v", items, o.Web, o.Seeds)
	}
	best, breadth, oracle := o.OfRecall("best-first"), o.OfRecall("breadth-first"), o.OfRecall("oracle")
	if oracle != 1 || best <= breadth || best <= o.OfRecall("sea") {
		t.Errorf("oracle %v, best-first %v, sea %v, breadth-first %v", oracle, best, o.OfRecall("sea"), breadth)
	}
}

// tree reads all files below a folder.
func tree(t *testing.T, folder string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(folder, path)
		files[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestEachIsTheSameAgain(t *testing.T) {
	dir := toy.SmallWeb(t)
	var first map[string]string
	for _, workers := range []string{"1", "7", "2"} {
		folder, _, _, err := apptest.CompareFile(t, dir, eachFile+"workers: "+workers+"\n")
		if err != nil {
			t.Fatal(err)
		}
		files := tree(t, folder)
		if len(files) != 4+4*8 {
			t.Errorf("%d files", len(files))
		}
		if first == nil {
			first = files
		}
		for name := range first {
			if files[name] != first[name] {
				t.Errorf("%s differs with %s workers", name, workers)
			}
		}
	}
	folder, _, _, err := apptest.CompareFile(t, dir, strings.Replace(eachFile, "seed: 3", "seed: 4", 1))
	if err != nil || tree(t, folder)["comparison.json"] == first["comparison.json"] {
		t.Errorf("another seed draws the same: %v", err)
	}
}

func TestTooFewItems(t *testing.T) {
	folder, _, _, err := apptest.CompareFile(t, toy.SmallWeb(t), strings.Replace(eachFile, "items: 8", "items: 60", 1))
	want := "each: 60 items are wanted, but of 23 pages that could be one (HTML, at least 50 words, within reach) only 16 have another page above the cosine of 0.25 that can be reached"
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(folder); err == nil {
		t.Error("something was written")
	}
}

func TestEachStops(t *testing.T) {
	dir := toy.SmallWeb(t)
	path := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(path, []byte(eachFile+"workers: 1\noutput: out\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	log := &stopper{stop: stop}
	err := compare.Compare(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: log}}, path)
	if !errors.Is(err, console.ErrInterrupted) || strings.Count(log.String(), "item") != 1 || strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("%v after\n%s", err, log)
	}
	if err := compare.Compare(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, path); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("stopped before it began: %v", err)
	}
}

// A stopper cancels the job that writes to it.
type stopper struct {
	bytes.Buffer
	stop func()
}

func (s *stopper) Write(p []byte) (int, error) {
	s.stop()
	return s.Buffer.Write(p)
}
