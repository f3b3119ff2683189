//go:build e2e

package crawls_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"path/filepath"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/step"
	"orbweaver/internal/store"
	"orbweaver/internal/view"
	"orbweaver/ledger"
	"orbweaver/server"
)

// beside returns the jobs that may run beside a crawl of a folder, about one of its URLs.
func beside(dir, address string) map[string]func(context.Context, *job.Job) error {
	return map[string]func(context.Context, *job.Job) error{
		"report":  func(ctx context.Context, a *job.Job) error { return verbs.Report(ctx, a, dir) },
		"explain": func(ctx context.Context, a *job.Job) error { return verbs.Explain(ctx, a, dir, address, true) },
		"explain near": func(ctx context.Context, a *job.Job) error {
			return verbs.Explain(ctx, a, dir, address+"/no-such-page", true)
		},
		"search": func(ctx context.Context, a *job.Job) error {
			return verbs.Search(ctx, a, dir, store.SearchJob{Words: "ship airplane", Top: 5, Rank: "bm25"}, true)
		},
		"query": func(ctx context.Context, a *job.Job) error {
			return store.Query(ctx, a, store.QueryOptions{Text: "SELECT ?s ?p ?o { ?s ?p ?o } LIMIT 50", Format: "csv", Data: store.QueryData{Crawl: dir}})
		},
		"status":      func(ctx context.Context, a *job.Job) error { return verbs.Status(ctx, a, dir, true) },
		"suggestions": func(ctx context.Context, a *job.Job) error { return verbs.Suggestions(ctx, a, dir, true) },
		"pages": func(ctx context.Context, a *job.Job) error {
			return verbs.Pages(ctx, a, dir, ledger.PageQuery{Sort: "score"}, view.PagesOptions{})
		},
		"export": func(ctx context.Context, a *job.Job) error {
			return export.Write(ctx, &a.Console, dir, export.Options{Format: export.JSONL})
		},
		"export of data": func(ctx context.Context, a *job.Job) error {
			return export.Write(ctx, &a.Console, dir, export.Options{Format: export.TriG})
		},
	}
}

// attempt does a job. It ignores the errors of a job that another kind of focus supports, and of a folder that the
// crawl is just unlocking.
func attempt(ctx context.Context, work func(context.Context, *job.Job) error) error {
	var out bytes.Buffer
	err := work(ctx, &job.Job{Console: console.Console{Out: &out, Err: io.Discard}})
	if errors.Is(err, orbweaver.ErrInput) || errors.Is(err, orbweaver.ErrBusy) || errors.Is(err, server.ErrNoCrawl) {
		return nil
	}
	return err
}

// TestBesideACrawl: all jobs that may run beside a crawl succeed, and share no data with the decider goroutine. The
// race detector verifies the latter.
func TestBesideACrawl(t *testing.T) {
	for _, every := range everyFocus(t) {
		t.Run(every.name, func(t *testing.T) {
			folder := t.TempDir()
			path := toy.Put(t, folder, "f.yaml", every.file+"output: crawl\n")
			paused := make(chan *engine.Crawl)
			a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
			a.Watch = func(_ *ledger.Ledger, session *engine.Crawl, p step.Progress) {
				if p.Requests == 1 {
					session.Pause()
					paused <- session
				}
			}
			over := make(chan error, 1)
			go func() { over <- verbs.Crawl(t.Context(), a, path) }()
			var session *engine.Crawl
			select {
			case session = <-paused:
			case err := <-over:
				t.Fatalf("the crawl ended before the first job: %v", err)
			}
			askBeside(t, filepath.Join(folder, "crawl"), every.url, session)
			if err := <-over; err != nil {
				t.Error(err)
			}
		})
	}
}

// askBeside does every job once while the crawl is paused, then repeatedly while it runs, until it ends.
func askBeside(t *testing.T, dir, address string, session *engine.Crawl) {
	t.Helper()
	jobs := beside(dir, address)
	for name, job := range jobs {
		if err := attempt(t.Context(), job); err != nil {
			t.Errorf("%s of a paused crawl: %v", name, err)
		}
	}
	var askers sync.WaitGroup
	for name, job := range jobs {
		askers.Go(func() {
			for session.Call(t.Context(), func() {}) == nil {
				err := attempt(t.Context(), job)
				if err != nil && session.Call(t.Context(), func() {}) == nil { // otherwise the end of the crawl cut off the answer
					t.Errorf("%s: %v", name, err)
					return
				}
			}
		})
	}
	if err := session.Call(t.Context(), session.Resume); err != nil {
		t.Error(err)
	}
	askers.Wait()
}
