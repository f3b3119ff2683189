package store

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/rdf/quads"
	"orbweaver/server"
)

// beside is the quad store of a folder that this process changes: other processes query it meanwhile, as it was after the
// last change that was committed.
type beside struct {
	ledger *ledger.Ledger
	what   string // "files are loaded into it (orbweaver store load)"
	status server.Status

	mu      sync.Mutex
	running int           // requests that have a snapshot
	over    bool          // the change is over
	once    sync.Once     // closes quiet
	quiet   chan struct{} // closed when it is over and no request runs
}

// lingering is how long a process that is done goes on answering the queries that it began.
const lingering = 30 * time.Second

// answerBeside answers the queries of other processes, on the folder's socket, while this process changes the store. The caller calls
// the result when it is done, before it closes the ledger: it lets the queries that run end.
func answerBeside(ctx context.Context, a *job.Job, dir string, l *ledger.Ledger, what string) (end func() error) {
	b := &beside{ledger: l, what: what, quiet: make(chan struct{})}
	b.status = server.Status{Name: filepath.Base(dir), Folder: dir, PID: os.Getpid(), Started: time.Now(), Paused: true}
	b.status.Progress, b.status.Refused = l.Progress(), l.Refused()
	socket, err := server.Serve(dir, b, append(KeepRoutes(b), QueryRoute(b))...)
	if err != nil {
		console.Say(a.Err, "warning: other processes cannot query this folder meanwhile: %v", err)
		return func() error { return nil }
	}
	return func() error {
		b.end()
		select {
		case <-b.quiet:
		case <-ctx.Done():
		case <-time.After(lingering):
		}
		return socket.Close()
	}
}

// end notes that the change is over.
func (b *beside) end() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over = true; b.running == 0 {
		b.once.Do(func() { close(b.quiet) })
	}
}

// begin notes a request until its context ends, which is when it is answered.
func (b *beside) begin(ctx context.Context) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running++
	context.AfterFunc(ctx, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.running--; b.running == 0 && b.over {
			b.once.Do(func() { close(b.quiet) })
		}
	})
}

// Statements returns a snapshot of the state after the last change.
func (b *beside) Statements(ctx context.Context, _ int64) (*quads.Snapshot, error) {
	b.begin(ctx)
	return b.ledger.Committed(), nil
}

// busy says that something has to wait for the end of the change.
func (b *beside) busy(what string) error {
	return fmt.Errorf("%s: %s, and %s when that has ended (%w)", console.Relative(b.status.Folder), b.what, what, orbweaver.ErrBusy)
}

// Index fails: the index is part of what changes.
func (b *beside) Index(context.Context, int64) (*Index, error) {
	return nil, b.busy("its texts can be searched")
}

// Outcomes fails, like Index.
func (b *beside) Outcomes(context.Context, []string) (map[string]orbweaver.Outcome, error) {
	return nil, b.busy("its pages can be searched")
}

// Status returns the state of the crawl, which is at rest.
func (b *beside) Status(context.Context) (server.Status, error) { return b.status, nil }

// Pause changes nothing: the crawl is at rest.
func (b *beside) Pause(context.Context) error { return nil }

// Resume fails: this process does not crawl.
func (b *beside) Resume(context.Context) error { return b.busy("its crawl runs") }

// Stop fails: Ctrl-C ends this process.
func (b *beside) Stop(context.Context) error { return b.busy("there is nothing to stop") }

// Add fails.
func (b *beside) Add(context.Context, string) (server.Added, error) {
	return server.Added{}, b.busy("its crawl takes seeds")
}

// Checkpoint copies the store as it is after the last change.
func (b *beside) Checkpoint(_ context.Context, folder string) error {
	return b.ledger.Checkpoint(folder)
}

// Compact fails.
func (b *beside) Compact(context.Context) (before, after int64, err error) {
	return 0, 0, b.busy("it can be compacted")
}
