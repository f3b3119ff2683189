package text

import "hash/maphash"

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

func (n *numbers) slot(word []byte) *slot {
	return &n.slots[maphash.Bytes(n.seed, word)&(numbersSize-1)]
}

func (s *slot) holds(word []byte) bool {
	return int(s.length) == len(word) && string(s.word[:s.length]) == string(word)
}

func (s *slot) fill(word []byte, number uint32) {
	if len(word) <= maxNumbered {
		s.number, s.length = number, uint8(copy(s.word[:], word))
	}
}
