//go:build e2e

package program_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestSignalEndsEveryVerb: a verb that waits for what never comes ends after one signal, with the status of an interrupted
// job. The input is a pipe that the test holds open and never fills, which no check of a context sees.
func TestSignalEndsEveryVerb(t *testing.T) {
	const crawlFile = "seeds: [http://tidings.example/]\nweb: {archive: examples/demo.warc.gz}\nfocus: {ontology: {files: pipe.ttl, target: Airplane}}\noutput: out\n"
	for _, line := range []string{
		"ontology check pipe.ttl", "ontology show pipe.ttl --target Airplane",
		"rdf convert --to turtle pipe.ttl",
		"load facts pipe.ttl", "query --data pipe.ttl names.rq", "query --data examples/aircraft.ttl pipe.ttl",
		"text pipe.ttl", "labels train --stream pipe.ttl -o model", "krs build pipe.ttl --topic a -o krs",
		"serve --data pipe.ttl", "catalog list pipe.ttl",
		"crawl pipe.ttl", "crawl f.yaml", "judge f.yaml http://tidings.example/", "compare pipe.ttl",
		"explain pipe http://a.example/", "check pipe", "repair pipe", "pages pipe", "status pipe", "export pipe --format csv",
	} {
		t.Run(strings.ReplaceAll(line, " ", "_"), func(t *testing.T) {
			t.Parallel()
			folder := withExamples(t)
			write(t, filepath.Join(folder, "f.yaml"), crawlFile)
			write(t, filepath.Join(folder, "names.rq"), "SELECT * { ?s ?p ?o }")
			pipe := filepath.Join(folder, "pipe.ttl")
			if err := unix.Mkfifo(pipe, 0o666); err != nil {
				t.Fatal(err)
			}
			if err := os.Mkdir(filepath.Join(folder, "pipe"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := unix.Mkfifo(filepath.Join(folder, "pipe", "crawl.yaml"), 0o666); err != nil {
				t.Fatal(err)
			}
			c := program(t, folder, strings.Fields(line)...)
			var stderr bytes.Buffer
			c.Stderr = &stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			ended := make(chan struct{})
			go func() { defer close(ended); _ = c.Wait() }()
			opened := make(chan *os.File, 2)
			for _, path := range []string{pipe, filepath.Join(folder, "pipe", "crawl.yaml")} {
				go func() {
					if f, err := os.OpenFile(path, os.O_WRONLY, 0); err == nil { // when the program opens it to read
						opened <- f
					}
				}()
			}
			select {
			case f := <-opened:
				defer f.Close()
				if err := c.Process.Signal(syscall.SIGTERM); err != nil {
					t.Fatal(err)
				}
				<-ended
				if status := c.ProcessState.ExitCode(); status != exitInterrupted || !strings.Contains(stderr.String(), "interrupted") {
					t.Errorf("status %d: %s", status, &stderr)
				}
			case <-ended: // it reads regular files alone, and says so
				if status := c.ProcessState.ExitCode(); status != exitInput {
					t.Errorf("status %d: %s", status, &stderr)
				}
				t.Logf("refused: %s", &stderr)
			}
			for _, path := range []string{pipe, filepath.Join(folder, "pipe", "crawl.yaml")} { // releases who opens it to write
				if f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
					defer f.Close()
				}
			}
		})
	}
}
