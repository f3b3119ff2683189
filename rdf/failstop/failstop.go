// Package failstop is the disk of a database of which the first change that fails is the last. What is on
// it then is what a crash at that moment would have left, which the database (Pebble) knows how to open; to
// the database, which for an error at the wrong place ends the process, or tries again for ever, it seems
// to go on: in memory. Whoever changes something in the database asks Err afterwards.
//
// This package is not part of the stable API.
package failstop

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

// An FS is such a disk. Any number of goroutines may use it.
type FS struct {
	vfs.FS
	memory *vfs.MemFS // what was made since the failure

	mu  sync.Mutex
	err error // the first
}

// New returns one on another.
func New(on vfs.FS) *FS { return &FS{FS: on, memory: vfs.NewMem()} }

// Use has a database that is to be opened use it, and say nothing: what goes wrong comes back from the
// database's calls, or from Err, and what it would end the process for is a failure of the disk.
func (b *FS) Use(o *pebble.Options) { b.UseAs(o, b) }

// UseAs is Use with the disk as another has it that does all changes by it.
func (b *FS) UseAs(o *pebble.Options, fs vfs.FS) {
	o.FS, o.Logger = fs, logger{b}
	o.EventListener = &pebble.EventListener{BackgroundError: func(err error) { b.Fail("", err) }}
}

// Err returns the first error, if there was one.
func (b *FS) Err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// Fail lets nothing reach the disk any more. Of errors that name no file, name is prefixed.
func (b *FS) Fail(name string, err error) {
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

// Create makes a file.
func (b *FS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.Create(name, category) })
}

// ReuseForWrite makes a file of an old one.
func (b *FS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.ReuseForWrite(old, name, category) })
}

func (b *FS) create(name string, category vfs.DiskWriteCategory, do func() (vfs.File, error)) (vfs.File, error) {
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

// OpenDir opens a folder, which the database syncs.
func (b *FS) OpenDir(name string) (vfs.File, error) {
	dir, err := b.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &file{File: dir, on: b, name: name}, nil
}

// Open opens a file for reading, the one in memory if there is one.
func (b *FS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if b.Err() != nil {
		if file, err := b.memory.Open(name, opts...); err == nil {
			return file, nil
		}
	}
	return b.FS.Open(name, opts...)
}

// Stat looks at a file, the one in memory if there is one.
func (b *FS) Stat(name string) (vfs.FileInfo, error) {
	if b.Err() != nil {
		if info, err := b.memory.Stat(name); err == nil {
			return info, nil
		}
	}
	return b.FS.Stat(name)
}

// Rename renames a file.
func (b *FS) Rename(from, to string) error {
	if b.Err() == nil {
		err := b.FS.Rename(from, to)
		if err == nil {
			return nil
		}
		b.Fail(from, err)
	}
	_ = b.memory.Rename(from, to) // it may be on the disk, where it stays
	return nil
}

// Remove removes a file. One that cannot be removed does no harm.
func (b *FS) Remove(name string) error {
	if b.Err() != nil {
		_ = b.memory.Remove(name)
		return nil
	}
	return b.FS.Remove(name)
}

// A file is one, or a folder, of an FS.
type file struct {
	vfs.File
	on   *FS
	name string
}

// change does something to the file unless the disk has failed. Of a table the database is told: it
// writes another, in memory. Of any other file it is not: there it would panic.
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

// Write appends.
func (f *file) Write(p []byte) (int, error) {
	err := f.change(func() error { _, err := f.File.Write(p); return err })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Sync brings the file to the disk.
func (f *file) Sync() error { return f.change(f.File.Sync) }

// SyncData brings its bytes to the disk.
func (f *file) SyncData() error { return f.change(f.File.SyncData) }

// SyncTo brings its first bytes to the disk.
func (f *file) SyncTo(length int64) (fullSync bool, err error) {
	err = f.change(func() (err error) { fullSync, err = f.File.SyncTo(length); return err })
	return fullSync, err
}

// Close closes the file, whatever happened to it.
func (f *file) Close() error {
	err := f.File.Close()
	return f.change(func() error { return err })
}

// A logger takes what the database has to say.
type logger struct{ disk *FS }

// Infof hears nothing.
func (logger) Infof(string, ...any) {}

// Errorf hears nothing: errors come back from the database's calls, or as events.
func (logger) Errorf(string, ...any) {}

// Fatalf lets nothing reach the disk any more.
func (l logger) Fatalf(format string, args ...any) { l.disk.Fail("", fmt.Errorf(format, args...)) }
