// Package kv is Pebble as interfaces. Whoever imports a package whose types have a *pebble.DB, in a field or a signature of a method,
// compiles Pebble's generic types again, some 180 kB of code in each package: no type outside this package names one.
package kv

import (
	"context"
	"io"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/sstable"
)

// A Reader is a state of a database: the database itself, a Snapshot, or a Batch over it.
type Reader interface {
	Get(key []byte) (value []byte, closer io.Closer, err error)
	NewIter(o *pebble.IterOptions) (Iterator, error)
}

// An Iterator goes over keys, as a *pebble.Iterator does.
type Iterator interface {
	First() bool
	Last() bool
	Next() bool
	Prev() bool
	SeekGE(key []byte) bool
	SeekLT(key []byte) bool
	Valid() bool
	Key() []byte
	Value() []byte
	ValueAndErr() ([]byte, error)
	Error() error
	Close() error
}

// A Snapshot is a database as it was, as a *pebble.Snapshot is.
type Snapshot interface {
	Reader
	io.Closer
}

// A Writer takes changes.
type Writer interface {
	Set(key, value []byte, o *pebble.WriteOptions) error
	Delete(key []byte, o *pebble.WriteOptions) error
	DeleteRange(start, end []byte, o *pebble.WriteOptions) error
}

// A Batch is changes that are made together, as a *pebble.Batch is. Only an indexed one can be read.
type Batch interface {
	Reader
	Writer
	io.Closer
	Commit(o *pebble.WriteOptions) error
	Count() uint32
	Empty() bool
	Len() int
	Reset()
	SetDeferred(key, value int) *pebble.DeferredBatchOp
}

// A DB is a database, as a *pebble.DB is.
type DB interface {
	Reader
	Writer
	io.Closer
	NewBatch() Batch
	NewIndexedBatch() Batch
	NewSnapshot() Snapshot
	Apply(b Batch, o *pebble.WriteOptions) error
	LogData(data []byte, o *pebble.WriteOptions) error
	Flush() error
	Compact(ctx context.Context, start, end []byte, parallel bool) error
	Checkpoint(folder string) error // with all that the log has
	Ingest(ctx context.Context, files []string) error
	EstimateDiskUsage(start, end []byte) (uint64, error)
	TableFormat() sstable.TableFormat
	Size() int64 // of the tables in use, and of the log
}

// Over returns a database of Pebble as a DB.
//
//go:noinline
func Over(db *pebble.DB) DB { return base{db} }

type base struct{ *pebble.DB }

func (b base) NewIter(o *pebble.IterOptions) (Iterator, error) { return iterator(b.DB.NewIter(o)) }
func (b base) NewBatch() Batch                                 { return batch{b.DB.NewBatch()} }
func (b base) NewIndexedBatch() Batch                          { return batch{b.DB.NewIndexedBatch()} }
func (b base) NewSnapshot() Snapshot                           { return snapshot{b.DB.NewSnapshot()} }

func (b base) Apply(changes Batch, o *pebble.WriteOptions) error {
	return b.DB.Apply(changes.(batch).Batch, o)
}

func (b base) Checkpoint(folder string) error {
	return b.DB.Checkpoint(folder, pebble.WithFlushedWAL())
}

func (b base) Size() int64 {
	m := b.DB.Metrics()
	total := m.Total()
	return total.AggregateSize() + int64(m.WAL.Size)
}

type batch struct{ *pebble.Batch }

func (b batch) NewIter(o *pebble.IterOptions) (Iterator, error) { return iterator(b.Batch.NewIter(o)) }

type snapshot struct{ *pebble.Snapshot }

func (s snapshot) NewIter(o *pebble.IterOptions) (Iterator, error) {
	return iterator(s.Snapshot.NewIter(o))
}

// iterator returns no Iterator, rather than one that is nil, beside an error.
func iterator(it *pebble.Iterator, err error) (Iterator, error) {
	if err != nil {
		return nil, err
	}
	return it, nil
}

// TableOptions returns how a table is written that is ingested.
func TableOptions(format sstable.TableFormat) sstable.WriterOptions {
	settings := &pebble.Options{}
	settings.EnsureDefaults()
	o := settings.MakeWriterOptions(6, format)
	o.WritingToLowestLevel = false // otherwise a deletion would be dropped
	return o
}
