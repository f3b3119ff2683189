package tag

import "math/bits"

// keyBits is how many bits a key has. Of a million keys that are not in a table of as many, one is
// taken for another.
const keyBits = 40

// maxReach is how far from its place a key may stand in a table. Keys that are hashes stay far below
// it; others are refused, so that no lookup takes long.
const maxReach = 512

// A table finds values by keys. It is built once, in ascending order of the keys.
type table struct {
	slots []slot
	shift uint
	reach int // how many slots from its place a key is at most, plus one
}

// A slot holds the low half of a key, the rest of which its place tells; value 0 says that it is
// empty.
type slot struct{ check, value uint32 }

// newTable makes room for n keys.
func newTable(n int) *table {
	size := max(bits.Len(uint(2*n)), 12) // at most half full
	return &table{slots: make([]slot, 1<<size), shift: uint(keyBits - size), reach: 1}
}

// put adds a key that is not there, with a value above 0; false says that too many are in its way.
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

// find returns the value of a key, 0 for one that is not there.
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
