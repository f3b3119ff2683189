package ontology

// A sketch counts, in memory that does not grow, the keys of a stream that come most often
// (Space-Saving: Metwally, Agrawal and El Abbadi, "Efficient Computation of Frequent and Top-k
// Elements in Data Streams", ICDT 2005).
//
// It has a fixed number of slots. A key that has none takes that of a key counted least and goes on
// from its count, which may be too much: by errors at most. So of every key that has a slot
//
//	counts − errors ≤ how often it came ≤ counts,
//
// counts of all slots add up to the length of the stream, errors are at most that length divided by
// the number of slots, and a key that came more often than that has a slot.
//
// Of keys counted equally little the one that stands first behind the hand goes, which is no part of
// the algorithm: hand goes round the slots, all that it passes in one round count more than floor,
// and no slot is looked at more often than keys came.
type sketch struct {
	slots  int
	keys   []uint64 // by slot
	counts []int64  // by slot
	errors []int64  // by slot
	index  map[uint64]int32
	hand   int
	floor  int64 // the least count, as of hand's last round
}

func newSketch(slots int) *sketch {
	return &sketch{slots: slots, index: map[uint64]int32{}}
}

// len returns how many slots are in use.
func (s *sketch) len() int { return len(s.keys) }

// meet counts a key and returns its slot; fresh says that the slot is new to it.
func (s *sketch) meet(key uint64) (slot int32, fresh bool) {
	slot, known := s.index[key]
	switch {
	case known:
		s.counts[slot]++
		return slot, false
	case len(s.keys) < s.slots:
		return s.add(key, 1, 0), true
	}
	slot = s.least()
	delete(s.index, s.keys[slot])
	s.index[key] = slot
	s.keys[slot], s.errors[slot] = key, s.counts[slot]
	s.counts[slot]++
	return slot, true
}

// add gives a key the next slot.
func (s *sketch) add(key uint64, count, err int64) (slot int32) {
	slot = int32(len(s.keys))
	s.keys, s.counts, s.errors = append(s.keys, key), append(s.counts, count), append(s.errors, err)
	s.index[key] = slot
	return slot
}

// least returns a slot that counts least, when all are in use.
func (s *sketch) least() int32 {
	for {
		for ; s.hand < len(s.counts); s.hand++ {
			if s.counts[s.hand] == s.floor {
				s.hand++
				return int32(s.hand - 1)
			}
		}
		s.hand, s.floor = 0, s.counts[0]
		for _, c := range s.counts {
			s.floor = min(s.floor, c)
		}
	}
}

// support returns how often the key of a slot came, at least.
func (s *sketch) support(slot int32) int64 { return s.counts[slot] - s.errors[slot] }
