//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/realdata"
)

// TestWorkers: the same web and the same crawl file give the same crawl with any number of workers.
func TestWorkers(t *testing.T) {
	for _, tc := range []struct {
		name, focus string
		lines       int
	}{
		{"ontology", toy.DemoFocus(t), 500},
		{"best first", "focus: {best_first: {terms: [airplane, aircraft], n: 10}}\n", 500},
		{"keyword", "focus: {keyword: {terms: [airplane, aircraft]}}\n", 400},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, want := apptest.CrawlIn(t, t.TempDir(), toy.DemoLines(t)+tc.focus+"workers: 1\n")
			sameWithWorkers(t, toy.DemoLines(t)+tc.focus, want, tc.lines)
		})
	}
}

// TestWorkersOnARealWeb is like TestWorkers on a web of larger pages. It crawls the part that one worker archived, which
// opens faster than the whole.
func TestWorkersOnARealWeb(t *testing.T) {
	const seeds = "seeds: [http://wikispeedia.test/wiki/Culture.html, http://wikispeedia.test/wiki/Science.html]\nlimits: {requests: 400}\n"
	web := func(path string) string { return "web: {archive: " + path + "}\n" }
	data := realdata.Folder(t, "wikispeedia.warc.gz")
	for _, tc := range []struct{ name, focus string }{
		{"ontology", "focus: {ontology: {files: " + filepath.Join(realdata.Root(t), "examples/wikispeedia/computing.ttl") + ", target: 'http://example.org/computing#Computing'}}\n"},
		{"best first", "focus: {best_first: {terms: [computer, software], n: 10}}\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			folder := t.TempDir()
			_, want := apptest.CrawlIn(t, folder, seeds+web(filepath.Join(data, "wikispeedia.warc.gz"))+tc.focus+"workers: 1\narchive: on\n")
			sameWithWorkers(t, seeds+web(filepath.Join(folder, "crawl/archive"))+tc.focus, want, 400)
		})
	}
}

// sameWithWorkers compares crawls with several numbers of workers. The pages.jsonl must have at least lines lines.
func sameWithWorkers(t *testing.T, file string, want []byte, lines int) {
	t.Helper()
	if n := bytes.Count(want, []byte("\n")); n < lines {
		t.Fatalf("%d lines, want %d or more", n, lines)
	}
	for _, workers := range []int{2, 8, 32} {
		if _, journal := apptest.CrawlIn(t, t.TempDir(), file+fmt.Sprintf("workers: %d\n", workers)); !bytes.Equal(journal, want) {
			t.Errorf("the crawl with %d workers differs from that with 1", workers)
		}
	}
}

// TestManySessions interrupts a crawl after each request and resumes it: pages.jsonl and the archive, including robots.txt
// files, equal those of a crawl in one session.
func TestManySessions(t *testing.T) {
	layers := strings.Replace(toy.DemoFocus(t), "target:", "layers: on, target:", 1)
	for name, focus := range map[string]string{"ontology": toy.DemoFocus(t), "ontology, layers": layers, "keyword": "focus: {keyword: {terms: [airplane, aircraft, pilot]}}\n"} {
		t.Run(name, func(t *testing.T) { manySessions(t, toy.DemoLines(t)+focus+"archive: on\nworkers: 2\n") })
	}
}

func manySessions(t *testing.T, head string) {
	once, often := t.TempDir(), t.TempDir()
	sameInSessions(t, head, once, often)
	for _, name := range []string{"index.cdxj", "crawl-00000.warc.gz"} {
		a, err := os.ReadFile(filepath.Join(once, "crawl/archive", name))
		if err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(filepath.Join(often, "crawl/archive", name))
		if err != nil || !bytes.Equal(a, b) {
			t.Errorf("%s of many sessions differs, %v", name, err)
		}
		if name == "index.cdxj" && bytes.Count(a, []byte("/robots.txt")) < 5 {
			t.Errorf("the archive has %d robots.txt files", bytes.Count(a, []byte("/robots.txt")))
		}
	}
}

// sameInSessions compares a crawl in one session with one that is resumed after each request, both in folders.
func sameInSessions(t *testing.T, head, once, often string) {
	t.Helper()
	const sessions = 40
	limit := func(n int) string { return fmt.Sprintf("limits: {requests: %d}\n", n) }
	_, want := apptest.CrawlIn(t, once, head+limit(sessions))
	for n := 1; n < sessions; n++ {
		if _, journal := apptest.CrawlIn(t, often, head+limit(n)); !bytes.HasPrefix(want, journal) {
			t.Fatalf("after %d requests the crawl differs", n)
		}
	}
	if _, journal := apptest.CrawlIn(t, often, head+limit(sessions)); !bytes.Equal(journal, want) {
		t.Error("the crawl in many sessions differs")
	}
}
