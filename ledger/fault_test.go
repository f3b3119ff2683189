package ledger_test

import (
	"os"
	"sync"
	"syscall"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/ledger"
)

// A fault is a kind of disk failure.
type fault int

const (
	full      fault = iota // all further writes, syncs and renames fail
	short                  // the same, but half of the failing write succeeds
	hiccup                 // one change fails, later ones succeed
	unsynced               // one sync fails
	unrenamed              // one creation or renaming fails
	unread                 // all further reads fail
	faults
)

// A badDisk fails at the n-th operation of the kinds that its fault concerns, counted from 0.
type badDisk struct {
	vfs.FS
	fault fault

	mu   sync.Mutex
	left int
	hit  bool
}

// The changes to a disk.
const (
	writing = iota
	syncing
	naming
	reading
)

// fails counts an operation and reports whether it fails.
func (d *badDisk) fails(kind int) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.fault == unsynced && kind != syncing, d.fault == unrenamed && kind != naming, (d.fault == unread) != (kind == reading):
		return false
	case d.hit:
		return d.fault == full || d.fault == short || d.fault == unread
	}
	d.left--
	d.hit = d.left < 0
	return d.hit
}

// reached reports whether the fault has occurred.
func (d *badDisk) reached() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.hit
}

func failure(name string) error {
	return &os.PathError{Op: "change", Path: name, Err: syscall.ENOSPC}
}

func (d *badDisk) Create(name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if d.fails(naming) {
		return nil, failure(name)
	}
	f, err := d.FS.Create(name, category)
	return &badFile{f, d, name}, err
}

func (d *badDisk) ReuseForWrite(old, name string, category vfs.DiskWriteCategory) (vfs.File, error) {
	if d.fails(naming) {
		return nil, failure(name)
	}
	f, err := d.FS.ReuseForWrite(old, name, category)
	return &badFile{f, d, name}, err
}

func (d *badDisk) Open(name string, opts ...vfs.OpenOption) (vfs.File, error) {
	f, err := d.FS.Open(name, opts...)
	return &badFile{f, d, name}, err
}

func (d *badDisk) OpenDir(name string) (vfs.File, error) {
	f, err := d.FS.OpenDir(name)
	return &badFile{f, d, name}, err
}

func (d *badDisk) Rename(from, to string) error {
	if d.fails(naming) {
		return failure(from)
	}
	return d.FS.Rename(from, to)
}

func (d *badDisk) Remove(name string) error {
	if d.fails(naming) {
		return failure(name)
	}
	return d.FS.Remove(name)
}

// A badFile is a file of a bad disk.
type badFile struct {
	vfs.File
	disk *badDisk
	name string
}

func (f *badFile) Write(p []byte) (int, error) {
	if !f.disk.fails(writing) {
		return f.File.Write(p)
	}
	n := 0
	if f.disk.fault == short {
		n, _ = f.File.Write(p[:len(p)/2])
	}
	return n, failure(f.name)
}

func (f *badFile) Read(p []byte) (int, error) {
	if f.disk.fails(reading) {
		return 0, failure(f.name)
	}
	return f.File.Read(p)
}

func (f *badFile) ReadAt(p []byte, at int64) (int, error) {
	if f.disk.fails(reading) {
		return 0, failure(f.name)
	}
	return f.File.ReadAt(p, at)
}

func (f *badFile) sync(do func() error) error {
	if f.disk.fails(syncing) {
		return syscall.ENOSPC // as fdatasync has it, without the name
	}
	return do()
}

func (f *badFile) Sync() error     { return f.sync(f.File.Sync) }
func (f *badFile) SyncData() error { return f.sync(f.File.SyncData) }

// journal opens pages.jsonl on the bad disk.
func (d *badDisk) journal(path string) (ledger.File, error) {
	if d.fails(naming) {
		return nil, failure(path)
	}
	f, err := ledger.OpenFile(path)
	return &badJournal{f, d, path}, err
}

// A badJournal is pages.jsonl on a bad disk.
type badJournal struct {
	ledger.File
	disk *badDisk
	name string
}

func (j *badJournal) Write(p []byte) (int, error) {
	if len(p) == 0 || !j.disk.fails(writing) {
		return j.File.Write(p)
	}
	n := 0
	if j.disk.fault == short {
		n, _ = j.File.Write(p[:len(p)/2])
	}
	return n, failure(j.name)
}

func (j *badJournal) Truncate(length int64) error {
	if j.disk.fails(writing) {
		return failure(j.name)
	}
	return j.File.Truncate(length)
}

func (j *badJournal) Sync() error {
	if j.disk.fails(syncing) {
		return failure(j.name)
	}
	return j.File.Sync()
}
