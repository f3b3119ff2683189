package quads

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
)

// Keys: the store's prefix, a letter and the following. Each ordering has its own letter, from tableLetter on.
const (
	tableLetter     = 'a'
	termLetter      = 't' // ID → content
	predicateLetter = 'p' // side, ID, countOf or sketchesOf → statistics of a predicate
	graphLetter     = 'q' // ID → quads of a named graph, while there are any
	partLetter      = 'r' // side, ID, stage → what a stage adds to the statistics of a predicate
	totalLetter     = 's' // format, quads of the default graph, quads of the others

	countOf    = 0
	sketchesOf = 1
)

// format is the version of keys and values.
const format = 1

// Options are those of a store in a database.
type Options struct {
	// Temp is a folder of the store's own on the database's disk, where Load sorts. What is in it when
	// the store is opened is left of a load that was killed, and removed. Empty: there is no Load.
	Temp string
	// FS is the file system that Temp is on; needed with Temp.
	FS vfs.FS
	// Terms is how many terms are remembered, 0 being 262 144, of 1 kB at most each.
	Terms int
	// Memory is how many bytes Load may use, 0 being 256 MB. The process takes about half as much again
	// before it is collected.
	Memory int64
	// Columns is how many bytes snapshots may take together for predicates of the default graph that are read often, which are then
	// read from memory; 0: none.
	Columns int64
}

// A Store is a quad store within a Pebble database with Pebble's default comparer, below one prefix of keys. Any number of goroutines may read it while one writes. Terms stay in the
// dictionary when their last quad is removed, until Writer.Sweep.
type Store struct {
	db      kv.DB
	prefix  []byte
	opts    Options
	cache   *cache
	mask    uint64      // of namers
	parted  atomic.Bool // there may be parts of statistics
	columns columns
}

// Open opens the store under a prefix, or makes a new one. The error wraps ErrDamaged for a store that this
// version cannot read.
func Open(db kv.DB, prefix []byte, opts Options) (*Store, error) {
	if opts.Temp != "" && opts.FS == nil {
		return nil, errors.New("quad store: Options.Temp without Options.FS: pass the file system of the database")
	}
	if opts.Terms == 0 {
		opts.Terms = 1 << 18
	}
	if opts.Memory == 0 {
		opts.Memory = 256 << 20
	}
	s := &Store{db: db, prefix: prefix, opts: opts, cache: newCache(opts.Terms), mask: valueMask}
	s.columns.budget = opts.Columns
	if opts.Temp != "" {
		if err := opts.FS.RemoveAll(opts.Temp); err != nil {
			return nil, fmt.Errorf("quad store: %w", err)
		}
	}
	parted, err := s.over(db).anyParts()
	if err != nil {
		return nil, err
	}
	s.parted.Store(parted)
	_, err = s.over(db).totals()
	return s, err
}

// Snapshot returns the store as of the last commit. The caller must close it: until then the database keeps
// superseded data.
func (s *Store) Snapshot() *Snapshot {
	version := s.columns.version.Load()
	snapshot := s.db.NewSnapshot()
	source := s.over(snapshot)
	source.era = s.columns.of(version)
	return &Snapshot{view{source}, snapshot}
}

// A Snapshot is a store as it was when it was taken.
type Snapshot struct {
	Reader
	snapshot kv.Snapshot
}

// Close releases the snapshot.
func (s *Snapshot) Close() error { return s.snapshot.Close() }

// Over returns the store as an indexed batch of its database would leave it, or as another reader sees it.
func (s *Store) Over(r kv.Reader) Reader { return view{s.over(r)} }

func (s *Store) over(r kv.Reader) *stored {
	_, batch := r.(kv.Batch)
	return &stored{Store: s, reader: r, committed: !batch}
}

// Compact makes the database free the space of removed quads, and read the rest in fewer steps.
func (s *Store) Compact(ctx context.Context) error {
	start, end := s.span()
	return s.db.Compact(ctx, start, end, true)
}

// Size returns the store's size on disk in bytes, without what the database has not compacted yet.
func (s *Store) Size() (int64, error) {
	start, end := s.span()
	n, err := s.db.EstimateDiskUsage(start, end)
	return int64(n), err
}

// span is the range of keys that is the store's.
func (s *Store) span() (start, end []byte) {
	return s.key(tableLetter), s.key(termLetter + 1)
}

func (s *Store) key(letter byte) []byte {
	b := make([]byte, 0, len(s.prefix)+40)
	return append(append(b, s.prefix...), letter)
}

func (s *Store) idKey(letter byte, id ID) []byte {
	return binary.BigEndian.AppendUint64(s.key(letter), uint64(id))
}

func (s *Store) predicateKey(of side, p ID, what byte) []byte {
	b := append(s.key(predicateLetter), byte(of))
	return append(binary.BigEndian.AppendUint64(b, uint64(p)), what)
}

// stored is a source: a store as some reader of its database sees it.
type stored struct {
	*Store
	reader    kv.Reader
	committed bool // the data read is immutable
	era       *era // nil: there are no columns
}

// get calls f with a value, if there is one; f returns false for a damaged value.
func (s *stored) get(key []byte, f func(value []byte) bool) (found bool, err error) {
	value, closer, err := s.reader.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("quad store: %w", err)
	}
	if !f(value) {
		err = fmt.Errorf("quad store: key %x: %w", key, ErrDamaged)
	}
	return true, errors.Join(err, closer.Close())
}

