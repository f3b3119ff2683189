package eval

import (
	"crypto/sha256"
	"encoding/binary"
)

// urlSet is a set of URLs at 11 to 22 bytes each, regardless of length: it stores 64 bits of their SHA-256.
// Among ten million URLs the probability of a collision is 3 in a million, and whoever chooses URLs cannot
// easily raise it. The zero urlSet is empty.
type urlSet struct {
	slots []uint64 // open addressing, a power of two of them; 0 is free
	n     int
	text  []byte // the current URL, for the hash
}

// add adds a URL and reports whether it was new.
func (s *urlSet) add(url string) bool {
	if s.n*4 >= len(s.slots)*3 {
		s.grow()
	}
	if s.insert(s.key(url)) {
		s.n++
		return true
	}
	return false
}

// key is the hash of a URL; never 0.
func (s *urlSet) key(url string) uint64 {
	s.text = append(s.text[:0], url...)
	sum := sha256.Sum256(s.text)
	return max(1, binary.LittleEndian.Uint64(sum[:]))
}

func (s *urlSet) insert(key uint64) bool {
	mask := uint64(len(s.slots) - 1)
	for i := key & mask; ; i = (i + 1) & mask {
		switch s.slots[i] {
		case key:
			return false
		case 0:
			s.slots[i] = key
			return true
		}
	}
}

func (s *urlSet) grow() {
	old := s.slots
	s.slots = make([]uint64, max(64, 2*len(old)))
	for _, key := range old {
		if key != 0 {
			s.insert(key)
		}
	}
}
