package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// errWhole says that a gzip member holds more than one record: the file was compressed as a whole.
var errWhole = errors.New("several records in a gzip member")

// A visitor receives the records of a source in file order.
type visitor interface {
	// begin receives a record before its block is read, and may read any part of it.
	begin(r *record, offset int64) error
	// end reports that the record last begun is complete, and its length in the file.
	end(length int64)
}

// A scanned says what a scan could not read.
type scanned struct {
	truncated int64 // offset of a last record that is cut off: it is begun and not ended; -1: none
	gaps      []gap // damaged records within the file, at most maxGaps
	damaged   int   // how many there are
}

// maxGaps bounds the gaps that a scan lists.
const maxGaps = 1000

// scan reads a source once from start to end. It reads around damaged records: reading goes on with the next record that
// can be told from its first bytes. The error names the offset and wraps ErrInput: no record of the file can be read, or
// reading itself failed; errWhole is returned unwrapped.
func scan(s *source, r *record, see visitor) (found scanned, err error) {
	found.truncated = -1
	scanner := &scanner{source: s, record: r, see: see, read: counter{from: s.file, at: s.from}}
	scanner.in = bufio.NewReaderSize(&scanner.read, maxHead)
	find := finder{source: s}
	step := scanner.plain
	if s.compressed {
		step = scanner.member
	}
	for good := 0; ; {
		offset := scanner.offset()
		if s.from > 0 && offset >= s.size {
			return found, nil // other bytes of the file follow
		}
		err := step(offset)
		switch {
		case err == nil:
			good++
			continue
		case err == io.EOF && scanner.records > 0:
			return found, nil
		case err == errWhole:
			return found, err
		case errors.As(err, new(*os.PathError)):
			return found, s.notRead(offset, err)
		case err == io.EOF:
			err = errNoWARC
		}
		to := find.next(offset + 1)
		if to >= s.size {
			if errors.Is(err, io.ErrUnexpectedEOF) {
				found.truncated = offset
				return found, nil
			}
			if good == 0 {
				return found, s.notRead(offset, err)
			}
		}
		if found.damaged++; len(found.gaps) < maxGaps {
			found.gaps = append(found.gaps, gap{offset, to, err})
		}
		if to >= s.size {
			return found, nil
		}
		scanner.seek(to)
	}
}

// A scanner iterates over the records of a source.
type scanner struct {
	source  *source
	record  *record
	see     visitor
	records int
	in      *bufio.Reader // of the file
	read    counter       // of the bytes that in took from the file
}

// A counter reads a file sequentially and knows its offset.
type counter struct {
	from io.ReaderAt
	at   int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.from.ReadAt(p, c.at)
	c.at += int64(n)
	if n > 0 {
		err = nil
	}
	return n, err
}

// offset is that of the next byte in the file.
func (s *scanner) offset() int64 { return s.read.at - int64(s.in.Buffered()) }

// member reads the record in the next gzip member.
func (s *scanner) member(offset int64) error {
	r := s.record
	if err := r.unzip.Reset(s.in); err != nil {
		return err
	}
	r.unzip.Multistream(false)
	r.out.Reset(r.unzip)
	if err := s.begin(offset); err == io.EOF {
		return nil // an empty member
	} else if err != nil {
		return err
	}
	if err := r.endOfMember(); err != nil {
		return err
	}
	s.see.end(s.offset() - offset)
	return nil
}

// plain reads the next record of an uncompressed file.
func (s *scanner) plain(offset int64) error {
	r := s.record
	r.out, s.in = s.in, r.out // the record is read directly from the file
	err := s.begin(offset)
	r.out, s.in = s.in, r.out
	if err != nil {
		return err
	}
	if err := s.jump(s.offset() + r.left); err != nil {
		return err
	}
	r.left = 0
	if s.swallows(offset) {
		return fmt.Errorf("%w: its Content-Length reaches into the next record", errNoWARC)
	}
	for {
		c, err := s.in.ReadByte()
		if err != nil {
			break
		}
		if c != '\r' && c != '\n' {
			s.in.UnreadByte()
			break
		}
	}
	s.see.end(s.offset() - offset)
	return nil
}

// swallows reports whether the record that begins at an offset and ends here takes the start of the next one for its own: no line
// end follows it, and a record begins in its last bytes.
func (s *scanner) swallows(offset int64) bool {
	next, _ := s.in.Peek(len("WARC/"))
	if s.source.arc || len(next) == 0 || next[0] == '\r' || next[0] == '\n' || s.source.startsRecord(next) {
		return false
	}
	end := s.offset()
	find := finder{source: s.source}
	return find.next(max(offset+1, end-maxHead)) < end
}

// jump continues at a later offset of the file.
func (s *scanner) jump(offset int64) error {
	if offset > s.source.size || offset < 0 {
		return io.ErrUnexpectedEOF
	}
	if ahead := offset - s.offset(); ahead <= int64(s.in.Buffered()) {
		_, err := s.in.Discard(int(ahead))
		return err
	}
	s.seek(offset)
	return nil
}

// seek continues at any offset of the file.
func (s *scanner) seek(offset int64) {
	s.read.at = offset
	s.in.Reset(&s.read)
}

// begin reads a header and passes the record to the visitor.
func (s *scanner) begin(offset int64) (err error) {
	r := s.record
	if r.header, err = s.source.readHeader(r.out); err != nil {
		return err
	}
	r.source = s.source
	r.left = r.header.length
	s.records++
	return s.see.begin(r, offset)
}

// endOfMember reads the rest of a record and checks that only line ends follow in its gzip member, and that its
// checksum is right.
func (r *record) endOfMember() error {
	if err := r.skip(r.left); err != nil {
		return err
	}
	for {
		rest, err := r.out.Peek(1)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if rest[0] != '\r' && rest[0] != '\n' {
			if next, _ := r.out.Peek(maxARCLine); r.source.startsRecord(next) {
				return errWhole
			}
			return fmt.Errorf("%w: other bytes follow it in its gzip member", errNoWARC)
		}
		rest, _ = r.out.Peek(r.out.Buffered())
		r.skipEnds(len(rest) - len(bytes.TrimLeft(rest, "\r\n")))
	}
}

// skipEnds skips n buffered bytes of line ends.
func (r *record) skipEnds(n int) { _, _ = r.out.Discard(n) }
