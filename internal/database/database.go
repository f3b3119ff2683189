// Package database opens all Pebble databases of the program. It defines their sizes, their locks, the
// errors of a failed open, and the file system below them.
//
// The file system is fail-stop: after the first failed change it changes nothing more. The disk then holds
// what a crash at that moment would have left, which Pebble can open. Callers that change a database must
// check Err afterwards.
package database

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"

	"orbweaver/internal/database/kv"
	"orbweaver/internal/machine"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver"
)

// Size is the memory of a database: its cache and the changes not yet written to tables.
type Size int

// The sizes.
const (
	Small  Size = iota // 4 MB each: values read once in a while
	Medium             // 32 MB of cache, 16 MB of changes: tables that change often
	Large              // 64 MB of cache, 16 MB of changes: a quad store that is queried
	Tiny               // 32 kB of changes and immediate compaction, so that a test soon has all kinds of files
)

// Options configures Open.
type Options struct {
	Size     Size
	What     string // name of the database in the error of a locked one: "this crawl folder"
	FS       vfs.FS // nil: the operating system's
	Memory   bool   // in memory, in place of FS: lost when closed
	ReadOnly bool
	LazyLog  bool // Pebble's log reaches the disk by Force alone, not at each durable batch
	Calm     bool // tables are compacted only if there are far too many, until Stir: for a few reads
}

// DB is an open database.
type DB struct {
	kv.DB
	path string
	on   vfs.FS // below the fail-stop file system
	disk *failStop
	lazy *lazyFS // nil without Options.LazyLog
	calm atomic.Bool
	tiny atomic.Bool // tables are compressed as well as can be
}

// Open opens the database in a folder, or creates one in an empty folder. The error wraps ErrBusy while
// another process has it open, and ErrDamaged if this version cannot read it.
func Open(path string, o Options) (*DB, error) {
	db := &DB{path: path, on: o.FS}
	switch {
	case o.Memory:
		db.on = vfs.NewMem()
	case db.on == nil:
		db.on = vfs.Default
	}
	settings := optionsOf(o.Size)
	settings.ReadOnly = o.ReadOnly
	db.calm.Store(o.Calm)
	settings.CompactionConcurrencyRange = func() (lower, upper int) {
		if db.calm.Load() {
			return 0, 1 // one when reads would suffer
		}
		return 1, 1
	}
	usual := settings.Levels[0].Compression
	for i := 1; i < len(settings.Levels); i++ {
		settings.Levels[i].Compression = func() *sstable.CompressionProfile {
			switch {
			case db.tiny.Load():
				return sstable.ZstdCompression
			case usual != nil:
				return usual()
			}
			return sstable.SnappyCompression
		}
	}
	if o.LazyLog {
		db.lazy = newLazyFS(db.on)
		db.disk, settings.FS = db.lazy.failStop, db.lazy
	} else {
		db.disk = newFailStop(db.on)
		settings.FS = db.disk
	}
	watch(db.disk, settings)
	if tables := machine.Files().Tables; tables < settings.MaxOpenFiles || settings.MaxOpenFiles == 0 && tables < usualTables {
		settings.FileCache = pebble.NewFileCache(1, tables)
		defer settings.FileCache.Unref()
	}
	opened, err := pebble.Open(path, settings)
	if err != nil {
		if failed := db.disk.Err(); failed != nil && !machine.TooMany(failed) {
			return nil, fmt.Errorf("%s: %w", path, failed)
		}
		return nil, opening(path, o.What, cmp.Or(db.disk.Err(), err))
	}
	db.DB = kv.Over(opened)
	return db, nil
}

// usualTables is how many tables Pebble keeps open unless it is told otherwise.
const usualTables = 990

// optionsOf returns Pebble's options for a size.
func optionsOf(s Size) *pebble.Options {
	o := &pebble.Options{FormatMajorVersion: pebble.FormatNewest}
	switch s {
	case Small:
		o.CacheSize, o.MemTableSize = 4<<20, 4<<20
	case Medium:
		o.CacheSize, o.MemTableSize = 32<<20, 16<<20
		o.Levels[0].Compression = uncompressed // what changes soon is soon written again, a level below
	case Large:
		o.CacheSize, o.MemTableSize = 64<<20, 16<<20
	case Tiny:
		o.CacheSize, o.MemTableSize, o.L0CompactionThreshold = 32<<20, 32<<10, 1
	}
	return o
}

