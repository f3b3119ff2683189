package database

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
)

// failStop is a file system that stops at the first failed change: from then on nothing reaches the disk,
// which holds what a crash at that moment would have left. Some errors make Pebble panic or retry forever.
// After a failure, failStop therefore keeps the changes in memory, so that Pebble sees no error. It is
// safe for concurrent use.
type failStop struct {
	vfs.FS
	memory *vfs.MemFS // files made since the failure

	mu  sync.Mutex
	err error // the first failure
}

func newFailStop(on vfs.FS) *failStop { return &failStop{FS: on, memory: vfs.NewMem()} }

// watch turns Pebble's background errors, and its fatal errors, into failures of the disk. Pebble logs
// nothing: its calls return all other errors.
func watch(b *failStop, o *pebble.Options) {
	o.Logger = logger{b}
	o.EventListener = &pebble.EventListener{BackgroundError: func(err error) { b.Fail("", err) }}
}

// Err returns the first failure, if there was one.
func (b *failStop) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// Fail stops all changes to the disk. An error that names no file gets name as its prefix.
func (b *failStop) Fail(name string, err error) {
	var path *fs.PathError
	var link *os.LinkError
	if name != "" && !errors.As(err, &path) && !errors.As(err, &link) {
		err = fmt.Errorf("%s: %w", name, err)
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err == nil {
		b.err = err
	}
}

// Create creates a file.
func (b *failStop) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.Create(name, category) })
}

// ReuseForWrite creates a file from an old one.
func (b *failStop) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.ReuseForWrite(old, name, category) })
}

func (b *failStop) create(name string, category vfs.DiskWriteCategory, do func() (vfs.File, error)) (vfs.File, error) {
	if b.Err() == nil {
		f, err := do()
		if err == nil {
			return &file{File: f, on: b, name: name}, nil
		}
		b.Fail(name, err)
	}
	if err := b.memory.MkdirAll(b.memory.PathDir(name), 0o777); err != nil {
		return nil, err
	}
	return b.memory.Create(name, category)
}

// OpenDir opens a folder, for Pebble to sync.
func (b *failStop) OpenDir(name string) (vfs.File, error) {
	dir, err := b.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &file{File: dir, on: b, name: name}, nil
}

// Open opens a file for reading: the one in memory, if there is one.
func (b *failStop) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if b.Err() != nil {
		if file, err := b.memory.Open(name, opts...); err == nil {
			return file, nil
		}
	}
	return b.FS.Open(name, opts...)
}

// Stat describes a file: the one in memory, if there is one.
func (b *failStop) Stat(name string) (vfs.FileInfo, error) {
	if b.Err() != nil {
		if info, err := b.memory.Stat(name); err == nil {
			return info, nil
		}
	}
	return b.FS.Stat(name)
}

// Rename renames a file.
func (b *failStop) Rename(from, to string) error {
	if b.Err() == nil {
		err := b.FS.Rename(from, to)
		if err == nil {
			return nil
		}
		b.Fail(from, err)
	}
	_ = b.memory.Rename(from, to) // the file may be on the disk, where it stays
	return nil
}

// Remove removes a file. A file that cannot be removed does no harm.
func (b *failStop) Remove(name string) error {
	if b.Err() != nil {
		_ = b.memory.Remove(name)
		return nil
	}
	return b.FS.Remove(name)
}

// file is a file or folder of a failStop.
type file struct {
	vfs.File
	on   *failStop
	name string
}

// change changes the file unless the disk has failed. It reports the failure of a table to Pebble, which
// writes another one in memory. It hides the failure of other files, on which Pebble would panic.
func (f *file) change(do func() error) error {
	err := f.on.Err()
	if err == nil {
		if err = do(); err != nil {
			f.on.Fail(f.name, err)
		}
	}
	if strings.HasSuffix(f.name, ".sst") {
		return err
	}
	return nil
}

// Write appends to the file.
func (f *file) Write(p []byte) (int, error) {
	err := f.change(func() error { _, err := f.File.Write(p); return err })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Sync writes the file to the disk.
func (f *file) Sync() error { return f.change(f.File.Sync) }

// SyncData writes the file's bytes to the disk.
func (f *file) SyncData() error { return f.change(f.File.SyncData) }

// SyncTo writes the file's first bytes to the disk.
func (f *file) SyncTo(length int64) (fullSync bool, err error) {
	err = f.change(func() (err error) { fullSync, err = f.File.SyncTo(length); return err })
	return fullSync, err
}

// Close closes the file, failed or not.
func (f *file) Close() error {
	err := f.File.Close()
	return f.change(func() error { return err })
}

// logger receives Pebble's log.
type logger struct{ disk *failStop }

// Infof drops the message.
func (logger) Infof(string, ...any) {}

// Errorf drops the message: errors come back from Pebble's calls, or as events.
func (logger) Errorf(string, ...any) {}

// Fatalf stops all changes to the disk instead of ending the process.
func (l logger) Fatalf(format string, args ...any) { l.disk.Fail("", fmt.Errorf(format, args...)) }
