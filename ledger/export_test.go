package ledger

import (
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
