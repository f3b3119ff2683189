package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"maps"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/assembly"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/datasets"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	sparqlserver "orbweaver/server/sparql"
)

// Queries of a counting focus.
const (
	countAlbums = "PREFIX m: <http://music.example/> SELECT (COUNT(DISTINCT ?i) AS ?n) {?i a m:Album}"
	listAlbums  = "PREFIX m: <http://music.example/> SELECT ?i {?i a m:Album}"
	askAlbums   = "PREFIX m: <http://music.example/> ASK {?i a m:Album}"
	graphAlbums = "PREFIX m: <http://music.example/> CONSTRUCT {?i a m:Album} WHERE {?i a m:Album}"
)

// A counting focus counts the albums of datasets. If an endpoint does not support COUNT, it lists them; if
// there is no endpoint, it queries the local copy.
type counting struct {
	endpoints []string
	queries   []string
	heard     map[string]string // by endpoint and form of query: the result
}

func (f *counting) Seeds(context.Context, orbweaver.Known) (seeds []orbweaver.Proposal, err error) {
	for i, url := range f.endpoints {
		for j, query := range f.queries {
			seeds = append(seeds, f.ask(url, query, 0.9-float64(i)/100-float64(j)/1000))
		}
	}
	return seeds, nil
}

// ask proposes a query.
func (f *counting) ask(url, query string, score float64) orbweaver.Proposal {
	p := orbweaver.Proposal{Request: orbweaver.Request{URL: url, Query: query, Purpose: orbweaver.ForQuery}}
	p.Score = score
	return p
}

func (f *counting) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	return orbweaver.Judgement{Score: 1, Accepted: p.Results != nil}, nil
}

func (f *counting) Plan(context.Context, *orbweaver.Page, orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return nil, nil
}

func (f *counting) Recover(_ context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	switch {
	case o.Request.Query == "":
		return nil, nil
	case orbweaver.FailureOf(o.Err) == orbweaver.ErrQuery && o.Request.Query == countAlbums:
		return []orbweaver.Proposal{f.ask(o.Request.URL, listAlbums, o.Predicted.Score)}, nil
	case !strings.HasPrefix(o.Request.URL, "dataset:"):
		p := f.ask("dataset:copy", o.Request.Query, o.Predicted.Score)
		p.State = o.Request.URL // a separate request per origin
		return []orbweaver.Proposal{p}, nil
	}
	return nil, nil
}

func (f *counting) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	if o.Request.Query == "" || o.Redirect != "" {
		return orbweaver.Lesson{}, nil
	}
	form, _, _ := strings.Cut(strings.TrimPrefix(o.Request.Query, "PREFIX m: <http://music.example/> "), " {")
	if f.heard == nil {
		f.heard = map[string]string{}
	}
	f.heard[strings.TrimSpace(o.Request.URL+" "+o.Request.State)+" "+form] = hear(o)
	return orbweaver.Lesson{}, nil
}

func (f *counting) Snapshot(w io.Writer) error { return json.NewEncoder(w).Encode(f.heard) }

func (f *counting) Restore(r io.Reader) error { return json.NewDecoder(r).Decode(&f.heard) }

// hear summarizes the result of a query.
func hear(o orbweaver.Outcome) string {
	switch {
	case o.Err != nil:
		return "!" + string(orbweaver.FailureOf(o.Err))
	case o.Page.Quads != nil:
		n := 0
		for range o.Page.Quads {
			n++
		}
		return fmt.Sprint(n, " triples")
	case o.Page.Results.Boolean != nil:
		return fmt.Sprint(*o.Page.Results.Boolean)
	case len(o.Page.Results.Rows) == 1:
		return strings.TrimSpace(o.Page.Results.Rows[0][0].Value + " " + o.Page.Results.Cut)
	}
	return strings.TrimSpace(fmt.Sprint(len(o.Page.Results.Rows), " rows ", o.Page.Results.Cut))
}

// albums returns a store with n albums.
func albums(t testing.TB, n int) *quads.Memory {
	t.Helper()
	m := quads.NewMemory()
	var all iter.Seq2[rdf.Quad, error] = func(yield func(rdf.Quad, error) bool) {
		for i := range n {
			q := rdf.Quad{S: rdf.NewIRI(fmt.Sprint("http://music.example/", i)), P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI("http://music.example/Album")}
			if !yield(q, nil) {
				return
			}
		}
	}
	if _, err := m.Load(all, "albums"); err != nil {
		t.Fatal(err)
	}
	return m
}

