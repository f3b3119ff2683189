package blend

import (
	"encoding/binary"
	"math"
)

// A standing is what a waiting request is to one part.
type standing struct {
	ranked bool    // the part proposed it, and did not drop it
	raw    float64 // the part's score
	note   []byte  // the part's Note
}

// A note is what a blend keeps with a request.
type note struct {
	parts []standing
	best  float64 // value of the best single link: that by which the request waits
}

// noteVersion is the first byte of a note.
const noteVersion = 0xb1

// append encodes a note: its version, the best value, and of each part a byte, 1 if it ranks the request, with its
// score and its Note.
func (n note) append(b []byte) []byte {
	b = append(b, noteVersion)
	b = binary.LittleEndian.AppendUint64(b, math.Float64bits(n.best))
	for _, s := range n.parts {
		if !s.ranked {
			b = append(b, 0)
			continue
		}
		b = binary.LittleEndian.AppendUint64(append(b, 1), math.Float64bits(s.raw))
		b = binary.AppendUvarint(b, uint64(len(s.note)))
		b = append(b, s.note...)
	}
	return b
}

// readNote decodes the note of a blend of so many parts; false for a note of another kind, such as a seed's.
func readNote(b []byte, parts int) (n note, ok bool) {
	if len(b) < 9 || b[0] != noteVersion {
		return n, false
	}
	n.best, b = math.Float64frombits(binary.LittleEndian.Uint64(b[1:])), b[9:]
	n.parts = make([]standing, parts)
	for i := range n.parts {
		if len(b) == 0 || b[0] > 1 {
			return n, false
		}
		if b[0] == 0 {
			b = b[1:]
			continue
		}
		if len(b) < 9 {
			return n, false
		}
		s := standing{ranked: true, raw: math.Float64frombits(binary.LittleEndian.Uint64(b[1:]))}
		b = b[9:]
		size, read := binary.Uvarint(b)
		if read <= 0 || size > uint64(len(b)-read) {
			return n, false
		}
		if size > 0 {
			s.note = b[read : read+int(size) : read+int(size)]
		}
		n.parts[i], b = s, b[read+int(size):]
	}
	return n, len(b) == 0
}
