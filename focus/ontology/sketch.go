package ontology

import (
	"cmp"
	"slices"
)

// A sketch counts the most frequent keys of a stream in bounded memory (Space-Saving: Metwally, Agrawal and
// El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", ICDT 2005).
//
// It has a fixed number of slots. A key without a slot takes over that of a key with the least count and
// continues from that count, which overestimates it by at most its excess. For every key with a slot
//
//	count − excess ≤ number of occurrences ≤ count,
//
// the counts of all slots add up to the length of the stream, no excess exceeds that length divided by the
// number of slots, and every key that occurs more often than that has a slot.
//
// Among keys of least count, the first one after the hand is replaced, which the algorithm leaves open. The
// hand cycles through the slots; all slots it has passed in the current round count more than floor, so at
// most two slots are examined per key of the stream (amortized).
//
// All of this holds for the sketches of several streams that are merged, but for the sum of counts: it is at most the
// length of the streams.
type sketch struct {
	most  int    // maximum number of slots
	slots []slot // in use
	index index
	hand  int
	floor int64 // the least count at the start of the hand's round
}

// A slot counts a key.
type slot struct {
	key    uint64
	count  int64
	excess int64 // maximum overestimation of count
}

// support returns a lower bound of the key's occurrences.
func (s *slot) support() int64 { return s.count - s.excess }

// newSketch returns a sketch of at most most slots. Keys must be hashes: their bits are used directly.
func newSketch(most int) *sketch { return &sketch{most: most, index: newIndex(min(most, firstSlots))} }

// firstSlots is the initial capacity of the index, which doubles as slots are added.
const firstSlots = 64

// meet counts a key and returns its slot; fresh reports that the key is new to the slot.
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

// find returns the slot of a key, or -1.
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

// add appends a slot.
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

// least returns a slot of least count, when all are in use.
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

// unmet returns the most that a key without a slot can have occurred.
func (s *sketch) unmet() int64 {
	if len(s.slots) < s.most {
		return 0
	}
	least := s.slots[0].count
	for i := range s.slots {
		least = min(least, s.slots[i].count)
	}
	return least
}

// A place is where a key of a merged sketch stands in those that it was made of, -1: nowhere.
type place struct{ first, second int32 }

// merge returns the sketch of two streams together, and the places of its keys, by slot (Agarwal et al., "Mergeable
// Summaries", PODS 2012; for Space-Saving: Cafaro, Pulimeno and Tempesta, "A parallel space saving algorithm for frequent
// items and the Hurwitz zeta distribution", Information Sciences 329, 2016). A key without a slot in one of them occurred there
// as often as unmet says at most, and perhaps never. Of more keys than there are slots those of the largest counts stay,
// among equal counts those that are surer, then those of the first sketch.
func (s *sketch) merge(more *sketch) (sum *sketch, places []place) {
	all := make([]slot, 0, len(s.slots)+len(more.slots))
	from := make([]place, 0, cap(all))
	unmet, unmetMore := s.unmet(), more.unmet()
	for i, one := range s.slots {
		at := more.find(one.key)
		two := slot{one.key, unmetMore, unmetMore}
		if at >= 0 {
			two = more.slots[at]
		}
		all = append(all, slot{one.key, one.count + two.count, one.excess + two.excess})
		from = append(from, place{int32(i), at})
	}
	for i, two := range more.slots {
		if s.find(two.key) < 0 {
			all = append(all, slot{two.key, two.count + unmet, two.excess + unmet})
			from = append(from, place{-1, int32(i)})
		}
	}
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(all[b].count, all[a].count), cmp.Compare(all[a].excess, all[b].excess))
	})
	order = order[:min(len(order), s.most)]
	slices.Sort(order)
	sum = newSketch(s.most)
	for _, i := range order {
		sum.add(all[i])
		places = append(places, from[i])
	}
	return sum, places
}

// An index maps keys to slots by linear probing: unlike a map, it is small enough to stay in the CPU cache.
type index struct {
	slots []int32  // slot plus 1; 0: free. A power of two, at most half in use
	tags  []uint32 // parallel to slots: the key's upper half, which determines its home
}

func newIndex(most int) index {
	n := 2
	for n < 2*most {
		n *= 2
	}
	return index{make([]int32, n), make([]uint32, n)}
}

// home returns the preferred position of a key.
func (x *index) home(key uint64) int { return int(key>>32) & (len(x.slots) - 1) }

func (x *index) next(i int) int { return (i + 1) & (len(x.slots) - 1) }

// put inserts a key that is not present.
func (x *index) put(key uint64, slot int32) {
	i := x.home(key)
	for x.slots[i] != 0 {
		i = x.next(i)
	}
	x.slots[i], x.tags[i] = slot+1, uint32(key>>32)
}

// remove deletes a key that is present, and moves later entries of the same run closer to their homes.
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
