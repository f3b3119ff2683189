package text

import (
	"encoding/binary"
	"hash/maphash"
)

const (
	numbersSize = 1 << 16
	maxNumbered = 27 // bytes; longer words are not cached. A slot fills half a cache line
)

// numbers caches the stem numbers of words, so that a known word is neither stemmed nor looked up in the lexicon. It
// is direct-mapped: a word evicts the one in its slot. It stores words by value, so nothing is allocated.
type numbers struct {
	seed  maphash.Seed
	slots []slot
}

type slot struct {
	number uint32
	length uint8 // 0: empty
	word   [maxNumbered]byte
}

func newNumbers() numbers {
	return numbers{seed: maphash.MakeSeed(), slots: make([]slot, numbersSize)}
}

// short returns the slot of a word of at most maxKey bytes.
func (n *numbers) short(k key) *slot { return &n.slots[k.hash()&(numbersSize-1)] }

// long returns the slot of any other word.
func (n *numbers) long(word []byte) *slot {
	return &n.slots[maphash.Bytes(n.seed, word)&(numbersSize-1)]
}

// holdsShort reports whether the slot holds the word with this key.
func (s *slot) holdsShort(k key) bool {
	return binary.LittleEndian.Uint64(s.word[:8]) == k.low && binary.LittleEndian.Uint64(s.word[8:]) == k.high &&
		s.length <= maxKey
}

// holdsLong reports whether the slot holds this longer word.
func (s *slot) holdsLong(word []byte) bool {
	return int(s.length) == len(word) && string(s.word[:s.length]) == string(word)
}

// fill stores a word in the slot, unless it is too long.
func (s *slot) fill(word []byte, number uint32) {
	if len(word) <= maxNumbered {
		s.word = [maxNumbered]byte{}
		s.number, s.length = number, uint8(copy(s.word[:], word))
	}
}
