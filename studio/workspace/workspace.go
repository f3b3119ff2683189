// Package workspace is a folder of crawl files and crawls, and the crawls of it that run in this process: what the studio's pages
// and its API stand on.
//
// A workspace has no database. Its crawls are the crawl files in the folder and the crawl folders in it and in its crawls folder;
// the folder .studio has what is to run when the program comes back, and what was thrown away. All calls about a crawl go through
// package crawl, so they are answered whether this process runs it, another one, or none.
//
// This package is not part of the stable API.
package workspace

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/job"
)

// ErrUnknown means that the workspace has no such crawl or file.
const ErrUnknown = orbweaver.ErrUnknown

// Options say how a workspace runs its crawls. The zero value is usable.
type Options struct {
	AtOnce int   // crawls that run at the same time; 0: 2. More wait in a queue
	Budget int64 // bytes that all crawls may take on the disk; 0: any
	Spare  int64 // bytes to leave free on the disk; 0: 1 GiB; negative: none

	Quiet time.Duration // for which nobody asked a crawl at rest before its indexes are made in the background; 0: a second; negative: none

	Job *job.Job // how crawls reach the Web; nil: as the command line does
}

// Defaults of Options.
const (
	usualAtOnce = 2
	usualSpare  = 1 << 30
)

// A Workspace is an open workspace. Its methods may be called from any goroutine.
type Workspace struct {
	dir  string
	opts Options

	ctx     context.Context // of all sessions
	stop    context.CancelFunc
	running sync.WaitGroup

	work  chan struct{} // tells the background that there may be indexes to make
	tries chan struct{} // a place for each page that is tried at the same time

	edited openOntologies
	books  books
	topics topics
	rated  rated

	learned learnings

	mu      sync.Mutex
	crawls  map[string]*member // by id
	queue   []string           // ids, the next first
	full    string             // why no crawl may go on: the disk; empty: they may
	changed chan struct{}      // closed and replaced at each change of states
}

// Open opens a workspace: an existing folder, or a new one. Crawls that ran when the last process left it go on. The error wraps
// orbweaver.ErrInput if the folder cannot be one.
func Open(dir string, opts Options) (*Workspace, error) {
	dir, err := filepath.Abs(dir)
	if err == nil {
		err = os.MkdirAll(filepath.Join(dir, ownFolder, trashFolder), 0o700)
	}
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir) // what is in it is told from what is not by its path
	}
	if err != nil {
		return nil, fmt.Errorf("workspace: %w (%w)", err, orbweaver.ErrInput)
	}
	if opts.AtOnce <= 0 {
		opts.AtOnce = usualAtOnce
	}
	if opts.Spare == 0 {
		opts.Spare = usualSpare
	}
	if opts.Quiet == 0 {
		opts.Quiet = usualQuiet
	}
	if opts.Job == nil {
		opts.Job = &job.Job{}
	}
	w := &Workspace{dir: dir, opts: opts, crawls: map[string]*member{}, changed: make(chan struct{}), work: make(chan struct{}, 1), tries: make(chan struct{}, usualAtOnce)}
	w.ctx, w.stop = context.WithCancel(context.Background())
	for _, recall := range []func() error{w.sweep, w.recallLearnings, w.scan} {
		if err := recall(); err != nil {
			return nil, err
		}
	}
	w.mu.Lock()
	w.recall()
	w.mu.Unlock()
	if err := w.goOn(); err != nil {
		return nil, err
	}
	w.finishRemovals()
	w.running.Go(w.watchDisk)
	w.running.Go(w.prepareAll)
	w.running.Go(w.warm)
	return w, nil
}

// Close ends all sessions in order, and waits for them. They go on when the workspace is opened again.
func (w *Workspace) Close() error {
	w.mu.Lock()
	err := w.remember()
	w.stop()
	w.mu.Unlock()
	w.running.Wait()
	return err
}

// Beside calls do beside all else; Close ends its context and waits for it. A workspace that is closed calls nothing.
func (w *Workspace) Beside(do func(context.Context)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ctx.Err() == nil {
		w.running.Go(func() { do(w.ctx) })
	}
}

// Dir is the workspace's folder, an absolute path.
func (w *Workspace) Dir() string { return w.dir }

// Changed returns a channel that is closed at the next change of a crawl's state.
func (w *Workspace) Changed() <-chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.changed
}

// change tells of a change. It must be called with w.mu held.
func (w *Workspace) change() {
	close(w.changed)
	w.changed = make(chan struct{})
}

// find returns a crawl by its id. It must be called with w.mu held.
func (w *Workspace) find(id string) (*member, error) {
	m, ok := w.crawls[id]
	if !ok {
		return nil, fmt.Errorf("crawl %q: the workspace has none of this name: %w", id, ErrUnknown)
	}
	return m, nil
}

// inside returns the path of a file of the workspace, which must stay within it, also through symbolic links. The error wraps
// orbweaver.ErrInput.
func (w *Workspace) inside(name string) (string, error) {
	if !filepath.IsLocal(name) {
		return "", fmt.Errorf("%s: the path leads out of the workspace (%w)", name, orbweaver.ErrInput)
	}
	path := filepath.Join(w.dir, name)
	real, err := filepath.EvalSymlinks(path)
	if errors.Is(err, os.ErrNotExist) {
		real, err = filepath.EvalSymlinks(filepath.Dir(path))
		real = filepath.Join(real, filepath.Base(path))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w (%w)", name, err, orbweaver.ErrInput)
	}
	if rel, err := filepath.Rel(w.dir, real); err != nil || !filepath.IsLocal(rel) {
		return "", fmt.Errorf("%s: the path leads out of the workspace (%w)", name, orbweaver.ErrInput)
	}
	return real, nil
}

// soon is the time after which a look at something that changes by itself is repeated.
const soon = 5 * time.Second
