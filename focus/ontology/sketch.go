package ontology

// A sketch counts, in memory that does not grow, the keys of a stream that come most often
// (Space-Saving: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k
// Elements in Data Streams", ICDT 2005).
//
// It has a fixed number of slots. A key that has none takes that of a key counted least and continues from its count,
// which may be too much: by its excess at most. So of every key that has a slot
//
//	count − excess ≤ how often it came ≤ count,
//
// the counts of all slots add up to the length of the stream, no excess is more than that length
// divided by the number of slots, and a key that came more often than that has a slot.
//
// Of keys counted equally little the one that stands first behind the hand goes, which is no part of the algorithm:
// hand goes round the slots, all that it passes in one round count more than floor, and no more than two slots are
// examined for every key that came.
type sketch struct {
	most  int    // slots it may have
	slots []slot // in use
	index index
	hand  int
	floor int64 // the least count, as of hand's last round
}

// A slot counts a key.
type slot struct {
	key    uint64
	count  int64
	excess int64 // by how much count may be too large
}

// support is how often the key came, at least.
func (s *slot) support() int64 { return s.count - s.excess }

// newSketch makes a sketch of at most so many slots. Keys are to be hashes: their bits are used as they
// are.
func newSketch(most int) *sketch { return &sketch{most: most, index: newIndex(min(most, firstSlots))} }

// firstSlots is how many slots the index of a new sketch is for; it doubles with them.
const firstSlots = 64

// meet counts a key and returns its slot; fresh says that the slot is new to it.
func (s *sketch) meet(key uint64) (at int32, fresh bool) {
	at = s.find(key)
	switch {
	case at >= 0:
		s.slots[at].count++
		return at, false
	case len(s.slots) < s.most:
		return s.add(slot{key, 1, 0}), true
	}
	at = s.least()
	old := &s.slots[at]
	s.index.remove(old.key, at)
	s.index.put(key, at)
	*old = slot{key, old.count + 1, old.count}
	return at, true
}

// find returns the slot of a key, -1 when it has none.
func (s *sketch) find(key uint64) int32 {
	for i := s.index.home(key); ; i = s.index.next(i) {
		switch at := s.index.slots[i]; {
		case at == 0:
			return -1
		case s.slots[at-1].key == key:
			return at - 1
		}
	}
}

// add uses the next slot.
func (s *sketch) add(next slot) (at int32) {
	at = int32(len(s.slots))
	s.slots = append(s.slots, next)
	if 2*len(s.slots) > len(s.index.slots) {
		s.index = newIndex(len(s.slots))
		for i := range s.slots {
			s.index.put(s.slots[i].key, int32(i))
		}
		return at
	}
	s.index.put(next.key, at)
	return at
}

// least returns a slot that counts least, when all are in use.
func (s *sketch) least() int32 {
	for {
		for ; s.hand < len(s.slots); s.hand++ {
			if s.slots[s.hand].count == s.floor {
				s.hand++
				return int32(s.hand - 1)
			}
		}
		s.hand, s.floor = 0, s.slots[0].count
		for i := range s.slots {
			s.floor = min(s.floor, s.slots[i].count)
		}
	}
}

// An index finds slots by their keys, by linear probing: it is small enough to stay near the processor,
// which a map is not.
type index struct {
	slots []int32  // from 1, 0 for none; a power of two of them, at most half in use
	tags  []uint32 // beside slots: the key's upper half, which says where it would stand best
}

func newIndex(most int) index {
	n := 2
	for n < 2*most {
		n *= 2
	}
	return index{make([]int32, n), make([]uint32, n)}
}

// home returns the place where a key stands best.
func (x *index) home(key uint64) int { return int(key>>32) & (len(x.slots) - 1) }

func (x *index) next(i int) int { return (i + 1) & (len(x.slots) - 1) }

// put puts in a key that is not there.
func (x *index) put(key uint64, slot int32) {
	i := x.home(key)
	for x.slots[i] != 0 {
		i = x.next(i)
	}
	x.slots[i], x.tags[i] = slot+1, uint32(key>>32)
}

// remove takes out a key that is there, and moves those behind it that stand nearer to their homes
// for it.
func (x *index) remove(key uint64, slot int32) {
	gap := x.home(key)
	for x.slots[gap] != slot+1 {
		gap = x.next(gap)
	}
	mask := len(x.slots) - 1
	for i := x.next(gap); x.slots[i] != 0; i = x.next(i) {
		if home := int(x.tags[i]) & mask; (i-home)&mask >= (i-gap)&mask {
			x.slots[gap], x.tags[gap] = x.slots[i], x.tags[i]
			gap = i
		}
	}
	x.slots[gap] = 0
}
