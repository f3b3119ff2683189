package ledger_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// manyWords are the statements of a document that is staged.
const manyWords = 3000

// long is the data of a long document. f, which may be nil, is called at each statement.
func long(f func()) func(yield func(rdf.Quad, error) bool) {
	return func(yield func(rdf.Quad, error) bool) {
		for i := range manyWords {
			if f != nil {
				f()
			}
			if !yield(rdf.Quad{S: rdf.NewBlank("x"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString(fmt.Sprint("word ", i))}, nil) {
				return
			}
		}
	}
}

// tablesOf counts the files of stages in a ledger.
func tablesOf(t *testing.T, dir string) (n int) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, "ledger", "staged"), func(_ string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			n++
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestStage: a staged document is unseen before its batch and whole after it, its commit reads no statement, and what no
// batch takes leaves nothing.
func TestStage(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	var read atomic.Int64
	p, o := page("http://a/1", long(func() { read.Add(1) }))
	id := put(t, l, p, &orbweaver.Outcome{Request: p.Request, Err: orbweaver.ErrTimeout})
	dropped, err := l.Stage(t.Context(), id, p.Request, o.Page, true)
	if err != nil || tablesOf(t, dir) == 0 {
		t.Fatal(err, tablesOf(t, dir))
	}
	dropped.Release()
	if short, err := l.Stage(t.Context(), id, p.Request, o.Page, false); short != nil || err != nil {
		t.Error("staged, though long documents are not wanted", err)
	}
	staged, err := l.Stage(t.Context(), id, p.Request, o.Page, true)
	if err != nil {
		t.Fatal(err)
	}
	if got := says(t, l); len(got) != 0 {
		t.Errorf("%d statements before the commit", len(got))
	}
	read.Store(0)
	if err := l.Commit(step.Batch{Done: id, Outcome: o, Data: staged}); err != nil {
		t.Fatal(err)
	}
	staged.Release()
	if got := says(t, l); len(got) != manyWords || read.Load() != 0 {
		t.Errorf("%d statements, %d read by the commit", len(got), read.Load())
	}
	closed(t, l)
	if n := tablesOf(t, dir); n != 0 {
		t.Errorf("%d files are left", n)
	}
	l = open(t, dir)
	if got := says(t, l); len(got) != manyWords {
		t.Errorf("opened again: %d statements", len(got))
	}
	closed(t, l)
}

// TestStageOfAnotherGraph: a document whose graph another page took meanwhile is stored under another name.
func TestStageOfAnotherGraph(t *testing.T) {
	l := open(t, t.TempDir())
	p, o := page("http://a/1", long(nil))
	id := put(t, l, p, &orbweaver.Outcome{Request: p.Request, Err: orbweaver.ErrTimeout})
	staged, err := l.Stage(t.Context(), id, p.Request, o.Page, true)
	if err != nil {
		t.Fatal(err)
	}
	q, first := page("http://a/1", saying("first"))
	q.Accept, first.Request.Accept = "text/turtle", "text/turtle"
	put(t, l, q, first)
	if err := l.Commit(step.Batch{Done: id, Outcome: o, Data: staged}); err != nil {
		t.Fatal(err)
	}
	got := says(t, l)
	if len(got) != manyWords+1 || got[0] != "http://a/1 first" || !strings.HasPrefix(got[1], "http://a/1#document-3 word") {
		t.Errorf("%d statements: %q", len(got), got[:2])
	}
	closed(t, l)
}

// TestStageEnds with its context, and leaves nothing.
func TestStageEnds(t *testing.T) {
	dir := t.TempDir()
	l := open(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	n := 0
	p, o := page("http://a/1", func(yield func(rdf.Quad, error) bool) {
		for range 1 << 40 {
			if n++; n == 5000 {
				cancel()
			}
			if !yield(rdf.Quad{S: rdf.NewBlank("x"), P: rdf.NewIRI("http://v/says"), O: rdf.NewString(fmt.Sprint(n))}, nil) {
				return
			}
		}
	})
	if staged, err := l.Stage(ctx, 1, p.Request, o.Page, true); staged != nil || !errors.Is(err, context.Canceled) || n > 10_000 {
		t.Errorf("%v, %v after %d statements", staged, err, n)
	}
	if n := tablesOf(t, dir); n != 0 {
		t.Errorf("%d files are left", n)
	}
	closed(t, l)
}

// TestStageLeftByAKill is swept when the ledger is opened.
func TestStageLeftByAKill(t *testing.T) {
	dir := t.TempDir()
	closed(t, open(t, dir))
	left := filepath.Join(dir, "ledger", "staged", "1")
	if err := errors.Join(os.MkdirAll(left, 0o777), os.WriteFile(filepath.Join(left, "names-1"), []byte("x"), 0o666)); err != nil {
		t.Fatal(err)
	}
	closed(t, open(t, dir))
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// longRing is a ring of long documents. It counts the statements that the goroutine that decides reads.
type longRing struct {
	ring
	decider *atomic.Int64
}

func (r longRing) Read(ctx context.Context, response *step.Response, payload []byte) (*orbweaver.Page, error) {
	p, err := r.ring.Read(ctx, response, payload)
	if err != nil {
		return nil, err
	}
	p.Quads = func(yield func(rdf.Quad, error) bool) {
		stack := make([]byte, 64<<10)
		decides := strings.Contains(string(stack[:runtime.Stack(stack, false)]), "engine.(*Crawl).decide(")
		for q, err := range long(nil) {
			if decides {
				r.decider.Add(1)
			}
			if !yield(q, err) {
				return
			}
		}
	}
	return p, nil
}

// TestDeciderReadsNoLongDocument: of long documents the goroutine that decides reads no statement.
func TestDeciderReadsNoLongDocument(t *testing.T) {
	const pages = 5
	l := open(t, t.TempDir())
	web := longRing{pages, &atomic.Int64{}}
	crawl := engine.New(engine.Config{
		Focus: &counting{map[string]int{}}, Fetch: web, Read: web, Ledger: l, Stage: l,
		Frontier: frontier.New(frontier.Options{}), Seeds: []string{"http://a/1"}, Workers: 2, Snapshot: 7, Flush: l.Flush,
	}, l.Progress())
	if _, err := crawl.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := says(t, l); len(got) != pages*manyWords || web.decider.Load() != 0 {
		t.Errorf("%d statements, %d read by the goroutine that decides", len(got), web.decider.Load())
	}
	if all := crawl.Absences(); all.Count() < pages || all.Longest <= 0 || all.Longest > all.Sum {
		t.Errorf("%+v", all)
	}
	closed(t, l)
}
