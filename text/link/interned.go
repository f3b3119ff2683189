package link

import (
	"bytes"
	"encoding/binary"
	"slices"

	"github.com/cespare/xxhash/v2"
)

// An interned numbers distinct strings in order of arrival. It takes their bytes plus 12 to 16 each.
type interned struct {
	bytes []byte
	ends  []uint64 // by number
	slots []uint32 // hash table of numbers, from 1
}

func (s *interned) len() int { return len(s.ends) }

func (s *interned) at(number uint32) []byte {
	from := uint64(0)
	if number > 0 {
		from = s.ends[number-1]
	}
	return s.bytes[from:s.ends[number]]
}

// number returns the number of a string, a new one if needed; false: too many.
func (s *interned) number(of string) (uint32, bool) {
	if len(s.ends) >= len(s.slots)/4*3 {
		s.grow()
	}
	mask := uint64(len(s.slots) - 1)
	for i := xxhash.Sum64String(of) & mask; ; i = (i + 1) & mask {
		switch there := s.slots[i]; {
		case there == 0 && len(s.ends) == maxEntities:
			return 0, false
		case there == 0:
			s.bytes = append(s.bytes, of...)
			s.ends = append(s.ends, uint64(len(s.bytes)))
			s.slots[i] = uint32(len(s.ends))
			return uint32(len(s.ends) - 1), true
		case string(s.at(there-1)) == of:
			return there - 1, true
		}
	}
}

func (s *interned) grow() {
	s.slots = make([]uint32, max(1<<10, 2*len(s.slots)))
	mask := uint64(len(s.slots) - 1)
	for number := range s.ends {
		i := xxhash.Sum64(s.at(uint32(number))) & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = uint32(number + 1)
	}
}

// sort sorts the retained strings and maps old numbers to new ones.
func (s *interned) sort(keep []bool) []uint32 {
	var order []uint32
	for number, kept := range keep {
		if kept {
			order = append(order, uint32(number))
		}
	}
	slices.SortFunc(order, func(a, b uint32) int { return bytes.Compare(s.at(a), s.at(b)) })
	sorted := interned{bytes: make([]byte, 0, len(s.bytes)), ends: make([]uint64, 0, len(order))}
	numbers := make([]uint32, len(keep))
	for to, from := range order {
		numbers[from] = uint32(to)
		sorted.bytes = append(sorted.bytes, s.at(from)...)
		sorted.ends = append(sorted.ends, uint64(len(sorted.bytes)))
	}
	*s = sorted
	return numbers
}

// packed front-codes sorted strings in blocks: each as the number of bytes shared with its predecessor, the number of
// its own bytes, and these. blocks holds the start of each block.
func (s *interned) packed() (packed, blocks []byte) {
	var before []byte
	for number := range s.ends {
		if number%block == 0 {
			blocks = binary.LittleEndian.AppendUint32(blocks, uint32(len(packed)))
			before = nil
		}
		this := s.at(uint32(number))
		shared := 0
		for shared < len(before) && shared < len(this) && before[shared] == this[shared] {
			shared++
		}
		packed = binary.AppendUvarint(packed, uint64(shared))
		packed = binary.AppendUvarint(packed, uint64(len(this)-shared))
		packed = append(packed, this[shared:]...)
		before = this
	}
	return slices.Clip(packed), blocks
}
