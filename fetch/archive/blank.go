package archive

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"

	"orbweaver"
)

// The sizes of a gzip member of stored blocks (RFC 1951, section 3.2.4; RFC 1952).
const (
	memberFrame = 18 // header and trailer
	blockFrame  = 5  // header of a stored block
	maxStep     = 64 << 10
)

// The two forms of a blank's date: a length of text that one form cannot have, the other has.
const (
	blankDate     = "1970-01-01T00:00:00Z"
	longBlankDate = "1970-01-01T00:00:00.0Z"
)

// A blank is a WARC record in the place of others: a metadata record of spaces, as a gzip member of exactly their length. It says
// nothing of what was there. It is a function of its place.
type blank struct {
	at     orbweaver.Ref
	spaces int64
	text   int64 // bytes of the record, uncompressed
	blocks int64
	date   string
}

// blankAt makes the blank for a range of a file; false if the range is too small for one. The records of a Writer never are: a request
// is stored, with more fields.
func blankAt(at orbweaver.Ref) (blank, bool) {
	b := blank{at: at, date: blankDate}
	left := at.Length - memberFrame
	b.blocks = left/(maxStored+blockFrame) + 1
	b.text = left - b.blocks*blockFrame
	frame := int64(len(b.head(0, ""))-1+len(emptyDigest)) + int64(len(recordEnd))
	for _, date := range []string{blankDate, longBlankDate} {
		b.date = date
		room := b.text - frame - int64(len(date)-len(blankDate)) // digits and spaces
		for digits := int64(1); digits < 19; digits++ {
			b.spaces = room - digits
			if b.spaces >= 0 && int64(len(strconv.FormatInt(b.spaces, 10))) == digits {
				return b, true
			}
		}
	}
	return b, false
}

// blankID is the id of the blank at a place.
func blankID(file string, offset int64) string {
	return recordID("removed", file, strconv.FormatInt(offset, 10))
}

// isBlank reports whether a record of a file is a blank.
func isBlank(h *header, file string, offset int64) bool {
	return h.kind == "metadata" && h.id == blankID(file, offset)
}

func (b *blank) head(spaces int64, digest string) []byte {
	p := &Packed{date: b.date}
	h := p.appendFields(nil, "metadata", blankID(b.at.File, b.at.Offset), "text/plain", int(spaces))
	return append(appendField(h, "WARC-Block-Digest", digest), lineEnd...)
}

// write writes the blank over what is at its place.
func (b *blank) write(to io.WriterAt) error {
	out := bufio.NewWriterSize(io.NewOffsetWriter(to, b.at.Offset), 256<<10)
	spaces := bytes.Repeat([]byte{' '}, maxStep)
	sum := sha1.New()
	eachStep(b.spaces, func(n int64) { _, _ = sum.Write(spaces[:n]) }) // a hash never fails
	s := &stored{out: out, left: b.text, blocks: b.blocks}
	_, _ = out.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff}) // Flush returns the error
	s.write(b.head(b.spaces, digestOf([sha1.Size]byte(sum.Sum(nil)))))
	eachStep(b.spaces, func(n int64) { s.write(spaces[:n]) })
	s.write(recordEnd)
	s.end(b.text)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("%s at byte %d: %w", b.at.File, b.at.Offset, err)
	}
	return nil
}

// eachStep calls f with numbers of at most maxStep that add up to n.
func eachStep(n int64, f func(n int64)) {
	for ; n > 0; n -= maxStep {
		f(min(n, maxStep))
	}
}

// stored writes a gzip member of a known number of stored blocks, the last of which may be empty.
type stored struct {
	out    *bufio.Writer
	left   int64 // bytes that no block has yet
	blocks int64 // that are not begun yet
	room   int64 // in the block that is begun
	sum    uint32
}

func (s *stored) write(p []byte) {
	s.sum = crc32.Update(s.sum, crc32.IEEETable, p)
	for len(p) > 0 {
		if s.room == 0 {
			s.begin()
		}
		n := min(s.room, int64(len(p)))
		_, _ = s.out.Write(p[:n])
		p, s.room = p[n:], s.room-n
	}
}

func (s *stored) begin() {
	s.blocks--
	s.room = min(s.left, maxStored)
	s.left -= s.room
	b := []byte{0}
	if s.blocks == 0 {
		b[0] = 1
	}
	b = binary.LittleEndian.AppendUint16(b, uint16(s.room))
	_, _ = s.out.Write(binary.LittleEndian.AppendUint16(b, ^uint16(s.room)))
}

// end ends a member of n bytes.
func (s *stored) end(n int64) {
	for s.blocks > 0 {
		s.begin()
	}
	b := binary.LittleEndian.AppendUint32(nil, s.sum)
	_, _ = s.out.Write(binary.LittleEndian.AppendUint32(b, uint32(n)))
}
