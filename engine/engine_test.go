package engine_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
)

// A session is one run of a crawl over a folder.
type session struct {
	web      pipeline.Fetcher
	focus    orbweaver.Focus
	seeds    []string
	limits   engine.Limits
	turns    frontier.Options
	scope    func(string) (bool, string)
	recorder engine.Recorder
	read     pipeline.Reader // nil: reader
	workers  int
	commits  int  // the n-th commit fails; 0: none
	stays    bool // redirects are not followed
	explore  engine.Explore
	memory   bool // the ledger is in memory
	render   pipeline.Renderer
}

// errKilled simulates the end of the process.
var errKilled = errors.New("killed")

// A mortal ledger fails at the n-th commit from now.
type mortal struct {
	*ledger.Ledger
	left int
}

func (m *mortal) Commit(b step.Batch) error {
	if m.left--; m.left == 0 {
		return errKilled
	}
	return m.Ledger.Commit(b)
}

// run runs a session and returns its result.
func (s session) run(t testing.TB, dir string) (step.Progress, error) {
	t.Helper()
	open := ledger.Open
	if s.memory {
		open = ledger.OpenInMemory
	}
	book, err := open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := book.Close(); err != nil {
			t.Error(err)
		}
	}()
	if s.seeds == nil {
		s.seeds = []string{"http://a/"}
	}
	if s.read == nil {
		s.read = reader{}
	}
	if !s.stays {
		s.limits.Redirects = cmp.Or(s.limits.Redirects, 10)
	}
	return engine.New(engine.Config{
		Focus: s.focus, Fetch: s.web, Read: s.read, Ledger: &mortal{Ledger: book, left: s.commits},
		Frontier: frontier.New(s.turns), Recorder: s.recorder, Scope: s.scope, Seeds: s.seeds,
		Limits: s.limits, Workers: s.workers, Snapshot: 7, Explore: s.explore, Render: s.render,
	}, book.Progress()).Run(t.Context())
}

// lines reads pages.jsonl as one short string per outcome.
func lines(t testing.TB, dir string) []string {
	t.Helper()
	var out []string
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		word := strings.TrimPrefix(l.URL, "http://")
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

func TestLoop(t *testing.T) {
	for _, tc := range []struct {
		name  string
		web   web
		sit   session
		want  []string
		ended string
	}{
		{
			name: "best first, each once",
			web:  web{"http://a/": "http://a/1 .1\nhttp://a/9 .9\nhttp://a/5 .5", "http://a/1": "", "http://a/9": "http://a/ .9", "http://a/5": ""},
			want: []string{"a/", "a/9", "a/5", "a/1"}, ended: engine.EndExhausted,
		},
		{
			name: "a better link raises a waiting request",
			web:  web{"http://a/": "http://a/x .2\nhttp://a/y .3", "http://a/y": "http://a/x .9\nhttp://a/z .8", "http://a/x": "", "http://a/z": ""},
			want: []string{"a/", "a/y", "a/x", "a/z"},
		},
		{
			name: "failures are outcomes",
			web:  web{"http://a/": "http://a/gone .9\nhttp://a/broken .5", "http://a/broken": "500"},
			want: []string{"a/", "a/gone !absent", "a/broken !status"},
		},
		{
			name: "a redirect goes ahead of all else",
			web:  web{"http://a/": "http://a/old .6\nhttp://a/b .5", "http://a/old": "-> http://a/new", "http://a/new": "", "http://a/b": ""},
			want: []string{"a/", "a/old -> a/new", "a/new", "a/b"},
		},
		{
			name: "a redirect to what is known is not followed again",
			web:  web{"http://a/": "http://a/new .7\nhttp://a/old .6", "http://a/old": "-> http://a/new", "http://a/new": ""},
			want: []string{"a/", "a/new", "a/old -> a/new"},
		},
		{
			name: "a circle of redirects ends",
			web:  web{"http://a/": "-> http://a/b", "http://a/b": "-> http://a/"},
			want: []string{"a/ -> a/b", "a/b !redirects -> a/"},
		},
		{
			name: "too many redirects end",
			web:  web{"http://a/": "-> http://a/b", "http://a/b": "-> http://a/c", "http://a/c": ""},
			sit:  session{limits: engine.Limits{Redirects: 1}},
			want: []string{"a/ -> a/b", "a/b !redirects -> a/c"},
		},
		{
			name: "no redirect is followed where none may be",
			web:  web{"http://a/": "-> http://a/b", "http://a/b": ""},
			sit:  session{stays: true},
			want: []string{"a/ !redirects -> a/b"},
		},
		{
			name: "scope holds for links and redirects",
			web:  web{"http://a/": "http://b/ .9\nhttp://a/x .5", "http://a/x": "-> http://b/"},
			sit:  session{scope: func(url string) (bool, string) { return strings.HasPrefix(url, "http://a/"), "" }},
			want: []string{"a/", "a/x !out-of-scope -> b/"},
		},
		{
			name: "depth is of links, redirects cost none",
			web:  web{"http://a/": "-> http://a/b", "http://a/b": "http://a/c .5", "http://a/c": "http://a/d .5"},
			sit:  session{limits: engine.Limits{Depth: 1}},
			want: []string{"a/ -> a/b", "a/b", "a/c"},
		},
		{
			name: "requests are limited",
			web:  web{"http://a/": "http://a/gone .9\nhttp://a/b .5"},
			sit:  session{limits: engine.Limits{Requests: 2}},
			want: []string{"a/", "a/gone !absent"}, ended: engine.EndRequests,
		},
		{
			name: "pages are limited, failures not among them",
			web:  web{"http://a/": "http://a/gone .9\nhttp://a/b .5\nhttp://a/c .4", "http://a/b": "", "http://a/c": ""},
			sit:  session{limits: engine.Limits{Pages: 2}},
			want: []string{"a/", "a/gone !absent", "a/b"}, ended: engine.EndPages,
		},
		{
			name: "bytes are limited",
			web:  web{"http://a/": "http://a/b .5\nhttp://a/c .4", "http://a/b": "", "http://a/c": ""},
			sit:  session{limits: engine.Limits{Bytes: 10}},
			want: []string{"a/"}, ended: engine.EndBytes,
		},
		{
			name: "a large body fails, and only it",
			web:  web{"http://a/": "http://a/b .5", "http://a/b": strings.Repeat("x", 100)},
			sit:  session{limits: engine.Limits{Body: 50}},
			want: []string{"a/", "a/b !too-large"},
		},
		{
			name: "a host's budget leaves the rest waiting",
			web:  web{"http://a/": "http://a/b .9\nhttp://a/c .8\nhttp://b/ .1", "http://a/b": "", "http://b/": ""},
			sit:  session{turns: frontier.Options{HostPages: 2}},
			want: []string{"a/", "a/b", "b/"},
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			tc.sit.web, tc.sit.focus, tc.sit.workers = tc.web, focus{}, 2
			progress, err := tc.sit.run(t, dir)
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(t, dir); !slices.Equal(got, tc.want) {
				t.Errorf("crawled %q,\nwant %q", got, tc.want)
			}
			if tc.ended != "" && progress.Ended != tc.ended {
				t.Errorf("ended: %q, want %q", progress.Ended, tc.ended)
			}
			if int(progress.Requests) != len(tc.want) {
				t.Errorf("%d requests counted of %d", progress.Requests, len(tc.want))
			}
		})
	}
}

