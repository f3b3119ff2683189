//go:build e2e

package crawls_test

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/job"
	"orbweaver/ledger"
)

// change changes the site: a page links to a new page, which links to another; one page has new text about airplanes, one
// no longer has any; one page is gone, and one redirects.
func (s *site) change(t *testing.T) {
	t.Helper()
	s.date = s.date.AddDate(1, 0, 0)
	s.plane(t, "planes/3.html", 3, "/planes/4.html", "/planes/new.html", "/private/hangar.html")
	s.plane(t, "planes/5.html", 50, "/planes/6.html")
	s.html(t, "stored/0.html", garden(51))
	s.plane(t, "planes/new.html", 52, "/planes/newer.html")
	s.plane(t, "planes/newer.html", 53)
	s.file(t, "moves", "")
	if err := os.Remove(filepath.Join(s.root, "planes/4.html")); err != nil {
		t.Fatal(err)
	}
}

// changed returns the changes that a refresh must find after change, without the unchanged pages.
func changed() map[string]orbweaver.Change {
	return map[string]orbweaver.Change{
		"/planes/3.html": orbweaver.Changed, "/planes/5.html": orbweaver.Changed, "/stored/0.html": orbweaver.Changed,
		"/planes/4.html": orbweaver.Gone, "/gliders/1.html": orbweaver.Moved, "/planes/new.html": "new",
	}
}

// checkRefresh changes the site, refreshes its crawl twice, and resumes the crawl.
func (s *site) checkRefresh(t *testing.T, journal []byte) {
	t.Helper()
	before := s.byPath(t, journal)
	s.change(t)
	found := changed()
	journal, lines := s.again(t, journal, refreshJob, map[string]int{
		"new": 1, "changed": 3, "gone": 1, "moved": 1, "unchanged": 12, "failed": 0, "pages fetched": 29, "accepted": 15,
	})
	s.checkFound(t, before, lines, found)
	s.checkAskedAgain(t, lines, found)

	for path, line := range lines {
		before[path] = line
	}
	journal, lines = s.again(t, journal, refreshJob, map[string]int{
		"new": 0, "changed": 0, "gone": 0, "moved": 0, "unchanged": 15, "failed": 0, "pages fetched": 29, "accepted": 15,
	})
	s.checkFound(t, before, lines, nil)
	s.checkAskedAgain(t, lines, nil)

	journal, lines = s.again(t, journal, crawlJob, map[string]int{"pages fetched": 30, "accepted": 16})
	if l := lines["/planes/newer.html"]; len(lines) != 1 || !l.Accepted || l.Parent != s.base+"/planes/new.html" {
		t.Errorf("the crawl went on with %+v", lines)
	}
	if asked := s.asked(t); len(asked) != 2 || asked[1].Path != "/planes/newer.html" {
		t.Errorf("the crawl went on with %v", asked)
	}
	if _, lines = s.again(t, journal, crawlJob, map[string]int{"pages fetched": 30, "accepted": 16}); len(lines)+len(s.asked(t)) > 0 {
		t.Errorf("a crawl that is over asked for %v", lines)
	}
	s.checkNewest(t)
}

// again runs a job of the crawl once more and returns its pages.jsonl, the whole and the new lines. told has the counts
// that must be printed.
func (s *site) again(t *testing.T, journal []byte, job func(*job.Job, string) error, told map[string]int) (whole []byte, lines map[string]ledger.Line) {
	t.Helper()
	whole, printed := s.crawl(t, "live", liveKeys, job)
	if !bytes.HasPrefix(whole, journal) {
		t.Fatalf("what was known is not there any more:\n%s", whole)
	}
	for what, n := range told {
		if words := strings.ReplaceAll(printed, ",", " "); !strings.Contains(strings.Join(strings.Fields(words), " "), fmt.Sprintf(" %s %d ", what, n)) {
			t.Errorf("want %s %d:\n%s", what, n, printed)
		}
	}
	return whole, s.byPath(t, whole[len(journal):])
}

