package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// tenBest queries pages that link to another, by score.
const tenBest = `SELECT ?page ?score { ?page ow:hasOutlink <http://skylines.example/types/a320.html> ; ow:score ?score } ORDER BY DESC(?score) ?page LIMIT 10`

// TestQueryOfAFolder: the quad store agrees with pages.jsonl.
func TestQueryOfAFolder(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	var lines []ledger.Line
	pages, accepted, failed, reasons := 0, 0, 0, 0
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, l)
		switch {
		case l.Error != "":
			failed++
		case export.IsPage(l):
			pages++
			reasons += len(l.Reasons)
		}
		if l.Accepted && export.IsPage(l) {
			accepted++
		}
	}
	for query, want := range map[string]int{
		"SELECT (COUNT(*) AS ?n) { ?p a ow:Page }":                                     pages,
		"SELECT (COUNT(*) AS ?n) { ?p a ow:Failure ; ow:failure ?why }":                failed,
		"SELECT (COUNT(*) AS ?n) { ?p ow:accepted true }":                              accepted,
		"SELECT (COUNT(*) AS ?n) { ?p ow:number ?k }":                                  len(lines),
		"SELECT (COUNT(*) AS ?n) { ?p ow:reason ?r . ?r ow:rule ?x ; ow:weight ?w }":   reasons,
		"SELECT (COUNT(*) AS ?n) { ?a ow:hasOutlink ?b MINUS { ?b ow:hasInlink ?a } }": 0,
	} {
		if got := apptest.Ask(t, dir, query); got != fmt.Sprintf("n\n%d\n", want) {
			t.Errorf("%s is %q, want %d", query, got, want)
		}
	}
	if got := apptest.Ask(t, dir, tenBest); strings.Count(got, "\n") < 3 {
		t.Errorf("the best pages that link to one: %q", got)
	}
}

// TestQueryWhileItRuns: a running crawl answers queries from its current state, reports their mistakes,
// and continues.
func TestQueryWhileItRuns(t *testing.T) {
	dir, run := apptest.PausedCrawl(t, toy.DemoLines(t)+"focus: {breadth_first: {}}\n", func(l *ledger.Ledger) { toy.Fill(t, l, 200) })
	const links = "SELECT ?page ?to { ?page ow:hasOutlink ?to }"
	want := "page,to\nhttp://host0.example/a/rather/usual/path/page0.html,http://airfields.example/live/x\n"
	for range 2 {
		if got := apptest.Ask(t, dir, links); got != want {
			t.Errorf("%q", got)
		}
	}
	if err := run.Call(t.Context(), func() {
		w, _, err := run.C.Ledger.Waits(2)
		if err == nil {
			page := &orbweaver.Page{Request: w.Request, URL: w.URL, Status: 200, Links: []orbweaver.Link{{To: "http://airfields.example/"}}}
			err = run.C.Ledger.Commit(step.Batch{Done: 2, Outcome: &orbweaver.Outcome{Request: w.Request, Status: 200, Page: page}})
		}
		if err != nil {
			t.Error(err)
		}
	}); err != nil {
		t.Fatal(err)
	}
	if got := apptest.Ask(t, dir, links); strings.Count(got, "\n") != 3 {
		t.Errorf("one page later: %q", got)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: io.Discard, Width: 60}}
	opts := store.QueryOptions{Text: "SELECT ?s { ?s ?p ?o }", Data: store.QueryData{Crawl: dir}, MaxRows: 3}
	if err := store.Query(t.Context(), a, opts); err == nil || !strings.Contains(err.Error(), "more than 3") {
		t.Errorf("too many rows: %v", err)
	}
	opts = store.QueryOptions{Text: "SELECT ?s { ?s ?p ?o }", Data: store.QueryData{Crawl: dir}, Explain: true}
	if err := store.Query(t.Context(), a, opts); err != nil || !strings.Contains(out.String(), "answer: rows:") {
		t.Errorf("the plan: %v, %s", err, &out)
	}
	for name, change := range map[string]func() error{
		"update": func() error {
			return store.Query(t.Context(), a, store.QueryOptions{Text: "CLEAR ALL", Update: true, Data: store.QueryData{Crawl: dir}})
		},
		"load": func() error { return store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{"-"}}) },
		"serve": func() error {
			return store.Serve(t.Context(), a, store.ServeJob{Data: store.QueryData{Crawl: dir}, Listen: "127.0.0.1:0"})
		},
	} {
		if err := change(); !errors.Is(err, orbweaver.ErrBusy) {
			t.Errorf("%s while it runs: %v", name, err)
		}
	}
}

