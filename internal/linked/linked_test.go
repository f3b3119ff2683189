package linked

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// web is a graph; what it has as open waits.
type web struct {
	links map[string][]string
	open  []string
	asked int
}

func (w *web) Outlinks(url string) iter.Seq[string] {
	w.asked++
	return slices.Values(w.links[url])
}
func (w *web) Open(url string) bool { return slices.Contains(w.open, url) }

// crawlOf is a crawl at rest with the lines of a file.
func crawlOf(path string, g eval.Graph, outcomes int64) Crawl {
	return Crawl{
		Journal: path, Outcomes: outcomes, Links: &eval.LinkOptions{}, Graph: g,
		Waiting:  func(context.Context) (map[string]int, bool, error) { return nil, true, nil },
		Book:     func() (*endpoints.Book, error) { return nil, nil },
		Accounts: func(context.Context, []string) (map[string]step.Account, error) { return nil, nil },
	}
}

func write(t *testing.T, path string, lines []ledger.Line) {
	t.Helper()
	var b strings.Builder
	for i, l := range lines {
		l.N = int64(i + 1)
		text, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(text, '\n'))
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
}

// some lines: page1 leads to RDF that comes later, page2 to what fails.
func someLines() ([]ledger.Line, *web) {
	line := func(url, class, predicted string) ledger.Line {
		return ledger.Line{URL: url, Status: 200, Class: class, Predicted: &ledger.Predicted{Class: predicted, Rules: []string{"rule-" + predicted}}}
	}
	lines := []ledger.Line{
		{URL: "http://a.test/", Status: 200, Class: "H", Predicted: &ledger.Predicted{Score: 1}},
		line("http://a.test/\"page1\"", "H", "HR"), line("http://a.test/page2", "H", "HR"), line("http://b.test/x", "N", "R"),
		{URL: "http://e.test/sparql?timeout=5", Query: "ASK {}", Status: 200},
		{URL: "http://e.test/sparql", Query: "SELECT * {}", Error: orbweaver.ErrTimeout},
		line("http://b.test/data.ttl", "R", "R"), {URL: "http://a.test/gone", Error: orbweaver.ErrStatus, Predicted: &ledger.Predicted{Class: "H"}},
	}
	return lines, &web{links: map[string][]string{"http://a.test/\"page1\"": {"http://b.test/data.ttl"}, "http://a.test/page2": {"http://a.test/gone"}}}
}

