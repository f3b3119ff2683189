package inspect_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/kind"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/takedown"
	"orbweaver/internal/teach"
	"orbweaver/ledger"
	"orbweaver/server"
)

// TestExclude: what waits and matches is gone, a preview changes nothing, and a pattern that was given before is not kept twice.
func TestExclude(t *testing.T) {
	h := changeable(t, cut)
	waiting := func() int {
		t.Helper()
		list, err := h.Waiting(t.Context(), inspect.WaitingQuery{})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	for _, step := range []struct {
		e       inspect.Exclusion
		matched string
		left    int
	}{
		{inspect.Exclusion{Patterns: []string{"b.test", "http://a.test/o*"}, Preview: true}, "/old http://b.test/ /one/deep", 8},
		{inspect.Exclusion{Patterns: []string{"b.test", "http://a.test/o*"}}, "/old http://b.test/ /one/deep", 5},
		{inspect.Exclusion{Patterns: []string{"b.test"}}, "", 5},
		{inspect.Exclusion{Patterns: []string{"x.test"}}, "", 5},
	} {
		out, err := h.Exclude(t.Context(), step.e)
		var got []string
		for _, url := range out.Examples {
			got = append(got, short(url))
		}
		if s := strings.Join(got, " "); err != nil || s != step.matched || out.Waiting != len(got) || waiting() != step.left {
			t.Errorf("%+v: %d, %s, %v, %d wait then; want %s, %d", step.e, out.Waiting, s, err, waiting(), step.matched, step.left)
		}
		if step.e.Preview {
			if s, err := crawlfolder.ReadSteering(h.Dir); err != nil || len(s.Exclude) > 0 {
				t.Errorf("a preview keeps %v, %v", s.Exclude, err)
			}
		}
	}
	s, err := crawlfolder.ReadSteering(h.Dir)
	if got := strings.Join(s.Exclude, " "); err != nil || got != "b.test http://a.test/o* x.test" {
		t.Errorf("kept: %s, %v", got, err)
	}
	for url, rule := range map[string]string{"http://b.test/": "b.test", "http://a.test/old": "http://a.test/o*"} {
		if x := explained(t, h, url); x.Kind != inspect.KindScope || x.Rule != rule {
			t.Errorf("%s: %s by %q, want out of scope by %s", url, x.Kind, x.Rule, rule)
		}
	}
	for _, wrong := range [][]string{nil, {""}, {"a.test", "re:("}} {
		if _, err := h.Exclude(t.Context(), inspect.Exclusion{Patterns: wrong}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// TestRemove: a removed page is in no list and no archive that answers, and its explanation says so.
func TestRemove(t *testing.T) {
	h := changeable(t, whole)
	archived, err := h.Archive()
	if err != nil {
		t.Fatal(err)
	}
	defer archived.Close()
	const url = "http://a.test/one/deep"
	if p, err := archived.Page(t.Context(), url); err != nil || p.Title != "Deep" {
		t.Fatalf("before: %+v, %v", p, err)
	}
	order := takedown.Order{Patterns: []string{url}, Reason: "asked to"}
	preview, err := h.Remove(t.Context(), inspect.RemovalQuery{Order: order, Preview: true})
	if err != nil || strings.Join(preview.Examples, " ") != url {
		t.Errorf("preview: %+v, %v", preview, err)
	}
	if all, err := h.Removals(); err != nil || len(all) > 0 {
		t.Errorf("a preview is kept: %+v, %v", all, err)
	}
	if _, err := archived.Page(t.Context(), url); err != nil {
		t.Errorf("a preview removes: %v", err)
	}
	removed, err := h.Remove(t.Context(), inspect.RemovalQuery{Order: order})
	if err != nil || removed.Done.IsZero() {
		t.Fatalf("%+v, %v", removed, err)
	}
	if all, err := h.Removals(); err != nil || len(all) != 1 || all[0].Reason != "asked to" {
		t.Errorf("removals: %+v, %v", all, err)
	}
	if x := explained(t, h, url); x.Kind != inspect.KindRemoved || x.Outcome != nil {
		t.Errorf("%+v", x)
	}
	if _, err := archived.Page(t.Context(), url); !errors.Is(err, orbweaver.ErrAbsent) {
		t.Errorf("the archive that was open: %v", err)
	}
	if p, blocks, err := archived.Blocks(t.Context(), "http://a.test/two"); err != nil || p.Title != "Two" || len(blocks) == 0 {
		t.Errorf("another page: %+v, %d blocks, %v", p, len(blocks), err)
	}
	if list, err := h.Pages(t.Context(), ledger.PageQuery{}); err != nil || list.Total != 7 || strings.Contains(urls(list.Pages), "deep") {
		t.Errorf("pages: %s, %v", urls(list.Pages), err)
	}
	if _, err := h.Remove(t.Context(), inspect.RemovalQuery{Order: takedown.Order{Patterns: []string{"re:("}}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a pattern that is none: %v", err)
	}
}

// TestWhatAFocusCannot: the error names the focus, and is the asker's.
func TestWhatAFocusCannot(t *testing.T) {
	h := rested(t, whole)
	_, question := h.Question(t.Context())
	_, evidence := h.Evidence(t.Context(), "a.test/")
	_, suggestions := h.Suggestions(t.Context())
	_, again := h.Reclassified(t.Context(), inspect.Question{})
	_, decided := h.Decide(t.Context(), kind.Verdict{ID: "x"})
	_, answered := h.Answer(t.Context(), []inspect.ClassAnswer{{Class: "urn:glider", Yes: true}})
	for i, err := range []error{question, evidence, suggestions, again, decided, answered} {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "sightings") {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

// TestWithoutAProcess: what steers a running crawl says that none runs, and what it would be told by one is empty.
func TestWithoutAProcess(t *testing.T) {
	h := rested(t, cut)
	_, added := h.Add(t.Context(), "http://a.test/new")
	_, limited := h.SetLimits(t.Context(), inspect.Limits{})
	for i, err := range []error{h.Pause(t.Context()), h.Resume(t.Context()), h.Stop(t.Context()), added, limited} {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "no crawl runs in") {
			t.Errorf("call %d: %v", i, err)
		}
	}
	if v, err := h.Visits(t.Context(), 3); err != nil || v.Watch != nil || v.Upcoming == nil || len(v.Upcoming) > 0 {
		t.Errorf("visits: %+v, %v", v, err)
	}
	s, err := h.Status(t.Context())
	if err != nil || s.Name != cut || s.Waiting != 8 || s.End != "limit" || s.Hosts != 2 || s.Progress.Requests != 3 {
		t.Errorf("status: %+v, %v", s, err)
	}
	left, err := h.Stopping(t.Context())
	if want := (ongoing.Limit{Name: "requests", Now: 3, Most: 3}); err != nil || len(left.Limits) != 1 || left.Limits[0] != want {
		t.Errorf("stopping: %+v, %v", left, err)
	}
}

// TestACrawlThatNeverBegan: lists of it are empty; what is about one page of it is an error.
func TestACrawlThatNeverBegan(t *testing.T) {
	dir := t.TempDir()
	rested(t, cut)
	file, err := aJob().Schema().LoadRun(filepath.Join(made.folder, cut, crawlfolder.RunFile))
	if err == nil {
		file.Output = dir
		err = crawlfolder.Make(file)
	}
	if err != nil {
		t.Fatal(err)
	}
	h := &inspect.Handle{Job: aJob(), Dir: dir}
	pages, err1 := h.Pages(t.Context(), ledger.PageQuery{})
	facets, err2 := h.Facets(t.Context(), ledger.PageQuery{})
	hosts, err3 := h.Map(t.Context(), inspect.MapQuery{})
	scores, err4 := h.Scores(t.Context(), 2)
	given, err5 := h.Given(t.Context(), teach.GivenQuery{})
	status, err6 := h.Status(t.Context())
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		t.Error(err)
	}
	text, err := json.Marshal([]any{pages.Pages, facets.Hosts, hosts.Nodes, hosts.Edges, scores.Accepted, given.Verdicts})
	if want := "[[],[],[],[],[0,0],[]]"; err != nil || string(text) != want || status.Progress.Requests != 0 {
		t.Errorf("%s, %v; want %s", text, err, want)
	}
	for range h.AllPages(t.Context(), ledger.PageQuery{}) {
		t.Error("a page, or an error")
	}
	_, explained := h.Explain(t.Context(), "a.test")
	_, failures := h.Failures(t.Context(), inspect.FailureQuery{})
	for _, err := range []error{explained, failures} {
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "interrupted before it began") {
			t.Error(err)
		}
	}
	none := &inspect.Handle{Job: aJob(), Dir: t.TempDir()}
	if _, err := none.Pages(t.Context(), ledger.PageQuery{}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a folder without a crawl: %v", err)
	}
	if _, err := none.Status(t.Context()); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("the status of a folder without a crawl: %v", err)
	}
}

// TestUnsureAndAgain: the pages that were judged, once each, as a person and the focus judge them now.
func TestUnsureAndAgain(t *testing.T) {
	h := changeable(t, whole)
	if _, err := h.Verdicts(t.Context(), []inspect.PageVerdict{{URL: "http://a.test/one", Relevant: true}}); err != nil {
		t.Fatal(err)
	}
	var now []ledger.Line
	accepted := map[string]bool{}
	for line, err := range h.PagesNow(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		now = append(now, line)
		accepted[short(line.URL)] = line.Accepted
	}
	if got := urls(now); got != "/ /one /two http://b.test/ /note.txt /copy /one/deep http://c.b.test/" || !accepted["/one"] || accepted["http://b.test/"] {
		t.Errorf("again: %s, accepted %v", got, accepted)
	}
	given, err := h.Given(t.Context(), teach.GivenQuery{})
	if err != nil || len(given.Verdicts) != 1 || given.Verdicts[0].URL != "http://a.test/one" {
		t.Errorf("given: %+v, %v", given, err)
	}
	unsure, err := h.Unsure(t.Context(), 3)
	if err != nil || len(unsure) != 3 || strings.Contains(urls(unsure)+" ", "/one ") {
		t.Errorf("unsure: %s, %v", urls(unsure), err)
	}
	if list, err := rested(t, whole).Given(t.Context(), teach.GivenQuery{}); err != nil || len(list.Verdicts) != 0 {
		t.Errorf("the crawl that was copied has verdicts: %+v, %v", list, err)
	}
}

// TestSummary: a report is written for a crawl at rest, also where a file that its crawl file names is gone.
func TestSummary(t *testing.T) {
	h := changeable(t, whole)
	report := filepath.Join(h.Dir, "report.html")
	for _, web := range []string{"there", "gone"} {
		if err := os.Remove(report); err != nil {
			t.Fatal(err)
		}
		if web == "gone" {
			moved := filepath.Join(t.TempDir(), "apart")
			if err := os.CopyFS(moved, os.DirFS(h.Dir)); err != nil { // its web is not beside it
				t.Fatal(err)
			}
			h, report = &inspect.Handle{Job: h.Job, Dir: moved}, filepath.Join(moved, "report.html")
		}
		var said strings.Builder
		h.Job.Err = io.Writer(&said)
		sum, err := h.Summary(t.Context())
		if err != nil || sum.Progress.Pages != 8 || strings.Contains(said.String(), "warning") != (web == "gone") {
			t.Fatalf("its web is %s: %+v, %v, %s", web, sum, err, &said)
		}
		if _, err := os.Stat(report); err != nil {
			t.Errorf("its web is %s: %v", web, err)
		}
	}
	if _, err := (&inspect.Handle{Job: aJob(), Dir: t.TempDir()}).Summary(t.Context()); errors.Is(err, server.ErrNoCrawl) || err == nil {
		t.Errorf("of a folder without a crawl: %v", err)
	}
}