// TestLoadFiles: a file is loaded completely or not at all, and only once.
func TestLoadFiles(t *testing.T) {
	folder := t.TempDir()
	dir, good := filepath.Join(folder, "store"), toy.Put(t, folder, "good.ttl", "<http://v/a> <http://v/p> [ <http://v/p> 1 ] .\n")
	bad := toy.Put(t, folder, "bad.nt", "<http://v/x> <http://v/p> \"x\" .\n<http://v/x> <http://v/p> .\n")
	load := func(work store.LoadJob) (string, error) {
		var messages bytes.Buffer
		err := store.Load(t.Context(), &job.Job{Console: console.Console{Out: &messages, Err: &messages}}, work)
		return messages.String(), err
	}
	for n, job := range []store.LoadJob{{Files: []string{good}}, {Files: []string{good}}, {Files: []string{good}, Graph: "http://v/g"}} {
		job.Dir = dir
		messages, err := load(job)
		if want := []string{"2 of them new", "0 of them new", "2 of them new"}[n]; err != nil || !strings.Contains(messages, want) {
			t.Errorf("%+v: %v, %s", job, err, messages)
		}
	}
	if _, err := load(store.LoadJob{Dir: dir, Files: []string{bad}}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "bad.nt:2:") {
		t.Errorf("a mistake: %v", err)
	}
	if _, err := load(store.LoadJob{Dir: dir, Files: []string{good}, Graph: "no iri"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a graph: %v", err)
	}
	if _, err := load(store.LoadJob{Dir: folder, Files: []string{good}}); !errors.Is(err, orbweaver.ErrForeign) {
		t.Errorf("a folder of other things: %v", err)
	}
	if got := apptest.Ask(t, dir, "SELECT (COUNT(*) AS ?n) (COUNT(DISTINCT ?b) AS ?nodes) { { ?s <http://v/p> ?b } UNION { GRAPH ?g { ?s <http://v/p> ?b } } FILTER(isBlank(?b)) }"); got != "n,nodes\n2,1\n" {
		t.Errorf("%q", got)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := store.Load(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, store.LoadJob{Dir: dir, Files: []string{good}}); !errors.Is(err, console.ErrInterrupted) && !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("interrupted: %v", err)
	}
}

// TestUpdateOfAFolder: an update is durable, and a failed one changes nothing.
func TestUpdateOfAFolder(t *testing.T) {
	folder := t.TempDir()
	dir, file := filepath.Join(folder, "store"), toy.Put(t, folder, "a.ttl", "<http://v/a> <http://v/p> 1, 2 .\n")
	var messages bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &messages, Err: &messages}}
	if err := store.Load(t.Context(), a, store.LoadJob{Dir: dir, Files: []string{file}}); err != nil {
		t.Fatal(err)
	}
	update := func(text string) error {
		return store.Query(t.Context(), a, store.QueryOptions{Text: text, Update: true, Data: store.QueryData{Crawl: dir}})
	}
	if err := update("DELETE DATA { <http://v/a> <http://v/p> 1 } ; INSERT { ?s <http://v/q> ?o } WHERE { ?s <http://v/p> ?o }"); err != nil {
		t.Fatal(err)
	}
	if err := update("CLEAR ALL ; LOAD <http://v/none>"); err == nil {
		t.Error("what cannot be loaded is")
	}
	if got := apptest.Ask(t, dir, "SELECT ?p ?o { ?s ?p ?o } ORDER BY ?p"); got != "p,o\nhttp://v/p,2\nhttp://v/q,2\n" || !strings.Contains(messages.String(), "2 statements, 2 before") {
		t.Errorf("%q, %s", got, &messages)
	}
}

// TestDocumentedQueries: each query of docs/howto/sparql.md has an answer on the demo web.
func TestDocumentedQueries(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "docs/howto/sparql.md"))
	if err != nil {
		t.Fatal(err)
	}
	dir, n := apptest.CrawledFor(t, ""), 0
	for _, block := range strings.Split(string(text), "```sparql\n")[1:] {
		query, _, _ := strings.Cut(block, "```")
		n++
		var out bytes.Buffer
		err := store.Query(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, store.QueryOptions{Text: query, Format: "csv", Data: store.QueryData{Crawl: dir}})
		if err != nil || strings.Count(out.String(), "\n") < 2 {
			t.Errorf("%s\n%v\n%s", query, err, &out)
		}
	}
	if n < 5 {
		t.Errorf("%d queries", n)
	}
}

// TestLoadPages: data within pages is loaded from the archive, once.
func TestLoadPages(t *testing.T) {
	const body = `<script type="application/ld+json">{"@id": "http://v.test/thing", "http://v.test/name": "x"}</script>`
	dir := apptest.CrawledWeb(t, toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: body + `<a href="/b.ttl">b</a>`},
		{URL: "http://a.test/b.ttl", Kind: "text/turtle", Body: "<http://v.test/other> <http://v.test/name> \"y\" ."},
	}))
	const all = "SELECT ?g ?o { GRAPH ?g { ?s ?p ?o } } ORDER BY ?g"
	if got := apptest.Ask(t, dir, all); got != "g,o\nhttp://a.test/b.ttl,y\n" {
		t.Errorf("%q", got)
	}
	for range 2 {
		if err := store.Load(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, store.LoadJob{Dir: dir, Pages: true}); err != nil {
			t.Fatal(err)
		}
		if got := apptest.Ask(t, dir, all); got != "g,o\nhttp://a.test/,x\nhttp://a.test/b.ttl,y\n" {
			t.Errorf("%q", got)
		}
	}
}