func TestProvenance(t *testing.T) {
	dir := t.TempDir()
	w := web{"http://a/": "http://a/old .6", "http://a/old": "-> http://a/new", "http://a/new": ""}
	if _, err := (session{web: w, focus: focus{}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	o, err := book.Outcome("http://a/new")
	if err != nil {
		t.Fatal(err)
	}
	r := o.Request
	if r.Parent != "http://a/" || r.Depth != 1 || r.Via == nil || r.Via.To != "http://a/old" {
		t.Errorf("a redirect changed the provenance: %+v", r)
	}
	if !slices.Equal(r.Redirects, []string{"http://a/old"}) || o.Predicted.Score != .6 {
		t.Errorf("hops %v, prediction %v", r.Redirects, o.Predicted.Score)
	}
	if got := slices.Collect(book.Inlinks("http://a/old")); !slices.Equal(got, []string{"http://a/"}) {
		t.Errorf("inlinks %v", got)
	}
	if got := slices.Collect(book.Outlinks("http://a/")); !slices.Equal(got, []string{"http://a/old"}) {
		t.Errorf("outlinks %v", got)
	}
	if _, err := book.Outcome("http://a/never"); !errors.Is(err, orbweaver.ErrUnknown) {
		t.Errorf("an unknown URL: %v", err)
	}
}

// randomWeb returns n pages on three hosts with random links, redirects and missing pages.
func randomWeb(n int, seed uint64) web {
	rng := rand.New(rand.NewPCG(seed, 1))
	name := func(i int) string { return fmt.Sprintf("http://%c/%d", 'a'+i%3, i) }
	w := web{"http://a/": name(1) + " .5\n" + name(2) + " .5\n" + name(3) + " .5\n"}
	for i := range n {
		switch rng.IntN(12) {
		case 0: // absent
		case 1:
			w[name(i)] = "-> " + name(rng.IntN(n))
		default:
			var b strings.Builder
			for range rng.IntN(12) {
				fmt.Fprintf(&b, "%s %.2f\n", name(rng.IntN(n)), rng.Float64())
			}
			w[name(i)] = b.String()
		}
	}
	return w
}

// TestWorkersDoNotMatter: 1, 2, 8 or 32 workers give the same bytes.
func TestWorkersDoNotMatter(t *testing.T) {
	w := randomWeb(600, 1)
	for _, f := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return focus{} },
		func() orbweaver.Focus { return newCounting() },
		func() orbweaver.Focus { return rounds{size: 10} },
	} {
		var want []byte
		for _, workers := range []int{1, 2, 8, 32} {
			dir := t.TempDir()
			if _, err := (session{web: w, focus: f(), workers: workers}).run(t, dir); err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = got
			}
			if len(got) < 10_000 || string(got) != string(want) {
				t.Errorf("%T, %d workers: %d bytes differ from %d", f(), workers, len(got), len(want))
			}
		}
	}
}

