package run_test

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
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/keyword"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/run"
	"orbweaver/internal/starting"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// aJob knows two kinds of focus; what it says to people goes to err.
func aJob(err io.Writer) *job.Job {
	return &job.Job{Console: console.Console{Out: io.Discard, Err: err}, Kinds: kind.Registry{kindtest.Kind{}, keyword.Kind{}}}
}

// A bed is a folder with an archive of a chain of pages, on which crawls run.
type bed struct {
	folder string
	said   bytes.Buffer // of the last session
}

// aBed has the pages /0 to /4 of a.test, each linked by the one before.
func aBed(t *testing.T) *bed {
	t.Helper()
	var answers []toy.Answer
	for i := range 5 {
		answers = append(answers, toy.Answer{URL: fmt.Sprintf("http://a.test/%d", i), Body: fmt.Sprintf("<title>%d</title><p>A glider, a glider. <a href=/%d>on</a>", i, i+1)})
	}
	b := &bed{folder: t.TempDir()}
	if err := os.CopyFS(filepath.Join(b.folder, "web"), os.DirFS(toy.WebOf(t, answers))); err != nil {
		t.Fatal(err)
	}
	return b
}

// crawl runs a session for a thing, from a seed, with limits.
func (b *bed) crawl(t *testing.T, ctx context.Context, thing, seed, limits string, hooks run.Hooks) (*assembly.Summary, error) {
	t.Helper()
	path := toy.Put(t, b.folder, "f.yaml", fmt.Sprintf("seeds: [%s]\nweb: {archive: web}\nfocus: {sightings: {things: {%s: 'urn:x'}}}\nlimits: {%s}\noutput: crawl\n",
		seed, thing, limits))
	b.said.Reset()
	j := aJob(&b.said)
	return run.Session(ctx, j, assembly.FromFile(j, path), 0, hooks)
}

// TestACrawlGoesOn: a crawl that a limit ended goes on where it is raised, says so, and ends where it is not.
func TestACrawlGoesOn(t *testing.T) {
	b := aBed(t)
	for _, tc := range []struct {
		limits   string
		requests int64
		said     string // empty: nothing is raised
	}{
		{"requests: 2", 2, ""},
		{"requests: 2", 2, ""},
		{"requests: 1", 2, ""},
		{"requests: 3", 3, "limits.requests is now 3: the crawl continues"},
		{"requests: 0, pages: 4", 4, "limits.requests is now 0: the crawl continues"},
		{"requests: 9, pages: 4", 4, ""},
		{"requests: 9", 6, "limits.pages is now 0: the crawl continues"},
		{"requests: 10", 6, ""},
	} {
		sum, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", tc.limits, run.Hooks{})
		if err != nil || sum.Progress.Requests != tc.requests {
			t.Fatalf("%s: %+v, %v; want %d requests", tc.limits, sum, err, tc.requests)
		}
		if said := b.said.String(); !strings.Contains(said, tc.said) || tc.said == "" && strings.Contains(said, "the crawl continues") {
			t.Errorf("%s: said %s", tc.limits, said)
		}
	}
}

// TestPerHostIsNotRaised: a crawl that limits.per_host ended says that it goes on only where that is raised.
func TestPerHostIsNotRaised(t *testing.T) {
	b := aBed(t)
	for _, tc := range []struct {
		limits string
		pages  int64
		on     bool
	}{{"per_host: 2", 2, false}, {"per_host: 2", 2, false}, {"per_host: 3", 3, true}} {
		sum, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", tc.limits, run.Hooks{})
		if err != nil || sum.Progress.Pages != tc.pages || strings.Contains(b.said.String(), "the crawl continues") != tc.on {
			t.Errorf("%s: %d pages, %v, said %s", tc.limits, sum.Progress.Pages, err, &b.said)
		}
	}
}

