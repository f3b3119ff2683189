package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// TestDemoCrawl: the program crawls the demo web as README.md says, and a crawl that is over stays as it is.
func TestDemoCrawl(t *testing.T) {
	folder := withExamples(t)
	out, err := program(t, folder, "crawl", "examples/aircraft.yaml").CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, want := range []string{"airplane: aircraft", "crawls/aircraft/report.html", "limits.requests: 200 ended it"} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	journal := filepath.Join(folder, "crawls", "aircraft", "pages.jsonl")
	before := read(t, journal)
	if n := bytes.Count(before, []byte("\n")); n < 190 || n > 210 || !bytes.Contains(before, []byte(`"accepted":true`)) {
		t.Errorf("%d lines", n)
	}
	if report := read(t, filepath.Join(folder, "crawls", "aircraft", "report.html")); !bytes.Contains(report, []byte("http://skylines.example/types/a320.html")) {
		t.Error("the report lacks a page")
	}
	if out, err := program(t, folder, "crawl", "examples/aircraft.yaml").CombinedOutput(); err != nil || !bytes.Equal(read(t, journal), before) {
		t.Errorf("run again, it is another: %v: %s", err, out)
	}
}

// TestKilledAndGoneOn: a crawl that is killed and begun again by the same command is the same crawl, to the byte.
func TestKilledAndGoneOn(t *testing.T) {
	folder := withExamples(t)
	for _, name := range []string{"whole", "killed"} {
		write(t, filepath.Join(folder, name+".yaml"), `seeds: [http://tidings.example/, http://signpost.example/]
web: {archive: examples/demo.warc.gz}
focus: {keyword: {terms: [aircraft, airline]}}
limits: {requests: 600}
output: crawls/`+name+"\n")
	}
	journal := func(name string) string { return filepath.Join(folder, "crawls", name, "pages.jsonl") }
	if out, err := program(t, folder, "crawl", "whole.yaml").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	want := read(t, journal("whole"))
	kills := 0
	for size := int64(1); ; size += int64(len(want)) / 4 {
		c := program(t, folder, "crawl", "killed.yaml")
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		var err error
		for over, killed := false, false; !over; runtime.Gosched() {
			if stat, statErr := os.Stat(journal("killed")); !killed && statErr == nil && stat.Size() >= size {
				_ = c.Process.Kill() // it may have ended by itself
				killed = true
			}
			select {
			case err = <-ended:
				over = true
			default:
			}
		}
		if err == nil {
			break
		}
		kills++
	}
	if kills == 0 {
		t.Error("it was never killed")
	}
	if !bytes.Equal(read(t, journal("killed")), want) {
		t.Errorf("killed %d times, it is another crawl", kills)
	}
}
