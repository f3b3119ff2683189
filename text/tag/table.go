package tag

import "math/bits"

// keyBits is the number of bits of a key. In a table of a million keys, a lookup of an absent key succeeds
// once in about a million.
const keyBits = 40

// maxReach bounds the distance of a key from its home slot. Hashed keys stay far below it; tables that exceed
// it are rejected, which bounds lookups.
const maxReach = 512

// A table maps keys to values. It is built once, in ascending order of keys.
type table struct {
	slots []slot
	shift uint
	reach int // bound of the distance of a key from its home slot, plus one
}

// A slot holds the low half of a key, whose high bits follow from its position; value 0 means empty.
type slot struct{ check, value uint32 }

// newTable returns an empty table for n keys.
func newTable(n int) *table {
	size := max(bits.Len(uint(2*n)), 12) // at most half full
	return &table{slots: make([]slot, 1<<size), shift: uint(keyBits - size), reach: 1}
}

// put adds an absent key with a value above 0; false if it would exceed maxReach.
func (t *table) put(key uint64, value uint32) bool {
	mask := uint64(len(t.slots) - 1)
	for i := range uint64(maxReach) {
		if s := &t.slots[(key>>t.shift+i)&mask]; s.value == 0 {
			*s = slot{uint32(key), value}
			t.reach = max(t.reach, int(i)+1)
			return true
		}
	}
	return false
}

// find returns the value of a key, 0 if absent.
func (t *table) find(key uint64) uint32 {
	slots := t.slots
	mask := uint64(len(slots) - 1)
	for i := key >> t.shift; i < key>>t.shift+uint64(t.reach); i++ {
		s := slots[i&mask]
		if s.value == 0 || s.check == uint32(key) {
			return s.value
		}
	}
	return 0
}
