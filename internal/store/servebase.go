package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/ledger"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/server"
)

// folderStore is the quad store of a folder while it is served. Queries see the state after the last
// update.
type folderStore struct {
	dir     string
	ledger  *ledger.Ledger
	writing chan struct{} // held by the running update
}

// Snapshot returns a reader of the current state and the function that releases it.
func (s *folderStore) Snapshot() (quads.Reader, func() error, error) {
	snapshot := s.ledger.Committed()
	return snapshot, snapshot.Close, nil
}

// Update changes the store atomically; on success the change is on disk.
func (s *folderStore) Update(ctx context.Context, change func(eval.Store) error) error {
	return s.own(ctx, func() error {
		return s.ledger.Update(ctx, func(c *ledger.Change) error { return change(c) })
	})
}

// serveFolder opens the store of a folder. It also answers on the folder's socket, so that other verbs can
// query it.
func serveFolder(ctx context.Context, a *job.Job, dir string) (*folderStore, func() error, error) {
	c, err := reachBase(dir)
	if err == nil {
		c.Close()
		return nil, nil, fmt.Errorf("%s: a process uses this folder already: orbweaver query asks it (%w)", console.Relative(dir), orbweaver.ErrBusy)
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return nil, nil, err
	}
	l, err := openBase(ctx, a, dir, 0)
	if err != nil {
		return nil, nil, err
	}
	s := &folderStore{dir: dir, ledger: l, writing: make(chan struct{}, 1)}
	socket, err := server.Serve(dir, &idle{dir: dir, began: time.Now(), ledger: l}, append(KeepRoutes(s), QueryRoute(s), SearchRoute(a, dir, s))...)
	if err != nil {
		console.Say(a.Err, "warning: other verbs cannot query this folder while it is served: %v", err)
		return s, l.Close, nil
	}
	return s, func() error { return errors.Join(socket.Close(), l.Close()) }, nil
}

// Statements returns a snapshot of the current state.
func (s *folderStore) Statements(context.Context, int64) (*quads.Snapshot, error) {
	return s.ledger.Committed(), nil
}

// Index returns the full text, brought up to date between two updates.
func (s *folderStore) Index(ctx context.Context, most int64) (x *Index, err error) {
	err = s.own(ctx, func() error {
		x, err = IndexBase(ctx, &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}, s.dir, s.ledger, nil, most)
		return err
	})
	return x, err
}

// Outcomes returns the outcomes of URLs.
func (s *folderStore) Outcomes(ctx context.Context, urls []string) (found map[string]orbweaver.Outcome, err error) {
	err = s.own(ctx, func() error {
		found, err = OutcomesIn(s.ledger, urls)
		return err
	})
	return found, err
}

// Checkpoint copies the store, between two updates.
func (s *folderStore) Checkpoint(ctx context.Context, folder string) error {
	return s.own(ctx, func() error { return s.ledger.Checkpoint(folder) })
}

// Compact compacts the store, between two updates.
func (s *folderStore) Compact(ctx context.Context) (before, after int64, err error) {
	err = s.own(ctx, func() error {
		before, after, err = s.ledger.Compact(ctx)
		return err
	})
	return before, after, err
}

// own runs f between two updates.
func (s *folderStore) own(ctx context.Context, f func() error) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errServed reports that a crawl does not run because its folder is served.
var errServed = fmt.Errorf("the folder is served (orbweaver serve), and its crawl does not run: %w", orbweaver.ErrInput)

// idle is the crawl of a folder that is served. It reports its status.
type idle struct {
	dir    string
	began  time.Time
	ledger *ledger.Ledger
	once   sync.Once
	status server.Status
	err    error
}

// Status returns the crawl's status, computed on first use: it cannot change meanwhile.
func (i *idle) Status(ctx context.Context) (server.Status, error) {
	i.once.Do(func() {
		i.status.Name, i.status.Folder = filepath.Base(i.dir), i.dir
		i.status.Progress, i.status.Refused = i.ledger.Progress(), i.ledger.Refused()
		i.err = Count(context.WithoutCancel(ctx), i.ledger, &i.status)
		i.status.PID, i.status.Started, i.status.Paused = os.Getpid(), i.began, true
	})
	return i.status, i.err
}

// Pause changes nothing: an idle crawl is at rest.
func (i *idle) Pause(context.Context) error { return nil }

// Resume fails: a serving process does not crawl.
func (i *idle) Resume(context.Context) error { return errServed }

// Stop fails: Ctrl-C ends a serving process.
func (i *idle) Stop(context.Context) error { return errServed }

// Add fails.
func (i *idle) Add(context.Context, string) (server.Added, error) {
	return server.Added{}, errServed
}

// Count sets what a running crawl keeps in memory from the figures of a ledger.
func Count(ctx context.Context, l *ledger.Ledger, s *server.Status) error {
	f, err := l.Figures(ctx)
	s.Waiting, s.Hosts, s.Busiest, s.Failures, s.Statuses = f.Waiting, f.Hosts, f.Busiest, f.Failures.Reasons, f.Failures.Statuses
	s.Spared = archive.SparedIn(crawlfolder.Archive(s.Folder))
	return err
}
