//go:build e2e

package program_test

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"orbweaver/internal/realdata"
)

// TestRemoveKilled kills a removal of pages at one change to the crawl folder after the other. The next session of the crawl, the same
// command, remove without a pattern, and repair each end it as if nothing had been: the folder is that of a removal that nobody killed.
func TestRemoveKilled(t *testing.T) {
	const kills = 12
	folder, random := t.TempDir(), rand.New(rand.NewPCG(11, 1))
	for _, name := range []string{"demo.warc.gz", "aircraft.ttl"} {
		write(t, filepath.Join(folder, name), string(read(t, filepath.Join(realdata.Root(t), "examples", name))))
	}
	write(t, filepath.Join(folder, "f.yaml"), `seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]
web: {archive: [demo.warc.gz], robots: archived}
focus: {ontology: {files: [aircraft.ttl], target: ["http://orbweaver.example/aircraft#Airplane"]}}
limits: {requests: 150}
archive: on
output: crawl
`)
	crawlOn(t, folder)
	run := func(args ...string) string {
		t.Helper()
		out, err := program(t, folder, args...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
		return string(out)
	}
	run("search", "crawl", "airliner") // the words are indexed
	crawl, before, whole := filepath.Join(folder, "crawl"), filepath.Join(folder, "before"), filepath.Join(folder, "whole")
	copyFiles(t, before, crawl)
	order := []string{"remove", "crawl", "skylines.example", "http://tidings.example/news/plane-trees", "--reason", "asked"}
	run(order...)
	copyFiles(t, whole, crawl)
	want := statementsOf(t, folder)
	checkRemoved(t, whole)
	ways := [][]string{{"crawl", "f.yaml"}, order, {"remove", "crawl"}, {"repair", "crawl"}}
	killed := 0
	for left := 0; ; left += 1 + random.IntN(6) {
		if err := os.RemoveAll(crawl); err != nil {
			t.Fatal(err)
		}
		copyFiles(t, crawl, before)
		var told bytes.Buffer
		c, changes := program(t, folder, order...), left
		c.Stdout, c.Stderr = &told, &told
		watching(t, crawl).until(t, c, syscall.SIGKILL, func(string) bool {
			changes--
			return killed < kills && changes < 0
		})
		if c.ProcessState.Success() {
			break
		}
		if c.ProcessState.Sys().(syscall.WaitStatus).Signal() != syscall.SIGKILL {
			t.Fatalf("%v: %s", c.ProcessState, &told)
		}
		killed++
		if _, err := os.Stat(filepath.Join(crawl, "takedowns.jsonl")); err != nil { // it had not begun
			run(order...)
		}
		out, err := program(t, folder, ways[killed%len(ways)]...).CombinedOutput()
		if said := string(out); err != nil && !strings.Contains(said, "no pattern is given") { // it was all done
			t.Fatalf("killed after %d changes, %v: %v: %s", left, ways[killed%len(ways)], err, said)
		}
		for _, name := range []string{"pages.jsonl", "archive/index.cdxj", "archive/index.cdxj.part", "archive/crawl-00000.warc.gz", "steering.json"} {
			if got, want := read(t, filepath.Join(crawl, name)), read(t, filepath.Join(whole, name)); !bytes.Equal(got, want) {
				t.Errorf("killed after %d changes: %s is another: %s", left, name, difference(got, want))
			}
		}
		if got := statementsOf(t, folder); got != want {
			t.Errorf("killed after %d changes: the pages say %q, want %q", left, got, want)
		}
		run("check", "crawl")
		checkRemoved(t, crawl)
	}
	if killed < 5 {
		t.Errorf("killed %d times", killed)
	}
	t.Logf("%d times killed", killed)
}

// checkRemoved checks that a folder's files of text have nothing of the pages that were removed.
func checkRemoved(t *testing.T, crawl string) {
	t.Helper()
	for _, name := range []string{"pages.jsonl", "log.jsonl", "report.html", "archive/index.cdxj", "archive/index.cdxj.part"} {
		if text := read(t, filepath.Join(crawl, name)); bytes.Contains(text, []byte("skylines.example")) || bytes.Contains(text, []byte("plane-trees\"")) {
			t.Errorf("%s still names a removed page", name)
		}
	}
}
