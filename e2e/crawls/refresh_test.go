//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/services/wire"
	"orbweaver/ledger"
)

// refreshFile is a crawl file of a site in memory; %s: ontology.
const refreshFile = `seeds: [http://a.test/]
focus: {ontology: {files: %s, target: 'http://orbweaver.example/aircraft#Airplane'}}
allow_private: true
politeness: {contact: me@example.org}
`

// An editable is a site in memory that can be changed. It sends no validators, so that a refresh must compare bytes. A
// missing page is a 404, an empty one a 500.
type editable struct {
	mu    sync.Mutex
	pages map[string]string
}

func (e *editable) edit(path, page string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if page == "-" {
		delete(e.pages, path)
		return
	}
	e.pages[path] = page
}

// ServeHTTP serves a page.
func (e *editable) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	e.mu.Lock()
	page, ok := e.pages[r.URL.Path]
	e.mu.Unlock()
	switch {
	case !ok:
		http.NotFound(w, r)
	case page == "":
		w.WriteHeader(http.StatusInternalServerError)
	default:
		w.Header().Set("Content-Type", "text/html")
		io.WriteString(w, page)
	}
}

// about returns a page about airplanes.
func about(words string, links ...string) string {
	page := "<title>airplane</title><p>An airplane with " + words + ".</p>"
	for _, link := range links {
		page += "<p>See the <a href=\"" + link + "\">airplane</a> there.</p>"
	}
	return page
}

// A refreshStep changes a site and crawls it, or refreshes its crawl.
type refreshStep struct {
	name  string
	edits map[string]string // path to page; "-" removes it
	want  []string          // lines added: path and status, sorted; 304: the same bytes as before
	told  map[string]int    // counts that the refresh prints; nil: a crawl
}

// TestRefresh repeatedly changes a site whose pages link to each other, refreshes its crawl, and checks the printed
// counts and pages.jsonl.
func TestRefresh(t *testing.T) {
	e := &editable{pages: map[string]string{
		"/":  about("two wings", "/1", "/2", "/3"),
		"/1": about("one wing", "/", "/2", "/3"),
		"/2": about("three wings", "/1"),
		"/3": about("four wings", "/1", "/2"),
	}}
	dir := t.TempDir()
	steps := []refreshStep{
		{"a crawl", nil, []string{"/ 200", "/1 200", "/2 200", "/3 200"}, nil},
		{"nothing changed", nil, []string{"/ 304", "/1 304", "/2 304", "/3 304"}, map[string]int{"unchanged": 4}},
		{
			"pages that changed lead to others that are asked again",
			map[string]string{"/": about("no wing", "/3", "/2", "/1"), "/1": about("no wing", "/3", "/2", "/"), "/3": about("no wing", "/2", "/1")},
			[]string{"/ 200", "/1 200", "/2 304", "/3 200"}, map[string]int{"changed": 3, "unchanged": 1},
		},
		{
			"a new page's links wait for the next crawl",
			map[string]string{"/2": about("a tail", "/4"), "/4": about("a nose", "/5", "/1"), "/5": about("a door")},
			[]string{"/ 304", "/1 304", "/2 200", "/3 304", "/4 200"}, map[string]int{"new": 1, "changed": 1, "unchanged": 3},
		},
		{"a page that fails stays known", map[string]string{"/1": ""}, []string{"/ 304", "/2 304", "/3 304", "/4 304"}, map[string]int{"failed": 1, "unchanged": 4}},
		{
			"and is asked again by the next refresh", map[string]string{"/1": "-"},
			[]string{"/ 304", "/1 404", "/2 304", "/3 304", "/4 304"}, map[string]int{"gone": 1, "unchanged": 4, "failed": 0},
		},
		{"what is gone is asked for no more", nil, []string{"/ 304", "/2 304", "/3 304", "/4 304"}, map[string]int{"gone": 0, "unchanged": 4}},
		{"a crawl goes on", nil, []string{"/5 200"}, nil},
	}
	synctest.Test(t, func(t *testing.T) {
		for _, step := range steps {
			for path, page := range step.edits {
				e.edit(path, page)
			}
			lines, printed := refreshMemory(t, e, dir, step.told != nil)
			if slices.Sort(lines); !slices.Equal(lines, step.want) {
				t.Errorf("%s: %v, want %v", step.name, lines, step.want)
			}
			_, best, _ := strings.Cut(printed, "The best pages:")
			for _, path := range []string{"/", "/1", "/2", "/3"} { // once each, however often requested, unless gone
				want := 0
				if _, there := e.pages[path]; there {
					want = 1
				}
				if n := strings.Count(best, " * http://a.test"+path+"\n"); n != want {
					t.Errorf("%s: %s is %d times among the best, want %d:\n%s", step.name, path, n, want, printed)
				}
			}
			for kind, n := range step.told {
				if !strings.Contains(printed, fmt.Sprintf("\n  %-10s %5d  ", kind, n)) {
					t.Errorf("%s: want %d %s:\n%s", step.name, n, kind, printed)
				}
			}
		}
	})
}

// refreshMemory crawls a site in memory, or refreshes its crawl, in virtual time. It returns the new lines of
// pages.jsonl and the printed text.
func refreshMemory(t *testing.T, e *editable, dir string, refresh bool) (lines []string, printed string) {
	t.Helper()
	n := fetchtest.NewNetwork()
	defer n.Close()
	n.Serve("a.test", fetchtest.Address(0), e)
	file, journal := filepath.Join(dir, "memory.yaml"), filepath.Join(dir, "crawls/memory", ledger.JournalFile)
	text := fmt.Sprintf(refreshFile, filepath.Join(realdata.Root(t), "examples/aircraft.ttl"))
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	before, _ := os.ReadFile(journal) // missing before the first crawl
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}, Alone: true, Wire: wire.Wire{Options: client.Options{Resolve: n.Resolve, Dial: n.Dial}}}
	var err error
	if refresh {
		<-time.After(time.Hour) // the pages age
		err = verbs.Refresh(context.Background(), a, file, time.Minute)
	} else {
		err = verbs.Crawl(context.Background(), a, file)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	known := bytes.Count(before, []byte("\n"))
	for line, err := range ledger.Lines(journal) {
		if err != nil {
			t.Fatal(err)
		}
		if known--; known < 0 {
			lines = append(lines, fmt.Sprint(strings.TrimPrefix(line.URL, "http://a.test"), " ", line.Status))
		}
	}
	return lines, out.String()
}
