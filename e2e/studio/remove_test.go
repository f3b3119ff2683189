//go:build e2e

package studio_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/studio/workspace"
)

// order is a removal of a host.
func order() (q crawl.RemovalQuery) {
	q.Patterns, q.Reason = []string{"skylines.example"}, "asked"
	return q
}

// TestRemove: pages are removed from a crawl that rests, the crawl's counts follow, and a removal that another process left is finished
// when the workspace is opened.
func TestRemove(t *testing.T) {
	dir := t.TempDir()
	w := openSpace(t, dir, workspace.Options{AtOnce: 1})
	if _, err := w.Demo(t.Context()); err != nil {
		t.Fatal(err)
	}
	await(t, w, "aircraft", workspace.Ended)
	preview, err := w.PreviewRemoval(t.Context(), "aircraft", order())
	if err != nil || preview.Pages == 0 {
		t.Fatalf("%+v %v", preview, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	line := `{"at":"2026-01-01T00:00:00Z","patterns":["skylines.example"],"reason":"of a process that was killed"}` + "\n"
	if err := os.WriteFile(filepath.Join(dir, "crawls", "aircraft", "takedowns.jsonl"), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	w = openSpace(t, dir, workspace.Options{AtOnce: 1})
	for {
		changed := w.Changed()
		all, now, err := w.Removals("aircraft")
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		if now == nil {
			if all[0].Done.IsZero() {
				t.Fatalf("not finished: %+v", all[0])
			}
			break
		}
		if _, err := w.Remove(t.Context(), "aircraft", order()); !errors.Is(err, orbweaver.ErrBusy) {
			t.Fatal("another removal meanwhile:", err)
		}
		<-changed
	}
	if c, err := w.Crawl(t.Context(), "aircraft"); err != nil || c.Error != "" || c.Status.Failures[orbweaver.ErrRemoved] != preview.Requests || c.Removing != nil {
		t.Fatalf("%+v %v", c, err)
	}

	if _, err := w.Remove(t.Context(), "aircraft", crawl.RemovalQuery{}); !errors.Is(err, orbweaver.ErrInput) {
		t.Fatal("without a pattern:", err)
	}
	q := order()
	q.Patterns = []string{"contrails.example"}
	ended, err := w.Remove(t.Context(), "aircraft", q)
	if err != nil {
		t.Fatal(err)
	}
	if end := <-ended; end.Err != nil || end.Removed.Pages == 0 || end.Removed.Done.IsZero() {
		t.Fatalf("%+v", end)
	}
	if _, err := w.Remove(t.Context(), "none", order()); !errors.Is(err, workspace.ErrUnknown) {
		t.Fatal(err)
	}
}
