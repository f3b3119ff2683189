//go:build e2e

package crawls_test

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// called queries things by name.
func called(t *testing.T, dir, words string) string {
	t.Helper()
	return strings.TrimPrefix(apptest.Ask(t, dir, "SELECT ?x { ?x ow:nameMatches '"+words+"' } ORDER BY ?x"), "x\n")
}

// TestNames: the name index follows loads and updates, in every graph.
func TestNames(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "store")
	file := toy.Put(t, folder, "a.nq", `<http://v/rome> <http://www.w3.org/2000/01/rdf-schema#label> "Rome"@en .
<http://v/rome> <http://www.w3.org/2004/02/skos/core#altLabel> "Eternal City"@en <http://v/g> .
<http://v/paris> <https://schema.org/name> "Paris, city of light" <http://v/g> .
<http://v/oslo> <http://v/other> "city" .
`)
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{file}}); err != nil {
		t.Fatal(err)
	}
	if got := called(t, dir, "cities"); got != "http://v/paris\nhttp://v/rome\n" {
		t.Errorf("loaded: %q", got)
	}
	update := func(text string) {
		t.Helper()
		if err := store.Query(t.Context(), a, store.QueryOptions{Text: text, Update: true, Data: store.QueryData{Crawl: dir}}); err != nil {
			t.Fatal(err)
		}
	}
	update(`DELETE DATA { GRAPH <http://v/g> { <http://v/rome> <http://www.w3.org/2004/02/skos/core#altLabel> "Eternal City"@en } } ;
INSERT DATA { <http://v/oslo> <http://xmlns.com/foaf/0.1/name> "City by the fjord" }`)
	if got := called(t, dir, "city"); got != "http://v/oslo\nhttp://v/paris\n" {
		t.Errorf("updated: %q", got)
	}
	if got := called(t, dir, "Rome"); got != "http://v/rome\n" {
		t.Errorf("the other name: %q", got)
	}
	update("DROP GRAPH <http://v/g>")
	if got := called(t, dir, "+city light par*"); got != "http://v/oslo\n" {
		t.Errorf("dropped: %q", got)
	}
	more := toy.Put(t, folder, "b.nt", "<http://v/bern> <http://schema.org/name> \"Federal city\" .\n")
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{more}}); err != nil {
		t.Fatal(err)
	}
	if got := called(t, dir, "city"); got != "http://v/bern\nhttp://v/oslo\n" {
		t.Errorf("loaded more: %q", got)
	}
	var out bytes.Buffer
	a.Out = &out
	opts := store.QueryOptions{Text: "SELECT ?x (<" + store.Relevance + ">(?x, 'fjord') AS ?r) { ?x <" + store.NameMatches + "> 'fjord' }", Format: "csv", Data: store.QueryData{Crawl: dir}}
	if err := store.Query(t.Context(), a, opts); err != nil || !strings.Contains(out.String(), "http://v/oslo,0.") && !strings.Contains(out.String(), "http://v/oslo,1.") {
		t.Errorf("%v, %q", err, &out)
	}
	opts.Text = "SELECT * { ?x <" + store.NameMatches + "> ?words }"
	if err := store.Query(t.Context(), a, opts); err == nil || !strings.Contains(err.Error(), "string") {
		t.Errorf("no words: %v", err)
	}
}

// TestTextOfPages: the page index includes pages added since the last query, also while the crawl runs.
func TestTextOfPages(t *testing.T) {
	const pages = "SELECT (COUNT(?page) AS ?n) { ?page ow:textMatches 'airliner' }"
	dir := apptest.CrawledFor(t, "")
	found := apptest.Ask(t, dir, pages)
	if found == "n\n0\n" || apptest.Ask(t, dir, pages) != found {
		t.Errorf("%q, then %q", found, apptest.Ask(t, dir, pages))
	}
	if got := apptest.Ask(t, dir, "SELECT ?page { ?page ow:textMatches 'Skylines' ; ow:accepted true . FILTER NOT EXISTS { ?page a ow:Page } }"); got != "page\n" {
		t.Errorf("no pages: %q", got)
	}
	running, run := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 20) })
	const url = "http://skylines.example/types/a320.html"
	add := func(o *orbweaver.Outcome) {
		t.Helper()
		if err := run.Call(t.Context(), func() {
			p := orbweaver.Proposal{Request: orbweaver.Request{URL: url}}
			id, _ := run.C.Ledger.Offer(p.Request)
			err := run.C.Ledger.Commit(step.Batch{Waiting: []step.Waiting{{ID: id, Proposal: p}}})
			if o.Request = p.Request; err == nil {
				err = run.C.Ledger.Commit(step.Batch{Done: id, Outcome: o})
			}
			if err != nil {
				t.Error(err)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	if got := apptest.Ask(t, running, pages); got != "n\n0\n" {
		t.Errorf("before: %q", got)
	}
	add(&orbweaver.Outcome{Status: 200, Page: &orbweaver.Page{URL: url, MediaType: "text/html", Digest: digestOf(t, dir, url)}})
	if got := apptest.Ask(t, running, pages); got != "n\n1\n" {
		t.Errorf("a page later: %q", got)
	}
}

// digestOf returns the digest of a page of a crawl.
func digestOf(t *testing.T, dir, url string) string {
	t.Helper()
	for _, l := range toy.LinesOf(t, dir) {
		if l.URL == url && export.IsPage(l) {
			return l.Digest
		}
	}
	t.Fatalf("%s was not crawled", url)
	return ""
}
