//go:build e2e

package program_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orbweaver/internal/realdata"
)

// TestDiskFull crawls onto a disk that is too small, of several sizes, until it says so, and goes on when
// the disk has been made larger. In the end all is as if nothing had happened.
func TestDiskFull(t *testing.T) {
	examples, whole, small := filepath.Join(realdata.Root(t), "examples"), t.TempDir(), t.TempDir()
	disk := filepath.Join(small, "disk")
	mount(t, disk, 16<<10)
	file := fmt.Sprintf(`seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: %s}
focus: {ontology: {files: %s, target: "http://orbweaver.example/aircraft#Airplane"}}
workers: 2
archive: on
output: `, filepath.Join(examples, "demo.warc.gz"), filepath.Join(examples, "aircraft.ttl"))
	write(t, filepath.Join(whole, "f.yaml"), file+"disk/crawl\n")
	crawlOn(t, whole)
	write(t, filepath.Join(small, "f.yaml"), file+"disk/crawl\n")

	failures := 0
	for size := 16 << 10; ; size += size / 2 {
		resize(t, disk, size)
		c := program(t, small, "crawl", "f.yaml")
		var out, told bytes.Buffer
		c.Stdout, c.Stderr = &out, &told
		err := c.Run()
		if err == nil {
			break
		}
		failures++
		if status := c.ProcessState.ExitCode(); status != exitFailed {
			t.Fatalf("%d bytes: status %d: %s", size, status, &told)
		}
		saysFull(t, disk, told.String())
	}
	if failures < 5 {
		t.Errorf("the disk was full %d times", failures)
	}
	sameCrawl(t, filepath.Join(whole, "disk/crawl"), filepath.Join(small, "disk/crawl"))
}

// saysFull checks what a user reads when the disk is full: which file, and why, in few words.
func saysFull(t *testing.T, disk, told string) {
	t.Helper()
	var complaints []string
	for line := range strings.Lines(told) {
		if strings.HasPrefix(line, "orbweaver: ") {
			complaints = append(complaints, line)
		}
	}
	if len(complaints) == 0 || len(complaints) > 3 || strings.Contains(told, "goroutine ") {
		t.Fatalf("the crawl said: %s", told)
	}
	for _, line := range complaints {
		if !strings.Contains(line, "no space left on device") || !strings.Contains(line, disk) {
			t.Errorf("the crawl said: %s", line)
		}
	}
}

// mount makes a disk of so many bytes, for the test. Without the right to, the test is skipped.
func mount(t *testing.T, folder string, size int) {
	t.Helper()
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, fmt.Sprintf("size=%d", size)); err != nil {
		t.Skipf("no disk can be mounted here: %v", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(folder, 0); err != nil {
			t.Error(err)
		}
	})
}

// resize makes it another size.
func resize(t *testing.T, folder string, size int) {
	t.Helper()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", syscall.MS_REMOUNT, fmt.Sprintf("size=%d", size)); err != nil {
		t.Fatal(err)
	}
}

// TestDiskFullLive is the same on the live Web: no page is asked for twice but those in flight when the
// disk was full.
func TestDiskFullLive(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	disk := filepath.Join(folder, "disk")
	mount(t, disk, 64<<10)
	w := oddWeb(t, 6)
	seeds := w.Seeds()[:2]
	liveFile(t, folder, oddKeys, seeds...)
	write(t, filepath.Join(folder, "f.yaml"), strings.ReplaceAll(string(read(t, filepath.Join(folder, "f.yaml"))), "output: crawl\n", "output: disk/crawl\n"))
	var sessions []int
	for size := 64 << 10; ; size *= 2 {
		resize(t, disk, size)
		c := program(t, folder, "crawl", "f.yaml")
		out, err := c.CombinedOutput()
		if status := c.ProcessState.ExitCode(); err == nil || status == exitHostsDown {
			break
		} else if status != exitFailed {
			t.Fatalf("%d bytes: status %d: %s", size, status, out)
		}
		saysFull(t, disk, string(out))
		sessions = append(sessions, len(w.Visits()))
	}
	if len(sessions) < 2 {
		t.Errorf("the disk was full %d times", len(sessions))
	}
	past := pastOf(w, sessions)
	for _, v := range w.Violations() {
		if !past.excuses(t, v) {
			t.Error(v)
		}
	}
	samePages(t, w.Pages(), w.AllowedFrom(seeds...))
	past.checkRepeated(t)
	wholeFolder(t, disk, w)
	t.Logf("full after %v of %d requests; asked for again: %d", sessions, len(w.Visits()), len(w.Repeated()))
}
