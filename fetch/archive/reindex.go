package archive

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"orbweaver/internal/atomicfile"

	"orbweaver"
)

// Reindex writes the indexes of an archive again, from its records as Verify read them. What the records do not say, whether a
// document was fetched for its context, comes from the lines of either index that can still be read. The result has the length
// that the mark states, or the error wraps ErrDamaged and both files stay as they are.
func Reindex(dir string, v *Verified, mark Mark) error {
	purposes := map[orbweaver.Ref]string{}
	for _, name := range []string{indexName, partName} {
		readPurposes(filepath.Join(dir, name), purposes)
	}
	path := filepath.Join(dir, partName)
	err := atomicfile.Write(path, 0o666, func(w io.Writer) error {
		committed := int64(0)
		var text []byte
		for _, ref := range v.order {
			line := *v.answers[ref.File][ref.Offset]
			line.Purpose = purposes[ref]
			text = line.append(text[:0], ref)
			if _, err := w.Write(text); err != nil {
				return err
			}
			if before(ref, mark) {
				committed += int64(len(text))
			}
		}
		if committed != mark.Index {
			return fmt.Errorf("%s: %w: its records make an index of %d bytes, and %d were written", path, orbweaver.ErrDamaged, committed, mark.Index)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return sortIndex(disk{}, path, filepath.Join(dir, indexName), sortRun)
}

// readPurposes adds the purposes that the readable lines of an index state.
func readPurposes(path string, purposes map[orbweaver.Ref]string) {
	file, err := os.Open(path)
	if err != nil {
		return
	}
	defer file.Close()
	in := bufio.NewScanner(file)
	in.Buffer(nil, maxIndexLine)
	for in.Scan() {
		if line, ref, ok := parseLine(in.Bytes()); ok && isPurpose(line.Purpose) {
			purposes[ref] = line.Purpose
		}
	}
}
