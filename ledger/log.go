package ledger

import (
	"errors"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf/failstop"
)

// A lazyFS keeps the database's log from being forced to the disk at each batch. To sync the log, as
// the database does for a batch that is not to be lost, then hands it to the operating system: enough
// for a process that is killed, and a thousand times cheaper. force brings it to the disk, now and
// then, for a machine that loses power; and so does the database where it begins another log.
type lazyFS struct {
	*failstop.FS
	before func() error // called ahead of that; may be nil
	mu     sync.Mutex
	logs   map[*lazyLog]struct{} // open ones
}

func newLazyFS(on vfs.FS) *lazyFS {
	return &lazyFS{FS: failstop.New(on), logs: map[*lazyLog]struct{}{}}
}

// Create makes a file.
func (f *lazyFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.Create(name, category)
	return f.wrap(name, file, err)
}

// ReuseForWrite makes a file of an old one.
func (f *lazyFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.FS.ReuseForWrite(old, name, category)
	return f.wrap(name, file, err)
}

func (f *lazyFS) wrap(name string, file vfs.File, err error) (vfs.File, error) {
	if err != nil || !strings.HasSuffix(name, ".log") {
		return file, err
	}
	l := &lazyLog{File: file, fs: f}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.logs[l] = struct{}{}
	return l, nil
}

// force brings what was written to logs to the disk.
func (f *lazyFS) force() error {
	f.ready()
	f.mu.Lock()
	defer f.mu.Unlock()
	var errs []error
	for l := range f.logs {
		errs = append(errs, l.File.SyncData())
	}
	return errors.Join(append(errs, f.Err())...)
}

// ready brings to the disk what logs speak of. Where that fails they stay where they are.
func (f *lazyFS) ready() {
	if f.before == nil || f.Err() != nil {
		return
	}
	if err := f.before(); err != nil {
		f.Fail("", err)
	}
}

// A lazyLog is a log whose syncing is left to force.
type lazyLog struct {
	vfs.File
	fs *lazyFS
}

// Sync does nothing: what was written is with the operating system.
func (l *lazyLog) Sync() error { return nil }

// SyncData does nothing either.
func (l *lazyLog) SyncData() error { return nil }

// SyncTo does nothing either.
func (l *lazyLog) SyncTo(int64) (fullSync bool, err error) { return false, nil }

// Close brings the log to the disk and closes it.
func (l *lazyLog) Close() error {
	l.fs.ready()
	l.fs.mu.Lock()
	delete(l.fs.logs, l)
	l.fs.mu.Unlock()
	return errors.Join(l.File.SyncData(), l.File.Close())
}
