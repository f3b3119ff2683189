//go:build e2e

package crawls_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A served is a fake crawl with fixed answers.
type served struct {
	status server.Status
	fail   error
	told   []string
	added  map[string]string // URL → result; a missing URL is invalid
}

func (s *served) tell(what string) error {
	s.told = append(s.told, what)
	return s.fail
}

func (s *served) Status(context.Context) (server.Status, error) { return s.status, s.tell("status") }

func (s *served) Pause(context.Context) error { return s.tell("pause") }

func (s *served) Resume(context.Context) error { return s.tell("resume") }

func (s *served) Stop(context.Context) error { return s.tell("stop") }

func (s *served) Add(_ context.Context, url string) (server.Added, error) {
	if err := s.tell("add " + url); err != nil {
		return server.Added{}, err
	}
	result, ok := s.added[url]
	if !ok {
		return server.Added{}, fmt.Errorf("%s: %w", url, orbweaver.ErrBadURL)
	}
	return server.Added{URL: url + "#canonical", Result: result}, nil
}

// crawled returns the folder of a crawl that ended at a limit.
func crawled(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	apptest.CrawlIn(t, folder, toy.DemoLines(t)+"focus: {breadth_first: {}}\nlimits: {requests: 150}\n")
	return filepath.Join(folder, "crawl")
}

// crawlIn serves a crawl in a folder during a test.
func crawlIn(t *testing.T, dir string, c server.Crawl) {
	t.Helper()
	s, err := server.Serve(dir, c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
}

// jsonStatus is the JSON of a status.
type jsonStatus struct {
	State string `json:"state"`
	server.Status
}

// TestStatusOfAFolder: the status of a crawl that no process runs agrees with its ledger and pages.jsonl.
func TestStatusOfAFolder(t *testing.T) {
	dir := crawled(t)
	text, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, dir, true) })
	if err != nil {
		t.Fatal(err)
	}
	var got jsonStatus
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatal(err)
	}
	want, hosts := server.Status{Name: "crawl", Folder: dir}, map[string]bool{}
	for line, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		want.Progress.Requests++
		if line.Error != "" {
			failed := want.Failed()
			failed.Add(line.Error, line.Status)
			want.Failures, want.Statuses = failed.Reasons, failed.Statuses
		}
	}
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	for w := range l.AllWaiting() {
		want.Waiting++
		hosts[strings.Join(strings.SplitN(w.URL, "/", 4)[:3], "/")] = true
	}
	if want.Progress.Requests != 150 || len(want.Failures) == 0 || want.Waiting == 0 {
		t.Fatalf("the crawl shows nothing: %+v", want)
	}
	want.Progress, want.Refused = l.Progress(), l.Refused()
	want.End = "limit"
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if got.State != "ended" || got.Hosts < len(hosts) {
		t.Errorf("state %q, %d hosts of which %d have what waits", got.State, got.Hosts, len(hosts))
	}
	got.Hosts, got.Busiest = 0, nil
	if !reflect.DeepEqual(got.Status, want) {
		t.Errorf("status is\n%+v, want\n%+v", got.Status, want)
	}
	text, err = apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, dir, false) })
	for _, line := range []string{
		"crawl: ended: limit of requests\n", "  requests    150\n", fmt.Sprintf("  waiting     %d\n", want.Waiting),
		fmt.Sprintf("  accepted    %d (", want.Progress.Accepted),
	} {
		if err != nil || !strings.Contains(text, line) {
			t.Errorf("%v; no %q in\n%s", err, line, text)
		}
	}
}

// TestStatusBeforeTheBeginning: reading the status writes nothing into the folder.
func TestStatusBeforeTheBeginning(t *testing.T) {
	dir := toy.Bare(t)
	text, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, dir, false) })
	if err != nil || !strings.HasPrefix(text, "crawl: interrupted; `orbweaver crawl` with its file resumes it\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v", entries, err)
	}
}

// TestStatusWhileItRuns: the printed status agrees with the running crawl's.
func TestStatusWhileItRuns(t *testing.T) {
	dir := toy.Bare(t)
	c := &served{status: server.Status{
		Name: "aircraft", Folder: dir, PID: 7, Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.Local),
		Progress: step.Progress{Requests: 30, Pages: 20, Accepted: 5, Bytes: 1_234_567, Active: 90 * time.Second},
		Waiting:  400, InFlight: 3, Hosts: 9, Ready: 2, Resting: 6, Down: 1,
		Busiest: []step.Account{
			{Host: "http://a.test", Asked: 20, Pages: 18, Gap: 1001234 * time.Microsecond, Delay: time.Second, Failures: map[orbweaver.Failure]int64{"timeout": 1, "status": 2}},
			{Host: "http://b.test", Asked: 1, Delay: 2 * time.Second, Down: orbweaver.ErrConnect},
		},
		Failures: map[orbweaver.Failure]int64{"absent": 2, "timeout": 7, "connect": 2},
	}}
	crawlIn(t, dir, c)
	t.Chdir(filepath.Dir(dir))
	want := `aircraft: running, by process 7, since 2026-03-01 12:00:00
  folder      crawl
  requests    30
  pages       20
  accepted    5 (25.0 %)
  bytes       1.2 MB
  time spent  1m30s
  waiting     400, and 3 in flight
  hosts       9: 2 ready, 6 resting, 1 down
  failures    11: 7 timeout, 2 absent, 2 connect

Hosts with the most requests:
   asked    pages  shortest gap     delay  failures  host
      20       18        1.001s        1s         3  http://a.test
       1        0             -        2s         0  http://b.test, down: connect
`
	if got, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, "crawl", false) }); err != nil || got != want {
		t.Errorf("%v, is\n%s\nwant\n%s", err, got, want)
	}
	c.status.Paused = true
	if got, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, "crawl", false) }); err != nil || !strings.HasPrefix(got, "aircraft: paused, by process 7") {
		t.Errorf("%v, is\n%s", err, got)
	}
	var asJSON jsonStatus
	got, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, dir, true) })
	if err = errors.Join(err, json.Unmarshal([]byte(got), &asJSON)); err != nil || asJSON.State != "paused" || asJSON.Waiting != 400 || asJSON.Busiest[0].Asked != 20 {
		t.Errorf("%v, is\n%s", err, got)
	}
	c.fail = fmt.Errorf("the session is over: %w", server.ErrNoCrawl)
	if got, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, "crawl", false) }); err != nil || !strings.HasPrefix(got, "crawl: interrupted") {
		t.Errorf("a crawl that ends while it is asked: %v, is\n%s", err, got)
	}
}

