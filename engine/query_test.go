package engine_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

// endpoints is a fake web with endpoints. It maps "URL QUERY", or the URL alone, to a status and a body, or
// to a redirect target. A page's body has one proposal per line: "URL QUERY SCORE".
type endpoints map[string]string

func (w endpoints) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	answer, ok := w[strings.TrimSpace(r.URL+" "+r.Query)]
	if !ok {
		return nil, fmt.Errorf("fetch %s: %w", r.URL, orbweaver.ErrAbsent)
	}
	response := &step.Response{Request: r, Status: 200, Header: http.Header{}}
	if target, moved := strings.CutPrefix(answer, "-> "); moved {
		response.Status, response.Redirect, answer = 303, target, ""
	}
	if status, body, told := strings.Cut(answer, "\n"); told && len(status) == 3 {
		_, _ = fmt.Sscan(status, &response.Status)
		answer = body
	}
	response.Body = io.NopCloser(strings.NewReader(answer))
	return response, nil
}

// An endpointReader reads answers of endpoints: the body of an error status becomes the failure.
type endpointReader struct{ blind bool } // blind: it makes a page of everything

// A lasting failure is not worth a retry, whatever its status.
type lasting struct{ orbweaver.Failure }

func (l lasting) Unwrap() error { return l.Failure }
func (lasting) Again() bool     { return false }

func (e endpointReader) Read(_ context.Context, r *step.Response, payload []byte) (*orbweaver.Page, error) {
	if r.Status == http.StatusServiceUnavailable {
		return nil, lasting{orbweaver.ErrTimeout}
	}
	if r.Status/100 != 2 && !e.blind {
		return nil, lasting{orbweaver.Failure(payload)}
	}
	p := &orbweaver.Page{Request: r.Request, URL: r.Request.URL, Status: r.Status, Size: int64(len(payload)), Digest: "sha1:" + string(payload)}
	if r.Request.Query != "" {
		p.Results = &rdf.Results{Vars: []string{"x"}}
		for row := range strings.FieldsSeq(string(payload)) {
			p.Results.Rows = append(p.Results.Rows, []rdf.Term{rdf.NewIRI(row)})
		}
		return p, nil
	}
	p.Text = string(payload)
	return p, nil
}

// An asking focus sends the queries of pages, and after a failure those of its mirrors.
type asking struct {
	mirrors map[string]string // by URL
	crash   string            // Recover panics with it; "error": it returns one
	rows    int               // rows learned
	failed  []orbweaver.Failure
}

func (f *asking) Judge(context.Context, *orbweaver.Page) (orbweaver.Judgement, error) {
	return orbweaver.Judgement{Score: 0.5, Accepted: true}, nil
}

func (f *asking) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	var plan []orbweaver.Proposal
	for line := range strings.Lines(p.Text) {
		var o orbweaver.Proposal
		_, _ = fmt.Sscan(line, &o.URL, &o.Query, &o.Score)
		plan = append(plan, o)
	}
	return plan, nil
}

func (f *asking) Recover(_ context.Context, o orbweaver.Outcome) ([]orbweaver.Proposal, error) {
	switch f.crash {
	case "":
	case "error":
		return nil, errors.New("no idea")
	default:
		panic(f.crash)
	}
	mirror, ok := f.mirrors[o.Request.URL]
	if !ok {
		return nil, nil
	}
	next := orbweaver.Proposal{Request: orbweaver.Request{URL: mirror, Query: o.Request.Query}}
	next.Score = o.Predicted.Score
	return []orbweaver.Proposal{next}, nil
}

func (f *asking) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	switch {
	case o.Err != nil:
		f.failed = append(f.failed, orbweaver.FailureOf(o.Err))
	case o.Page != nil && o.Page.Results != nil:
		f.rows += len(o.Page.Results.Rows)
	}
	return orbweaver.Lesson{}, nil
}

func (f *asking) Snapshot(w io.Writer) error {
	return json.NewEncoder(w).Encode([]any{f.rows, f.failed})
}

func (f *asking) Restore(r io.Reader) error {
	return json.NewDecoder(r).Decode(&[]any{&f.rows, &f.failed})
}