func uncompressed() *sstable.CompressionProfile { return sstable.NoCompression }

// opening classifies the error of a failed open: another process has the database open, the disk fails, or
// the database is damaged.
func opening(path, what string, err error) error {
	var errno syscall.Errno
	switch {
	case machine.TooMany(err):
		return machine.Explain(fmt.Errorf("%s: %w", path, syscall.EMFILE))
	case errors.Is(err, syscall.EAGAIN), strings.HasPrefix(err.Error(), "lock "):
		return fmt.Errorf("%s: another process is using %s: %w", path, cmp.Or(what, "this database"), orbweaver.ErrBusy)
	case errors.As(err, &errno) && !errors.Is(err, fs.ErrNotExist) && !pebble.IsCorruptionError(err):
		return fmt.Errorf("%s: %w", path, err)
	case strings.Contains(err.Error(), "format major version"):
		return fmt.Errorf("%s: a newer version of orbweaver wrote this database; %s (%w)", path, UseOther, orbweaver.ErrInput)
	}
	return damageOf(path, err)
}

// UseOther is the advice for a folder that this version cannot read.
const UseOther = "use the version of orbweaver that wrote the folder, or crawl again into another one"

// Err returns the first failure of a change to the disk, if there was one. No later change reached the disk.
func (db *DB) Err() error { return db.disk.Err() }

// Stir ends the calm of Options.Calm: who writes much needs compactions.
func (db *DB) Stir() { db.calm.Store(false) }

// Squeeze calls a function, and compresses the tables that are made meanwhile as well as can be.
func (db *DB) Squeeze(f func() error) error {
	db.tiny.Store(true)
	defer db.tiny.Store(false)
	return f()
}

// Path returns the folder of the database.
func (db *DB) Path() string { return db.path }

// FS returns the file system that the database is on, for files beside it whose failure is not the database's.
func (db *DB) FS() vfs.FS { return db.on }

// Value returns a copy of the value at a key.
func (db *DB) Value(key []byte) (value []byte, found bool, err error) {
	v, closer, err := db.Get(key)
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil, false, nil
	case err != nil:
		return nil, false, Damage(db.path, err)
	}
	value = append([]byte{}, v...)
	return value, true, closer.Close()
}

// Put sets the value at a key; nil removes it. The change is on the disk when Put returns nil.
func (db *DB) Put(key, value []byte) error {
	var err error
	if value == nil {
		err = db.Delete(key, pebble.Sync)
	} else {
		err = db.Set(key, value, pebble.Sync)
	}
	return cmp.Or(db.Err(), err)
}

// PutAll sets values at keys, all or none. If durable, they are on the disk when PutAll returns nil.
func (db *DB) PutAll(values map[string][]byte, durable bool) error {
	batch := db.NewBatch()
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if err := batch.Set([]byte(key), values[key], nil); err != nil {
			return errors.Join(err, batch.Close())
		}
	}
	how := pebble.NoSync
	if durable {
		how = pebble.Sync
	}
	err := errors.Join(db.Apply(batch, how), batch.Close())
	return cmp.Or(db.Err(), err)
}

// Free returns how many bytes the disk has left; false: the disk does not say.
func (db *DB) Free() (bytes uint64, known bool) {
	usage, err := db.on.GetDiskUsage(db.path)
	return usage.AvailBytes, err == nil
}

// Before sets a function that is called before Pebble's log is written to the disk, by Force or by Pebble itself, in a
// database with Options.LazyLog. If the function fails, the log is not written. A nil f removes it.
func (db *DB) Before(f func() error) { db.lazy.before = f }

// Force writes a lazy log to the disk.
func (db *DB) Force() error { return db.lazy.force() }

// Lock locks a file, which it creates, against other processes until the result is closed.
func Lock(path string) (io.Closer, error) { return vfs.Default.Lock(path) }

// MakeFolder creates a folder and those above it. It and the folder above survive a power cut. A nil file
// system is the operating system's.
func MakeFolder(on vfs.FS, path string) error {
	if on == nil {
		on = vfs.Default
	}
	above := filepath.Dir(path)
	if err := on.MkdirAll(path, 0o777); err != nil {
		return err
	}
	if err := syncFolder(on, filepath.Dir(above)); err != nil {
		return err
	}
	return syncFolder(on, above)
}

// syncFolder writes the entries of a folder to the disk.
func syncFolder(on vfs.FS, path string) error {
	d, err := on.OpenDir(path)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
