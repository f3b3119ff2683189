package labels

// Flags in force for a pair, in one direction: for x, given t.
const (
	alphaBit uint8 = 1 << iota // t implies the label x
	betaBit                    // t with others implies the label x, or alone where alphaBit is also set
	overBit                    // P(x|t) supports x being broader than t
	backBit                    // P(x|t) contradicts t being broader than x
	allBits  = alphaBit | betaBit | overBit | backBit
)

// Flags of a pair.
const (
	supported uint8 = 1 << iota // enough items have both
	queued                      // it is in Model.fading
)

// A pair holds the counts of two terms. It is stale once one of the terms was evicted: then its generation
// differs.
type pair struct {
	a, b       uint32 // a < b
	n          float64
	generation [2]uint16
	bits       [2]uint8 // of b given a; of a given b
	flags      uint8
}

// given returns the terms of a side: x given t.
func (p *pair) given(side int) (t, x uint32) {
	if side == 0 {
		return p.a, p.b
	}
	return p.b, p.a
}

// sideOf returns the side on which t is given.
func (p *pair) sideOf(t uint32) int {
	if t == p.a {
		return 0
	}
	return 1
}

// over reports whether, on the side where t is given, x is broader than t, provided both are labels.
func (p *pair) over(side int) bool {
	return p.bits[side]&overBit != 0 && p.bits[1-side]&backBit == 0
}

const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// pairs is a table of pairs by their terms: pages that never move, and for each term an index of its pairs
// with terms of lower numbers. Those are older and mostly more frequent: an item needs a few large indexes,
// which stay in the cache, and many small ones.
type pairs struct {
	pages [][]pair
	used  uint32
	below []partners // by b
	hand  uint32     // position of the next eviction candidate
}

// partners is an index by open addressing, at most three quarters full.
type partners struct {
	slots []slot // a power of two
	used  int
}

type slot struct{ a, number uint32 } // number of the pair plus 1; 0: free

func (s *pairs) at(i uint32) *pair { return &s.pages[i>>pageBits][i&(pageSize-1)] }

// home returns the preferred position of a partner (Fibonacci hashing).
func (p *partners) home(a uint32) uint32 {
	return uint32(uint64(a)*0x9e3779b97f4a7c15>>32) & uint32(len(p.slots)-1)
}

// find returns the slot of a partner, or the free one where it would be.
func (p *partners) find(a uint32) *slot {
	mask := uint32(len(p.slots) - 1)
	i := p.home(a)
	for p.slots[i].number != 0 && p.slots[i].a != a {
		i = (i + 1) & mask
	}
	return &p.slots[i]
}

// put inserts a partner that is not present.
func (p *partners) put(to slot) {
	if p.used++; 4*p.used > 3*len(p.slots) {
		old := p.slots
		p.slots = make([]slot, max(4, 2*len(old)))
		for _, s := range old {
			if s.number != 0 {
				*p.find(s.a) = s
			}
		}
	}
	*p.find(to.a) = to
}

// remove deletes a partner that is present, and closes the gap.
func (p *partners) remove(a uint32) {
	p.used--
	mask := uint32(len(p.slots) - 1)
	gap := p.home(a)
	for p.slots[gap].a != a {
		gap = (gap + 1) & mask
	}
	p.slots[gap] = slot{}
	for i := (gap + 1) & mask; p.slots[i].number != 0; i = (i + 1) & mask {
		if (i-p.home(p.slots[i].a))&mask >= (i-gap)&mask {
			p.slots[gap], p.slots[i] = p.slots[i], slot{}
			gap = i
		}
	}
}

// find returns the number of a pair, a < b, stale or not.
func (s *pairs) find(a, b uint32) (uint32, bool) {
	if int(b) >= len(s.below) || s.below[b].used == 0 {
		return 0, false
	}
	i := s.below[b].find(a).number
	return i - 1, i != 0
}

// peek performs the first memory access of find, to load it into the cache.
func (s *pairs) peek(a, b uint32) uint32 {
	if int(b) >= len(s.below) || len(s.below[b].slots) == 0 {
		return 0
	}
	p := &s.below[b]
	return p.slots[p.home(a)].number
}

// index records the position of a pair.
func (s *pairs) index(i uint32) {
	p := s.at(i)
	for int(p.b) >= len(s.below) {
		s.below = append(s.below, partners{})
	}
	s.below[p.b].put(slot{p.a, i + 1})
}

// add appends a pair that is not present.
func (s *pairs) add(p pair) uint32 {
	if int(s.used)>>pageBits == len(s.pages) {
		s.pages = append(s.pages, make([]pair, pageSize))
	}
	i := s.used
	s.used++
	*s.at(i) = p
	s.index(i)
	return i
}

// replace replaces a pair by one that is not present.
func (s *pairs) replace(i uint32, by pair) {
	old := s.at(i)
	s.below[old.b].remove(old.a)
	*old = by
	s.index(i)
}
