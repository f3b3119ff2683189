package ledger

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database"
)

// File is the file of pages.jsonl.
type File = journalFile

// OpenFile opens pages.jsonl; it is the default of OpenOn.
func OpenFile(path string) (File, error) { return openFile(path) }

// OpenOn opens a ledger with a database on a given file system, in an existing folder, with small limits, so
// that it soon has files of all kinds.
func OpenOn(dir string, on vfs.FS, file func(path string) (File, error)) (*Ledger, error) {
	o := options(0)
	o.FS, o.journal = on, file
	o.Size, o.many, o.sorting = database.Tiny, 20, 4<<10
	return open(dir, filepath.Join(dir, "ledger"), o)
}

// OpenKeyed opens a ledger with a key if it is new; without a key it has format 3.
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

// Key returns the key of a ledger.
func (l *Ledger) Key() []uint64 { return l.state.Key }

// SeenRows returns the numbers in the seen table, and their expected count.
func (l *Ledger) SeenRows() (rows map[uint64]bool, want int, err error) {
	l.settle()
	rows = map[uint64]bool{}
	err = l.scan([]byte{tableSeen}, func(_, value []byte) error {
		rows[binary.BigEndian.Uint64(value)] = true
		return nil
	})
	return rows, int(l.state.Next - 1), err
}

// RowsRead returns the rows of the index behind Pages read so far.
func (l *Ledger) RowsRead() int64 { return l.rowsRead }

// Unlist simulates a version without the index behind Pages.
func (l *Ledger) Unlist() { l.state.Listed, l.state.ListedThreshold = 0, 0 }

// SetFormat changes the format of the ledger.
func (l *Ledger) SetFormat(format int) { l.state.Format = format }

// Holding returns the tables of which a key or a value has a text in it.
func (l *Ledger) Holding(text string) (tables string, err error) {
	err = l.scan(nil, func(key, value []byte) error {
		if (bytes.Contains(key, []byte(text)) || bytes.Contains(value, []byte(text))) && !strings.Contains(tables, string(key[:1])) {
			tables += string(key[:1])
		}
		return nil
	})
	return tables, err
}

// ModelSize returns the bytes of the focus's snapshot in the database.
func (l *Ledger) ModelSize() int {
	l.settle()
	stored, _ := l.get([]byte{tableModel})
	return len(stored)
}

// SetModel replaces the bytes of the focus's snapshot in the database.
func (l *Ledger) SetModel(stored []byte) {
	l.group.set([]byte{tableModel}, stored)
	l.group.begun = true
}

// ForgetStatuses makes the state that of a version which counted no statuses of failures.
func (l *Ledger) ForgetStatuses() {
	l.state.Statuses, l.group.begun = nil, true
}