// said answers every request with a status and a text.
func said(status int, mediaType, text string, headers ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

// serveEndpoints serves working and failing endpoints on a network, and returns their request counts.
func serveEndpoints(t testing.TB, n *fetchtest.Network) (asked func(name string) int) {
	good := func(name string, size int) http.Handler {
		return sparqlserver.New(sparqlserver.NewMemory(albums(t, size)), sparqlserver.Options{Hosts: []string{name}})
	}
	old := good("old.test", 20)
	handlers := map[string]http.Handler{
		"good.test": good("good.test", 3),
		"old.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if strings.Contains(r.FormValue("query"), "COUNT") {
				said(400, "text/plain", "MALFORMED QUERY: Encountered \"(\"")(w, r)
				return
			}
			old.ServeHTTP(w, r)
		}),
		"moved.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://good.test/sparql/?"+r.URL.RawQuery, http.StatusSeeOther)
		}),
		"form.test":   said(200, "text/html", `<html><form><textarea name="query"></textarea></form></html>`),
		"closed.test": said(403, "text/html", "<h1>Forbidden</h1>"),
		"cut.test":    said(200, "text/csv", "i\r\na:a\r\na:b\r\n", "X-SPARQL-MaxRows", "2"),
		"broken.test": said(200, "application/sparql-results+json", `{"head":{"vars":["n"]},"results":{"bindings":[{"n":`),
		"busy.test":   said(503, "text/plain", "overloaded", "Retry-After", "1"),
		"slow.test": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			<-r.Context().Done()
		}),
		"start.test": said(200, "text/html", "<title>start</title>"),
		"down.test":  nil,
	}
	counts := map[string]*int{}
	var lock = make(chan struct{}, 1)
	for i, name := range slices.Sorted(maps.Keys(handlers)) {
		count, handler := new(int), handlers[name]
		counts[name] = count
		at := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, byte(i + 1)}), 80)
		if handler == nil {
			n.Serve(name, at, nil)
			continue
		}
		n.Serve(name, at, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				http.NotFound(w, r)
				return
			}
			lock <- struct{}{}
			*count++
			<-lock
			handler.ServeHTTP(w, r)
		}))
	}
	return func(name string) int {
		lock <- struct{}{}
		defer func() { <-lock }()
		return *counts[name]
	}
}

// fronted is a focus whose queries go to local datasets first. The test closes the store.
type fronted struct {
	kind.Plain
	store *datasets.Store
}

func (f *fronted) Web(web pipeline.Fetcher) pipeline.Fetcher { return f.store.Before(web) }

// runQueries runs one session of a crawl of queries over a folder, of up to outcomes outcomes, 0 being no
// limit, and returns its journal.
func runQueries(t testing.TB, dir, web string, f orbweaver.Focus, over wire.Wire, store *datasets.Store, outcomes int) (lines []ledger.Line) {
	t.Helper()
	path := filepath.Join(dir, "queries.yaml")
	text := "seeds: http://start.test/\nfocus: {breadth_first: {}}\nscope: {hosts: [test]}\nallow_private: true\noutput: crawl\n" + web
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := (&job.Job{}).Schema().Load(path)
	if err != nil {
		t.Fatal(err)
	}
	c := &assembly.Crawl{Path: path, File: file, Wire: over, Env: &kind.Env{}, Focus: &fronted{kind.Plain{F: f}, store}}
	if err := errors.Join(crawlfolder.Check(file), c.PrepareWeb(over)); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := errors.Join(c.Look(t.Context()), c.Open()); err != nil {
		t.Fatal(err)
	}
	parts, err := c.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	parts.Cfg.Observe = func(o orbweaver.Outcome, _ step.Progress) {
		c.Book.Observe(o)
		if outcomes--; outcomes == 0 {
			stop()
		}
	}
	_, err = engine.New(parts.Cfg, c.Ledger.Progress()).Run(ctx)
	if err = errors.Join(err, parts.Close(), c.Ledger.Close()); err != nil {
		t.Fatal(err)
	}
	for line, err := range ledger.Lines(filepath.Join(file.Output, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, line)
	}
	return lines
}

