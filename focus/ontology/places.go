package ontology

import "hash/maphash"

// places finds, for each of a page's targets, its last link. It is a hash table that is cleared at a cost
// of the page it is used for.
type places struct {
	seed  maphash.Seed
	slots []int32 // a link and 1; 0: free. A power of two, at least half of them free
}

// clear makes room for so many targets.
func (s *places) clear(targets int) {
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

// put notes the last link of a target, and returns the one noted before, -1 for none. to tells the target
// of a link.
func (s *places) put(target string, link int32, to func(int32) string) (before int32) {
	mask := uint64(len(s.slots) - 1)
	for i := maphash.String(s.seed, target) & mask; ; i = (i + 1) & mask {
		before = s.slots[i] - 1
		if before < 0 || to(before) == target {
			s.slots[i] = link + 1
			return before
		}
	}
}
