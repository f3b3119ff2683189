//go:build e2e

package crawls_test

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver/engine"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// took is the time of a judge's answers in a snapshot.
var took = regexp.MustCompile(`"took":[0-9]+,`)

// left returns the result of a crawl without times: its files by name, and the ledger's progress and model. Recorded answers
// say how long they took, in a database: pages.jsonl says what they were.
func left(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	model, n, err := l.Model()
	progress := l.Progress()
	if err := errors.Join(err, l.Close()); err != nil {
		t.Fatal(err)
	}
	progress.Active = 0 // a resumed crawl has spent more time
	all["(model)"], all["(progress)"] = fmt.Sprintf("after %d: %s", n, took.ReplaceAll(model, nil)), fmt.Sprintf("%+v", progress)
	for name, content := range files(t, dir) {
		if !strings.HasPrefix(name, "ledger/") && !strings.HasPrefix(name, "answers/") && name != assembly.ReportFile && name != findings.TimesFile && !strings.HasPrefix(name, "log.") { // every session appends to the log
			all[name] = string(content)
		}
	}
	return all
}

// files returns the contents of a folder's files by relative path.
func files(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			all[filepath.ToSlash(name)], err = os.ReadFile(path)
		}
		return err
	})
	if errors.Is(err, fs.ErrNotExist) { // the database removed it meanwhile
		return files(t, dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// sameLeft reports the differences between two results of left.
func sameLeft(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name := range want {
		if _, ok := got[name]; !ok {
			t.Errorf("%s: %s is missing", what, name)
		}
	}
	for name := range got {
		if g, w := got[name], want[name]; g != w {
			at := 0
			for at < min(len(g), len(w)) && g[at] == w[at] {
				at++
			}
			from := max(0, at-80)
			t.Errorf("%s: %s differs from byte %d on:\n%.300s\nwant\n%.300s", what, name, at, g[from:], w[min(from, len(w)):])
		}
	}
}

// TestAgain: running an ended crawl again changes nothing, whatever its focus and whatever ended it.
func TestAgain(t *testing.T) {
	for _, every := range everyFocus(t) {
		for name, limit := range map[string]string{"exhausted": "", "at a limit": "limits: {requests: 12}\n"} {
			t.Run(every.name+", "+name, func(t *testing.T) {
				folder := t.TempDir()
				apptest.CrawlIn(t, folder, every.file+limit)
				dir := filepath.Join(folder, "crawl")
				before, report := left(t, dir), reportIn(t, dir)
				for n := range 2 {
					apptest.CrawlIn(t, folder, every.file+limit)
					sameLeft(t, fmt.Sprintf("again, %d", n+1), left(t, dir), before)
					if reportIn(t, dir) != report { // the time spent included
						t.Error("the report differs")
					}
				}
			})
		}
	}
}

// reportIn returns a crawl's report.
func reportIn(t *testing.T, dir string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, assembly.ReportFile))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestKilledAnywhere: with any focus, a crawl resumed after a killed process ends like an uninterrupted one. It uses
// one worker, because documents arrive in any order with more.
func TestKilledAnywhere(t *testing.T) {
	for _, every := range everyFocus(t) {
		t.Run(every.name, func(t *testing.T) {
			folder := t.TempDir()
			path := toy.Put(t, folder, "f.yaml", every.file+"workers: 1\nlimits: {requests: 40}\noutput: crawl\n")
			graves := map[int64]map[string][]byte{} // files of the folder, by the number of requests
			a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
			a.Watch = func(l *ledger.Ledger, _ *engine.Crawl, p step.Progress) {
				if n := p.Requests; n == 1 || n == 6 || n == 13 || n == 40 {
					if err := l.Flush(); err != nil {
						t.Error(err)
					}
					graves[n] = files(t, filepath.Join(folder, "crawl"))
				}
			}
			if err := verbs.Crawl(t.Context(), a, path); err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(folder, "crawl")
			want := undated(left(t, dir))
			for n, grave := range graves {
				bury(t, dir, grave)
				if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, path); err != nil {
					t.Fatal(err)
				}
				sameLeft(t, fmt.Sprintf("killed after %d requests", n), undated(left(t, dir)), want)
			}
			if len(graves) == 0 {
				t.Error("no snapshot was taken")
			}
		})
	}
}

// undated returns the result of left without the archive, whose records have dates.
func undated(all map[string]string) map[string]string {
	maps.DeleteFunc(all, func(name, _ string) bool { return strings.HasPrefix(name, "archive/") })
	return all
}

// bury replaces the contents of a folder by files.
func bury(t *testing.T, dir string, files map[string][]byte) {
	t.Helper()
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, content, 0o666)); err != nil {
			t.Fatal(err)
		}
	}
}

// TestJudgedInOneSession: a judged metadata crawl judges candidates in the same session, also if their documents
// are already known.
func TestJudgedInOneSession(t *testing.T) {
	folder := t.TempDir()
	file := fmt.Sprintf("focus: {metadata: {terms: ['http://dbpedia.org/ontology/Castle', 'http://dbpedia.org/ontology/Tower'], expand: judged, datasets: [{name: dbpedia, dump: %s}]}}\nweb: {archive: %s}\n",
		realdata.File(t, "ontologies/dbpedia-3.9.owl.gz"), realdata.File(t, "iana.warc.gz"))
	apptest.CrawlIn(t, folder, file)
	dir := filepath.Join(folder, "crawl")
	before := left(t, dir)
	found, err := findings.Read(dir)
	if want := []string{"http://dbpedia.org/ontology/Castle", "http://dbpedia.org/ontology/WaterTower"}; err != nil || len(found.Terms) != 3 || len(found.Rejected) != 18 || !slices.Equal(toy.Reached(found), want) {
		t.Errorf("%d terms, %d rejected, reached %v, want %v; %v", len(found.Terms), len(found.Rejected), toy.Reached(found), want, err)
	}
	apptest.CrawlIn(t, folder, file)
	sameLeft(t, "again", left(t, dir), before)
}
