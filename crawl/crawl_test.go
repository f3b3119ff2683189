package crawl_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/tier"
)

// planes is a crawl of the demo web for aircraft, by an ontology of its own, of so many requests.
func planes(t *testing.T, folder string, requests int) *crawl.Crawl {
	t.Helper()
	ontology := filepath.Join(filepath.Dir(folder), "aircraft.ttl")
	if _, err := os.Stat(ontology); err != nil {
		text, err := os.ReadFile("../examples/aircraft.ttl")
		if err = errors.Join(err, os.WriteFile(ontology, text, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	c, err := crawl.New(
		crawl.Seeds("http://tidings.example/"), crawl.Archive("../examples/demo.warc.gz"), crawl.Requests(int64(requests)), crawl.Folder(folder),
		crawl.Set("focus.ontology.files", ontology), crawl.Set("focus.ontology.target", "Airplane"), crawl.Set("archive", "on"),
	)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// answers are what a crawl says to everything that can be asked, as JSON.
func answers(t *testing.T, c *crawl.Crawl) map[string]string {
	t.Helper()
	ctx, told := t.Context(), map[string]string{}
	note := func(name string, value any, err error) {
		t.Helper()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := json.Marshal(value)
		if err != nil || len(text) < 10 {
			t.Errorf("%s: %s, %v", name, text, err)
		}
		told[name] = string(text)
	}
	pages, err := c.Pages(ctx, crawl.PageQuery{Accepted: true, Sort: "score", Limit: 5})
	note("pages", pages, err)
	if len(pages.Pages) != 5 || pages.Next == "" || pages.Total <= 5 {
		t.Fatalf("%d pages of %d, next %q", len(pages.Pages), pages.Total, pages.Next)
	}
	more, err := c.Pages(ctx, crawl.PageQuery{Accepted: true, Sort: "score", Limit: 5, After: pages.Next})
	if note("more pages", more, err); len(more.Pages) == 0 || more.Pages[0].URL == pages.Pages[4].URL {
		t.Error("the second part begins with the first")
	}
	var all []crawl.Page
	for p, failed := range c.AllPages(ctx, crawl.PageQuery{Accepted: true, Sort: "score", Limit: int(pages.Total) - 1}) {
		all, err = append(all, p), errors.Join(err, failed)
	}
	if note("all pages", all, err); len(all) != int(pages.Total)-1 || all[5].URL != more.Pages[0].URL {
		t.Errorf("%d pages of %d", len(all), pages.Total)
	}
	best := pages.Pages[0].URL
	x, err := c.Explain(ctx, best)
	note("explain", x, err)
	e, err := c.Evidence(ctx, best)
	note("evidence", e, err)
	for _, s := range e.Spans {
		field := e.Text
		if s.Field == orbweaver.InTitle {
			field = e.Title
		}
		if s.Start < 0 || s.End > len(field) || s.Start >= s.End {
			t.Errorf("a span is outside: %+v", s)
		}
	}
	failures, err := c.Failures(ctx, crawl.FailedQuery{})
	note("failures", struct{ All []crawl.Failed }{failures}, err)
	waiting, err := c.Waiting(ctx, crawl.WaitQuery{Limit: 10})
	note("waiting", waiting, err)
	suggestions, err := c.Suggestions(ctx)
	note("suggestions", suggestions, err)
	excluded, err := c.Exclude(ctx, crawl.Exclusion{Patterns: []string{"skylines.example"}, Preview: true})
	if note("excluded", excluded, err); excluded.Waiting == 0 {
		t.Error("nothing would be excluded")
	}
	found, err := c.Search(ctx, crawl.SearchQuery{Words: "airliner", Top: 3, Rank: "bm25"})
	note("search", found, err)
	var out bytes.Buffer
	err = c.Query(ctx, &out, "PREFIX ow: <http://orbweaver.example/terms#> SELECT ?p ?s { ?p a ow:Page ; ow:score ?s } ORDER BY DESC(?s) ?p LIMIT 3", "csv")
	note("query", out.String(), err)
	out.Reset()
	err = c.Export(ctx, &out, crawl.ExportQuery{Format: "urls", Accepted: true})
	note("export", out.String(), err)
	unsure, err := c.Unsure(ctx, 3)
	if note("unsure", struct{ All []crawl.Page }{unsure}, err); len(unsure) != 3 {
		t.Errorf("unsure of %d pages", len(unsure))
	}
	if _, err := c.Verdict(ctx, crawl.Verdict{URL: "http://nowhere.example/", Relevant: true}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a verdict on a page that was not fetched: %v", err)
	}
	return told
}

// TestEverywhere: a crawl that this process runs, one that is reached over its control socket, and one at rest give the
// same answers.
func TestEverywhere(t *testing.T) {
	tier.Long(t, "asks everything of crawls here, elsewhere and at rest")
	folder := filepath.Join(t.TempDir(), "planes")
	if _, err := planes(t, folder, 60).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := planes(t, folder, 200)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	events, over := c.Events(ctx), make(chan error, 1)
	go func() {
		_, err := c.Run(ctx)
		over <- err
	}()
	var here, there map[string]string
	for e := range events {
		if e.Kind == crawl.Notice {
			t.Log(e.Message)
		}
		if e.Kind == crawl.Begin {
			if err := c.Pause(ctx); err != nil {
				t.Fatal(err)
			}
			here = answers(t, c)
			other, err := crawl.Open(folder) // which knows nothing of c
			if err != nil {
				t.Fatal(err)
			}
			there = answers(t, other)
			if s, err := other.Status(ctx); err != nil || s.PID != os.Getpid() || !s.Paused {
				t.Errorf("%+v, %v", s, err)
			}
			if s, err := other.Report(ctx); err != nil || s.State != "running" || len(s.Best) == 0 {
				t.Errorf("%+v, %v", s, err)
			}
			if err := other.Stop(ctx); err != nil {
				t.Fatal(err)
			}
		}
		if e.Kind == crawl.End {
			break
		}
	}
	if err := <-over; !errors.Is(err, crawl.ErrInterrupted) {
		t.Fatal(err)
	}
	rest := answers(t, c)
	for name, want := range here {
		if there[name] != want {
			t.Errorf("%s: over the socket %.300s\nnot %.300s", name, there[name], want)
		}
		if name != "explain" && rest[name] != want { // a host's state is known to a running crawl alone
			t.Errorf("%s: at rest %.300s\nnot %.300s", name, rest[name], want)
		}
	}
	for _, err := range []error{c.Pause(ctx), c.Resume(ctx), c.Stop(ctx)} {
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("steered at rest: %v", err)
		}
	}
	if _, err := c.SetLimits(ctx, crawl.Limits{}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("limits at rest: %v", err)
	}
}

// TestSteered: limits hold at once, what is excluded is never asked for, also by the sessions that follow.
func TestSteered(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "planes")
	if _, err := planes(t, folder, 40).Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := planes(t, folder, 300)
	ctx := t.Context()
	would, err := c.Exclude(ctx, crawl.Exclusion{Patterns: []string{"skylines.example/types/*"}, Preview: true})
	if err != nil || would.Waiting == 0 {
		t.Fatalf("%+v, %v", would, err)
	}
	did, err := c.Exclude(ctx, crawl.Exclusion{Patterns: []string{"skylines.example/types/*"}})
	if err != nil || did.Waiting != would.Waiting {
		t.Fatalf("%+v, %v, not %+v", did, err, would)
	}
	events, over := c.Events(ctx), make(chan *crawl.Summary, 1)
	go func() {
		sum, err := c.Run(ctx)
		if err != nil {
			t.Error(err)
		}
		over <- sum
	}()
	var outcomes, suggested int
	for e := range events {
		switch e.Kind {
		case crawl.Begin:
			n := int64(120)
			if now, err := c.SetLimits(ctx, crawl.Limits{Requests: &n}); err != nil || *now.Requests != n {
				t.Errorf("%+v, %v", now, err)
			}
			bad := int64(-1)
			if _, err := c.SetLimits(ctx, crawl.Limits{Pages: &bad}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "limits.pages") {
				t.Errorf("a limit below 0: %v", err)
			}
		case crawl.Outcome:
			outcomes++
		case crawl.Suggest:
			suggested++
		}
		if e.Kind == crawl.End {
			break
		}
	}
	sum := <-over
	if sum.Progress.Requests != 120 || outcomes != 80 {
		t.Errorf("%d requests, %d outcomes", sum.Progress.Requests, outcomes)
	}
	list, err := c.Pages(ctx, crawl.PageQuery{Failed: true, Host: "skylines.example"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.Pages {
		if strings.Contains(p.URL, "/types/") && p.N > 40 {
			t.Errorf("%s was asked for", p.URL)
		}
	}
	x, err := c.Explain(ctx, did.Examples[0])
	if err != nil || x.Kind != "out of scope" && !strings.Contains(x.Why, "scope excludes") {
		t.Errorf("%+v, %v", x, err)
	}
}

// TestBadOptions: all problems are told at once, by their keys.
func TestBadOptions(t *testing.T) {
	_, err := crawl.New(crawl.Seeds("no url"), crawl.Set("limits.requests", -1), crawl.Set("focus.keyword.term", "x"))
	if !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal(err)
	}
	for _, key := range []string{"seeds", "limits.requests", "focus.keyword.term", "focus.keyword.terms"} {
		if !strings.Contains(err.Error(), key) {
			t.Errorf("%s is not told: %v", key, err)
		}
	}
	if _, err := crawl.Open(t.TempDir()); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no crawl folder: %v", err)
	}
}
