package app

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
	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/step"
	"orbweaver/kb/stream"
	"orbweaver/ledger"
	"orbweaver/search"
)

// found runs a search.
func found(t *testing.T, dir string, job SearchJob) Found {
	t.Helper()
	var out bytes.Buffer
	if job.Rank == "" {
		job.Rank = "bm25"
	}
	if err := (&App{Console: console.Console{Out: &out, Err: io.Discard}}).Search(t.Context(), dir, job, true); err != nil {
		t.Fatal(err)
	}
	var f Found
	if err := json.Unmarshal(out.Bytes(), &f); err != nil {
		t.Fatal(err)
	}
	for i, h := range f.Hits {
		if i > 0 && h.order(f.Hits[i-1]) < 0 {
			t.Errorf("%s stands behind %s", h.URL, f.Hits[i-1].URL)
		}
	}
	return f
}

const a320 = "http://skylines.example/types/a320.html"

// urls are those of hits.
func (f Found) urls() (all []string) {
	for _, h := range f.Hits {
		all = append(all, h.URL)
	}
	return all
}

// TestSearch: pages are found by words, ranked both ways, by likeness and, with a model, by label.
func TestSearch(t *testing.T) {
	dir := crawledFor(t, "")
	f := found(t, dir, SearchJob{Words: `a320 +side-stick -helicopter`, Top: 5})
	if len(f.Hits) == 0 || len(f.Hits) > 5 || f.Total < len(f.Hits) || !slices.Contains(f.urls(), a320) {
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
	if all := found(t, dir, SearchJob{Words: "airliner", Top: 0}); len(all.Hits) != all.Total || all.Total < 50 {
		t.Errorf("%d of %d", len(all.Hits), all.Total)
	}
	cosine := found(t, dir, SearchJob{Words: "airliner engines", Rank: "cosine", Top: 3})
	if len(cosine.Hits) != 3 || cosine.Hits[0].Score > 1 || len(cosine.Hits[0].Snippet.Marks) == 0 {
		t.Errorf("%+v", cosine)
	}
	like := found(t, dir, SearchJob{Like: a320, Top: 3})
	text := found(t, dir, SearchJob{Like: put(t, t.TempDir(), "x.txt", "It brought the side-stick and electronic controls to ordinary airlines."), Top: 3})
	if slices.Contains(like.urls(), a320) || len(like.Hits) != 3 || !strings.Contains(like.Hits[0].Title, "A320") || !slices.Contains(text.urls(), a320) {
		t.Errorf("like it are %v; like a text %v", like.urls(), text.urls())
	}
	if none := found(t, dir, SearchJob{Words: "zzyzx", Top: 3}); len(none.Hits) != 0 || none.Total != 0 {
		t.Errorf("%+v", none)
	}
}

// TestSearchByLabel: labels are those of the model in the crawl's folder, and raise pages that have what is named.
func TestSearchByLabel(t *testing.T) {
	dir := crawledFor(t, "")
	bad := func(says string, job SearchJob) {
		t.Helper()
		job.Top, job.Rank = 3, "bm25"
		err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Search(t.Context(), dir, job, false)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), says) {
			t.Errorf("%+v: %v, want %q", job, err, says)
		}
	}
	bad("the crawl has no model", SearchJob{Label: "Airbus"})
	bad("no page of the crawl", SearchJob{Like: "http://skylines.example/none"})
	bad("nowhere", SearchJob{Like: "nowhere"})
	bad("query of ", SearchJob{Words: strings.Repeat("word ", 1000)})
	model := filepath.Join(dir, labelmodel.Folder)
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if err := labelmodel.Train(t.Context(), con, labelmodel.Training{Stream: []string{dir}, Out: model}); err != nil {
		t.Fatal(err)
	}
	plain := found(t, dir, SearchJob{Words: "Airbus engines", Top: 0})
	labelled := found(t, dir, SearchJob{Label: "airbus", Top: 0})
	both := found(t, dir, SearchJob{Words: "Airbus engines", Label: "Airbus", Top: 0})
	if len(labelled.Hits) == 0 || len(both.Hits) == 0 || len(both.Hits) >= len(plain.Hits) || both.Total != len(both.Hits) {
		t.Errorf("%d pages, %d with the label, %d with both", len(plain.Hits), len(labelled.Hits), len(both.Hits))
	}
	for _, h := range both.Hits {
		if !slices.Contains(labelled.urls(), h.URL) || !slices.Contains(plain.urls(), h.URL) {
			t.Errorf("%s has not both", h.URL)
		}
	}
	if !slices.Contains(plain.Hits[0].Labels, "Airbus") {
		t.Errorf("first is %+v", plain.Hits[0])
	}
	bad("no label", SearchJob{Label: "onions"})
	var out bytes.Buffer
	a := &App{Console: console.Console{Out: &out, Err: io.Discard}}
	if err := a.Search(t.Context(), dir, SearchJob{Words: "Airbus", Top: 2, Rank: "bm25"}, false); err != nil || !strings.Contains(out.String(), "*Airbus*") || !strings.Contains(out.String(), "labels: ") {
		t.Errorf("%v\n%s", err, &out)
	}
	out.Reset()
	if err := a.WhyLabels(t.Context(), dir, a320, "", false); err != nil || !strings.Contains(out.String(), "is one of its terms: Airbus") {
		t.Errorf("%v\n%s", err, &out)
	}
	if err := a.WhyLabels(t.Context(), dir, "http://skylines.example/none", "", false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a page that is not there: %v", err)
	}
	if err := a.WhyLabels(t.Context(), model, a320, "", false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a page of no crawl: %v", err)
	}
	if err := a.Search(t.Context(), model, SearchJob{Words: "x"}, false); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no crawl folder") {
		t.Errorf("a folder of no crawl: %v", err)
	}
}

