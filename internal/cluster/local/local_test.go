package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/cluster/addresses"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/step"
	"orbweaver/server"
)

// TestOrders: each has the next number, also after others were dropped; those about limits last a session.
func TestOrders(t *testing.T) {
	var all Orders
	all.Add(Order{Exclude: []string{"a"}})
	all.Add(Order{Limits: new(inspect.Limits)})
	all.Add(Order{N: 99, Exclude: []string{"b"}})
	left := all.Lasting()
	if len(left.List) != 2 || left.List[0].N != 1 || left.List[1].N != 3 || left.Last != 3 || len(all.List) != 3 {
		t.Errorf("of %+v last %+v", all, left)
	}
	left.Add(Order{Limits: new(inspect.Limits)})
	if left.Last != 4 || left.List[2].N != 4 {
		t.Errorf("the next is %+v", left)
	}
	if none := (Orders{}).Lasting(); none.Last != 0 || len(none.List) != 0 {
		t.Errorf("%+v", none)
	}
}

// TestCheckExclusion: patterns that are none are refused before any worker has them.
func TestCheckExclusion(t *testing.T) {
	for name, tc := range map[string]struct {
		patterns []string
		good     bool
	}{
		"none": {nil, false}, "a host": {[]string{"a.test"}, true}, "two": {[]string{"a.test", "http://b.test/x*"}, true}, "the second is none": {[]string{"a.test", "re:("}, false},
	} {
		if err := CheckExclusion(tc.patterns); (err == nil) != tc.good || !tc.good && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCheckLimits: workers lease of a limit that is there from the beginning on; each problem is told.
func TestCheckLimits(t *testing.T) {
	number := func(n int64) *int64 { return &n }
	file := &crawlfile.Crawl{}
	file.Limits.Requests, file.Limits.Bytes = 10, 10
	second, before, deep, below, none := time.Second, -time.Second, 3, -1, 0
	for name, tc := range map[string]struct {
		l    inspect.Limits
		want string // of the problems; empty: there are none
	}{
		"nothing":                    {inspect.Limits{}, ""},
		"what the file has":          {inspect.Limits{Requests: number(1), Bytes: number(99)}, ""},
		"what it has not":            {inspect.Limits{Pages: number(5)}, "limits.pages: the crawl file has none"},
		"none any more":              {inspect.Limits{Requests: number(0)}, "limits.requests: 0"},
		"below 0":                    {inspect.Limits{Bytes: number(-1)}, "limits.bytes: -1"},
		"each":                       {inspect.Limits{Requests: number(0), Pages: number(1), Bytes: number(0)}, "limits.requests limits.pages limits.bytes"},
		"time and depth":             {inspect.Limits{Time: &second, Depth: &deep}, ""},
		"no depth":                   {inspect.Limits{Depth: &none}, ""},
		"a time below 0":             {inspect.Limits{Time: &before, Depth: &deep}, "time and depth"},
		"a depth below 0":            {inspect.Limits{Time: &second, Depth: &below}, "time and depth"},
		"a depth below 0 and a page": {inspect.Limits{Pages: number(1), Depth: &below}, "limits.pages depth"},
	} {
		err := CheckLimits(file, tc.l)
		if (err == nil) != (tc.want == "") || err != nil && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
		for want := range strings.FieldsSeq(tc.want) {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
		}
	}
}

// TestSum: what two workers exclude is counted together, with ten examples at most.
func TestSum(t *testing.T) {
	some := func(n int) inspect.Excluded {
		e := inspect.Excluded{Waiting: n, Examples: []string{}}
		for i := range n {
			e.Examples = append(e.Examples, fmt.Sprint(i))
		}
		return e
	}
	for _, tc := range []struct{ a, b, shown int }{{0, 0, 0}, {3, 4, 7}, {4, 6, 10}, {8, 8, 10}, {0, 12, 10}} {
		if sum := Sum(some(tc.a), some(tc.b)); sum.Waiting != tc.a+tc.b || len(sum.Examples) != tc.shown || sum.Examples == nil {
			t.Errorf("%+v: %+v", tc, sum)
		}
	}
	a := some(4)
	a.Examples = append(make([]string, 0, 20), a.Examples...)
	kept := Sum(a, inspect.Excluded{})
	if Sum(a, some(1)); kept.Waiting != 4 || len(kept.Examples) != 4 || len(a.Examples) != 4 {
		t.Errorf("a sum changes one before: %+v", kept)
	}
}

// TestGrants: an address of a worker that is gone is free about when its partitions are, within bounds.
func TestGrants(t *testing.T) {
	for lease, want := range map[time.Duration]addresses.Times{
		1500 * time.Millisecond: {Grant: time.Second, Slack: leastSlack},
		3 * time.Second:         {Grant: 2 * time.Second, Slack: time.Second},
		6 * time.Second:         {Grant: 4 * time.Second, Slack: 2 * time.Second},
		15 * time.Second:        {Grant: longestGrant, Slack: longestSlack},
		time.Hour:               {Grant: longestGrant, Slack: longestSlack},
	} {
		if got := grants(lease); got != want {
			t.Errorf("a lease of %v: %+v, want %+v", lease, got, want)
		}
	}
}

// TestLastWords: the last line of what a process said, as one line.
func TestLastWords(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "\n \n": "", "one": " (one)", "one\ntwo\n\n": " (two)", "x\norbweaver: no room\n": " (no room)", "a\x1b[31mb": " (a\ufffd[31mb)",
	} {
		if got := lastWords(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestSnapshot: failures of all reasons are counted together.
func TestSnapshot(t *testing.T) {
	s := server.Status{Progress: step.Progress{Requests: 9, Pages: 5, Accepted: 3, Bytes: 8}, Waiting: 7, Hosts: 2, Failures: map[orbweaver.Failure]int64{"a": 1, "b": 3}}
	want := console.Snapshot{Requests: 9, Pages: 5, Accepted: 3, Bytes: 8, Waiting: 7, Hosts: 2, Failed: 4}
	if got := Snapshot(s); fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

// aCrawl is a crawl over nothing, prepared, with more of its file.
func aCrawl(t *testing.T, more string) *assembly.Crawl {
	t.Helper()
	j := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Kinds: kind.Registry{kindtest.Kind{}}}
	path := filepath.Join(t.TempDir(), "f.yaml")
	text := "seeds: [http://a.test/]\nfocus: {sightings: {things: {glider: urn:glider}}}\noutput: crawl\n" + more
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := j.Schema().Load(path)
	if err != nil {
		t.Fatal(err)
	}
	return &assembly.Crawl{Path: path, File: file}
}

// TestFits: who may go on with a folder, and with how many processes.
func TestFits(t *testing.T) {
	for name, tc := range map[string]struct {
		more, gathered, journal string
		want                    string // empty: it fits 3 processes
	}{
		"a new folder":               {},
		"begun by as many":           {gathered: `{"of":3}`, journal: "page"},
		"begun by more":              {gathered: `{"of":4}`, journal: "page", want: "begun by 4 processes: run it with --processes 4"},
		"begun by fewer":             {gathered: `{"of":2}`, want: "--processes 2"},
		"begun by a cluster":         {gathered: `{"of":1}`, journal: "page", want: "begun by a cluster: run it with --cluster"},
		"begun by one":               {journal: "page", want: "begun by one process"},
		"begun by one, with no page": {journal: "failed"},
		"what it knows":              {more: "archive: {known: [x]}\n", want: "archive.known"},
	} {
		c := aCrawl(t, "")
		if tc.more != "" {
			c.File.Archive.Known = []string{"x"}
		}
		if tc.gathered != "" || tc.journal != "" {
			if err := crawlfolder.Make(c.File); err != nil {
				t.Fatal(err)
			}
		}
		line := map[string]string{"page": `{"n":1,"url":"http://a.test/","status":200}`, "failed": `{"n":1,"url":"http://a.test/","error":"absent"}`}[tc.journal]
		for file, text := range map[string]string{crawlfolder.GatheredFile: tc.gathered, "pages.jsonl": line + "\n"} {
			if text != "" && text != "\n" {
				if err := os.WriteFile(filepath.Join(c.File.Output, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
		err := fits(c, 3)
		if (err == nil) != (tc.want == "") || err != nil && (!errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want)) {
			t.Errorf("%s: %v, want %s", name, err, tc.want)
		}
	}
}

// TestAlone: what only one process has.
func TestAlone(t *testing.T) {
	c := aCrawl(t, "").File
	if why := Alone(c); why != "" {
		t.Error(why)
	}
	c.HTTP = make([]crawlfile.HTTP, 1)
	if why := Alone(c); !strings.HasPrefix(why, "http: ") {
		t.Errorf("a login: %q", why)
	}
}

// TestProcesses: how many processes a crawl may have is checked before anything is read.
func TestProcesses(t *testing.T) {
	for n, good := range map[int]bool{-1: false, 0: false, 1: false, 2: true, MostProcesses: true, MostProcesses + 1: false} {
		read := errors.New("read")
		_, err := Run(t.Context(), &job.Job{}, assembly.Source{Load: func() (*crawlfile.Crawl, error) { return nil, read }}, n, nil)
		if errors.Is(err, read) != good || !good && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// TestWorkWithoutAnOrder: a worker that is begun by hand says who begins it.
func TestWorkWithoutAnOrder(t *testing.T) {
	for _, in := range []string{"", "{", "hello"} {
		var out bytes.Buffer
		err := Work(t.Context(), new(job.Job), strings.NewReader(in), &out)
		if err == nil || !strings.Contains(err.Error(), "--processes") || out.Len() > 0 {
			t.Errorf("%q: %v, %s", in, err, &out)
		}
	}
}

// aCrew has workers that do not run.
func aCrew(t *testing.T, command ...string) *crew {
	t.Helper()
	w := &crew{j: &job.Job{Console: console.Console{Err: io.Discard}}, output: t.TempDir(), name: "crawl", names: []string{"crawl-0", "crawl-1"}, command: command}
	w.file = &crawlfile.Crawl{Output: w.output}
	w.stopping, w.stop = context.WithCancel(t.Context())
	t.Cleanup(w.stop)
	return w
}

// TestWithoutWorkers: workers that do not run now are left out of a sum, and a seed that none takes is asked for again.
func TestWithoutWorkers(t *testing.T) {
	w := aCrew(t)
	s, err := w.Status(t.Context())
	if err != nil || s.Name != "crawl" || s.PID != os.Getpid() || s.Folder != w.output || s.Progress.Requests != 0 {
		t.Errorf("%+v, %v", s, err)
	}
	if err := errors.Join(w.Pause(t.Context()), w.Resume(t.Context())); err != nil {
		t.Error(err)
	}
	for url, want := range map[string]error{"http://a.test/": orbweaver.ErrBusy, "ftp://a.test/": orbweaver.ErrBadURL} {
		if _, err := w.Add(t.Context(), url); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", url, err, want)
		}
	}
	if out, err := w.exclude(t.Context(), inspect.Exclusion{Patterns: []string{"a.test"}, Preview: true}); err != nil || out.Waiting != 0 || out.Examples == nil {
		t.Errorf("a preview: %+v, %v", out, err)
	}
	if _, err := w.exclude(t.Context(), inspect.Exclusion{Patterns: []string{"a.test"}}); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("an exclusion before there is a bus: %v", err)
	}
	if _, err := w.exclude(t.Context(), inspect.Exclusion{Preview: true}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no pattern: %v", err)
	}
	below := -1
	if _, err := w.limit(t.Context(), inspect.Limits{Depth: &below}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a depth below 0: %v", err)
	}
	if err := w.one(t.Context(), "crawl-0", func(context.Context, *server.Client) error { return nil }); err != nil || len(w.sources()) != 0 {
		t.Errorf("%v, %d sources", err, len(w.sources()))
	}
	if err := w.Stop(t.Context()); err != nil || w.stopping.Err() == nil {
		t.Errorf("stopped: %v, %v", err, w.stopping.Err())
	}
}

// TestRoutes: looks bring the folder up to date first, and what changes a focus waits for the end.
func TestRoutes(t *testing.T) {
	w := aCrew(t)
	mux := http.NewServeMux()
	for _, r := range w.routes() {
		mux.Handle(r.Pattern, r.Handler)
	}
	ask := func(pattern, body string) (int, string) {
		method, path, _ := strings.Cut(pattern, " ")
		rec := httptest.NewRecorder()
		mux.ServeHTTP(rec, httptest.NewRequest(method, path, strings.NewReader(body)))
		return rec.Code, rec.Body.String()
	}
	for _, pattern := range []string{"POST /decide", "POST /call/decide", "POST /call/borrow", "POST /call/verdict"} {
		if code, said := ask(pattern, "{}"); code < 400 || !strings.Contains(said, "several processes run this crawl") {
			t.Errorf("%s: %d %s", pattern, code, said)
		}
	}
	for body, want := range map[string]string{`{"patterns":["a.test"],"preview":true}`: `"waiting":0`, `{`: "", `{"preview":true}`: "no pattern"} {
		if code, said := ask("POST /call/exclude", body); !strings.Contains(said, want) || (code == 200) != strings.HasPrefix(want, `"`) {
			t.Errorf("exclude %s: %d %s", body, code, said)
		}
	}
	if code, said := ask("POST /call/limits", `{"pages":3}`); code == 200 || !strings.Contains(said, "limits.pages") {
		t.Errorf("limits: %d %s", code, said)
	}
}

// TestFolderOfAWorker: a worker has a folder, and what its processes say is kept, that of one after the other.
func TestFolderOfAWorker(t *testing.T) {
	w := aCrew(t)
	if got, want := w.dir("crawl-1"), filepath.Join(w.output, crawlfolder.WorkersFolder, "crawl-1"); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	said, err := w.logOf("crawl-1")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(said, "one ")
	said.Close()
	if said, err = w.logOf("crawl-1"); err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(said, "two")
	said.Close()
	if text, err := os.ReadFile(filepath.Join(w.output, crawlfolder.WorkersFolder, "crawl-1.log")); string(text) != "one two" {
		t.Errorf("%q, %v", text, err)
	}
}
