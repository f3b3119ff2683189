package ledger

import (
	"encoding/binary"
	"os"
	"path/filepath"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// File is what pages.jsonl is written to.
type File = journalFile

// OpenFile opens pages.jsonl as OpenOn does where it is not told otherwise.
func OpenFile(path string) (File, error) { return openFile(path) }

// OpenOn opens a ledger whose database is on a disk of its own, in a folder that is there, and small, so
// that it soon has all sorts of files.
func OpenOn(dir string, on vfs.FS, file func(path string) (File, error)) (*Ledger, error) {
	o := options(0)
	o.FS, o.journal = on, file
	o.MemTableSize, o.L0CompactionThreshold, o.many = 32<<10, 1, 20
	return open(dir, filepath.Join(dir, "ledger"), o)
}

// OpenKeyed opens a ledger, which gets a key if it is new; none makes it one of the format before keys.
func OpenKeyed(dir string, key ...uint64) (*Ledger, error) {
	path := filepath.Join(dir, "ledger")
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, err
	}
	o := options(0)
	o.key = key
	l, err := open(dir, path, o)
	if err == nil && len(l.state.Key) == 0 {
		l.state.Format = unkeyed
	}
	return l, err
}

// Key is that of a ledger.
func (l *Ledger) Key() []uint64 { return l.state.Key }

// SeenRows are the numbers that the database has as known, and how many there should be.
func (l *Ledger) SeenRows() (rows map[uint64]bool, want int, err error) {
	l.settle()
	rows = map[uint64]bool{}
	err = l.scan([]byte{tableSeen}, func(_, value []byte) error {
		rows[binary.BigEndian.Uint64(value)] = true
		return nil
	})
	return rows, int(l.state.Next - 1), err
}

// RowsRead is how many rows of the index behind Pages were read so far.
func (l *Ledger) RowsRead() int64 { return l.rowsRead }

// Unlist has the ledger as a version leaves it that knows no index behind Pages.
func (l *Ledger) Unlist() { l.state.Listed, l.state.ListedThreshold = 0, 0 }

// SetFormat has the ledger be of another format.
func (l *Ledger) SetFormat(format int) { l.state.Format = format }