// copyOf opens a store with a local copy of five albums.
func copyOf(t testing.TB) *datasets.Store {
	t.Helper()
	s, err := datasets.Open(filepath.Join(t.TempDir(), "store"), datasets.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	dump := filepath.Join(t.TempDir(), "copy.ttl")
	text := "@prefix m: <http://music.example/> . m:1 a m:Album . m:2 a m:Album . m:3 a m:Album . m:4 a m:Album . m:5 a m:Album ."
	if err := os.WriteFile(dump, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.Load(context.Background(), "copy", datasets.Source{Path: dump}); err != nil {
		t.Fatal(err)
	}
	return s
}

// liveKeys are the crawl-file keys of a crawl of endpoints.
const liveKeys = "archive: on\npoliteness: {delay: 100ms, timeout: 5s, retries: 1, contact: me@example.org}\n"

// newCounting returns a focus that queries all endpoints of serveEndpoints.
func newCounting() *counting {
	f := &counting{queries: []string{countAlbums}}
	for _, name := range []string{"good", "old", "moved", "form", "closed", "cut", "broken", "busy", "slow", "down"} {
		f.endpoints = append(f.endpoints, "http://"+name+".test/sparql")
	}
	f.endpoints = append(f.endpoints, "http://good.test/sparql?default-graph-uri=http%3A%2F%2Fno.test%2F", "dataset:copy")
	return f
}

// wantHeard lists the expected results.
func wantHeard() map[string]string {
	const count, list = "SELECT (COUNT(DISTINCT ?i) AS ?n)", "SELECT ?i"
	want := map[string]string{
		"http://good.test/sparql " + count: "3", "http://good.test/sparql/ " + count: "3",
		"http://old.test/sparql " + count: "!query-refused",
		"http://old.test/sparql " + list:  "20 rows",
		"http://cut.test/sparql " + count: "2 rows max-rows",
		"dataset:copy " + count:           "5",
		"http://good.test/sparql?default-graph-uri=http%3A%2F%2Fno.test%2F " + count: "0",
	}
	for name, failure := range map[string]string{
		"form": "no-endpoint", "closed": "forbidden", "broken": "broken-answer", "busy": "endpoint-error", "slow": "timeout", "down": "connect",
	} {
		url := "http://" + name + ".test/sparql"
		want[url+" "+count] = "!" + failure
		want["dataset:copy "+url+" "+count] = "5"
	}
	return want
}

// overNetwork runs a test in virtual time over a network of endpoints.
func overNetwork(t *testing.T, test func(t *testing.T, over wire.Wire, store *datasets.Store, asked func(string) int)) {
	synctest.Test(t, func(t *testing.T) {
		n := fetchtest.NewNetwork()
		defer n.Close()
		asked := serveEndpoints(t, n)
		store := copyOf(t)
		defer store.Close()
		test(t, wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}, store, asked)
	})
}

// sameHeard compares results.
func sameHeard(t testing.TB, got, want map[string]string) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(want)) {
		if got[key] != want[key] {
			t.Errorf("%s: %q, not %q", key, got[key], want[key])
		}
	}
	for _, key := range slices.Sorted(maps.Keys(got)) {
		if _, ok := want[key]; !ok {
			t.Errorf("%s: unexpected %q", key, got[key])
		}
	}
}

// TestQueriesLive: a crawl of working and failing endpoints gets rows, distinguishes and recovers from
// failures, and queries local datasets. Over its archive, without endpoints and store, the crawl is the
// same except for requests that never got an answer.
func TestQueriesLive(t *testing.T) {
	dir := t.TempDir()
	var live []ledger.Line
	overNetwork(t, func(t *testing.T, over wire.Wire, store *datasets.Store, asked func(string) int) {
		f := newCounting()
		live = runQueries(t, dir, liveKeys, f, over, store, 0)
		sameHeard(t, f.heard, wantHeard())
		for name, want := range map[string]int{"good.test": 3, "moved.test": 1, "old.test": 2, "busy.test": 2, "closed.test": 1, "broken.test": 2} {
			if got := asked(name); got != want {
				t.Errorf("%s: %d requests, want %d", name, got, want)
			}
		}
	})
	book, err := endpoints.Load(filepath.Join(dir, "crawl", assembly.EndpointsFile))
	if err != nil {
		t.Fatal(err)
	}
	failed := map[string]int64{}
	for _, h := range book.All() {
		for why, n := range h.Failures {
			failed[strings.TrimSuffix(strings.TrimPrefix(h.Endpoint, "http://"), ".test/sparql")+" "+string(why)] = n
		}
	}
	wantFailed := map[string]int64{
		"busy endpoint-error": 2, "slow timeout": 2, "broken broken-answer": 2, "old query-refused": 1,
		"closed forbidden": 1, "form no-endpoint": 1, "down connect": 1,
	}
	if n := len(book.All()); n != 11 || !maps.Equal(failed, wantFailed) {
		t.Errorf("of %d endpoints these failed: %v", n, failed)
	}
	if d := book.Dialect("http://cut.test/sparql"); d.Limit != 2 || d.Get != "yes" {
		t.Errorf("%+v", d)
	}

	again := t.TempDir()
	web := "web: {archive: " + filepath.Join(dir, "crawl", "archive") + "}\n"
	f := newCounting()
	replayed := runQueries(t, again, web, f, wire.Wire{}, nil, 0)
	want := wantHeard()
	want["http://slow.test/sparql SELECT (COUNT(DISTINCT ?i) AS ?n)"] = "!absent"
	want["http://down.test/sparql SELECT (COUNT(DISTINCT ?i) AS ?n)"] = "!absent"
	sameHeard(t, f.heard, want)
	if a, b := unordered(t, replayed), unordered(t, live); !slices.Equal(a, b) {
		t.Errorf("replayed %d lines\n%s\nlive %d lines\n%s", len(a), strings.Join(a, "\n"), len(b), strings.Join(b, "\n"))
	}

	third := t.TempDir()
	runQueries(t, third, web, newCounting(), wire.Wire{}, nil, 4)
	runQueries(t, third, web, newCounting(), wire.Wire{}, nil, 3)
	runQueries(t, third, web, newCounting(), wire.Wire{}, nil, 0)
	one, err1 := os.ReadFile(filepath.Join(again, "crawl", ledger.JournalFile))
	two, err2 := os.ReadFile(filepath.Join(third, "crawl", ledger.JournalFile))
	if err := errors.Join(err1, err2); err != nil || string(one) != string(two) {
		t.Errorf("stopped twice, the crawl is another: %v", err)
	}
}

