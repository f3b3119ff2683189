package endpoints_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
)

const (
	endpoint = "http://a.test/sparql"
	selects  = "SELECT ?x {?x ?p ?o}"
	rows     = `{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"a:a"}},{}]}}`
)

// web answers every request with one response, after a delay, or fails.
type web struct {
	status  int
	body    string
	header  http.Header
	failure error
	cut     bool // the body breaks off
	posted  bool
}

func (w web) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	<-time.After(30 * time.Millisecond)
	if w.failure != nil {
		return nil, fmt.Errorf("fetch %s: %w", r.URL, w.failure)
	}
	asked := http.Header{}
	if w.posted {
		asked.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	header := w.header
	if header == nil {
		header = http.Header{}
	}
	body := io.Reader(strings.NewReader(w.body))
	if w.cut {
		body = io.MultiReader(body, broken{})
	}
	return &step.Response{Request: r, Status: w.status, Header: header, Body: io.NopCloser(body), Asked: asked, At: time.Now()}, nil
}

type broken struct{}

func (broken) Read([]byte) (int, error) {
	<-time.After(time.Second)
	return 0, orbweaver.ErrCut
}

// pages reads responses other than answers to queries.
type pages struct{}

func (pages) Read(_ context.Context, r *step.Response, _ []byte) (*orbweaver.Page, error) {
	return &orbweaver.Page{URL: r.Request.URL, Title: "a page"}, nil
}

// exchange fetches and reads like a crawl.
func exchange(b *endpoints.Book, w web, r orbweaver.Request) (*orbweaver.Page, error) {
	response, err := endpoints.Watching{Fetcher: w, Book: b}.Fetch(context.Background(), r)
	if err != nil {
		return nil, err
	}
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return endpoints.Reader{Pages: pages{}, Book: b}.Read(context.Background(), response, payload)
}

// TestRead: the results of all kinds of answers.
func TestRead(t *testing.T) {
	say := func(status int, mediaType, body string) web {
		return web{status: status, body: body, header: http.Header{"Content-Type": {mediaType}}}
	}
	for _, tc := range []struct {
		name, query string
		web         web
		want        string
	}{
		{"rows", selects, say(200, "application/json", rows), "2 rows of [x], application/sparql-results+json"},
		{"no rows", selects, say(200, "text/csv", "x\r\n"), "0 rows of [x], text/csv"},
		{"rows that were cut", selects, web{status: 200, body: "x\n1\n2\n", header: http.Header{"Content-Type": {"text/csv"}, "X-Sparql-Maxrows": {"2"}}}, "2 rows of [x] max-rows, text/csv"},
		{"a yes", "ASK {}", say(200, "application/json", `{"head":{},"boolean":true}`), "true, application/sparql-results+json"},
		{"a word", "ASK {}", say(200, "text/plain", "false"), "false, text/plain"},
		{"a graph", "CONSTRUCT WHERE {?s ?p ?o}", say(200, "text/turtle", "<a:a> <a:b> 1, 2 ."), "2 triples, text/turtle"},
		{"an empty graph", "DESCRIBE <a:a>", say(200, "text/turtle", "# Empty TURTLE\n"), "0 triples, text/turtle"},
		{"a query refused", selects, say(400, "text/plain", "parse error"), "query-refused"},
		{"an error in success", selects, say(200, "text/plain", "Virtuoso 37000 Error SP030: SPARQL compiler"), "query-refused"},
		{"forbidden", selects, say(403, "text/html", ""), "forbidden"},
		{"a form", selects, say(200, "text/html", "<html><form>"), "no-endpoint"},
		{"not there", selects, say(404, "text/html", ""), "no-endpoint"},
		{"overloaded", selects, say(503, "", ""), "endpoint-error"},
		{"too costly", selects, say(500, "", "The estimated execution time 500 (sec) exceeds the limit"), "endpoint-error"},
		{"a failure", selects, say(500, "", "java.lang.NullPointerException"), "endpoint-error"},
		{"too slow", selects, say(500, "", "S1T00 Error"), "timeout"},
		{"a half", selects, say(200, "application/json", rows[:70]), "broken-answer"},
		{"another shape", selects, say(200, "application/json", `{"head":{},"boolean":true}`), "broken-answer"},
		{"another format", selects, say(406, "", ""), "broken-answer"},
		{"no query", "hello", say(200, "application/json", rows), "query-refused"},
		{"a page", "", say(200, "text/html", "<html>"), "a page"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				page, err := exchange(endpoints.New(), tc.web, orbweaver.Request{URL: endpoint, Query: tc.query})
				got := string(orbweaver.FailureOf(err))
				if err == nil {
					got = summary(t, page)
				}
				if got != tc.want {
					t.Errorf("%s, not %s: %v", got, tc.want, err)
				}
				if err == nil && tc.query != "" && (page.URL != endpoint || page.Status != 200 || page.Size != int64(len(tc.web.body)) ||
					!strings.HasPrefix(page.Digest, "sha1:") || page.Request.Query != tc.query || page.Fetched.IsZero()) {
					t.Errorf("%+v", page)
				}
			})
		})
	}
}

