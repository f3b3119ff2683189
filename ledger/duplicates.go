package ledger

import (
	"math"
	"math/bits"
)

const (
	nearBits         = 3 // largest difference between the simhashes of near pages
	nearBlocks       = 4 // of 16 bits: two hashes within 3 bits of each other share one
	nearLooks        = 1024
	fingerprintChunk = 1024 // pages in one allocation
	fingerprintSize  = 28   // bytes of a fingerprint
)

// duplicates is an index of pages by content, exact and near. It refers to pages by their outcomes' numbers and must
// be used by one goroutine.
//
// Near duplicates are found as by Manku, Jain and Das Sarma (2007): a simhash is cut into four blocks, and pages that
// share a block are compared in full. Instead of their sorted tables there is, for each value of each block, a chain
// of pages in the order of their numbers. A lookup follows each of its four chains for at most the 1024 oldest pages;
// a page behind those is found only by another block that it shares.
//
// A page takes 28 bytes, and 15 for its digest, plus one megabyte for the heads of the chains; nothing is ever
// evicted. Among a million pages with evenly spread simhashes a lookup compares 60, and never more than 4096. Digests
// are compared by 62 bits, as in a seenSet.
type duplicates struct {
	digests *seenSet                         // digest → the first page's number
	pages   []*[fingerprintChunk]fingerprint // pages with a simhash, by place - 1
	n       uint32                           // how many
	newest  *[nearBlocks][1 << 16]uint32     // by block and value: the place of the last page of the chain
}

// A fingerprint is a page in the index. The successor of a chain's newest page is its oldest.
type fingerprint struct {
	high, low uint32 // simhash
	number    uint32
	next      [nearBlocks]uint32 // places
}

func newDuplicates() *duplicates { return &duplicates{digests: newSeenSet(0, nil)} }

// put adds page n, which must exceed all before; numbers beyond 2^32-1 are ignored. A simhash of 0 means that the page
// has none. Of equal digests the first stays.
func (t *duplicates) put(n int64, digest, simhash uint64) {
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
		t.newest = new([nearBlocks][1 << 16]uint32)
	}
	if t.n%fingerprintChunk == 0 {
		t.pages = append(t.pages, new([fingerprintChunk]fingerprint))
	}
	t.n++
	page := t.at(t.n)
	*page = fingerprint{high: uint32(simhash >> 32), low: uint32(simhash), number: uint32(n)}
	for block := range t.newest {
		newest := &t.newest[block][blockOf(simhash, block)]
		page.next[block] = t.n
		if *newest != 0 {
			before := t.at(*newest)
			page.next[block], before.next[block] = before.next[block], t.n
		}
		*newest = t.n
	}
}

// same returns the first page with a digest.
func (t *duplicates) same(digest uint64) (n int64, ok bool) {
	number, ok := t.digests.get(digest)
	return int64(number), ok
}

// near returns the first page whose simhash differs in at most three bits; none for a simhash of 0. It advances along
// all chains in step, so that their cache misses overlap.
func (t *duplicates) near(simhash uint64) (n int64, ok bool) {
	if simhash == 0 || t.n == 0 {
		return 0, false
	}
	var at, last [nearBlocks]uint32 // places; 0: the chain is exhausted
	for block := range at {
		if last[block] = t.newest[block][blockOf(simhash, block)]; last[block] != 0 {
			at[block] = t.at(last[block]).next[block]
		}
	}
	best := uint32(math.MaxUint32)
	for looks := 0; looks < nearLooks && at != [nearBlocks]uint32{}; looks++ {
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

// at returns the page at a place, from 1.
func (t *duplicates) at(place uint32) *fingerprint {
	return &t.pages[(place-1)/fingerprintChunk][(place-1)%fingerprintChunk]
}

// blockOf returns one of the four blocks of a simhash.
func blockOf(simhash uint64, block int) uint16 { return uint16(simhash >> (16 * block)) }

// near reports whether the page's simhash differs from another in at most three bits.
func (p *fingerprint) near(simhash uint64) bool {
	return bits.OnesCount64((uint64(p.high)<<32|uint64(p.low))^simhash) <= nearBits
}