// unordered returns the lines of a journal without their numbers, and without the reasons of missing
// answers.
func unordered(t testing.TB, lines []ledger.Line) (all []string) {
	t.Helper()
	for _, l := range lines {
		l.N = 0
		if l.Status == 0 {
			l.Error = orbweaver.ErrAbsent
		}
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(text))
	}
	slices.Sort(all)
	return all
}

// TestQueriesResumed: a crawl of endpoints interrupted after any number of outcomes ends with the results
// of one session, and repeats no answered request.
func TestQueriesResumed(t *testing.T) {
	for _, every := range []int{1, 3, 7} {
		t.Run(fmt.Sprint(every), func(t *testing.T) {
			dir := t.TempDir()
			overNetwork(t, func(t *testing.T, over wire.Wire, store *datasets.Store, _ func(string) int) {
				f, before := newCounting(), -1
				var lines []ledger.Line
				for session := 0; len(lines) > before && session < 60; session++ {
					f, before = newCounting(), len(lines)
					lines = runQueries(t, dir, liveKeys, f, over, store, every)
				}
				sameHeard(t, f.heard, wantHeard())
				once := map[string]int{}
				for _, l := range lines {
					once[l.URL+" "+l.Query+" "+l.Parent]++
				}
				if len(once) != len(lines) || len(lines) != 21 {
					t.Errorf("%d outcomes of %d requests", len(lines), len(once))
				}
			})
		})
	}
}

// TestQueriesBreaker: after repeated failures an endpoint gets no request for a while; its best query becomes a
// failure that the focus recovers from, and the others wait for another session.
func TestQueriesBreaker(t *testing.T) {
	for failures, want := range map[int]int{1: 1, 3: 3} {
		overNetwork(t, func(t *testing.T, over wire.Wire, store *datasets.Store, asked func(string) int) {
			f := &counting{endpoints: []string{"http://busy.test/sparql"}, queries: []string{countAlbums, listAlbums, askAlbums}}
			keys := fmt.Sprintf("politeness: {delay: 100ms, retries: 9, failures: %d, patience: 0s, contact: me@example.org}\n", failures)
			lines := runQueries(t, t.TempDir(), keys, f, over, store, 0)
			if got := asked("busy.test"); got != want {
				t.Errorf("%d requests, want %d", got, want)
			}
			if f.heard["dataset:copy http://busy.test/sparql SELECT (COUNT(DISTINCT ?i) AS ?n)"] != "5" || len(lines) != 3 {
				t.Errorf("%d outcomes; heard %q", len(lines), f.heard)
			}
		})
	}
}

// TestQueriesForms: rows, booleans and graphs from an endpoint and a dataset.
func TestQueriesForms(t *testing.T) {
	overNetwork(t, func(t *testing.T, over wire.Wire, store *datasets.Store, _ func(string) int) {
		f := &counting{endpoints: []string{"http://good.test/sparql", "dataset:copy"}, queries: []string{listAlbums, askAlbums, graphAlbums}}
		began := time.Now()
		runQueries(t, t.TempDir(), liveKeys, f, over, store, 0)
		sameHeard(t, f.heard, map[string]string{
			"http://good.test/sparql SELECT ?i": "3 rows", "dataset:copy SELECT ?i": "5 rows",
			"http://good.test/sparql ASK": "true", "dataset:copy ASK": "true",
			"http://good.test/sparql CONSTRUCT": "3 triples", "dataset:copy CONSTRUCT": "5 triples",
		})
		if took := time.Since(began); took > time.Second {
			t.Errorf("%v of virtual time: a dataset is waited for", took)
		}
	})
}
