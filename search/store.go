package search

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/cockroachdb/pebble/v2"

	"orbweaver/internal/database/kv"
	"orbweaver/text"
)

// Keys: the index's prefix, a letter and the following; numbers are eight bytes, big-endian.
const (
	idLetter      = 'a' // ID → number and lengths of a document
	deadLetter    = 'b' // number / deadBlock → a bit for each deleted document
	tableLetter   = 'd' // number of the first → lengths of documents
	waitingLetter = 'n' // number → a document not yet in a segment
	totalLetter   = 's' // totals
	stemLetter    = 't' // stem, 0, number of the first → its documents and positions
	formLetter    = 'w' // word that is not its own stem, 0, number of the first → its documents
	endLetter     = 'x'
)

// A Store is an index within a Pebble database with Pebble's default comparer, on disk or in memory. It allows
// one writer and any number of concurrent readers.
type Store struct {
	db       kv.DB
	prefix   []byte
	stemmers text.Stemmers
	counter  text.Counter
	arenas   sync.Pool // of *[]byte: the unsegmented documents read by a query
	limits   limits
}

// Open opens the index under a prefix, or makes a new one. The error wraps ErrDamaged for an index that this
// version cannot read.
func Open(db kv.DB, prefix []byte) (*Store, error) {
	s := &Store{db: db, prefix: prefix, limits: usual()}
	s.arenas.New = func() any { return new([]byte) }
	_, err := s.totals(db)
	return s, err
}

// Snapshot returns the index as of the last commit. The caller must close it: until then the database keeps
// superseded data.
func (s *Store) Snapshot() *Snapshot {
	snapshot := s.db.NewSnapshot()
	return &Snapshot{Reader{s, snapshot}, snapshot}
}

// A Snapshot is an immutable view of an index.
type Snapshot struct {
	Reader
	snapshot kv.Snapshot
}

// Close releases the snapshot.
func (s *Snapshot) Close() error { return s.snapshot.Close() }

// Over returns the index as seen through an indexed batch of its database, or through another reader. The batch
// and the database must not be written during its calls.
func (s *Store) Over(r kv.Reader) Reader { return Reader{s, r} }

// A Reader is an immutable view of an index. It is safe for concurrent use.
type Reader struct {
	store  *Store
	reader kv.Reader
}

// Size returns the index's size on disk in bytes, without what the database has not compacted yet.
func (s *Store) Size() (int64, error) {
	n, err := s.db.EstimateDiskUsage(s.key(idLetter), s.key(endLetter))
	return int64(n), err
}

func (s *Store) key(letter byte) []byte {
	b := make([]byte, 0, len(s.prefix)+32)
	return append(append(b, s.prefix...), letter)
}

func (s *Store) numberKey(letter byte, n uint64) []byte {
	return binary.BigEndian.AppendUint64(s.key(letter), n)
}

// appendList appends the key of a term's list, without the number of its first document. The term begins with
// its letter.
func (s *Store) appendList(b []byte, term string) []byte {
	return append(append(append(b, s.prefix...), term...), 0)
}

// readNumber returns the number at the end of a key.
func readNumber(key []byte) uint64 {
	if len(key) < 8 {
		return 0
	}
	return binary.BigEndian.Uint64(key[len(key)-8:])
}

// get calls f with a value, if there is one; f returns false for a damaged value.
func get(r kv.Reader, key []byte, f func(value []byte) bool) (found bool, err error) {
	value, closer, err := r.Get(key)
	if errors.Is(err, pebble.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("search index: %w", err)
	}
	if !f(value) {
		err = damaged(key)
	}
	return true, errors.Join(err, closer.Close())
}

func damaged(key []byte) error { return fmt.Errorf("search index: key %x: %w", key, ErrDamaged) }

// uvarint is binary.Uvarint with a fast path for one byte.
func uvarint(b []byte) (uint64, int) {
	if len(b) > 0 && b[0] < 0x80 {
		return uint64(b[0]), 1
	}
	return binary.Uvarint(b)
}

// A fields decodes numbers from a value. Once one is missing, bad is set and all others are 0.
type fields struct {
	b   []byte
	bad bool
}

func (f *fields) number() uint64 {
	n, w := uvarint(f.b)
	if w <= 0 {
		f.bad, f.b = true, nil
		return 0
	}
	f.b = f.b[w:]
	return n
}

// bytes reads n bytes.
func (f *fields) bytes(n uint64) []byte {
	if n > uint64(len(f.b)) {
		f.bad, f.b = true, nil
		return nil
	}
	b := f.b[:n]
	f.b = f.b[n:]
	return b
}

func (f *fields) string() string { return string(f.bytes(f.number())) }
