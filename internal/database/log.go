package database

import (
	"errors"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A lazyFS is a failStop that does not force Pebble's log to the disk at each batch. To sync the log, as
// Pebble does for a durable batch, then only hands it to the operating system: that survives a killed
// process, at a thousandth of the cost. force writes the log to the disk, so that it survives a power cut;
// Pebble does the same when it begins another log.
type lazyFS struct {
	*failStop
	before func() error // called ahead of each write of a log to the disk; may be nil
	mu     sync.Mutex
	logs   map[*lazyLog]struct{} // open ones
}

func newLazyFS(on vfs.FS) *lazyFS {
	return &lazyFS{failStop: newFailStop(on), logs: map[*lazyLog]struct{}{}}
}

// Create creates a file.
func (f *lazyFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.failStop.Create(name, category)
	return f.wrap(name, file, err)
}

// ReuseForWrite creates a file from an old one.
func (f *lazyFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	file, err := f.failStop.ReuseForWrite(old, name, category)
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

// force writes all open logs to the disk.
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

// ready calls before, so that what the logs refer to reaches the disk first. Its failure keeps the logs from
// the disk.
func (f *lazyFS) ready() {
	if f.before == nil || f.Err() != nil {
		return
	}
	if err := f.before(); err != nil {
		f.Fail("", err)
	}
}

// A lazyLog is a log that only force, and closing it, syncs.
type lazyLog struct {
	vfs.File
	fs *lazyFS
}

// Sync does nothing: the operating system has what was written.
func (l *lazyLog) Sync() error { return nil }

// SyncData does nothing either.
func (l *lazyLog) SyncData() error { return nil }

// SyncTo does nothing either.
func (l *lazyLog) SyncTo(int64) (fullSync bool, err error) { return false, nil }

// Close syncs the log and closes it.
func (l *lazyLog) Close() error {
	l.fs.ready()
	l.fs.mu.Lock()
	delete(l.fs.logs, l)
	l.fs.mu.Unlock()
	return errors.Join(l.File.SyncData(), l.File.Close())
}
