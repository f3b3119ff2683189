//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
)

// found runs a search.
func storeFound(t *testing.T, dir string, work store.SearchJob) store.Found {
	t.Helper()
	var out bytes.Buffer
	if work.Rank == "" {
		work.Rank = "bm25"
	}
	if err := verbs.Search(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, dir, work, true); err != nil {
		t.Fatal(err)
	}
	var f store.Found
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	for i, h := range f.Hits {
		if i > 0 && h.Order(f.Hits[i-1]) < 0 {
			t.Errorf("%s ranks below %s", h.URL, f.Hits[i-1].URL)
		}
	}
	return f
}

// urls returns the URLs of hits.
func urls(f store.Found) (all []string) {
	for _, h := range f.Hits {
		all = append(all, h.URL)
	}
	return all
}

// TestSearch: pages are found by words in both rankings, by similarity and, with a model, by label.
func TestSearch(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	f := storeFound(t, dir, store.SearchJob{Words: `a320 +side-stick -helicopter`, Top: 5})
	if len(f.Hits) == 0 || len(f.Hits) > 5 || f.Total < len(f.Hits) || !slices.Contains(urls(f), toy.A320) {
		t.Fatalf("%+v", f)
	}
	for _, h := range f.Hits {
		marked := ""
		for _, m := range h.Snippet.Marks {
			marked += strings.ToLower(h.Snippet.Text[m[0]:m[1]]) + " "
		}
		if !strings.Contains(marked, "a320") && !strings.Contains(marked, "side-stick") || h.Title == "" || len(h.Labels) > 0 {
			t.Errorf("%+v: marked %q", h, marked)
		}
	}
	if all := storeFound(t, dir, store.SearchJob{Words: "airliner", Top: 0}); len(all.Hits) != all.Total || all.Total < 50 {
		t.Errorf("%d of %d", len(all.Hits), all.Total)
	}
	cosine := storeFound(t, dir, store.SearchJob{Words: "airliner engines", Rank: "cosine", Top: 3})
	if len(cosine.Hits) != 3 || cosine.Hits[0].Score > 1 || len(cosine.Hits[0].Snippet.Marks) == 0 {
		t.Errorf("%+v", cosine)
	}
	like := storeFound(t, dir, store.SearchJob{Like: toy.A320, Top: 3})
	text := storeFound(t, dir, store.SearchJob{Like: toy.Put(t, t.TempDir(), "x.txt", "It brought the side-stick and electronic controls to ordinary airlines."), Top: 3})
	if slices.Contains(urls(like), toy.A320) || len(like.Hits) != 3 || !strings.Contains(like.Hits[0].Title, "A320") || !slices.Contains(urls(text), toy.A320) {
		t.Errorf("like it are %v; like a text %v", urls(like), urls(text))
	}
	if none := storeFound(t, dir, store.SearchJob{Words: "zzyzx", Top: 3}); len(none.Hits) != 0 || none.Total != 0 {
		t.Errorf("%+v", none)
	}
}

