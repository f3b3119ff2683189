package frontier

import (
	"math/bits"
	"slices"
)

// A list is the structure that holds a waiting request: one of its host's heaps, or the file.
type list uint32

// The lists.
const (
	inQueue list = iota // by score
	inRound             // of the round
	inAhead             // redirect targets, before all others
	inFile
)

// A place locates a waiting request: the number of its host, with the list in the two highest bits, and the
// position in the list: an index into a heap, or a slot of the file.
type place struct{ host, at uint32 }

const hostBits = 30

func placeOf(host uint32, l list) uint32 { return uint32(l)<<hostBits | host }

// list returns the list of a place.
func (p place) list() list { return list(p.host >> hostBits) }

// owner returns the number of the host.
func (p place) owner() uint32 { return p.host & (1<<hostBits - 1) }

// Dimensions of an index.
const (
	pageBits = 8
	dirBits  = 10
	pageSize = 1 << pageBits
	dirSize  = 1 << dirBits
	words    = pageSize / 64
)

// An index maps each waiting request, by number, to its place. It holds at most a bit per number that does
// not wait, so the distribution of numbers does not matter.
type index struct {
	dirs []*directory
	n    int // requests
	gone int // marked as gone
}

// A directory holds 1024 pages.
type directory struct {
	pages [dirSize]*page
	waits [dirSize]uint16 // of the requests of each page, how many wait
	n     int             // sum of waits
}

// A page holds the places of the waiting ones of 256 numbers.
type page struct {
	waits [words]uint64
	gone  [words]uint64 // left once, and may still be listed in a group
	below [words]uint8  // waiting numbers in the preceding words: at most 192
	slots []place       // of those that wait, in order
}

// rank returns how many numbers of a page below the given one wait.
func (p *page) rank(word uint32, bit uint64) int {
	return int(p.below[word]) + bits.OnesCount64(p.waits[word]&(bit-1))
}

// split splits a number into its word in a page and its bit there.
func split(id uint32) (word uint32, bit uint64) { return id / 64 % words, 1 << (id % 64) }

// page returns the page of a number, or nil.
func (x *index) page(id uint32) *page {
	dir := int(id >> (pageBits + dirBits))
	if dir >= len(x.dirs) || x.dirs[dir] == nil {
		return nil
	}
	return x.dirs[dir].pages[id>>pageBits%dirSize]
}

// find returns the place of a request, nil if it does not wait. It is valid until the next put or remove.
func (x *index) find(id uint32) *place {
	p := x.page(id)
	if p == nil {
		return nil
	}
	word, bit := split(id)
	if p.waits[word]&bit == 0 {
		return nil
	}
	return &p.slots[p.rank(word, bit)]
}

// stand sets the position of a waiting request.
func (x *index) stand(id uint32, at int) { x.find(id).at = uint32(at) }

// put adds a request that does not wait.
func (x *index) put(id uint32, where place) {
	p := x.page(id)
	if p == nil {
		p = x.open(id)
	}
	word, bit := split(id)
	at := p.rank(word, bit)
	if n := len(p.slots); n == cap(p.slots) {
		p.slots = resized(p.slots, spare(n, n == int(id%pageSize)))
	}
	p.slots = slices.Insert(p.slots, at, where)
	p.waits[word] |= bit
	for w := word + 1; w < words; w++ {
		p.below[w]++
	}
	x.count(id, 1)
}

// count adds to the number of requests that wait, in the directory of a number too.
func (x *index) count(id uint32, more int) {
	x.n += more
	dir := x.dirs[id>>(pageBits+dirBits)]
	dir.n += more
	dir.waits[id>>pageBits%dirSize] += uint16(more)
}

// spare returns the capacity to which a full page grows. A page without gaps is expected to stay so.
func spare(n int, dense bool) int {
	switch {
	case dense && n >= 64:
		return pageSize
	case dense:
		return max(8, 2*n)
	}
	return min(n+n/8+1, pageSize)
}

// open creates the page of a number.
func (x *index) open(id uint32) *page {
	dir := int(id >> (pageBits + dirBits))
	for dir >= len(x.dirs) {
		x.dirs = append(x.dirs, nil)
	}
	if x.dirs[dir] == nil {
		x.dirs[dir] = new(directory)
	}
	p := &page{}
	x.dirs[dir].pages[id>>pageBits%dirSize] = p
	return p
}

// remove removes a waiting request. If it may be listed in a group, it is marked as gone.
func (x *index) remove(id uint32, listed bool) {
	p := x.page(id)
	word, bit := split(id)
	at := p.rank(word, bit)
	p.slots = slices.Delete(p.slots, at, at+1)
	if c := cap(p.slots); c > leastCap && len(p.slots) < c*5/6 {
		p.slots = resized(p.slots, len(p.slots)+len(p.slots)/16)
	}
	p.waits[word] &^= bit
	for w := word + 1; w < words; w++ {
		p.below[w]--
	}
	x.count(id, -1)
	if listed && p.gone[word]&bit == 0 {
		p.gone[word] |= bit
		x.gone++
	}
	x.close(id, p)
}

// close removes an empty page.
func (x *index) close(id uint32, p *page) {
	if len(p.slots) == 0 && p.gone == [words]uint64{} {
		x.dirs[id>>(pageBits+dirBits)].pages[id>>pageBits%dirSize] = nil
	}
}

// left reports whether a request is marked as gone.
func (x *index) left(id uint32) bool {
	p := x.page(id)
	if p == nil {
		return false
	}
	word, bit := split(id)
	return p.gone[word]&bit != 0
}

// steady reports whether a request waits and is not marked as gone.
func (x *index) steady(id uint32) bool {
	p := x.page(id)
	if p == nil {
		return false
	}
	word, bit := split(id)
	return p.waits[word]&^p.gone[word]&bit != 0
}

// forgive clears all marks of being gone.
func (x *index) forgive() {
	x.gone = 0
	for d, dir := range x.dirs {
		if dir == nil {
			continue
		}
		empty := true
		for i, p := range dir.pages {
			if p == nil {
				continue
			}
			p.gone = [words]uint64{}
			x.close(uint32(d<<dirBits|i)<<pageBits, p)
			empty = empty && dir.pages[i] == nil
		}
		if empty {
			x.dirs[d] = nil
		}
	}
}

// all returns the numbers of the requests that wait, ascending.
func (x *index) all() []uint64 {
	ids := make([]uint64, 0, x.n)
	for d, dir := range x.dirs {
		if dir == nil {
			continue
		}
		for i, p := range dir.pages {
			if p == nil {
				continue
			}
			for w, word := range p.waits {
				for ; word != 0; word &= word - 1 {
					ids = append(ids, uint64((d<<dirBits|i)<<pageBits|w<<6|bits.TrailingZeros64(word)))
				}
			}
		}
	}
	return ids
}
