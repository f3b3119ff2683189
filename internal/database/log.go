package database

import (
	"errors"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// lazyFS is a failStop that does not sync Pebble's log at each durable batch. A sync of the log then only
// passes it to the operating system: the data survives a killed process, at a thousandth of the cost.
// force writes the log to the disk, so that it survives a power cut. Pebble does the same when it begins
// another log.
type lazyFS struct {
	*failStop
	before func() error // called ahead of each write of a log to the disk; may be nil
	mu     sync.Mutex
	logs   map[*lazyLog]struct{} // open logs
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

// ready calls before, so that the data to which the logs refer reaches the disk first. If before fails,
// the logs do not reach the disk.
func (f *lazyFS) ready() {
	if f.before == nil || f.Err() != nil {
		return
	}
	if err := f.before(); err != nil {
		f.Fail("", err)
	}
}

// lazyLog is a log that only force and Close sync.
type lazyLog struct {
	vfs.File
	fs *lazyFS
}

// Sync does nothing: the operating system already has the data.
func (l *lazyLog) Sync() error { return nil }

// SyncData does nothing, like Sync.
func (l *lazyLog) SyncData() error { return nil }

// SyncTo does nothing, like Sync.
func (l *lazyLog) SyncTo(int64) (fullSync bool, err error) { return false, nil }

// Close syncs the log and closes it.
func (l *lazyLog) Close() error {
	l.fs.ready()
	l.fs.mu.Lock()
	delete(l.fs.logs, l)
	l.fs.mu.Unlock()
	return errors.Join(l.File.SyncData(), l.File.Close())
}
