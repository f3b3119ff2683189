//go:build e2e

package crawls_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
	"orbweaver/ledger"
)

// A few is a context that is done after it was asked so often.
type few struct {
	context.Context
	mu   sync.Mutex
	left int
	done chan struct{}
}

func fewOf(ctx context.Context, n int) *few {
	return &few{Context: ctx, left: n, done: make(chan struct{})}
}

func (c *few) Done() <-chan struct{} { return c.done }

func (c *few) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.left--; c.left == 0 {
		close(c.done)
	}
	if c.left <= 0 {
		return context.Canceled
	}
	return nil
}

// TestPrepare: indexes made in slices, each cut short and some killed, find what those made at once do; meanwhile a partial search finds
// some of it, and says how much it has not looked at.
func TestPrepare(t *testing.T) {
	dir, other, silent := apptest.CrawledFor(t, ""), filepath.Join(t.TempDir(), "copy"), store.NewSilent()
	if err := os.CopyFS(other, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	words := store.SearchJob{Words: "aircraft wing", Rank: "bm25", Top: 1000}
	want, err := store.Find(t.Context(), silent, other, words)
	if err != nil || len(want.Hits) < 20 || want.Unindexed != 0 {
		t.Fatal(want, err)
	}
	slices, last, partial := 0, int64(1<<62), 0
	for {
		p, err := store.Prepare(fewOf(t.Context(), 70), silent, dir)
		if slices++; p.Of < 100 || p.Wordless > last || slices > 1000 {
			t.Fatalf("slice %d: %+v after %d, %v", slices, p, last, err)
		}
		if last = p.Wordless; err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		if p.Wordless > 0 && p.Wordless < p.Of && partial == 0 {
			partial++
			killed(t, dir)
		}
	}
	if slices < 3 || partial == 0 || last != 0 {
		t.Errorf("%d slices, %d of them between, %d left", slices, partial, last)
	}
	got, err := store.Find(t.Context(), silent, dir, words)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	l, err := ledger.OpenForLooks(dir)
	if err != nil {
		t.Fatal(err)
	}
	if l.Unlisted() != 0 || l.Pending() != 0 {
		t.Errorf("%d are not listed, %d not described", l.Unlisted(), l.Pending())
	}
	if _, err := store.Prepare(t.Context(), silent, dir); !errors.Is(err, orbweaver.ErrBusy) {
		t.Errorf("in use: %v", err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
}

// killed replaces a folder by what a process leaves that is killed while it prepares it.
func killed(t *testing.T, dir string) {
	t.Helper()
	l, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.IndexPages(nil); err != nil {
		t.Fatal(err)
	}
	var left string
	for range 100 { // an open database may remove a file that is obsolete while it is copied
		left = filepath.Join(t.TempDir(), "left")
		if err = os.CopyFS(left, os.DirFS(dir)); !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err := errors.Join(err, l.Close(), os.RemoveAll(dir), os.CopyFS(dir, os.DirFS(left))); err != nil {
		t.Fatal(err)
	}
}

// TestPartialSearch: a partial search of a large crawl indexes a part of it, and each goes on.
func TestPartialSearch(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	work := store.SearchJob{Words: "aircraft", Rank: "bm25", Partial: true, Top: 10}
	found, err := store.Find(t.Context(), &job.Job{Console: store.NewSilent().Console}, dir, work)
	if err != nil || len(found.Hits) == 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	for n := 0; found.Unindexed > 0; n++ {
		before := found.Unindexed
		if found, err = store.Find(t.Context(), store.NewSilent(), dir, work); err != nil || found.Unindexed >= before {
			t.Fatalf("%+v, %v: before %d", found, err, before)
		}
	}
	if found.Of != 0 {
		t.Errorf("all indexed: %+v", found)
	}
}