// queriesOf returns the outcomes of a folder: URL, query, parent and depth if any, failure or target.
func queriesOf(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		word := strings.TrimPrefix(l.URL, "http://")
		if l.Query != "" {
			word += "?" + l.Query
		}
		if l.Parent != "" {
			word += fmt.Sprintf(" (%d %s)", l.Depth, strings.TrimPrefix(l.Parent, "http://"))
		}
		if l.Error != "" {
			word += " !" + string(l.Error)
		}
		if l.Redirect != "" {
			word += " -> " + strings.TrimPrefix(l.Redirect, "http://")
		}
		out = append(out, word)
	}
	return out
}

func TestQueries(t *testing.T) {
	for _, tc := range []struct {
		name   string
		web    endpoints
		focus  asking
		read   endpointReader
		limits engine.Limits
		want   []string
	}{
		{
			name: "an endpoint is asked many queries, each once",
			web:  endpoints{"http://a/": "http://e/ q1 .5\nhttp://e/ q2 .6\nhttp://e/ q1 .4", "http://e/ q1": "x:1", "http://e/ q2": "x:2"},
			want: []string{"a/", "e/?q2 (1 a/)", "e/?q1 (1 a/)"},
		},
		{
			name: "what an endpoint says of an error is its failure, what a page says is not read",
			web:  endpoints{"http://a/": "http://e/ q .5\nhttp://e/x", "http://e/ q": "400\nquery-refused", "http://e/x": "400\nquery-refused"},
			want: []string{"a/", "e/?q (1 a/) !query-refused", "e/x (1 a/) !status"},
		},
		{
			name: "no page is made of an error",
			web:  endpoints{"http://a/": "http://e/ q .5", "http://e/ q": "500\nx:1"},
			read: endpointReader{blind: true},
			want: []string{"a/", "e/?q (1 a/) !status"},
		},
		{
			name:  "mirrors recover what failed, one behind the other",
			web:   endpoints{"http://a/": "http://e/ q .5\nhttp://e/ p .4", "http://e/ q": "500\nendpoint-error", "http://e/ p": "x:1", "http://m/ q": "403\nforbidden", "http://n/ q": "x:2"},
			focus: asking{mirrors: map[string]string{"http://e/": "http://m/", "http://m/": "http://n/"}},
			want:  []string{"a/", "e/?q (1 a/) !endpoint-error", "m/?q (1 e/) !forbidden", "n/?q (1 m/)", "e/?p (1 a/)"},
		},
		{
			name:  "who recovers in a circle is not asked twice",
			web:   endpoints{"http://a/": "http://e/ q .5", "http://e/ q": "500\nendpoint-error", "http://m/ q": "500\nendpoint-error"},
			focus: asking{mirrors: map[string]string{"http://e/": "http://m/", "http://m/": "http://e/"}},
			want:  []string{"a/", "e/?q (1 a/) !endpoint-error", "m/?q (1 e/) !endpoint-error"},
		},
		{
			name:   "a question that follows on another is as deep as that",
			web:    endpoints{"http://a/": "http://e/ q .5"},
			focus:  asking{mirrors: map[string]string{"http://e/": "http://m/"}},
			limits: engine.Limits{Depth: 1},
			want:   []string{"a/", "e/?q (1 a/) !absent", "m/?q (1 e/) !absent"},
		},
		{
			name:  "a crash while recovering costs the recovery alone",
			web:   endpoints{"http://a/": "http://e/ q .5\nhttp://e/ p .4", "http://e/ p": "x:1"},
			focus: asking{crash: "no mirror"},
			want:  []string{"a/", "e/?q (1 a/) !absent", "e/?p (1 a/)"},
		},
		{
			name: "a redirect keeps the query, and a page at its target is no answer to it",
			web: endpoints{
				"http://a/": "http://e/new x .9\nhttp://e/ q .5", "http://e/new": "", "http://e/new x": "",
				"http://e/ q": "-> http://e/new", "http://e/new q": "x:1",
			},
			want: []string{"a/", "e/new?x (1 a/)", "e/?q (1 a/) -> e/new", "e/new?q (1 a/)"},
		},
		{
			name: "a redirect to the page that the crawl began with",
			web:  endpoints{"http://a/": "http://e/ q .5", "http://e/ q": "-> http://a/", "http://a/ q": "x:1"},
			want: []string{"a/", "e/?q (1 a/) -> a/", "a/?q (1 a/)"},
		},
		{
			name:  "a circle of redirects is a failure, which can be recovered from",
			web:   endpoints{"http://a/": "http://e/ q .5", "http://e/ q": "-> http://f/", "http://f/ q": "-> http://e/", "http://m/ q": ""},
			focus: asking{mirrors: map[string]string{"http://f/": "http://m/"}},
			want:  []string{"a/", "e/?q (1 a/) -> f/", "f/?q (1 a/) !redirects -> e/", "m/?q (1 f/)"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := (session{web: tc.web, focus: &tc.focus, read: tc.read, limits: tc.limits}).run(t, dir); err != nil {
				t.Fatal(err)
			}
			if got := queriesOf(t, dir); !slices.Equal(got, tc.want) {
				t.Errorf("asked %q,\nwant  %q", got, tc.want)
			}
		})
	}
}

