package app

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
	"orbweaver/internal/console"
	"orbweaver/ledger"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/server"
)

// A folderStore is the quad store of a folder while it is served. Queries see it as the last update left it.
type folderStore struct {
	dir     string
	ledger  *ledger.Ledger
	writing chan struct{} // held by the one update under way
}

// Snapshot returns the store, to be released.
func (s *folderStore) Snapshot() (quads.Reader, func() error, error) {
	snapshot := s.ledger.Committed()
	return snapshot, snapshot.Close, nil
}

// Update changes the store, on disk when it returns, or not at all.
func (s *folderStore) Update(ctx context.Context, change func(eval.Store) error) error {
	return s.own(ctx, func() error {
		return s.ledger.Update(ctx, func(c *ledger.Change) error { return change(c) })
	})
}

// serveFolder opens the store of a folder, and answers on the folder's socket too, so that other verbs
// can ask it.
func (a *App) serveFolder(ctx context.Context, dir string) (*folderStore, func() error, error) {
	c, err := reachBase(dir)
	if err == nil {
		c.Close()
		return nil, nil, fmt.Errorf("%s: a process uses this folder already: orbweaver query asks it (%w)", console.Relative(dir), orbweaver.ErrBusy)
	}
	if !errors.Is(err, server.ErrNoCrawl) {
		return nil, nil, err
	}
	l, err := a.openBase(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	s := &folderStore{dir: dir, ledger: l, writing: make(chan struct{}, 1)}
	socket, err := server.Serve(dir, &idle{dir: dir, began: time.Now(), ledger: l}, queryRoute(s), searchRoute(dir, s))
	if err != nil {
		console.Say(a.Err, "warning: other verbs cannot ask this folder while it is served: %v", err)
		return s, l.Close, nil
	}
	return s, func() error { return errors.Join(socket.Close(), l.Close()) }, nil
}

// statements is the store as it is.
func (s *folderStore) statements(context.Context) (*quads.Snapshot, error) {
	return s.ledger.Committed(), nil
}

// index is its full text, brought up to date between two updates.
func (s *folderStore) index(ctx context.Context) (x *index, err error) {
	err = s.own(ctx, func() error {
		x, err = (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).indexBase(ctx, s.dir, s.ledger, alone)
		return err
	})
	return x, err
}

// own does something between two updates.
func (s *folderStore) own(ctx context.Context, f func() error) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
		return f()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// errServed says that a crawl does not run, since its folder is served.
var errServed = fmt.Errorf("the folder is served (orbweaver serve), and its crawl does not run: %w", orbweaver.ErrInput)

// An idle is the crawl of a folder that is served: it can be asked how it stands.
type idle struct {
	dir    string
	began  time.Time
	ledger *ledger.Ledger
	once   sync.Once
	status server.Status
	err    error
}

// Status is how the crawl stands, as of when it is first asked: nothing changes meanwhile.
func (i *idle) Status(ctx context.Context) (server.Status, error) {
	i.once.Do(func() {
		i.status.Name, i.status.Folder = filepath.Base(i.dir), i.dir
		i.status.Progress, i.status.Refused = i.ledger.Progress(), i.ledger.Refused()
		i.err = count(context.WithoutCancel(ctx), i.ledger, &i.status)
		i.status.PID, i.status.Started, i.status.Paused = os.Getpid(), i.began, true
	})
	return i.status, i.err
}

// Pause changes nothing: an idle crawl is at rest.
func (i *idle) Pause(context.Context) error { return nil }

// Resume fails: who serves does not crawl.
func (i *idle) Resume(context.Context) error { return errServed }

// Stop fails: what serves is ended by Ctrl-C.
func (i *idle) Stop(context.Context) error { return errServed }

// Add fails.
func (i *idle) Add(context.Context, string) (server.Added, error) {
	return server.Added{}, errServed
}
