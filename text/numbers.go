package text

import (
	"encoding/binary"
	"hash/maphash"
)

const (
	numbersSize = 1 << 16
	maxNumbered = 27 // bytes; longer words are not remembered. A slot fills half a cache line
)

// numbers remembers the numbers of words' stems, so that a word seen before is neither stemmed nor
// looked up among all stems of a lexicon. It is direct-mapped: a word pushes out the one in its
// place. Words are kept in it, not pointed to, so that nothing is allocated.
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

// short returns the place of a word of at most maxKey bytes.
func (n *numbers) short(k key) *slot { return &n.slots[k.hash()&(numbersSize-1)] }

// long returns the place of any other word.
func (n *numbers) long(word []byte) *slot {
	return &n.slots[maphash.Bytes(n.seed, word)&(numbersSize-1)]
}

// holdsShort reports whether the word whose key this is stands in the slot.
func (s *slot) holdsShort(k key) bool {
	return binary.LittleEndian.Uint64(s.word[:8]) == k.low && binary.LittleEndian.Uint64(s.word[8:]) == k.high &&
		s.length <= maxKey
}

// holdsLong reports whether a longer word stands in the slot.
func (s *slot) holdsLong(word []byte) bool {
	return int(s.length) == len(word) && string(s.word[:s.length]) == string(word)
}

// fill puts a word in the slot, unless it is too long.
func (s *slot) fill(word []byte, number uint32) {
	if len(word) <= maxNumbered {
		s.word = [maxNumbered]byte{}
		s.number, s.length = number, uint8(copy(s.word[:], word))
	}
}