// checkFound checks the lines that a refresh adds: one for each accepted page, and one for each new page.
func (s *site) checkFound(t *testing.T, before, lines map[string]ledger.Line, found map[string]orbweaver.Change) {
	t.Helper()
	var want []string
	for path, line := range before {
		if line.Accepted && line.Redirect == "" {
			want = append(want, path)
		}
	}
	for path, change := range found {
		if change == "new" {
			want = append(want, path)
		}
	}
	if got := slices.Collect(maps.Keys(lines)); len(toy.Without(want, got))+len(toy.Without(got, want)) > 0 {
		t.Errorf("missing %v, too many %v", toy.Without(want, got), toy.Without(got, want))
	}
	for path, line := range lines {
		if problem := checkChange(found[path], before[path], line); problem != "" {
			t.Errorf("%s: %+v, before %+v", problem, line, before[path])
		}
		if accepted := s.pages[path] && line.Status/100 != 3 && found[path] != orbweaver.Gone || line.Status == 304; found[path] != orbweaver.Moved && line.Accepted != accepted {
			t.Errorf("accepted: %+v", line)
		}
	}
}

// checkChange returns the problem of a line after a change, or "".
func checkChange(change orbweaver.Change, before, line ledger.Line) string {
	ok := false
	switch change {
	case "new":
		ok = line.Status == 200 && strings.HasSuffix(line.Parent, "/planes/3.html") && line.Depth == 5
	case orbweaver.Changed:
		ok = line.Status == 200 && line.Digest != before.Digest && line.Digest != "" && line.Parent == before.Parent
	case orbweaver.Gone:
		ok = line.Status == 404 && line.Error == "status" && line.Digest == "" && line.Score == 0
	case orbweaver.Moved:
		ok = line.Status == 301 && strings.HasSuffix(line.Redirect, "/planes/0.html") && line.Digest == ""
	default:
		same := line
		same.N, same.Status, same.Predicted, same.Threshold = before.N, before.Status, before.Predicted, before.Threshold
		ok = reflect.DeepEqual(same, before) && line.Predicted.Score == before.Score && line.Status == 304
		change = orbweaver.Unchanged
	}
	if ok {
		return ""
	}
	return string(change)
}

// checkAskedAgain checks the requests of a refresh: each page once, conditional on its validators if it has any.
func (s *site) checkAskedAgain(t *testing.T, lines map[string]ledger.Line, found map[string]orbweaver.Change) {
	t.Helper()
	asked := s.asked(t)
	if len(asked) != len(lines)+1 || asked[0].Path != "/robots.txt" {
		t.Errorf("asked for %d, the first being %s; want robots.txt and %d", len(asked), asked[0].Path, len(lines))
	}
	for _, r := range asked[1:] {
		conditional, status := found[r.Path] != "new", lines[r.Path].Status
		if r.Path == "/chunked/0.html" { // without validators, so nginx sends the same bytes again
			conditional, status = false, 200
		}
		if r.Status != status || (r.NoneMatch != "") != conditional {
			t.Errorf("%+v, but the line is %+v", r, lines[r.Path])
		}
	}
}

// checkNewest checks that the crawl's own archive, refreshed, answers with the newest version.
func (s *site) checkNewest(t *testing.T) {
	t.Helper()
	web, err := archive.OpenWeb([]string{s.output("live", "archive")}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer web.Close()
	response, err := web.Fetch(t.Context(), orbweaver.Request{URL: s.base + "/stored/0.html"})
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	want, problem := os.ReadFile(filepath.Join(s.root, "stored/0.html"))
	if err != nil || problem != nil || !bytes.Equal(got, want) || len(web.Warnings()) > 0 {
		t.Errorf("the archive has %q, %v, and the site %q, %v; %v", got, err, want, problem, web.Warnings())
	}
}