// TestBeginAfresh: a folder in which nothing was fetched gives way to a crawl with other seeds; one with a page does not.
func TestBeginAfresh(t *testing.T) {
	b := aBed(t)
	if _, err := b.crawl(t, t.Context(), "glider", "http://a.test/none", "requests: 9", run.Hooks{}); !errors.Is(err, starting.ErrNothing) {
		t.Fatalf("a crawl that finds nothing: %v", err)
	}
	own := toy.Put(t, filepath.Join(b.folder, "crawl"), "mine.txt", "my own")
	sum, err := b.crawl(t, t.Context(), "kite", "http://a.test/4", "requests: 9", run.Hooks{})
	if err != nil || sum.Progress.Pages != 1 || !strings.Contains(b.said.String(), "earlier sessions fetched no page: the crawl begins afresh") {
		t.Fatalf("%+v, %v, said %s", sum, err, &b.said)
	}
	if _, err := os.Stat(own); err != nil {
		t.Error(err)
	}
	for _, other := range [][2]string{{"kite", "http://a.test/0"}, {"glider", "http://a.test/4"}} {
		if _, err := b.crawl(t, t.Context(), other[0], other[1], "requests: 9", run.Hooks{}); !errors.Is(err, orbweaver.ErrForeign) {
			t.Errorf("a crawl for %s from %s in the folder of another: %v", other[0], other[1], err)
		}
	}
}

// TestInterrupted: an interrupted session has a summary beside its error, and the next goes on to the same end.
func TestInterrupted(t *testing.T) {
	b := aBed(t)
	ctx, stop := context.WithCancel(t.Context())
	var ended error
	sum, err := b.crawl(t, ctx, "glider", "http://a.test/0", "requests: 9", run.Hooks{
		Observe: func(o orbweaver.Outcome, p step.Progress) {
			if p.Requests == 2 {
				stop()
			}
		},
		Ended: func(_ *assembly.Summary, err error) { ended = err },
	})
	if !errors.Is(err, console.ErrInterrupted) || sum == nil || sum.Progress.Requests != 2 || ended != err {
		t.Fatalf("%+v, %v, the hook was told %v", sum, err, ended)
	}
	seen := 0
	sum, err = b.crawl(t, t.Context(), "glider", "http://a.test/0", "requests: 9", run.Hooks{Observe: func(orbweaver.Outcome, step.Progress) { seen++ }})
	if err != nil || sum.Progress.Requests != 6 || seen != 4 {
		t.Errorf("%+v, %v, %d observed", sum, err, seen)
	}
}

// TestNotOfOneProcess: a folder that several processes, or a cluster, began is theirs.
func TestNotOfOneProcess(t *testing.T) {
	b := aBed(t)
	if _, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", "requests: 1", run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{`{"of":3}`: "begun by 3 processes", `{"of":1}`: "begun by a cluster", `?`: "begun by a cluster"} {
		toy.Put(t, filepath.Join(b.folder, "crawl"), crawlfolder.GatheredFile, text)
		for _, watch := range []bool{false, true} {
			_, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", "requests: 2", run.Hooks{Watch: watch})
			if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "a watch") != watch {
				t.Errorf("%s, watch %v: %v", text, watch, err)
			}
		}
	}
}

// TestBusy: a folder in use is told from a wrong one, by a session and by a delivery.
func TestBusy(t *testing.T) {
	b := aBed(t)
	if _, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", "requests: 1", run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(filepath.Join(b.folder, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := b.crawl(t, t.Context(), "glider", "http://a.test/0", "requests: 2", run.Hooks{}); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("a session: %v", err)
	}
	j := aJob(io.Discard)
	if _, err := run.Deliver(t.Context(), j, assembly.FromFile(j, filepath.Join(b.folder, "f.yaml")), run.Delivery{Name: "none"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a delivery to a sink that is none: %v", err)
	}
}