// TestVerbsOfACrawl: verbs reach the running crawl and report success.
func TestVerbsOfACrawl(t *testing.T) {
	dir := toy.Bare(t)
	c := &served{added: map[string]string{
		"http://a.test/": server.ResultAdded, "http://b.test/": server.ResultKnown + "fetched",
		"http://c.test/": server.ResultScope + "exclude c.test", "http://d.test/": server.ResultRobots + "Disallow: /",
	}}
	crawlIn(t, dir, c)
	ctx, h := t.Context(), &inspect.Handle{Job: &job.Job{}, Dir: dir}
	for _, tc := range []struct {
		name  string
		job   func(j *job.Job) error
		told  string
		said  string
		fails string
		input bool
	}{
		{"pause", func(*job.Job) error { return h.Pause(ctx) }, "pause", "", "", false},
		{"resume", func(*job.Job) error { return h.Resume(ctx) }, "resume", "", "", false},
		{"stop", func(*job.Job) error { return h.Stop(ctx) }, "stop", "", "", false},
		{
			"add", func(j *job.Job) error { return verbs.Add(ctx, j, dir, []string{"http://a.test/", "http://b.test/"}) },
			"add http://a.test/|add http://b.test/", "http://a.test/#canonical: added\nhttp://b.test/#canonical: known: fetched\n", "", false,
		},
		{
			"add what may not be", func(j *job.Job) error {
				return verbs.Add(ctx, j, dir, []string{"http://c.test/", "http://a.test/", "http://d.test/"})
			},
			"add http://c.test/|add http://a.test/|add http://d.test/",
			"http://c.test/#canonical: out of scope: exclude c.test\nhttp://a.test/#canonical: added\nhttp://d.test/#canonical: robots: Disallow: /\n",
			dir + ": 2 of 3 URLs were not added: the crawl must not ask for them", false,
		},
		{
			"add what is no URL", func(j *job.Job) error { return verbs.Add(ctx, j, dir, []string{"a test", "http://a.test/"}) },
			"add a test|add http://a.test/", "http://a.test/#canonical: added\n", "a test: bad-url (bad-input)", true,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c.told = nil
			said, err := apptest.Saying(tc.job)
			if told := strings.Join(c.told, "|"); told != tc.told || said != tc.said {
				t.Errorf("told %q, said\n%s\nwant %q and\n%s", told, said, tc.told, tc.said)
			}
			if message := fmt.Sprint(err); (err != nil || tc.fails != "") && message != tc.fails || errors.Is(err, orbweaver.ErrInput) != tc.input {
				t.Errorf("error %q, want %q", message, tc.fails)
			}
		})
	}
	c.fail = orbweaver.ErrDamaged
	if _, err := apptest.Saying(func(j *job.Job) error { return verbs.Add(ctx, j, dir, []string{"http://a.test/"}) }); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("a crawl that fails: %v", err)
	}
}

// TestNoCrawlRuns: every verb reports an invalid folder, and a folder in which no crawl runs.
func TestNoCrawlRuns(t *testing.T) {
	dir, empty := toy.Bare(t), t.TempDir()
	file := filepath.Join(dir, crawlfolder.RunFile)
	ctx := t.Context()
	verbs := map[string]func(j *job.Job, dir string) error{
		"status": func(j *job.Job, dir string) error { return verbs.Status(ctx, j, dir, false) },
		"pause":  func(j *job.Job, dir string) error { return (&inspect.Handle{Job: j, Dir: dir}).Pause(ctx) },
		"resume": func(j *job.Job, dir string) error { return (&inspect.Handle{Job: j, Dir: dir}).Resume(ctx) },
		"stop":   func(j *job.Job, dir string) error { return (&inspect.Handle{Job: j, Dir: dir}).Stop(ctx) },
		"add":    func(j *job.Job, dir string) error { return verbs.Add(ctx, j, dir, []string{"http://a.test/"}) },
	}
	for verb, do := range verbs {
		for folder, want := range map[string]string{
			dir:           "no crawl runs in " + dir,
			empty:         empty + " is not a crawl folder: it has no crawl.yaml",
			empty + "/no": empty + "/no: no such folder",
			file:          file + " is a file: name the crawl's folder",
		} {
			if verb == "status" && folder == dir {
				continue // works without a running crawl
			}
			said, err := apptest.Saying(func(j *job.Job) error { return do(j, folder) })
			if !errors.Is(err, orbweaver.ErrInput) || !strings.HasPrefix(err.Error(), want) || said != "" {
				t.Errorf("%s %s: %q, %v", verb, folder, said, err)
			}
		}
	}
}

// TestStatusOfALockedFolder: the status of a folder locked by a process without a socket is ErrBusy.
func TestStatusOfALockedFolder(t *testing.T) {
	dir := crawled(t)
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := apptest.Saying(func(j *job.Job) error { return verbs.Status(t.Context(), j, dir, false) }); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("status is %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}
