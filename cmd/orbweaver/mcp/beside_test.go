package mcp

import (
	"io"
	"path/filepath"
	"testing"

	"orbweaver/engine"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestBesideACrawl: the tools answer of a crawl that is under way, before and while it goes on, and see what it fetched since.
func TestBesideACrawl(t *testing.T) {
	folder := t.TempDir()
	path := toy.Put(t, folder, "f.yaml", toy.DemoLines(t)+"focus: {keyword: {terms: [airplane, aircraft, airliner]}}\nlimits: {requests: 200}\narchive: on\noutput: crawl\n")
	crawl := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	paused := make(chan *engine.Crawl)
	crawl.Watch = func(_ *ledger.Ledger, session *engine.Crawl, p step.Progress) {
		if p.Requests == 100 {
			session.Pause()
			paused <- session
		}
	}
	over := make(chan error, 1)
	go func() { over <- verbs.Crawl(t.Context(), crawl, path) }()
	var session *engine.Crawl
	select {
	case session = <-paused:
	case err := <-over:
		t.Fatalf("the crawl ended before its time: %v", err)
	}
	s, err := newServer(&job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, built.Build{}, []string{filepath.Join(folder, "crawl")}, usual())
	if err != nil {
		t.Fatal(err)
	}
	c := client(t, s)
	ended := func() bool { return session.Call(t.Context(), func() {}) != nil }
	ask := func() (found searchOut) {
		t.Helper()
		if text, failed := call(t, c, "search", `{"query":"airplane","limit":20}`, &found); failed || len(found.Hits) == 0 {
			if !ended() { // otherwise its end cut off the answer
				t.Fatalf("search: %s", text)
			}
			return found
		}
		at := `{"url":"` + found.Hits[0].URL + `"}`
		for tool, arguments := range map[string]string{"page": at, "explain": at, "query": `{"query":"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"}`} {
			if text, failed := call(t, c, tool, arguments, nil); failed && !ended() {
				t.Fatalf("%s %s: %s", tool, arguments, text)
			}
		}
		return found
	}
	before := ask()
	if err := session.Call(t.Context(), session.Resume); err != nil {
		t.Fatal(err)
	}
	for !ended() {
		ask()
	}
	if err := <-over; err != nil {
		t.Error(err)
	}
	if after := ask(); after.Examined <= before.Examined && after.Accepted <= before.Accepted {
		t.Errorf("before %+v, after %+v", before, after)
	}
}
