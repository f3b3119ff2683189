package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
)

// A source is one file of WARC records that any number of goroutines may read at places. Compressed,
// each record is a gzip member of its own; a file that was compressed as a whole stands here as the
// uncompressed copy that was made of it.
type source struct {
	name       string // as refs and messages give it
	file       *os.File
	size       int64
	compressed bool
	spilled    bool // the file is a copy of ours
}

// openSource opens a file and finds out by its first bytes how it is written. The error for what is
// no file of bytes, or an empty one, wraps ErrInput.
func openSource(path string) (*source, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", orbweaver.ErrInput, err)
	}
	stat, err := file.Stat()
	var magic [2]byte
	if err == nil {
		_, err = file.ReadAt(magic[:], 0)
	}
	if errors.Is(err, io.EOF) {
		err = errors.New("the file ends before a record begins")
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: %w: no WARC: %w", path, orbweaver.ErrInput, err)
	}
	return &source{
		name: filepath.Base(path), file: file, size: stat.Size(),
		compressed: magic == [2]byte{0x1f, 0x8b},
	}, nil
}

// close closes the file and removes it if it is a copy.
func (s *source) close() error {
	err := s.file.Close()
	if s.spilled {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// spill writes the uncompressed bytes to a temporary file, limit of them at most, and returns that
// as a source of the same name. A file cut off in the middle is spilled as far as it goes.
func (s *source) spill(dir string, limit int64) (*source, error) {
	unzip, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.size), 64<<10))
	if err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(dir, "orbweaver-*.warc")
	if err != nil {
		return nil, err
	}
	copied := &source{name: s.name, file: temp, spilled: true}
	copied.size, err = io.Copy(temp, io.LimitReader(unzip, limit+1))
	switch {
	case err == nil && copied.size > limit:
		err = fmt.Errorf("%w: over %d bytes uncompressed", orbweaver.ErrTooLarge, limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = nil // the scan will find the record that is cut off
	case err != nil && !errors.As(err, new(*os.PathError)):
		err = fmt.Errorf("%w: %w", orbweaver.ErrInput, err) // not the disk's fault
	}
	if err != nil {
		return nil, errors.Join(err, copied.close())
	}
	return copied, nil
}

// A record reads one WARC record. Records are pooled: open makes one ready, its block is what block
// reads, and whoever opened it gives it back.
type record struct {
	header header
	in     *bufio.Reader // of compressed bytes
	unzip  *gzip.Reader
	out    *bufio.Reader     // of the record's own bytes; a whole HTTP head fits in
	left   int64             // bytes of the block not yet read
	place  *io.SectionReader // where it was opened
}

func newRecord() *record {
	return &record{
		in:    bufio.NewReaderSize(nil, 16<<10),
		unzip: new(gzip.Reader),
		out:   bufio.NewReaderSize(nil, maxHead),
	}
}

// open makes the record that stands at a place of a source ready, its WARC header read.
func (r *record) open(s *source, offset, length int64) error {
	if err := r.unpack(s, offset, length); err != nil {
		return err
	}
	var err error
	r.header, err = readHeader(r.out)
	r.left = r.header.length
	return cut(err)
}

// unpack makes the bytes of a record ready.
func (r *record) unpack(s *source, offset, length int64) error {
	r.place = io.NewSectionReader(s.file, offset, length)
	if !s.compressed {
		r.out.Reset(r.place)
		return nil
	}
	r.in.Reset(r.place)
	if err := r.unzip.Reset(r.in); err != nil {
		return cut(err)
	}
	r.unzip.Multistream(false)
	r.out.Reset(r.unzip)
	return nil
}

// peek returns the start of the block, without taking it: all of it if whole, maxHead bytes
// otherwise. Where the block is cut off the bytes come with io.ErrUnexpectedEOF.
func (r *record) peek() (start []byte, whole bool, err error) {
	n := min(r.left, maxHead)
	start, err = r.out.Peek(int(n))
	return start, n == r.left, cut(err)
}

// skip passes over bytes of the block.
func (r *record) skip(n int64) error {
	r.left -= n
	for n > 0 {
		step := min(n, 1<<30)
		if _, err := r.out.Discard(int(step)); err != nil {
			return cut(err)
		}
		n -= step
	}
	return nil
}

// Read reads the rest of the block; a block shorter than its Content-Length ends in
// io.ErrUnexpectedEOF.
func (r *record) Read(p []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.out.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if err == io.EOF && r.left > 0 {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// head takes the HTTP head off the block.
func (r *record) head() (head, error) {
	start, whole, err := r.peek()
	if err != nil {
		return head{}, err
	}
	h, err := splitHead(start, whole)
	if err != nil {
		return head{}, err
	}
	h.fields = bytes.Clone(h.fields) // the buffer moves on
	return h, r.skip(int64(h.size))
}

// isHTTP says whether the block is an HTTP message by its first bytes. Some writers leave out the
// Content-Type that would say so.
func (r *record) isHTTP() bool {
	start, err := r.out.Peek(int(min(r.left, 5)))
	return err == nil && bytes.HasPrefix(start, []byte("HTTP"))
}
