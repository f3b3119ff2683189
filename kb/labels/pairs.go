package labels

// What is in force for a pair, in one direction: of x, given t.
const (
	alphaBit uint8 = 1 << iota // t gives the label x
	betaBit                    // t with others gives the label x, or alone where alphaBit is set too
	overBit                    // P(x|t) speaks for x being broader than t
	backBit                    // P(x|t) speaks against t being broader than x
	allBits  = alphaBit | betaBit | overBit | backBit
)

// Flags of a pair.
const (
	supported uint8 = 1 << iota // items enough hold both
	queued                      // it stands in Model.fading
)

// A pair is what is known of two terms. It is stale, and worth nothing, when one of the terms was
// forgotten since: then its generation is another one.
type pair struct {
	a, b       uint32 // a < b
	n          float64
	generation [2]uint16
	bits       [2]uint8 // of b given a; of a given b
	flags      uint8
}

// given is what a side is about: x given t.
func (p *pair) given(side int) (t, x uint32) {
	if side == 0 {
		return p.a, p.b
	}
	return p.b, p.a
}

// sideOf is the side on which t is given.
func (p *pair) sideOf(t uint32) int {
	if t == p.a {
		return 0
	}
	return 1
}

// over reports whether x is broader than t, of the side where t is given, if both are labels.
func (p *pair) over(side int) bool {
	return p.bits[side]&overBit != 0 && p.bits[1-side]&backBit == 0
}

const (
	pageBits = 14
	pageSize = 1 << pageBits
)

// pairs is a table of pairs by their terms: pages that never move, and an index by open addressing.
type pairs struct {
	pages [][]pair
	used  uint32
	index []uint32 // number of a pair and 1; 0: none. Its length is a power of two, at least twice used
	hand  uint32   // where the next to be forgotten is looked for
}

func (s *pairs) at(i uint32) *pair { return &s.pages[i>>pageBits][i&(pageSize-1)] }

// mix mixes two numbers of terms (the finalizer of MurmurHash3).
func mix(a, b uint32) uint64 {
	h := uint64(a)<<32 | uint64(b)
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// slot is where a pair stands in the index, or would.
func (s *pairs) slot(a, b uint32) uint64 {
	mask := uint64(len(s.index) - 1)
	for i := mix(a, b) & mask; ; i = (i + 1) & mask {
		if s.index[i] == 0 {
			return i
		}
		if p := s.at(s.index[i] - 1); p.a == a && p.b == b {
			return i
		}
	}
}

// find is the number of a pair, a < b, stale or not.
func (s *pairs) find(a, b uint32) (uint32, bool) {
	if len(s.index) == 0 {
		return 0, false
	}
	i := s.index[s.slot(a, b)]
	return i - 1, i != 0
}

// guess is the number, and 1, of what stands where a pair should stand in the index, which need not be that
// pair; 0: nothing does.
func (s *pairs) guess(a, b uint32) uint32 {
	if len(s.index) == 0 {
		return 0
	}
	return s.index[mix(a, b)&uint64(len(s.index)-1)]
}

// add appends a pair that is not there.
func (s *pairs) add(p pair) uint32 {
	if int(s.used)>>pageBits == len(s.pages) {
		s.pages = append(s.pages, make([]pair, pageSize))
	}
	i := s.used
	s.used++
	*s.at(i) = p
	if uint64(s.used)*2 > uint64(len(s.index)) {
		s.grow()
	} else {
		s.index[s.slot(p.a, p.b)] = i + 1
	}
	return i
}

// grow makes the index anew, twice as large.
func (s *pairs) grow() {
	s.index = make([]uint32, max(pageSize, 2*len(s.index)))
	for i := range s.used {
		p := s.at(i)
		s.index[s.slot(p.a, p.b)] = i + 1
	}
}

// replace puts a pair that is not there in the place of another.
func (s *pairs) replace(i uint32, by pair) {
	old := s.at(i)
	s.unindex(s.slot(old.a, old.b))
	*old = by
	s.index[s.slot(by.a, by.b)] = i + 1
}

// unindex empties a place of the index and closes the gap.
func (s *pairs) unindex(gap uint64) {
	mask := uint64(len(s.index) - 1)
	s.index[gap] = 0
	for i := (gap + 1) & mask; s.index[i] != 0; i = (i + 1) & mask {
		p := s.at(s.index[i] - 1)
		if home := mix(p.a, p.b) & mask; (i-home)&mask >= (i-gap)&mask {
			s.index[gap], s.index[i] = s.index[i], 0
			gap = i
		}
	}
}