// TestRecoverFails: an error of Recover ends the crawl.
func TestRecoverFails(t *testing.T) {
	_, err := session{web: endpoints{}, focus: &asking{crash: "error"}, read: endpointReader{}}.run(t, t.TempDir())
	if err == nil || !strings.Contains(err.Error(), "recover http://a/: no idea") {
		t.Error(err)
	}
}

// manyQueries returns a web of endpoints that fail in turn, and their mirrors.
func manyQueries() (w endpoints, mirrors map[string]string) {
	w, mirrors = endpoints{}, map[string]string{}
	var start strings.Builder
	for i := range 40 {
		e, m := fmt.Sprintf("http://e%d/", i%5), fmt.Sprintf("http://m%d/", i%5)
		mirrors[e] = m
		query := fmt.Sprint("q", i)
		fmt.Fprintf(&start, "%s %s .%d\n", e, query, 100+i*7%40)
		switch i % 3 {
		case 0:
			w[e+" "+query] = "x:1 x:2"
		case 1:
			w[e+" "+query], w[m+" "+query] = "500\nendpoint-error", "x:3"
		default:
			w[e+" "+query], w[m+" "+query] = "400\nquery-refused", "403\nforbidden"
		}
	}
	w["http://a/"] = start.String()
	return w, mirrors
}

// TestRecoverAfterKill: whichever commit the process is killed at, the same queries are sent, archived and
// learned once.
func TestRecoverAfterKill(t *testing.T) {
	w, mirrors := manyQueries()
	crawl := func(dir string, commits int, archive *tape) (*asking, error) {
		f := &asking{mirrors: mirrors}
		_, err := session{web: w, focus: f, read: endpointReader{}, commits: commits, workers: 3, recorder: archive}.run(t, dir)
		return f, err
	}
	whole, archive := t.TempDir(), &tape{}
	f, err := crawl(whole, 0, archive)
	if err != nil {
		t.Fatal(err)
	}
	if f.rows != 14*2+13 || len(f.failed) != 13+13*2 {
		t.Fatalf("%d rows, %d failures", f.rows, len(f.failed))
	}
	if n := bytes.Count(archive.Bytes(), []byte("\n")); n != 1+40+26 {
		t.Errorf("%d exchanges are archived", n)
	}
	want, err := os.ReadFile(filepath.Join(whole, ledger.JournalFile))
	if err != nil {
		t.Fatal(err)
	}
	for every := 1; every < 40; every += tier.Of(19, 2) {
		dir, again := t.TempDir(), f
		for err = errKilled; errors.Is(err, errKilled); {
			again, err = crawl(dir, every+1, &tape{})
		}
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
		if err != nil || !bytes.Equal(got, want) || again.rows != f.rows || !slices.Equal(again.failed, f.failed) {
			t.Fatalf("killed every %d commits: %d bytes, want %d; %d rows, %d failures, %v", every, len(got), len(want), again.rows, len(again.failed), err)
		}
	}
}

