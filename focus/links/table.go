package links

import "hash/maphash"

// A Table is a hash table that maps each target of a page to its last link. Clearing it takes time
// proportional to the page. The zero value is ready for use by one goroutine.
type Table struct {
	seed  maphash.Seed
	slots []int32 // a link plus 1; 0: free. A power of two, at least half of them free
}

// clear empties the table and sizes it for a number of targets.
func (s *Table) clear(targets int) {
	size := 64
	for size < 2*targets {
		size *= 2
	}
	if size > cap(s.slots) {
		s.seed, s.slots = maphash.MakeSeed(), make([]int32, size)
	}
	s.slots = s.slots[:size]
	clear(s.slots)
}

// put sets the last link to a target and returns the previous one, -1 for none. to returns the target of a
// link.
func (s *Table) put(target string, link int32, to func(int32) string) (before int32) {
	mask := uint64(len(s.slots) - 1)
	for i := maphash.String(s.seed, target) & mask; ; i = (i + 1) & mask {
		before = s.slots[i] - 1
		if before < 0 || to(before) == target {
			s.slots[i] = link + 1
			return before
		}
	}
}
