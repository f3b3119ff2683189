package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestDemo: the demo needs no checkout, prints what the first command of README.md prints, and says where all of it is; on a desktop it
// opens the report in a browser.
func TestDemo(t *testing.T) {
	folder, temporary, programs := project(t), t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("PATH", programs)
	t.Setenv("DISPLAY", "")
	t.Setenv("WAYLAND_DISPLAY", "")
	_, want, _ := execute(t, "crawl", "examples/aircraft.yaml")
	best, _, _ := strings.Cut(want, "\ncrawls/aircraft has ")
	if !strings.Contains(best, "The best pages:") {
		t.Fatal(want)
	}
	status, stdout, stderr := execute(t, "demo")
	made, err := filepath.Glob(filepath.Join(temporary, "orbweaver-demo-*"))
	if err != nil || len(made) != 1 {
		t.Fatalf("%v: %v", made, err)
	}
	report := filepath.Join(made[0], "crawls", "aircraft", "report.html")
	for _, what := range []string{best, "\nThe report is " + report + ".\n", "The demo wrote into " + made[0] + " alone"} {
		if status != exitDone || !strings.Contains(stdout, what) {
			t.Errorf("exit status %d, without\n%s\nin\n%s%s", status, what, stdout, stderr)
		}
	}
	if !strings.HasPrefix(stderr, "crawling the demo web in "+made[0]+" ...\n") || len(read(t, report)) == 0 {
		t.Errorf("said was %q", stderr)
	}
	if left, err := filepath.Glob(filepath.Join(folder, "*")); err != nil || len(left) != 2 { // examples, and crawls of the first
		t.Errorf("the working directory has %v: %v", left, err)
	}

	opened := filepath.Join(programs, "opened") // a pipe, which is read until all who write to it are done
	if err := syscall.Mkfifo(opened, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(programs, "xdg-open"), []byte("#!/bin/sh\necho \"$1\" > "+opened+"\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, tc := range []struct {
		display string
		person  bool
		args    []string
	}{{"", true, []string{"demo"}}, {":0", false, []string{"demo"}}, {":0", true, []string{"demo", "--no-open"}}, {":0", true, []string{"demo"}}} {
		t.Setenv("DISPLAY", tc.display)
		out.Reset()
		a := &job.Job{Console: console.Console{Out: &out, Err: &out, Person: tc.person}}
		if status := Run(t.Context(), a, built.Build{}, tc.args); status != exitDone {
			t.Fatal(out.String())
		}
	}
	shown := regexp.MustCompile(`The report is (.*)\.\n`).FindStringSubmatch(out.String())
	if got := string(read(t, opened)); len(shown) != 2 || got != shown[1]+"\n" {
		t.Errorf("opened are %q, told is %q", got, shown)
	}
}
