//go:build e2e

package program_test

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orbweaver/ledger"
)

// longCrawl is a crawl of the demo web that takes some hundred milliseconds.
const longCrawl = `seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: examples/demo.warc.gz}
focus: {ontology: {files: examples/aircraft.ttl, target: "http://orbweaver.example/aircraft#Airplane"}}
archive: on
workers: 2
output: crawl
`

// TestCtrlC stops a crawl once some of it is done, and goes on with it.
func TestCtrlC(t *testing.T) {
	folder := project(t)
	write(t, "f.yaml", longCrawl)
	crawlOn(t, folder)
	whole := filepath.Join(t.TempDir(), "crawl")
	if err := os.Rename("crawl", whole); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	for status := exitDone; status != exitInterrupted; {
		if err := os.RemoveAll("crawl"); err != nil {
			t.Fatal(err)
		}
		stdout.Reset()
		stderr.Reset()
		if status = stopAfter(t, folder, 5, &stdout, &stderr); status != exitInterrupted && status != exitDone {
			t.Fatalf("exit status %d, want %d: %s", status, exitInterrupted, &stderr)
		}
	}
	for _, want := range []string{"crawl: interrupted after ", "orbweaver crawl f.yaml   goes on"} {
		if !strings.Contains(stdout.String(), want) {
			t.Errorf("standard output lacks %q:\n%s", want, &stdout)
		}
	}
	for _, want := range []string{"finishing in-flight requests; Ctrl-C again ends at once", "interrupted; the same command resumes it"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("standard error lacks %q:\n%s", want, &stderr)
		}
	}
	part := read(t, "crawl/"+ledger.JournalFile)
	if want := read(t, filepath.Join(whole, ledger.JournalFile)); len(part) == 0 || len(part) >= len(want) {
		t.Errorf("%d of %d bytes were written before the crawl stopped", len(part), len(want))
	}
	if _, err := os.Stat("crawl/report.html"); err != nil {
		t.Error(err)
	}
	crawlOn(t, folder)
	sameCrawl(t, whole, "crawl")
}

// stopAfter crawls until pages.jsonl has grown so many times, presses Ctrl-C, and returns the exit
// status; that of a crawl which was too fast is exitDone.
func stopAfter(t *testing.T, folder string, lines int, stdout, stderr io.Writer) (status int) {
	t.Helper()
	if err := os.Mkdir(filepath.Join(folder, "crawl"), 0o777); err != nil {
		t.Fatal(err)
	}
	c := program(t, folder, "crawl", "f.yaml")
	c.Stdout, c.Stderr = stdout, stderr
	watching(t, filepath.Join(folder, "crawl")).until(t, c, syscall.SIGINT, func(path string) bool {
		if filepath.Base(path) == ledger.JournalFile {
			lines--
		}
		return lines <= 0
	})
	return c.ProcessState.ExitCode()
}

// TestCtrlCTwice ends a crawl that cannot stop by itself: nobody takes what it prints.
func TestCtrlCTwice(t *testing.T) {
	folder := project(t)
	write(t, "f.yaml", longCrawl)
	if err := os.Mkdir("crawl", 0o777); err != nil {
		t.Fatal(err)
	}
	unread, stdout, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Close()
	fill(t, stdout)
	c := program(t, folder, "crawl", "f.yaml")
	c.Stdout = stdout
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	stdout.Close()
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		switch {
		case strings.Contains(lines.Text(), "pages/s"): // the crawl is over, its summary begins
			_ = c.Process.Signal(syscall.SIGINT)
		case strings.Contains(lines.Text(), "Ctrl-C again ends at once"):
			_ = c.Process.Signal(syscall.SIGINT)
		}
	}
	_ = c.Wait() // how it ended is in c.ProcessState
	if s := c.ProcessState.Sys().(syscall.WaitStatus); !s.Signaled() || s.Signal() != syscall.SIGINT {
		t.Errorf("ended with %v, want %v", c.ProcessState, syscall.SIGINT)
	}
	crawlOn(t, folder)
}

// fill writes to a pipe until it takes no more.
func fill(t *testing.T, pipe *os.File) {
	t.Helper()
	fd := int(pipe.Fd()) // blocking from here on
	if err := syscall.SetNonblock(fd, true); err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := syscall.Write(fd, make([]byte, 4096)); err == syscall.EAGAIN {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.SetNonblock(fd, false); err != nil {
		t.Fatal(err)
	}
}
