package archive

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"

	"orbweaver"
)

// A source is one file of WARC or ARC records that any number of goroutines may read at random. If compressed, each
// record is its own gzip member; a file compressed as a whole is represented by a temporary uncompressed copy.
type source struct {
	name       string // as in refs and messages
	dir        string // the folder of its archive
	file       *os.File
	from, size int64 // the records lie from byte from on, up to byte size of the file
	compressed bool
	arc        bool // its records are those of an ARC file
	spilled    bool // the file is a temporary copy
}

// openSource opens a file and detects its compression from its first bytes. The error wraps ErrInput if the
// file is empty or not a regular file.
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
	s := &source{
		name: filepath.Base(path), dir: filepath.Dir(path), file: file, size: stat.Size(),
		compressed: magic == [2]byte{0x1f, 0x8b},
	}
	s.arc = s.isARC()
	return s, nil
}

// openSources opens a file, or the files of records in it, if it is a WACZ file: they are stored there as they are, so
// that a record's place in the WACZ file is all that it takes to read it.
func openSources(path string) ([]*source, error) {
	s, err := openSource(path)
	if err != nil {
		return nil, err
	}
	var magic [4]byte
	if _, err = s.file.ReadAt(magic[:], 0); err != nil || string(magic[:]) != "PK\x03\x04" {
		return []*source{s}, nil
	}
	defer s.close()
	var list []*source
	members, err := members(s)
	for _, m := range members {
		var in *source
		if err == nil {
			in, err = openSource(path)
		}
		if err == nil {
			in.within(m)
			list = append(list, in)
		}
	}
	if err == nil && len(list) == 0 {
		err = errors.New("no WARC file in this ZIP file")
	}
	if err != nil {
		for _, s := range list {
			err = errors.Join(err, s.close())
		}
		return nil, fmt.Errorf("%s: %w: %w", path, orbweaver.ErrInput, err)
	}
	return list, nil
}

// A member is where a file of records is in a WACZ file.
type member struct{ from, to int64 }

// maxMembers bounds the files of records in a WACZ file: each is opened.
const maxMembers = 1000

// members returns the places of all files of records in a WACZ file.
func members(s *source) (list []member, err error) {
	packed, err := zip.NewReader(s.file, s.size)
	if err != nil {
		return nil, err
	}
	for _, e := range packed.File {
		if !strings.HasPrefix(e.Name, "archive/") || !IsArchive(e.Name) {
			continue
		}
		from, err := e.DataOffset()
		to := from + int64(e.CompressedSize64)
		switch {
		case err != nil:
			return nil, err
		case e.Method != zip.Store || e.Flags&1 != 0:
			return nil, fmt.Errorf("%.100q is compressed in the ZIP file, or encrypted: in a WACZ file it has to be stored", e.Name)
		case to < from || to > s.size || len(list) == maxMembers:
			return nil, fmt.Errorf("%.100q is outside the file, or there are more than %d", e.Name, maxMembers)
		}
		if to > from {
			list = append(list, member{from, to})
		}
	}
	return list, nil
}

// within limits a source to a member.
func (s *source) within(m member) {
	var magic [2]byte
	_, _ = s.file.ReadAt(magic[:], m.from) // the scan says what cannot be read
	s.from, s.size, s.compressed = m.from, m.to, magic == [2]byte{0x1f, 0x8b}
	s.arc = s.isARC()
}

// IsArchive reports whether a file's name is that of a file of archived records.
func IsArchive(name string) bool {
	name = strings.ToLower(name)
	switch filepath.Ext(strings.TrimSuffix(name, ".gz")) {
	case ".warc", ".arc":
		return true
	case ".wacz":
		return !strings.HasSuffix(name, ".gz")
	}
	return false
}

// close closes the file and removes it if it is a copy.
func (s *source) close() error {
	err := s.file.Close()
	if s.spilled {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

// spill writes at most limit uncompressed bytes to a temporary file and returns it as a source of the same
// name. Of a truncated file it writes what can be read.
func (s *source) spill(dir string, limit int64) (*source, error) {
	unzip, err := gzip.NewReader(bufio.NewReaderSize(io.NewSectionReader(s.file, s.from, s.size-s.from), 64<<10))
	if err != nil {
		return nil, err
	}
	temp, err := os.CreateTemp(dir, "orbweaver-*.warc")
	if err != nil {
		return nil, err
	}
	copied := &source{name: s.name, dir: s.dir, file: temp, arc: s.arc, spilled: true}
	copied.size, err = io.Copy(temp, io.LimitReader(unzip, limit+1))
	switch {
	case err == nil && copied.size > limit:
		err = fmt.Errorf("%w: over %d bytes uncompressed", orbweaver.ErrTooLarge, limit)
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = nil // the scan will report the truncated record
	case err != nil && !errors.As(err, new(*os.PathError)):
		err = fmt.Errorf("%w: %w", orbweaver.ErrInput, err) // the input is at fault, not the disk
	}
	if err != nil {
		return nil, errors.Join(err, copied.close())
	}
	return copied, nil
}

// A record reads one WARC record. Records are pooled: open prepares one, Read reads its block, and the caller
// of open returns it to the pool.
type record struct {
	header header
	in     *bufio.Reader // of compressed bytes
	unzip  *gzip.Reader
	out    *bufio.Reader     // of the uncompressed record; holds a whole HTTP head
	left   int64             // bytes of the block not yet read
	place  *io.SectionReader // the range that was opened
	source *source           // that it is read from
}

func newRecord() *record {
	return &record{
		in:    bufio.NewReaderSize(nil, 16<<10),
		unzip: new(gzip.Reader),
		out:   bufio.NewReaderSize(nil, maxHead),
	}
}

// open prepares the record at a place of a source and reads its WARC header.
func (r *record) open(s *source, offset, length int64) error {
	if err := r.unpack(s, offset, length); err != nil {
		return err
	}
	var err error
	r.header, err = s.readHeader(r.out)
	r.left, r.source = r.header.length, s
	return cut(err)
}

// unpack prepares the uncompressed bytes of a record.
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

// peek returns the start of the block without consuming it: all of it if whole, otherwise maxHead bytes. If the
// block is cut off, the bytes come with io.ErrUnexpectedEOF.
func (r *record) peek() (start []byte, whole bool, err error) {
	n := min(r.left, maxHead)
	start, err = r.out.Peek(int(n))
	return start, n == r.left, cut(err)
}

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

// Read reads the rest of the block. It returns io.ErrUnexpectedEOF if the block is shorter than its
// Content-Length.
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

// head consumes the HTTP head of the block.
func (r *record) head() (head, error) {
	start, whole, err := r.peek()
	if err != nil {
		return head{}, err
	}
	h, err := splitHead(start, whole)
	if err != nil {
		return head{}, err
	}
	h.fields = bytes.Clone(h.fields) // the buffer is reused
	return h, r.skip(int64(h.size))
}

// isHTTP reports whether the first bytes of the block are those of an HTTP message. Some writers omit the
// Content-Type that would say so.
func (r *record) isHTTP() bool {
	start, err := r.out.Peek(int(min(r.left, 5)))
	return err == nil && bytes.HasPrefix(start, []byte("HTTP"))
}
