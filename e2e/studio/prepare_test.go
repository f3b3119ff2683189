//go:build e2e

package studio_test

import (
	"errors"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// awaitWords waits until the background has nothing to do for a crawl.
func awaitWords(t *testing.T, w *workspace.Workspace, id string) crawl.Prepared {
	t.Helper()
	for {
		changed := w.Changed()
		p, working := w.Prepared(id)
		if !working {
			return p
		}
		select {
		case <-changed:
		case <-t.Context().Done():
			t.Fatalf("%s: %+v", id, p)
		}
	}
}

// searched searches a crawl for what is indexed.
func searched(t *testing.T, w *workspace.Workspace, id string) (found *crawl.Found) {
	t.Helper()
	if err := w.Use(t.Context(), id, func(c *crawl.Crawl) (err error) {
		found, err = c.Search(t.Context(), crawl.SearchQuery{Words: "aircraft", Top: 10, Rank: "bm25", Partial: true})
		return err
	}); err != nil {
		t.Error(err)
		return &crawl.Found{}
	}
	return found
}

// TestPrepared: the words of a crawl are indexed when it has ended, without being asked for, also by the process that comes after one that
// was closed at once.
func TestPrepared(t *testing.T) {
	dir := t.TempDir()
	w := openSpace(t, dir, workspace.Options{Quiet: -1})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, w, "aircraft", workspace.Ended)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	w = openSpace(t, dir, workspace.Options{Quiet: -1})
	awaitWords(t, w, "aircraft")
	found := searched(t, w, "aircraft")
	if found.Unindexed != 0 || len(found.Hits) == 0 {
		t.Errorf("%+v", found)
	}
	w.Want("aircraft")
	if p := awaitWords(t, w, "aircraft"); p.Wordless != 0 || p.Of < 100 {
		t.Errorf("%+v", p)
	}
	w.Want("none")
}

// TestPreparedBeside: searches, a new session and the trash go beside the background, and each finds what it needs.
func TestPreparedBeside(t *testing.T) {
	w := openSpace(t, t.TempDir(), workspace.Options{Quiet: -1})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, w, "aircraft", workspace.Ended)
	for _, id := range []string{"one", "two"} {
		if _, err := w.Create(t.Context(), id, []byte(small)); err != nil {
			t.Fatal(err)
		}
		if err := w.Start(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	var all sync.WaitGroup
	for range 2 {
		all.Go(func() {
			for range 4 {
				w.Want("aircraft")
				if found := searched(t, w, "aircraft"); len(found.Hits) == 0 {
					t.Errorf("%+v", found)
				}
			}
		})
	}
	await(t, w, "one", workspace.Ended)
	if err := w.Start(t.Context(), "one"); err != nil {
		t.Error(err)
	}
	await(t, w, "two", workspace.Ended)
	w.Want("two")
	thrown, err := w.Delete(t.Context(), "two")
	if err != nil {
		t.Error(err)
	}
	if _, err := w.Delete(t.Context(), "two"); !errors.Is(err, orbweaver.ErrUnknown) {
		t.Errorf("deleted twice: %v", err)
	}
	if _, err := w.Restore(t.Context(), thrown.ID); err != nil {
		t.Error(err)
	}
	all.Wait()
	w.Want("two")
	for _, id := range []string{"aircraft", "two"} {
		awaitWords(t, w, id)
		if found := searched(t, w, id); found.Unindexed != 0 {
			t.Errorf("%s: %+v", id, found)
		}
	}
}
