package ledger

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// A brittleFS is a disk of which the first change that fails is the last. What is on it then is what a
// crash at that moment would have left, which the database knows how to open; to the database, which
// for an error at the wrong place ends the process, or tries again for ever, it seems to go on: in
// memory. Whoever writes to the database asks failed afterwards.
type brittleFS struct {
	vfs.FS
	memory *vfs.MemFS // what was made since the failure

	mu  sync.Mutex
	err error // the first
}

func newBrittleFS(on vfs.FS) *brittleFS { return &brittleFS{FS: on, memory: vfs.NewMem()} }

// failed returns the first error, if there was one.
func (b *brittleFS) failed() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.err
}

// fail lets nothing reach the disk any more. Of errors that name no file, name is prefixed.
func (b *brittleFS) fail(name string, err error) {
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
func (b *brittleFS) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.Create(name, category) })
}

// ReuseForWrite makes a file of an old one.
func (b *brittleFS) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	return b.create(name, category, func() (vfs.File, error) { return b.FS.ReuseForWrite(old, name, category) })
}

func (b *brittleFS) create(name string, category vfs.DiskWriteCategory, do func() (vfs.File, error)) (vfs.File, error) {
	if b.failed() == nil {
		file, err := do()
		if err == nil {
			return &brittleFile{File: file, on: b, name: name}, nil
		}
		b.fail(name, err)
	}
	if err := b.memory.MkdirAll(b.memory.PathDir(name), 0o777); err != nil {
		return nil, err
	}
	return b.memory.Create(name, category)
}

// OpenDir opens a folder, which the database syncs.
func (b *brittleFS) OpenDir(name string) (vfs.File, error) {
	dir, err := b.FS.OpenDir(name)
	if err != nil {
		return nil, err
	}
	return &brittleFile{File: dir, on: b, name: name}, nil
}

// Open opens a file for reading, the one in memory if there is one.
func (b *brittleFS) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	if b.failed() != nil {
		if file, err := b.memory.Open(name, opts...); err == nil {
			return file, nil
		}
	}
	return b.FS.Open(name, opts...)
}

// Stat looks at a file, the one in memory if there is one.
func (b *brittleFS) Stat(name string) (vfs.FileInfo, error) {
	if b.failed() != nil {
		if info, err := b.memory.Stat(name); err == nil {
			return info, nil
		}
	}
	return b.FS.Stat(name)
}

// Rename renames a file.
func (b *brittleFS) Rename(from, to string) error {
	if b.failed() == nil {
		err := b.FS.Rename(from, to)
		if err == nil {
			return nil
		}
		b.fail(from, err)
	}
	_ = b.memory.Rename(from, to) // it may be on the disk, where it stays
	return nil
}

// Remove removes a file. One that cannot be removed does no harm.
func (b *brittleFS) Remove(name string) error {
	if b.failed() != nil {
		_ = b.memory.Remove(name)
		return nil
	}
	return b.FS.Remove(name)
}

// A brittleFile is a file, or a folder, of a brittleFS.
type brittleFile struct {
	vfs.File
	on   *brittleFS
	name string
}

// change does something to the file unless the disk has failed. Of a table the database is told: it
// writes another, in memory. Of any other file it is not: there it would panic.
func (f *brittleFile) change(do func() error) error {
	err := f.on.failed()
	if err == nil {
		if err = do(); err != nil {
			f.on.fail(f.name, err)
		}
	}
	if strings.HasSuffix(f.name, ".sst") {
		return err
	}
	return nil
}

// Write appends.
func (f *brittleFile) Write(p []byte) (int, error) {
	err := f.change(func() error { _, err := f.File.Write(p); return err })
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// Sync brings the file to the disk.
func (f *brittleFile) Sync() error { return f.change(f.File.Sync) }

// SyncData brings its bytes to the disk.
func (f *brittleFile) SyncData() error { return f.change(f.File.SyncData) }

// SyncTo brings its first bytes to the disk.
func (f *brittleFile) SyncTo(length int64) (fullSync bool, err error) {
	err = f.change(func() (err error) { fullSync, err = f.File.SyncTo(length); return err })
	return fullSync, err
}

// Close closes the file, whatever happened to it.
func (f *brittleFile) Close() error {
	err := f.File.Close()
	return f.change(func() error { return err })
}
