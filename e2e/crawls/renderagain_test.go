//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/engine"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// TestRenderedAgain: a crawl that renders is killed and goes on: it ends as the one that was not killed, has asked for no page
// twice, and rendered what it had decided by the archive. What is read of the archive later, to search and to show, is the page as it was judged, also
// where all pages are the same shell.
func TestRenderedAgain(t *testing.T) {
	for _, when := range []string{"always", "auto"} {
		t.Run(when, func(t *testing.T) {
			h, base := serveHangar(t)
			folder := t.TempDir()
			path, dir := filepath.Join(folder, "f.yaml"), filepath.Join(folder, "crawl")
			file := hangarFile(t, "output: crawl\nworkers: 1\nrender: {when: "+when+"}", base+"/")
			if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
				t.Fatal(err)
			}
			graves := map[int64]string{}
			quiet := func() *job.Job { return &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}} }
			first := quiet()
			first.Watch = func(l *ledger.Ledger, _ *engine.Crawl, p step.Progress) {
				if p.Requests != 1 && p.Requests != 4 || graves[p.Requests] != "" {
					return
				}
				if err := l.Flush(); err != nil {
					t.Error(err)
				}
				graves[p.Requests] = t.TempDir()
				servicesBury(t, graves[p.Requests], dir)
			}
			if err := verbs.Crawl(t.Context(), first, path); err != nil {
				t.Fatal(err)
			}
			want := servicesJudged(t, dir)
			wantShown(t, dir, base)
			for n, grave := range graves {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				servicesBury(t, dir, grave)
				h.mu.Lock()
				clear(h.asked)
				h.mu.Unlock()
				if err := verbs.Crawl(t.Context(), quiet(), path); err != nil {
					t.Fatal(err)
				}
				if got := servicesJudged(t, dir); !maps.Equal(got, want) {
					t.Errorf("after %d requests:\n%v\nwant\n%v", n, got, want)
				}
				h.mu.Lock()
				for at, times := range h.asked {
					if times != 1 {
						t.Errorf("after %d requests: %s is asked for %d times", n, at, times)
					}
				}
				h.mu.Unlock()
			}
			if len(graves) < 2 {
				t.Errorf("%d kills", len(graves))
			}
			wantShown(t, dir, base)
		})
	}
}

// bury copies the files of a folder, in which a database may remove some meanwhile.
func servicesBury(t *testing.T, to, from string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(from, path)
		content, failed := os.ReadFile(path)
		name = filepath.Join(to, name)
		return errors.Join(err, failed, os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, content, 0o666))
	})
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.RemoveAll(to); err == nil {
			servicesBury(t, to, from)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
}

// judged returns what became of each page.
func servicesJudged(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for line, err := range ledger.Lines(filepath.Join(dir, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		all[line.URL] += fmt.Sprint(line.Score, line.Accepted, line.Rendered, line.Reasons)
	}
	return all
}

// wantShown verifies that words that scripts have put into pages are found and shown.
func wantShown(t *testing.T, dir, base string) {
	t.Helper()
	j := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	for word, page := range map[string]string{"supersonic": "/concorde", "onions": "/soup"} {
		var out bytes.Buffer
		if err := verbs.Search(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, dir, store.SearchJob{Words: word, Top: 10, Rank: "bm25"}, true); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), base+page) {
			t.Errorf("%s is not found: %s", word, &out)
		}
		archived, err := (&inspect.Handle{Job: j, Dir: dir}).Archive()
		if err != nil {
			t.Fatal(err)
		}
		if p, err := archived.Page(t.Context(), base+page); err != nil || !strings.Contains(p.Text, word) {
			t.Errorf("%s: %+v, %v", page, p, err)
		}
		if err := archived.Close(); err != nil {
			t.Error(err)
		}
	}
}
