package ledger

import (
	"math"
	"math/bits"
)

const (
	twinBits   = 3 // by which the simhashes of near pages differ at most
	twinBlocks = 4 // of 16 bits: within 3 bits of each other, two hashes have one in common
	twinLooks  = 1024
	twinChunk  = 1024 // pages: an allocation without waste
	twinSize   = 28   // bytes of a twin
)

// twins finds pages with the same, or nearly the same, content. Pages go by the numbers of their
// outcomes. It is for one goroutine.
//
// Near pages are found as by Manku, Jain and Das Sarma (2007): a simhash is cut in four blocks, and
// the pages that share a block with it are compared whole. We keep no sorted tables but a chain of
// pages for each value of each block, in the order of their numbers. A lookup follows each of its four
// chains for 1024 pages at most, the oldest: a page behind them, for that many share a block's value,
// is found only by another block that it shares.
//
// A page takes 28 bytes, and 15 for its digest, and all together a megabyte more; nothing leaves
// memory. Among a million pages whose simhashes are spread a lookup compares 60; it never compares
// more than 4096. Digests are told apart by 62 bits, as a seenSet does.
type twins struct {
	digests *seenSet                     // digest → the first page's number
	pages   []*[twinChunk]twin           // those with a simhash, by their places less one
	n       uint32                       // how many
	newest  *[twinBlocks][1 << 16]uint32 // by block and value: the place of the last page of the chain
}

// A twin is a page. The next of a chain's newest page is its oldest.
type twin struct {
	high, low uint32 // simhash
	number    uint32
	next      [twinBlocks]uint32 // places
}

func newTwins() *twins { return &twins{digests: newSeenSet(0, nil)} }

// put adds page n, which is above all before and at most 2^32-1; others are not kept. A simhash of 0
// says that there is none. Of equal digests the first stays.
func (t *twins) put(n int64, digest, simhash uint64) {
	if n < 1 || n > math.MaxUint32 {
		return
	}
	if _, again := t.digests.get(digest); !again {
		t.digests.put(digest, uint64(n))
	}
	if simhash == 0 {
		return
	}
	if t.newest == nil {
		t.newest = new([twinBlocks][1 << 16]uint32)
	}
	if t.n%twinChunk == 0 {
		t.pages = append(t.pages, new([twinChunk]twin))
	}
	t.n++
	page := t.at(t.n)
	*page = twin{high: uint32(simhash >> 32), low: uint32(simhash), number: uint32(n)}
	for block := range t.newest {
		newest := &t.newest[block][twinBlock(simhash, block)]
		page.next[block] = t.n
		if *newest != 0 {
			before := t.at(*newest)
			page.next[block], before.next[block] = before.next[block], t.n
		}
		*newest = t.n
	}
}

// same returns the first page with a digest.
func (t *twins) same(digest uint64) (n int64, ok bool) {
	number, ok := t.digests.get(digest)
	return int64(number), ok
}

// near returns the first page whose simhash differs in three bits at most; none for a simhash of 0.
// It goes along its chains in step, so that they wait for memory together.
func (t *twins) near(simhash uint64) (n int64, ok bool) {
	if simhash == 0 || t.n == 0 {
		return 0, false
	}
	var at, last [twinBlocks]uint32 // places; at 0 a chain is done
	for block := range at {
		if last[block] = t.newest[block][twinBlock(simhash, block)]; last[block] != 0 {
			at[block] = t.at(last[block]).next[block]
		}
	}
	best := uint32(math.MaxUint32)
	for looks := 0; looks < twinLooks && at != [twinBlocks]uint32{}; looks++ {
		for block, place := range at {
			if place == 0 {
				continue
			}
			page := t.at(place)
			at[block] = page.next[block]
			if page.near(simhash) {
				best = min(best, place)
			}
			if place == last[block] || place >= best {
				at[block] = 0
			}
		}
	}
	if best == math.MaxUint32 {
		return 0, false
	}
	return int64(t.at(best).number), true
}

// at is the page at a place, from 1.
func (t *twins) at(place uint32) *twin {
	return &t.pages[(place-1)/twinChunk][(place-1)%twinChunk]
}

// twinBlock is one of the four blocks of a simhash.
func twinBlock(simhash uint64, block int) uint16 { return uint16(simhash >> (16 * block)) }

// near reports whether the simhash of a page differs from another in three bits at most.
func (p *twin) near(simhash uint64) bool {
	return bits.OnesCount64((uint64(p.high)<<32|uint64(p.low))^simhash) <= twinBits
}
