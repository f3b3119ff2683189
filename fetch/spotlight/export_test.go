package spotlight

import (
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database"
)

// OpenOn is OpenKept on another disk.
func OpenOn(disk vfs.FS, path string) (*Store, error) { return open(path, database.Options{FS: disk}) }

// ReadAnnotation reads an answer of /annotate about a text of one block.
func ReadAnnotation(answer []byte, text string) ([]Resource, int, error) {
	return readAnnotation(answer, newPlace(text, block{0, len(text)}, Namespace))
}

// ReadCandidates reads an answer of /candidates about a text of one block.
func ReadCandidates(answer []byte, text string) ([]Spot, int, error) {
	return readCandidates(answer, newPlace(text, block{0, len(text)}, Namespace))
}

// Blocks returns the blocks of a text as they stand.
func Blocks(text string) (all []string, starts []int) {
	for b := range blocks(text) {
		all, starts = append(all, text[b.start:b.end]), append(starts, b.start)
	}
	return all, starts
}

// ClassOf is the class of a reader's error.
func ClassOf(err error) Class { return err.(*unread).class }

// MaxBlock is maxBlock.
const MaxBlock = maxBlock
