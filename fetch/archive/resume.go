package archive

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
)

// maxProbes bounds the places of one file that are tried as the start of a record after damaged ones. An archive made to
// have a possible start at every third byte is left there.
const maxProbes = 1 << 20

// A gap is a range of a file in which no record can be read.
type gap struct {
	from, to int64 // offsets; to is the next record, or the file's end
	err      error // why the record at from cannot be read
}

// A finder finds where the next record of a source may begin.
type finder struct {
	source *source
	probes int
	in     *bufio.Reader
	unzip  gzip.Reader
}

// next returns the offset of the first record after an offset; the file's size if there is none.
func (f *finder) next(after int64) int64 {
	pattern := []byte("WARC/1.") // or 0.17, 0.18
	if f.source.arc {
		pattern = []byte("http")
	}
	if f.source.compressed {
		pattern = []byte{0x1f, 0x8b, 8}
	}
	const window = 64 << 10
	b := make([]byte, window+len(pattern))
	for at := after; at < f.source.size; at += window {
		n, err := f.source.file.ReadAt(b, at)
		if n == 0 && err != nil {
			break
		}
		for i := 0; ; {
			found := bytes.Index(b[i:n], pattern)
			if found < 0 || i+found >= window {
				break
			}
			i += found
			if f.probes++; f.probes > maxProbes {
				return f.source.size
			}
			if f.begins(at + int64(i)) {
				return at + int64(i)
			}
			i++
		}
	}
	return f.source.size
}

// begins reports whether a record begins at an offset: a version after a line's end, or before a field; or a gzip
// member that starts with one.
func (f *finder) begins(offset int64) bool {
	if !f.source.compressed {
		var before [1]byte
		_, err := f.source.file.ReadAt(before[:], offset-1)
		if err == nil && before[0] != '\n' && !f.source.arc {
			return f.beginsFields(offset)
		}
		if err != nil || before[0] != '\n' || !f.source.arc {
			return err == nil && before[0] == '\n'
		}
		line := make([]byte, maxARCLine)
		n, _ := f.source.file.ReadAt(line, offset)
		return f.source.startsRecord(line[:n])
	}
	section := io.NewSectionReader(f.source.file, offset, f.source.size-offset)
	if f.in == nil {
		f.in = bufio.NewReaderSize(section, 4<<10)
	} else {
		f.in.Reset(section)
	}
	if f.unzip.Reset(f.in) != nil {
		return false
	}
	start := make([]byte, 5)
	if f.source.arc {
		start = make([]byte, maxARCLine)
	}
	n, _ := io.ReadFull(&f.unzip, start)
	return f.source.startsRecord(start[:n])
}

// beginsFields reports whether a field follows the version at an offset: what it stands behind in its line is junk then.
func (f *finder) beginsFields(offset int64) bool {
	var start [32]byte
	n, _ := f.source.file.ReadAt(start[:], offset)
	_, field, _ := bytes.Cut(start[:n], []byte("\n"))
	field = bytes.ToLower(field)
	return bytes.HasPrefix(field, []byte("warc-")) || bytes.HasPrefix(field, []byte("content-"))
}

// maxARCLine bounds the line that is looked for.
const maxARCLine = 4 << 10

// notRead describes why the bytes at an offset are no record.
func (s *source) notRead(offset int64, err error) error {
	return fmt.Errorf("at byte %d: %w: %w", offset, orbweaver.ErrInput, err)
}
