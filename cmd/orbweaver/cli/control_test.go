package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/built"
	"orbweaver/internal/job"
	"orbweaver/server"
)

// A running is a crawl that does what it is told, and writes it down.
type running struct{ told []string }

func (r *running) tell(what string) error {
	r.told = append(r.told, what)
	return nil
}

func (r *running) Status(context.Context) (server.Status, error) {
	return server.Status{Name: "aircraft", PID: 1}, r.tell("status")
}
func (r *running) Pause(context.Context) error  { return r.tell("pause") }
func (r *running) Resume(context.Context) error { return r.tell("resume") }
func (r *running) Stop(context.Context) error   { return r.tell("stop") }
func (r *running) Add(_ context.Context, url string) (server.Added, error) {
	if strings.HasPrefix(url, "http://no.") {
		return server.Added{URL: url, Result: server.ResultScope + "exclude"}, nil
	}
	if !strings.HasPrefix(url, "http:") {
		return server.Added{}, fmt.Errorf("%s: %w", url, orbweaver.ErrBadURL)
	}
	return server.Added{URL: url, Result: server.ResultAdded}, r.tell("add")
}

// whileItRuns serves a crawl in a folder.
func whileItRuns(t *testing.T, dir string) *running {
	t.Helper()
	write(t, filepath.Join(dir, "crawl.yaml"), crawlFile(""))
	r := new(running)
	s, err := server.Serve(dir, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestExamplesOfControl: what the help of the control verbs shows for a crawl that runs works on one.
func TestExamplesOfControl(t *testing.T) {
	dir := filepath.Join(project(t), "crawls/aircraft")
	r := whileItRuns(t, dir)
	t.Chdir(dir)
	root := Root(new(job.Job), built.Build{})
	for _, verb := range []string{"pause", "resume", "stop", "add"} {
		c, _, err := root.Find([]string{verb})
		if err != nil {
			t.Fatal(err)
		}
		_, example, found := strings.Cut(c.Example, "cd crawls/aircraft && orbweaver ")
		if !found {
			t.Fatalf("%s: no example for a crawl that runs in\n%s", verb, c.Example)
		}
		r.told = nil
		status, stdout, stderr := execute(t, strings.Fields(example)...)
		if status != exitDone || stdout == "" || len(r.told) == 0 || r.told[0] != verb {
			t.Errorf("%s: status %d, told %q\n%s%s", example, status, r.told, stdout, stderr)
		}
	}
}

// TestControl: the exit status and the words of each verb, with and without a crawl that runs.
func TestControl(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "resting/crawl.yaml", crawlFile("web: {archive: ../demo.warc.gz}\nfocus: {breadth_first: {}}\noutput: ."))
	whileItRuns(t, "running")
	for _, tc := range []struct {
		args           string
		status         int
		stdout, stderr string // what stands in it
	}{
		{"status running", exitDone, "aircraft: running", ""},
		{"status running --format json", exitDone, `"state": "running"`, ""},
		{"status running --format xml", exitInput, "", `orbweaver: status: --format is text or json, not "xml"` + "\nSee `orbweaver status --help`.\n"},
		{"status resting", exitDone, "resting: interrupted", ""},
		{"status", exitInput, "", "orbweaver: status: want one crawl folder, have 0 arguments"},
		{"status nowhere", exitInput, "", "orbweaver: nowhere: no such folder\n"},
		{"pause running", exitDone, "running: paused", ""},
		{"resume running", exitDone, "running: goes on", ""},
		{"stop running", exitDone, "running: stops", ""},
		{"pause resting", exitInput, "", "orbweaver: no crawl runs in resting\n"},
		{"resume resting", exitInput, "", "orbweaver: no crawl runs in resting\n"},
		{"stop resting", exitInput, "", "orbweaver: no crawl runs in resting\n"},
		{"add resting http://a.test/", exitInput, "", "orbweaver: no crawl runs in resting: start it (orbweaver crawl FILE), then add\n"},
		{"add running", exitInput, "", "orbweaver: add: want a crawl folder and at least one URL\n"},
		{"add running http://a.test/", exitDone, "http://a.test/: added\n", ""},
		{"add running http://no.test/ http://a.test/", exitFailed, "http://no.test/: out of scope: exclude\nhttp://a.test/: added\n", "orbweaver: running: 1 of 2 URLs were not added"},
		{"add running a.test", exitInput, "", "orbweaver: a.test: bad-url\n"},
	} {
		status, stdout, stderr := execute(t, strings.Fields(tc.args)...)
		if status != tc.status || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) ||
			(tc.stdout == "") != (stdout == "") || (tc.stderr == "") != (stderr == "") {
			t.Errorf("%s: exit status %d\n%s%s", tc.args, status, stdout, stderr)
		}
	}
}