// TestKilledAndResumed: whichever commit the process is killed at, the resumed crawl ends the same, including
// the archive.
func TestKilledAndResumed(t *testing.T) {
	w := randomWeb(120, 2)
	for _, fresh := range []func() orbweaver.Focus{
		func() orbweaver.Focus { return newCounting() },
		func() orbweaver.Focus { return merging{} },
		func() orbweaver.Focus { return rounds{size: 5} },
	} {
		whole := t.TempDir()
		if _, err := (session{web: w, focus: fresh()}).run(t, whole); err != nil {
			t.Fatal(err)
		}
		want := lines(t, whole)
		for every := 1; every < 40; every += tier.Of(13, 3) {
			dir := t.TempDir()
			for {
				_, err := session{web: w, focus: fresh(), commits: every + 1, workers: 3}.run(t, dir)
				if err == nil {
					break
				}
				if !errors.Is(err, errKilled) {
					t.Fatal(err)
				}
			}
			if got := lines(t, dir); !slices.Equal(got, want) {
				t.Fatalf("%T killed every %d commits: %s", fresh(), every, firstDifference(got, want))
			}
		}
	}
}

func TestMerge(t *testing.T) {
	dir := t.TempDir()
	w := web{
		"http://a/":  "http://a/x .5\nhttp://a/y .9\nhttp://a/z .4",
		"http://a/y": "http://a/x .1", "http://a/x": "", "http://a/z": "",
	}
	if _, err := (session{web: w, focus: merging{}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	if got, want := lines(t, dir), []string{"a/", "a/y", "a/z", "a/x"}; !slices.Equal(got, want) {
		t.Errorf("crawled %q, want %q: a second, worse link sinks x below z", got, want)
	}
}

// firstDifference returns the first difference between two crawls.
func firstDifference(got, want []string) string {
	for i := range min(len(got), len(want)) {
		if got[i] != want[i] {
			return fmt.Sprintf("line %d is %q, want %q", i+1, got[i], want[i])
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(got), len(want))
}

// A rounds focus works in rounds of a fixed size.
type rounds struct {
	focus
	size int
}

func (r rounds) RoundSize() int { return r.size }
func (r rounds) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	return nil, orbweaver.Lesson{}, nil
}

func TestRounds(t *testing.T) {
	w := web{
		"http://a/":  "http://a/1 .1\nhttp://a/5 .5\nhttp://a/6 .6",
		"http://a/6": "http://a/9 .9", "http://a/5": "", "http://a/9": "", "http://a/1": "",
	}
	for _, tc := range []struct {
		name string
		size int
		want []string
	}{
		{"a round of one is best first", 1, []string{"a/", "a/6", "a/9", "a/5", "a/1"}},
		{"what a round of two finds waits for the next", 2, []string{"a/", "a/6", "a/5", "a/9", "a/1"}},
		{"a round of three", 3, []string{"a/", "a/6", "a/5", "a/1", "a/9"}},
		{"no size: until nothing waits", 0, []string{"a/", "a/6", "a/9", "a/5", "a/1"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dir := t.TempDir()
			if _, err := (session{web: w, focus: rounds{size: tc.size}}).run(t, dir); err != nil {
				t.Fatal(err)
			}
			if got := lines(t, dir); !slices.Equal(got, tc.want) {
				t.Errorf("got %q, want %q", got, tc.want)
			}
		})
	}
}

// TestArchiveBeforeBatch: the archive holds exactly the decided responses, in order.
func TestArchiveBeforeBatch(t *testing.T) {
	dir, archive := t.TempDir(), &tape{}
	w := randomWeb(200, 3)
	if _, err := (session{web: w, focus: focus{}, recorder: archive, workers: 8}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	var want strings.Builder
	for l, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if l.Error != orbweaver.ErrAbsent {
			want.WriteString(l.URL + "\n")
		}
	}
	if archive.String() != want.String() || want.Len() == 0 {
		t.Error("the archive differs from the crawl")
	}
}

// slow answers only after its crawl is stopped.
type slow struct{ stop context.CancelFunc }

func (s slow) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	s.stop()
	<-ctx.Done()
	return nil, ctx.Err()
}

func TestStopKeepsWhatWaits(t *testing.T) {
	dir := t.TempDir()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	crawl := engine.New(engine.Config{
		Focus: focus{}, Fetch: slow{stop}, Read: reader{}, Ledger: book,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/"},
	}, book.Progress())
	progress, err := crawl.Run(ctx)
	if err != nil || progress.Ended != "" || progress.Requests != 0 {
		t.Errorf("stopped: %+v, %v", progress, err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := (session{web: web{"http://a/": ""}, focus: focus{}}).run(t, dir); err != nil {
		t.Fatal(err)
	}
	if got := lines(t, dir); !slices.Equal(got, []string{"a/"}) {
		t.Errorf("after the stop: %q", got)
	}
}