// TestSearchOfARunningCrawl: it is asked through its socket, and knows its latest page.
func TestSearchOfARunningCrawl(t *testing.T) {
	dir := crawledFor(t, "")
	running, run := pausedCrawl(t, demoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { fill(t, l, 20) })
	if got := found(t, running, SearchJob{Words: "airliner", Top: 3}); len(got.Hits) != 0 {
		t.Errorf("before: %+v", got)
	}
	err := run.call(t.Context(), func() {
		p := orbweaver.Proposal{Request: orbweaver.Request{URL: a320}}
		id, _ := run.c.ledger.Offer(p.Request)
		o := &orbweaver.Outcome{Request: p.Request, Status: 200, Page: &orbweaver.Page{URL: a320, MediaType: "text/html", Digest: digestOf(t, dir, a320)}}
		if err := errors.Join(run.c.ledger.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: p}}}), run.c.ledger.Commit(step.Batch{Done: id, Outcome: o})); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if got := found(t, running, SearchJob{Words: "airliner", Top: 3}); !slices.Equal(got.urls(), []string{a320}) || got.Hits[0].Title == "" {
		t.Errorf("a page later: %+v", got)
	}
	err = (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Search(t.Context(), running, SearchJob{Label: "x", Rank: "bm25"}, true)
	if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no model") {
		t.Errorf("a label: %v", err)
	}
}

// TestLabelsOfACrossReferenceCrawl: what it learned is shown, explains its pages and finds them.
func TestLabelsOfACrossReferenceCrawl(t *testing.T) {
	folder := t.TempDir()
	crawlIn(t, folder, demoLines(t)+"focus: {crossref: {item: '"+a320+"', round: 50}}\nlimits: {requests: 150}\n")
	dir := filepath.Join(folder, "crawl")
	f := found(t, dir, SearchJob{Label: "Airbus", Top: 3})
	if len(f.Hits) != 3 || f.Total < 3 {
		t.Fatalf("%+v", f)
	}
	var out bytes.Buffer
	a := &App{Console: console.Console{Out: &out, Err: io.Discard}}
	if err := a.WhyLabels(t.Context(), dir, f.Hits[0].URL, "", false); err != nil || !strings.Contains(out.String(), "\nAirbus  ") {
		t.Errorf("%v\n%s", err, &out)
	}
	m, at, err := labelmodel.Open(dir, "")
	if err != nil || at != filepath.Join(dir, labelmodel.Folder) || m.Labels.Items() == 0 {
		t.Fatal(at, err)
	}
	put(t, at, stream.LabelsFile, "nothing of the kind")
	if _, _, err := labelmodel.Open(dir, ""); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), stream.LabelsFile) {
		t.Errorf("damaged: %v", err)
	}
	if f := found(t, dir, SearchJob{Words: "Airbus", Top: 3}); len(f.Hits) != 3 || len(f.Hits[0].Labels) > 0 {
		t.Errorf("words need no model: %+v", f)
	}
}

// TestSnippets: the part with most of what was looked for, cut at words.
func TestSnippets(t *testing.T) {
	long := strings.Repeat("words and words ", 40) + "a kite here, and a second kite, and " + strings.Repeat("nothing of the kind ", 30) + "one kite."
	var spans []search.Span
	for at := 0; ; {
		i := strings.Index(long[at:], "kite")
		if i < 0 {
			break
		}
		spans = append(spans, search.Span{Start: at + i, End: at + i + 4})
		at += i + 4
	}
	s := snippetOf(long, spans)
	if len(s.Marks) != 2 || len(s.Text) > window+nearby || !strings.Contains(s.String(), "a *kite* here, and a second *kite*") || strings.HasPrefix(s.Text, "ords") {
		t.Errorf("%+v", s)
	}
	if s := snippetOf(long, nil); !strings.HasPrefix(s.Text, "words") || len(s.Marks) > 0 || len(s.Text) > window+nearby {
		t.Errorf("%+v", s)
	}
	if s := snippetOf("", nil); s.String() != "" {
		t.Errorf("%+v", s)
	}
	accents := strings.Repeat("é", 500)
	if s := snippetOf(accents, []search.Span{{Start: 600, End: 602}}); !strings.Contains(accents, s.Text) || strings.Contains(s.String(), "\uFFFD") {
		t.Errorf("%q", s.Text)
	}
}