// noTraps refuses every URL.
type noTraps struct{}

func (noTraps) Admit(string) (bool, string) { return false, "all" }
func (noTraps) Note(string)                 {}

// TestQueriesAreNoDuplicates: query answers with equal bytes are judged separately, and endpoints are never traps.
func TestQueriesAreNoDuplicates(t *testing.T) {
	w := endpoints{"http://a/": "http://e/ q1 .5\nhttp://e/ q2 .4\nhttp://e/ q3 .3\nhttp://a/x"}
	for _, q := range []string{"q1", "q2", "q3"} {
		w["http://e/ "+q] = "x:1"
	}
	f := &asking{}
	dir := t.TempDir()
	crawlWith(t, dir, func(cfg *engine.Config) {
		cfg.Fetch, cfg.Focus, cfg.Read, cfg.Traps = w, f, endpointReader{}, noTraps{}
		cfg.Duplicates = cfg.Ledger.(*ledger.Ledger)
	}, nil)
	if f.rows != 3 {
		t.Errorf("%d rows were learned of", f.rows)
	}
	if got := queriesOf(t, dir); len(got) != 4 {
		t.Errorf("asked %q", got)
	}
}

// TestQueriesLive: a permanent error of an endpoint is not retried, whatever its status; nor is a query that
// it received without answering. When a host goes down, its best query fails and Recover is called.
func TestQueriesLive(t *testing.T) {
	for _, tc := range []struct {
		name  string
		guest guest
		want  []string
		asked int
		words bool // the focus can rephrase the query
	}{
		{
			name: "asked once", want: []string{"e/?q !timeout", "m/?q (0 e/)"}, asked: 1,
			guest: guest{retries: 3, web: &liveWeb{pages: web{"http://e/": "", "http://m/": ""}, fails: map[string]int{"http://e/": 9}}},
		},
		{
			name: "an endpoint that breaks off", want: []string{"e/?q !cut-short", "m/?q (0 e/)"}, asked: 1,
			guest: guest{retries: 3, web: &liveWeb{pages: web{"http://e/": "cut", "http://m/": ""}}}, words: true,
		},
		{
			name: "one that breaks off, and no other words", want: []string{"e/?q !cut-short", "m/?q (0 e/)"}, asked: 4,
			guest: guest{retries: 3, web: &liveWeb{pages: web{"http://e/": "cut", "http://m/": ""}}},
		},
		{
			name: "a host down", want: []string{"e/?q !no-such-host", "m/?q (0 e/)"}, asked: 0,
			guest: guest{locate: noSuch("http://e"), web: &liveWeb{pages: web{"http://m/": ""}}},
		},
		{
			name: "connections refused", want: []string{"e/?q !connect", "m/?q (0 e/)"}, asked: 3,
			guest: guest{
				retries: 9, session: session{turns: frontier.Options{MaxFailures: 3}},
				web: &liveWeb{pages: web{"http://e/": "connect", "http://m/": ""}},
			},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, dir string) {
				f := &seeded{asking: asking{mirrors: map[string]string{"http://e/": "http://m/"}}, words: tc.words}
				tc.guest.focus, tc.guest.read, tc.guest.seeds = f, endpointReader{}, []string{}
				if _, err := tc.guest.run(t, dir); err != nil {
					t.Fatal(err)
				}
				if got := queriesOf(t, dir); !slices.Equal(got, tc.want) {
					t.Errorf("asked %q,\nwant  %q", got, tc.want)
				}
				if n := tc.guest.web.count("http://e/"); n != tc.asked {
					t.Errorf("the endpoint was asked %d times, want %d", n, tc.asked)
				}
			})
		})
	}
}

// A seeded focus starts with a query.
type seeded struct {
	asking
	words bool
}

func (s seeded) Rephrases(orbweaver.Request) bool { return s.words }

func (seeded) Seeds(context.Context, orbweaver.Known) ([]orbweaver.Proposal, error) {
	p := orbweaver.Proposal{Request: orbweaver.Request{URL: "http://e/", Query: "q"}}
	p.Score = 1
	return []orbweaver.Proposal{p}, nil
}
