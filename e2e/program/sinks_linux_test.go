//go:build e2e

package program_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/sink/folder"
)

// TestRemoveWithSinks: what is removed from a crawl is withdrawn from its sinks at the next delivery, which then leaves no URL of it behind; a crawl
// that is over and run again delivers nothing more.
func TestRemoveWithSinks(t *testing.T) {
	project(t)
	write(t, "planes.yaml", `seeds: [http://tidings.example/]
web: {archive: examples/demo.warc.gz}
focus: {keyword: {terms: [airplane, aircraft]}}
limits: {requests: 100}
output: crawls/planes
sinks: [{folder: pages}, {folder: {path: lines, format: jsonl}}, {sqlite: pages.db}]
`)
	run := func(args ...string) {
		t.Helper()
		if status, _, stderr := execute(t, args...); status != exitDone {
			t.Fatalf("%v: %s", args, stderr)
		}
	}
	run("crawl", "planes.yaml")
	const page = "http://tidings.example/news/fog"
	host, name := folder.Name(page)
	file := filepath.Join("pages", host, name)
	if !strings.Contains(string(read(t, file)), "\n# ") {
		t.Errorf("no heading in %s", read(t, file))
	}
	rows := len(rowsIn(t, "."))
	run("remove", "crawls/planes", page)
	lists, err := filepath.Glob("crawls/planes/sinks/*.removed.jsonl")
	if err != nil || len(lists) != 3 || !strings.Contains(string(read(t, lists[0])), page) {
		t.Errorf("%v, %v", lists, err)
	}
	var after string
	for range 2 {
		run("crawl", "planes.yaml")
		if _, err := os.Stat(file); !os.IsNotExist(err) {
			t.Errorf("%s is there: %v", file, err)
		}
		lines := string(read(t, "lines/pages.jsonl"))
		if after == "" {
			after = lines
		}
		if left := rowsIn(t, "."); len(left) != rows-1 || !strings.HasSuffix(lines, `"url":"`+page+`","why":"removed"}`+"\n") || lines != after {
			t.Errorf("%d rows of %d, and the last line of %.300s", len(left), rows, lines[strings.LastIndex(lines[:len(lines)-1], "\n")+1:])
		}
		if lists, err := filepath.Glob("crawls/planes/sinks/*.removed.jsonl"); err != nil || len(lists) > 0 {
			t.Errorf("%v, %v", lists, err)
		}
	}
}