// summary summarizes a page.
func summary(t *testing.T, p *orbweaver.Page) string {
	switch {
	case p.Results == nil && p.Quads == nil:
		return p.Title
	case p.Quads != nil:
		n := 0
		for range 2 { // repeatable
			n = 0
			for _, err := range p.Quads {
				if n++; err != nil {
					t.Error(err)
				}
			}
		}
		return fmt.Sprintf("%d triples, %s", n, p.MediaType)
	case p.Results.Boolean != nil:
		return fmt.Sprintf("%t, %s", *p.Results.Boolean, p.MediaType)
	}
	for _, row := range p.Results.Rows {
		if len(row) != len(p.Results.Vars) {
			t.Errorf("a row of %d", len(row))
		}
	}
	return strings.TrimSpace(fmt.Sprintf("%d rows of %v %s", len(p.Results.Rows), p.Results.Vars, p.Results.Cut)) + ", " + p.MediaType
}

// TestBook: requests, answers and failures are recorded per endpoint.
func TestBook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := endpoints.New()
		ask := func(w web, url, query string) { _, _ = exchange(b, w, orbweaver.Request{URL: url, Query: query}) }
		json := http.Header{"Content-Type": {"application/json"}, "Server": {"Virtuoso/07.20"}, "X-Sparql-Maxrows": {"2"}}
		ask(web{status: 200, body: rows, header: json}, endpoint, "SELECT (COUNT(*) AS ?x) {?x ?p ?o}")
		ask(web{status: 200, body: rows, header: json}, endpoint+"?default-graph-uri=a:a", selects)
		ask(web{status: 400, body: "syntax error"}, endpoint, selects)
		ask(web{failure: orbweaver.ErrTimeout}, endpoint, selects)
		ask(web{status: 200, body: rows, header: json, cut: true}, endpoint, selects)
		ask(web{status: 303, body: ""}, endpoint, selects)
		ask(web{status: 200}, endpoint, "") // a page
		ask(web{status: 405, posted: true}, "http://b.test/", selects)
		all := b.All()
		last := time.Date(2000, 1, 1, 0, 0, 1, 150_000_000, time.UTC)
		want := endpoints.Health{
			Endpoint: endpoint, Requests: 6, Answers: 2, Timed: 4, Mean: 30, Slowest: 30, Last: last, Answered: time.Date(2000, 1, 1, 0, 0, 0, 60_000_000, time.UTC),
			Failures: map[orbweaver.Failure]int64{"query-refused": 1, "timeout": 1, "cut-short": 1, "bad-redirect": 1},
			Dialect:  sparql.Dialect{Version: "1.1", Get: "yes", Limit: 2, Formats: []string{"JSON"}, Server: sparql.Virtuoso},
		}
		if len(all) != 2 || !reflect.DeepEqual(all[0], want) {
			t.Errorf("%+v,\nwant %+v", all, want)
		}
		if d := b.Dialect("http://b.test/?timeout=5"); d.Form != sparql.No {
			t.Errorf("%+v", d)
		}
	})
}

// TestArchived: an answer from an archive is not recorded, and its truncation is found again.
func TestArchived(t *testing.T) {
	b := endpoints.New()
	r := &step.Response{Request: orbweaver.Request{URL: endpoint, Query: selects}, Status: 200, Header: http.Header{"X-Sparql-Maxrows": {"2"}}}
	page, err := endpoints.Reader{Book: b}.Read(t.Context(), r, []byte(rows))
	if err != nil || page.Results.Cut != "max-rows" || len(b.All()) != 0 {
		t.Errorf("%v: %+v, %+v", err, page, b.All())
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := (endpoints.Reader{}).Read(ctx, r, []byte(rows)); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestPut: the recorded dialect decides how a query is sent.
func TestPut(t *testing.T) {
	long := selects + " # " + strings.Repeat("x", 3000)
	for _, tc := range []struct {
		name, query string
		status      int
		posted      bool // the recorded dialect
		want        bool // whether the query is posted
	}{
		{"a short query", selects, 200, false, false},
		{"a long one", long, 200, false, true},
		{"a long one where forms are refused", long, 405, true, false},
		{"a short one where GET is refused", selects, 405, false, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := endpoints.New()
				_, _ = exchange(b, web{status: tc.status, body: rows, posted: tc.posted}, orbweaver.Request{URL: endpoint, Query: selects})
				to, mediaType, form := b.Put(orbweaver.Request{URL: endpoint, Query: tc.query})
				if posted := form != nil; posted != tc.want || posted != (mediaType != "") || posted != (to.URL == endpoint) || to.Query != "" {
					t.Errorf("%s, %d bytes of %q", to.URL, len(form), mediaType)
				}
			})
		})
	}
}

