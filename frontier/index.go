package frontier

import (
	"math/bits"
	"slices"
)

// A list is where a waiting request stands: one of its host's heaps, or the file.
type list uint32

// The lists.
const (
	inQueue list = iota // by score
	inRound             // it was chosen
	inAhead             // it goes before all others
	inFile
)

// A place is where a waiting request is to be found: the number of its host and the list, in the
// two highest bits, and the position there: an index into a heap, or a slot of the file.
type place struct{ host, at uint32 }

const hostBits = 30

func placeOf(host uint32, l list) uint32 { return uint32(l)<<hostBits | host }

// list is the list that a place is in.
func (p place) list() list { return list(p.host >> hostBits) }

// owner is the number of the host.
func (p place) owner() uint32 { return p.host & (1<<hostBits - 1) }

// The measures of an index.
const (
	pageBits = 8
	dirBits  = 10
	pageSize = 1 << pageBits
	dirSize  = 1 << dirBits
	words    = pageSize / 64
)

// An index knows the place of each waiting request by its number. Of those numbers that do not wait it
// holds a bit at most, so that it does not matter how they are spread.
type index struct {
	dirs [](*[dirSize]*page)
	n    int // requests
	gone int // marked as gone
}

// A page holds the places of those of 256 numbers that wait.
type page struct {
	waits [words]uint64
	gone  [words]uint64 // left once, and may still be listed in a group
	below [words]uint8  // how many wait in the words before: 192 at most
	slots []place       // of those that wait, in order
}

// rank is how many of a page's numbers below one wait.
func (p *page) rank(word uint32, bit uint64) int {
	return int(p.below[word]) + bits.OnesCount64(p.waits[word]&(bit-1))
}

// split takes a number apart: its word in a page, and its bit there.
func split(id uint32) (word uint32, bit uint64) { return id / 64 % words, 1 << (id % 64) }

// page is the page of a number, nil when there is none.
func (x *index) page(id uint32) *page {
	dir := int(id >> (pageBits + dirBits))
	if dir >= len(x.dirs) || x.dirs[dir] == nil {
		return nil
	}
	return x.dirs[dir][id>>pageBits%dirSize]
}

// find is the place of a request, nil when it does not wait. It holds until another is put or removed.
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

// stand notes the position of a request that waits.
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
	x.n++
}

// spare is the capacity that a full page grows to. One without gaps so far is taken to go on so.
func spare(n int, dense bool) int {
	switch {
	case dense && n >= 64:
		return pageSize
	case dense:
		return max(8, 2*n)
	}
	return min(n+n/8+1, pageSize)
}

// open makes the page of a number.
func (x *index) open(id uint32) *page {
	dir := int(id >> (pageBits + dirBits))
	for dir >= len(x.dirs) {
		x.dirs = append(x.dirs, nil)
	}
	if x.dirs[dir] == nil {
		x.dirs[dir] = new([dirSize]*page)
	}
	p := &page{}
	x.dirs[dir][id>>pageBits%dirSize] = p
	return p
}

// remove lets a request wait no more. If it may be listed in a group, it is marked as gone.
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
	if x.n--; listed && p.gone[word]&bit == 0 {
		p.gone[word] |= bit
		x.gone++
	}
	x.close(id, p)
}

// close lets go of a page that holds nothing.
func (x *index) close(id uint32, p *page) {
	if len(p.slots) == 0 && p.gone == [words]uint64{} {
		x.dirs[id>>(pageBits+dirBits)][id>>pageBits%dirSize] = nil
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

// steady reports whether a request waits that is not marked as gone.
func (x *index) steady(id uint32) bool {
	p := x.page(id)
	if p == nil {
		return false
	}
	word, bit := split(id)
	return p.waits[word]&^p.gone[word]&bit != 0
}

// forgive takes all marks of being gone away.
func (x *index) forgive() {
	x.gone = 0
	for d, dir := range x.dirs {
		empty := true
		for i := range dir { // of a nil directory too: its length is its type's
			if dir == nil || dir[i] == nil {
				continue
			}
			dir[i].gone = [words]uint64{}
			x.close(uint32(d<<dirBits|i)<<pageBits, dir[i])
			empty = empty && dir[i] == nil
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
		for i := range dir {
			if dir == nil || dir[i] == nil {
				continue
			}
			for w, word := range dir[i].waits {
				for ; word != 0; word &= word - 1 {
					ids = append(ids, uint64((d<<dirBits|i)<<pageBits|w<<6|bits.TrailingZeros64(word)))
				}
			}
		}
	}
	return ids
}