// TestSearchByLabel: labels come from the model in the crawl's folder, and a page with a label named in
// the query ranks higher.
func TestSearchByLabel(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	bad := func(says string, work store.SearchJob) {
		t.Helper()
		work.Top, work.Rank = 3, "bm25"
		err := verbs.Search(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, dir, work, false)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", work, err, says)
		}
	}
	bad("the crawl has no model", store.SearchJob{Label: "Airbus"})
	bad("not a page of the crawl", store.SearchJob{Like: "http://skylines.example/none"})
	bad("nowhere", store.SearchJob{Like: "nowhere"})
	bad("query of ", store.SearchJob{Words: strings.Repeat("word ", 1000)})
	model := filepath.Join(dir, labelmodel.Folder)
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if err := labelmodel.Train(t.Context(), con, labelmodel.Training{Stream: []string{dir}, Out: model}); err != nil {
		t.Fatal(err)
	}
	plain := storeFound(t, dir, store.SearchJob{Words: "Airbus engines", Top: 0})
	labelled := storeFound(t, dir, store.SearchJob{Label: "airbus", Top: 0})
	both := storeFound(t, dir, store.SearchJob{Words: "Airbus engines", Label: "Airbus", Top: 0})
	if len(labelled.Hits) == 0 || len(both.Hits) == 0 || len(both.Hits) >= len(plain.Hits) || both.Total != len(both.Hits) {
		t.Errorf("%d pages, %d with the label, %d with both", len(plain.Hits), len(labelled.Hits), len(both.Hits))
	}
	for _, h := range both.Hits {
		if !slices.Contains(urls(labelled), h.URL) || !slices.Contains(urls(plain), h.URL) {
			t.Errorf("%s has not both", h.URL)
		}
	}
	if !slices.Contains(plain.Hits[0].Labels, "Airbus") {
		t.Errorf("first is %+v", plain.Hits[0])
	}
	bad("no label", store.SearchJob{Label: "onions"})
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}
	if err := verbs.Search(t.Context(), a, dir, store.SearchJob{Words: "Airbus", Top: 2, Rank: "bm25"}, false); err != nil || !strings.Contains(out.String(), "*Airbus*") || !strings.Contains(out.String(), "labels: ") {
		t.Errorf("%v\n%s", err, &out)
	}
	out.Reset()
	if err := offline.WhyLabels(t.Context(), a, dir, toy.A320, "", false); err != nil || !strings.Contains(out.String(), "is one of its terms: Airbus") {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := offline.WhyLabels(t.Context(), a, dir, "http://skylines.example/none", "", false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("missing page: %v", err)
	}
	if err := offline.WhyLabels(t.Context(), a, model, toy.A320, "", false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a page of no crawl: %v", err)
	}
	if err := verbs.Search(t.Context(), a, model, store.SearchJob{Words: "x"}, false); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "not a crawl folder") {
		t.Errorf("a folder of no crawl: %v", err)
	}
}

// TestSearchOfARunningCrawl: a running crawl answers through its socket and includes its latest page.
func TestSearchOfARunningCrawl(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	running, run := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 20) })
	if got := storeFound(t, running, store.SearchJob{Words: "airliner", Top: 3}); len(got.Hits) != 0 {
		t.Errorf("before: %+v", got)
	}
	err := run.Call(t.Context(), func() {
		p := orbweaver.Proposal{Request: orbweaver.Request{URL: toy.A320}}
		id, _ := run.C.Ledger.Offer(p.Request)
		o := &orbweaver.Outcome{Request: p.Request, Status: 200, Page: &orbweaver.Page{URL: toy.A320, MediaType: "text/html", Digest: digestOf(t, dir, toy.A320)}}
		if err := errors.Join(run.C.Ledger.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: p}}}), run.C.Ledger.Commit(step.Batch{Done: id, Outcome: o})); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := storeFound(t, running, store.SearchJob{Words: "airliner", Top: 3}); !slices.Equal(urls(got), []string{toy.A320}) || got.Hits[0].Title == "" {
		t.Errorf("a page later: %+v", got)
	}
	err = verbs.Search(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, running, store.SearchJob{Label: "x", Rank: "bm25"}, true)
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no model") {
		t.Errorf("a label: %v", err)
	}
}

// TestLabelsOfACrossReferenceCrawl: the model that a crawl learned is shown, explains its pages and finds
// them.
func TestLabelsOfACrossReferenceCrawl(t *testing.T) {
	folder := t.TempDir()
	apptest.CrawlIn(t, folder, toy.DemoLines(t)+"focus: {crossref: {item: '"+toy.A320+"', round: 50}}\nlimits: {requests: 150}\n")
	dir := filepath.Join(folder, "crawl")
	f := storeFound(t, dir, store.SearchJob{Label: "Airbus", Top: 3})
	if len(f.Hits) != 3 || f.Total < 3 {
		t.Fatalf("%+v", f)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}
	if err := offline.WhyLabels(t.Context(), a, dir, f.Hits[0].URL, "", false); err != nil || !strings.Contains(out.String(), "\nAirbus  ") {
		t.Errorf("%v\n%s", err, &out)
	}
	m, at, err := labelmodel.Open(dir, "")
	if err != nil || at != filepath.Join(dir, labelmodel.Folder) || m.Labels.Items() == 0 {
		t.Fatal(at, err)
	}
	toy.Put(t, at, stream.LabelsFile, "nothing of the kind")
	if _, _, err := labelmodel.Open(dir, ""); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), stream.LabelsFile) {
		t.Errorf("damaged: %v", err)
	}
	if f := storeFound(t, dir, store.SearchJob{Words: "Airbus", Top: 3}); len(f.Hits) != 3 || len(f.Hits[0].Labels) > 0 {
		t.Errorf("words need no model: %+v", f)
	}
}