// TestObserve: an outcome is recorded only if its host was never reached.
func TestObserve(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := endpoints.New()
		<-time.After(time.Second)
		_, _ = exchange(b, web{failure: orbweaver.ErrConnect}, orbweaver.Request{URL: endpoint, Query: selects})
		failed := func(url string) orbweaver.Outcome {
			return orbweaver.Outcome{Request: orbweaver.Request{URL: url, Query: selects}, Err: fmt.Errorf("no: %w", orbweaver.ErrNoHost)}
		}
		b.Observe(failed(endpoint))
		b.Observe(failed("http://down.test/"))
		b.Observe(failed("dataset:a"))
		b.Observe(orbweaver.Outcome{Request: orbweaver.Request{URL: "http://page.test/"}, Err: orbweaver.ErrNoHost})
		(*endpoints.Book)(nil).Observe(failed(endpoint))
		got := map[string]int64{}
		for _, h := range b.All() {
			for why, n := range h.Failures {
				got[h.Endpoint+" "+string(why)] = n
			}
		}
		if want := map[string]int64{endpoint + " connect": 1, "http://down.test/ no-such-host": 1}; !maps.Equal(got, want) {
			t.Errorf("%v", got)
		}
	})
}

// TestFile: a book survives saving and loading, and continues.
func TestFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endpoints.json")
	synctest.Test(t, func(t *testing.T) { fileBook(t, path) })
}

func fileBook(t *testing.T, path string) {
	b, err := endpoints.Load(path)
	if err != nil || len(b.All()) != 0 {
		t.Fatal(err)
	}
	_, _ = exchange(b, web{status: 200, body: rows, header: http.Header{"Content-Type": {"application/json"}}}, orbweaver.Request{URL: endpoint, Query: selects})
	_, _ = exchange(b, web{failure: orbweaver.ErrConnect}, orbweaver.Request{URL: "http://b.test/", Query: selects})
	if err := b.Save(path); err != nil {
		t.Fatal(err)
	}
	again, err := endpoints.Load(path)
	if err != nil || !reflect.DeepEqual(again.All(), b.All()) {
		t.Errorf("%v: %+v, %+v", err, again.All(), b.All())
	}
	_, _ = exchange(again, web{failure: orbweaver.ErrConnect}, orbweaver.Request{URL: "http://b.test/", Query: selects})
	if n := again.All()[1].Failures[orbweaver.ErrConnect]; n != 2 {
		t.Errorf("%d failures", n)
	}
	if entries, err := os.ReadDir(filepath.Dir(path)); err != nil || len(entries) != 1 {
		t.Error(entries, err)
	}
	for _, text := range []string{"", "{", `{"format":2}`, `{"format":1,"endpoints":[{"endpoint":"a"}]}`, "[]"} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := endpoints.Load(path); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), path) {
			t.Errorf("%q: %v", text, err)
		}
	}
	if err := b.Save(filepath.Join(path, "no", "folder")); err == nil {
		t.Error("saved nowhere")
	}
}

// TestShared: concurrent use loses no record.
func TestShared(t *testing.T) {
	b := endpoints.New()
	synctest.Test(t, func(t *testing.T) {
		var all sync.WaitGroup
		for i := range 50 {
			all.Go(func() {
				url := fmt.Sprintf("http://%c.test/", 'a'+i%5)
				_, _ = exchange(b, web{status: 200, body: rows}, orbweaver.Request{URL: url, Query: selects})
				b.Put(orbweaver.Request{URL: url, Query: selects})
				b.All()
			})
		}
		all.Wait()
	})
	for _, h := range b.All() {
		if h.Requests != 10 || h.Answers != 10 {
			t.Errorf("%+v", h)
		}
	}
}

// FuzzRead: any answer is a page or a failure with a name.
func FuzzRead(f *testing.F) {
	for _, body := range []string{rows, "x\n1\n", "true", "<a:a> <a:b> 1 .", "<html>", "", "<?xml version=\"1.0\"?><sparql><head/><boolean>true</boolean></sparql>", "\x1f\x8b"} {
		for _, q := range []string{selects, "ASK {}", "DESCRIBE <a:a>", "x"} {
			f.Add(q, 200, "application/json", "", []byte(body))
		}
	}
	f.Add(selects, 503, "text/html", "gzip", []byte("overloaded"))
	f.Fuzz(func(t *testing.T, query string, status int, mediaType, coding string, body []byte) {
		if query == "" {
			return
		}
		r := &step.Response{
			Request: orbweaver.Request{URL: endpoint, Query: query}, Status: status, Asked: http.Header{},
			Header: http.Header{"Content-Type": {mediaType}, "Content-Encoding": {coding}},
		}
		before := bytes.Clone(body)
		page, err := endpoints.Reader{Book: endpoints.New(), Limits: sparql.Limits{Rows: 1000, Bytes: 1 << 20}}.Read(t.Context(), r, body)
		switch {
		case !bytes.Equal(before, body):
			t.Error("the payload was changed")
		case err == nil && (page == nil || (page.Results == nil) == (page.Quads == nil)):
			t.Errorf("%+v", page)
		case err != nil && orbweaver.FailureOf(err) == "error":
			t.Error(err)
		}
	})
}