// content is the dictionary's entry for an ID.
func (s *stored) content(id ID) (content string, ok bool, err error) {
	if content, ok = s.cache.get(id); ok {
		return content, true, nil
	}
	ok, err = s.get(s.idKey(termLetter, id), func(value []byte) bool {
		content = string(value)
		return true
	})
	if ok && s.committed {
		s.cache.put(id, content)
	}
	return content, ok, err
}

func (s *stored) lookup() terms { return &storedTerms{stored: s} }

// storedTerms are terms of a database. Sequential reads by an iterator are much faster than separate lookups,
// except for a few terms.
type storedTerms struct {
	*stored
	asked int // of the database
	iter  kv.Iterator
	key   []byte // of the last one
}

// fewTerms are looked up individually.
const fewTerms = 4

func (t *storedTerms) content(id ID) (content string, ok bool, err error) {
	if content, ok = t.cache.get(id); ok {
		return content, true, nil
	}
	if t.asked++; t.asked <= fewTerms {
		return t.stored.content(id)
	}
	if t.iter == nil {
		t.key = t.Store.key(termLetter)
		t.iter, err = t.reader.NewIter(&pebble.IterOptions{LowerBound: t.Store.key(termLetter), UpperBound: t.Store.key(termLetter + 1)})
		if err != nil {
			return "", false, fmt.Errorf("quad store: %w", err)
		}
	}
	t.key = binary.BigEndian.AppendUint64(t.key[:len(t.prefix)+1], uint64(id))
	if !t.iter.SeekGE(t.key) || !bytes.Equal(t.iter.Key(), t.key) {
		return t.stored.content(id) // it may be newer, but then has the same content
	}
	value, err := t.iter.ValueAndErr()
	if err != nil {
		return "", false, fmt.Errorf("quad store: %w", err)
	}
	content = string(value)
	if t.committed {
		t.cache.put(id, content)
	}
	return content, true, nil
}

func (t *storedTerms) close() error {
	if t.iter == nil {
		return nil
	}
	return t.iter.Close()
}

func (s *stored) namer() *namer { return &namer{mask: s.mask} }

// count reads a number.
func (s *stored) count(key []byte) (n int64, err error) {
	_, err = s.get(key, func(value []byte) bool {
		u, w := binary.Uvarint(value)
		n = int64(u)
		return w == len(value) && n >= 0
	})
	return n, err
}

func (s *stored) graph(g ID) (int64, error) { return s.count(s.idKey(graphLetter, g)) }

// stat returns the statistics of a predicate, and the keys of the parts among them.
func (s *stored) stat(of side, p ID) (st stat, parts [][]byte, err error) {
	st.quads, err = s.count(s.predicateKey(of, p, countOf))
	if err == nil && st.quads > 0 {
		_, err = s.get(s.predicateKey(of, p, sketchesOf), st.readSketches)
	}
	if err == nil {
		parts, err = s.parts(of, p, &st)
	}
	return st, parts, err
}

func (s *stored) predicate(of side, p ID) (Predicate, error) {
	if of == sideDefault && s.era != nil {
		return s.era.predicate(s, p)
	}
	st, _, err := s.stat(of, p)
	return st.predicate(), err
}

func (s *stored) total(of side) (int64, error) {
	all, err := s.totals()
	return all[of], err
}

func (s *stored) totals() (all [sides]int64, err error) {
	key := s.key(totalLetter)
	_, err = s.get(key, func(value []byte) bool {
		if len(value) == 0 || value[0] != format {
			return false
		}
		value = value[1:]
		for i := range all {
			n, w := binary.Uvarint(value)
			if w <= 0 {
				return false
			}
			all[i], value = int64(n), value[w:]
		}
		return len(value) == 0
	})
	return all, err
}

func appendTotals(b []byte, all [sides]int64) []byte {
	b = append(b, format)
	for _, n := range all {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

func (s *stored) scan(t table) scan {
	lower, upper := s.key(tableLetter+byte(t)), s.key(tableLetter+byte(t)+1)
	iter, err := s.reader.NewIter(&pebble.IterOptions{LowerBound: lower, UpperBound: upper})
	return &storedScan{iter: iter, table: t, from: lower, skip: len(lower), failed: err}
}

// A storedScan is a scan of a table in a database.
type storedScan struct {
	iter   kv.Iterator
	table  table
	from   []byte // scratch: the key that is sought
	skip   int    // bytes in front of the IDs
	failed error
}

func (s *storedScan) seek(from, k *key) bool {
	if s.failed != nil {
		return false
	}
	s.from = s.table.appendKey(s.from[:s.skip], from)
	return s.take(s.iter.SeekGE(s.from), k)
}

func (s *storedScan) next(k *key) bool {
	return s.failed == nil && s.take(s.iter.Next(), k)
}

func (s *storedScan) take(valid bool, k *key) bool {
	if !valid {
		return false
	}
	b := s.iter.Key()
	if !s.table.readKey(b[s.skip:], k) {
		s.failed = fmt.Errorf("quad store: key %x: %w", b, ErrDamaged)
		return false
	}
	return true
}

func (s *storedScan) err() error {
	if s.failed != nil || s.iter == nil {
		return s.failed
	}
	return s.iter.Error()
}

func (s *storedScan) close() error {
	if s.iter == nil {
		return s.failed
	}
	return errors.Join(s.failed, s.iter.Close())
}
