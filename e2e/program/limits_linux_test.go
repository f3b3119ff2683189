//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/fetch/archive"
	"orbweaver/internal/machine"
)

// limited is orbweaver as a process of its own, under a limit of the shell's ulimit.
func limited(t *testing.T, folder, limit string, args ...string) (status int, text string) {
	t.Helper()
	p := program(t, folder, args...)
	c := exec.CommandContext(t.Context(), "sh", append([]string{"-c", limit + `; exec "$0" "$@"`, p.Path}, args...)...)
	c.Dir, c.Env = p.Dir, p.Env
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	_ = c.Run() // how it ended is in c.ProcessState
	return c.ProcessState.ExitCode(), out.String()
}

// TestFewFiles crawls 20 hosts of the live Web at once with few files: no page is missed, no host is blamed, and nothing is said to
// be damaged. With too few, it says how many it needs.
func TestFewFiles(t *testing.T) {
	t.Parallel()
	for _, files := range []int{64, 128, 256} {
		t.Run(fmt.Sprint(files), func(t *testing.T) {
			t.Parallel()
			w, folder := oddWeb(t, 4), t.TempDir()
			seeds := w.Seeds()[:2]
			liveFile(t, folder, oddKeys, seeds...)
			status, text := limited(t, folder, fmt.Sprintf("ulimit -n %d", files), "crawl", "f.yaml")
			if status != exitDone && status != exitHostsDown || strings.Contains(text, "damaged") || strings.Contains(text, "too many open files") {
				t.Fatalf("status %d: %s", status, text)
			}
			if warned := strings.Contains(text, fmt.Sprintf("this process may open %d files", files)); !warned {
				t.Errorf("no word of the limit: %s", text)
			}
			samePages(t, w.Pages(), w.AllowedFrom(seeds...))
			for _, v := range w.Violations() {
				t.Error(v)
			}
			v, err := archive.Verify(t.Context(), filepath.Join(folder, "crawl/archive"), archive.Mark{})
			if err != nil || len(v.Faults) > 0 {
				t.Errorf("%+v, %v", v, err)
			}
			if status, text := limited(t, folder, "ulimit -n 64", "check", "crawl"); status != exitDone {
				t.Errorf("status %d: %s", status, text)
			}
		})
	}
	folder := t.TempDir()
	liveFile(t, folder, "", "http://127.0.0.1:1/")
	if status, text := limited(t, folder, "ulimit -n 30", "crawl", "f.yaml"); status != exitInput || !strings.Contains(text, "needs at least 48") {
		t.Errorf("status %d: %s", status, text)
	}
}

// TestLittleSpace: with too little address space every verb says how much it needs. What is so little that Go itself does not start
// is not tested.
func TestLittleSpace(t *testing.T) {
	t.Parallel()
	folder, needs := withExamples(t), fmt.Sprintf("needs at least %d MB", machine.LeastSpace>>20)
	less := fmt.Sprintf("ulimit -v %d", (machine.LeastSpace-64<<20)>>10)
	for _, args := range [][]string{{"crawl", "examples/aircraft.yaml"}, {"ontology", "check", "examples/aircraft.ttl"}} {
		if status, text := limited(t, folder, less, args...); status != exitInput || !strings.Contains(text, needs) {
			t.Errorf("%v: status %d: %s", args, status, text)
		}
	}
}