// TestGrows: looks at a crawl that grows, line by line, are those of a look at all at once, and read no line twice; what was removed, or is not
// committed, counts no more.
func TestGrows(t *testing.T) {
	lines, g := someLines()
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	look := new(Look)
	for n := range len(lines) + 1 {
		g.open = nil
		for _, later := range lines[n:] {
			g.open = append(g.open, later.URL)
		}
		write(t, path, lines) // the same file: what is not committed is not counted
		got, err := look.Of(t.Context(), crawlOf(path, g, int64(n)), Query{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := new(Look).Of(t.Context(), crawlOf(path, g, int64(n)), Query{})
		if err != nil || !reflect.DeepEqual(got, want) || got.Outcomes != int64(n) {
			t.Fatalf("after %d lines: %v %+v\nwant %+v", n, err, got, want)
		}
		if n == 3 && (got.Links.Classes[1].Open != 2 || got.Links.Classes[1].Right != 0) {
			t.Errorf("their links wait: %+v", got.Links.Classes[1])
		}
		at := look.at
		if again, err := look.Of(t.Context(), crawlOf(path, g, int64(n)), Query{}); err != nil || look.at != at || !reflect.DeepEqual(got, again) {
			t.Errorf("again: %v %+v", err, again)
		}
	}
	asked := g.asked
	d, err := look.Of(t.Context(), crawlOf(path, g, int64(len(lines))), Query{Hosts: Part{Name: "b.", Limit: 1}})
	if err != nil || g.asked != asked || len(d.Hosts) != 1 || d.Hosts[0].Host != "b.test" || *d.Hosts[0].Precision != .5 || d.HostsTotal != 1 {
		t.Errorf("%v, %d looks into the graph of a crawl that has not changed; %+v", err, g.asked-asked, d.Hosts)
	}
	if hr := d.Links.Classes[1]; hr.Actual != [4]int{0, 1, 1, 0} || hr.Open != 0 || hr.Truly != 1 {
		t.Errorf("HR: %+v", hr)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	write(t, path, append(lines[:1:1], lines[2:]...))
	if d, err = look.Of(t.Context(), crawlOf(path, g, int64(len(lines)-1)), Query{}); err != nil || d.Links.Classes[1].Predicted != 1 || d.Outcomes != int64(len(lines)-1) {
		t.Errorf("after a removal: %v %+v", err, d.Links.Classes[1])
	}
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("{\"n\": \"one\"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := look.Of(t.Context(), crawlOf(path, g, 9), Query{}); err == nil || !strings.Contains(err.Error(), "at byte 0") {
		t.Errorf("a damaged line: %v", err)
	}
}

// TestStates: each state of an endpoint with its sentence.
func TestStates(t *testing.T) {
	later := time.Now().Add(time.Hour)
	for _, tc := range []struct {
		name    string
		asking  *asking
		account step.Account
		waiting int
		running bool
		state   string
		why     string
	}{
		{"it answers", &asking{queries: 2, answers: 2}, step.Account{}, 0, true, Answers, "Its latest query was answered."},
		{"only waiting", nil, step.Account{}, 3, true, Awaiting, "It was not asked yet."},
		{"failed for good", &asking{queries: 1, row: 1, last: orbweaver.ErrForbidden}, step.Account{}, 0, true, Failing, "Its latest query failed: it is not for us, or for those who log in. Nothing waits for it: it is not asked again."},
		{"failed thrice", &asking{queries: 3, row: 3, last: orbweaver.ErrTimeout}, step.Account{}, 1, true, Failing, "Its latest 3 queries failed, the last because no answer came in time. It is asked again when its turn comes."},
		{"failed, at rest", &asking{queries: 1, row: 1, last: orbweaver.ErrEndpoint}, step.Account{Rest: later}, 1, false, Failing, "Its latest query failed: it failed by itself, or is overloaded or under maintenance. The next session asks it again."},
		{"it rests", &asking{queries: 1, row: 1, last: orbweaver.ErrTimeout}, step.Account{Rest: later}, 1, true, Resting, "Its latest query failed: no answer came in time. Its host rests after that, and is asked again then."},
		{"it is down", &asking{queries: 1, row: 1, last: orbweaver.ErrConnect}, step.Account{Down: orbweaver.ErrConnect, Rest: later}, 1, true, Down,
			"Its host is down: it took no connection. It gets one request after half a minute, then ever more rarely, up to half an hour apart, and is up with the first answer."},
		{"an unknown reason", &asking{queries: 1, row: 1, last: "odd"}, step.Account{}, 0, true, Failing, "Its latest query failed: the reason is odd. Nothing waits for it: it is not asked again."},
	} {
		e := Endpoint{Waiting: tc.waiting}
		if e.judge(e.count(tc.asking), tc.account, tc.running); e.State != tc.state || e.Why != tc.why || tc.running == (e.Again.IsZero() && !tc.account.Rest.IsZero()) {
			t.Errorf("%s: %s: %s %v", tc.name, e.State, e.Why, e.Again)
		}
	}
}

// TestEndpointsOrdered: those in trouble come first, and a part of the list is a part of that order.
func TestEndpointsOrdered(t *testing.T) {
	var lines []ledger.Line
	for i := range 30 {
		l := ledger.Line{URL: fmt.Sprintf("http://e%02d.test/sparql", i), Query: "ASK {}", Status: 200}
		if i%3 == 0 {
			l.Error = orbweaver.ErrQuery
		}
		lines = append(lines, l)
	}
	path := filepath.Join(t.TempDir(), "pages.jsonl")
	write(t, path, lines)
	d, err := new(Look).Of(t.Context(), crawlOf(path, &web{}, 30), Query{Endpoints: Part{Skip: 8, Limit: 4}})
	if err != nil || d.EndpointsTotal != 30 || len(d.Endpoints) != 4 || d.Links != nil {
		t.Fatalf("%v %+v", err, d)
	}
	for i, want := range []string{"http://e24.test/sparql", "http://e27.test/sparql", "http://e01.test/sparql", "http://e02.test/sparql"} {
		if d.Endpoints[i].URL != want {
			t.Errorf("%d: %s, want %s", i, d.Endpoints[i].URL, want)
		}
	}
}

// BenchmarkLook looks again at a crawl of some 20 000 outcomes to which one was added, with the whole web graph.
func BenchmarkLook(b *testing.B) {
	lines := make([]ledger.Line, 20_000)
	g := &web{links: map[string][]string{}}
	for i := range lines {
		class := []string{"R", "H", "H", "N"}[i%4]
		url := fmt.Sprintf("http://h%d.test/%d", i%200, i)
		lines[i] = ledger.Line{URL: url, Status: 200, Class: class, Snippet: strings.Repeat("words ", 40), Predicted: &ledger.Predicted{Class: class, Rules: []string{"a", "b"}}}
		for k := range 50 {
			g.links[url] = append(g.links[url], fmt.Sprintf("http://h%d.test/%d", k, (i*7+k)%20_000))
		}
	}
	path := filepath.Join(b.TempDir(), "pages.jsonl")
	var text strings.Builder
	for i, l := range lines {
		l.N = int64(i + 1)
		line, err := json.Marshal(l)
		if err != nil {
			b.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		b.Fatal(err)
	}
	look, n := new(Look), int64(19_000)
	for b.Loop() {
		if _, err := look.Of(b.Context(), crawlOf(path, g, n), Query{}); err != nil {
			b.Fatal(err)
		}
		n = min(n+1, 20_000)
		look.decided = decided{}
	}
}