// TestQuick: the folder of a crawl for words: named by its first seed, kept with its edits, and not given to another crawl.
func TestQuick(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "out")
	quick := func(q run.QuickCrawl, in string) (string, error) {
		j := aJob(io.Discard)
		if j.In = strings.NewReader(in); q.Output == "" {
			q.Output = folder
		}
		file, err := run.Quick(t.Context(), j, q)
		text, _ := os.ReadFile(file)
		return string(text), err
	}
	q := run.QuickCrawl{Seeds: []string{"http://a.test:8080/x"}, Terms: []string{"glider, wing span", "glider"}}
	text, err := quick(q, "")
	if err != nil || !strings.Contains(text, "http://a.test:8080/x") || strings.Count(text, "glider") != 1 || !strings.Contains(text, "wing span") ||
		!strings.Contains(text, fmt.Sprintf("requests: %d\n", starting.QuickRequests)) || strings.Contains(text, "pages:") {
		t.Fatalf("%s\n%v", text, err)
	}
	edited := text + "# mine\n"
	toy.Put(t, folder, crawlfolder.RunFile, edited)
	if text, err := quick(q, ""); err != nil || text != edited {
		t.Errorf("the same again: %v\n%s", err, text)
	}
	q.Pages, q.Contact, q.Private = 7, "me@a.test", true
	text, err = quick(q, "")
	if err != nil || !strings.Contains(text, "pages: 7") || !strings.Contains(text, fmt.Sprintf("requests: %d\n", starting.QuickRequests)) ||
		!strings.Contains(text, "me@a.test") || !strings.Contains(text, "allow_private: true") {
		t.Errorf("with a limit, a contact and private networks: %v\n%s", err, text)
	}
	q.Pages, q.Requests, q.Contact, q.Private = 0, 5, "", false
	if text, err = quick(q, ""); err != nil || !strings.Contains(text, "pages: 7") || !strings.Contains(text, "requests: 5\n") || !strings.Contains(text, "me@a.test") {
		t.Errorf("with another limit: %v\n%s", err, text)
	}
	q.Terms = []string{"kite"}
	if text, err = quick(q, ""); err != nil || !strings.Contains(text, "kite") || strings.Contains(text, "glider") {
		t.Errorf("another crawl, where nothing was fetched: %v\n%s", err, text)
	}
	toy.Put(t, folder, ledger.JournalFile, `{"n":1,"url":"http://a.test:8080/x","status":200}`+"\n")
	q.Seeds = []string{"http://b.test/"}
	if _, err = quick(q, ""); !errors.Is(err, orbweaver.ErrForeign) || !strings.Contains(err.Error(), "http://a.test:8080/x") {
		t.Errorf("another crawl, where a page was fetched: %v", err)
	}
}

// TestQuickSeeds: seeds are read from the command line and from standard input; each that is wrong is told.
func TestQuickSeeds(t *testing.T) {
	j := aJob(io.Discard)
	j.In = strings.NewReader("http://b.test/\n# no seed\nhttp://c.test/\n")
	file, err := run.Quick(t.Context(), j, run.QuickCrawl{Seeds: []string{"-", "http://a.test/"}, Terms: []string{"x"}, Output: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	c, err := j.Schema().Load(file)
	if got := fmt.Sprint(c.Seeds.URLs); err != nil || got != "[http://a.test/ http://b.test/ http://c.test/]" {
		t.Errorf("%s, %v", got, err)
	}
	for name, q := range map[string]run.QuickCrawl{
		"no term":     {Seeds: []string{"http://a.test/"}, Terms: []string{" , "}},
		"no seed":     {Seeds: []string{"-"}, Terms: []string{"x"}},
		"wrong seeds": {Seeds: []string{"http://a.test/", "ftp://first/", "http://second:port/"}, Terms: []string{"x"}},
	} {
		q.Output = filepath.Join(t.TempDir(), "out")
		_, err := run.Quick(t.Context(), aJob(io.Discard), q)
		if !errors.Is(err, orbweaver.ErrInput) && !errors.Is(err, orbweaver.ErrBadURL) {
			t.Errorf("%s: %v", name, err)
		}
		if name == "wrong seeds" && (!strings.Contains(err.Error(), "first") || !strings.Contains(err.Error(), "second")) {
			t.Errorf("not all wrong seeds are told: %v", err)
		}
		if _, err := os.Stat(q.Output); err == nil {
			t.Errorf("%s: a folder was made", name)
		}
	}
}

// TestQuickName: the folder of a crawl without a name is named by its first seed's host and port.
func TestQuickName(t *testing.T) {
	t.Chdir(t.TempDir())
	for seed, want := range map[string]string{"http://a.test/x": "a.test", "https://a.test:8443/": "a.test-8443", "http://[::1]:80/": "--1", "http://[::1]:8080/": "--1-8080"} {
		file, err := run.Quick(t.Context(), aJob(io.Discard), run.QuickCrawl{Seeds: []string{seed}, Terms: []string{"x"}, Private: true})
		if got := filepath.Base(filepath.Dir(file)); err != nil || got != want || filepath.Base(filepath.Dir(filepath.Dir(file))) != "crawls" {
			t.Errorf("%s: %s, %v; want %s", seed, file, err, want)
		}
	}
}
