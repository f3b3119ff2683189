package search

import (
	"cmp"
	"maps"
	"math/bits"
	"slices"

	"orbweaver/internal/database/kv"
)

// deadBlock is the number of documents whose bits are in one value.
const deadBlock = 4096

// readDead reads a block of bits; nil: all are zero.
func (s *Store) readDead(r kv.Reader, n uint64) (b []byte, err error) {
	_, err = get(r, s.numberKey(deadLetter, n), func(value []byte) bool {
		b = slices.Clone(value)
		return len(value) == deadBlock/8
	})
	return b, err
}

// A graveyard is the set of deleted documents, read on demand and cached. A nil graveyard is empty.
type graveyard struct {
	read   func(n uint64) ([]byte, error)
	blocks map[uint64][]byte // the blocks read
	n      uint64            // the last one read
	block  []byte
	err    error
}

func newGraveyard(read func(n uint64) ([]byte, error)) *graveyard {
	return &graveyard{read: read, blocks: map[uint64][]byte{}, n: none}
}

func (g *graveyard) has(number uint64) bool {
	if g == nil {
		return false
	}
	b := g.at(number / deadBlock)
	bit := number % deadBlock
	return b != nil && b[bit/8]>>(bit%8)&1 != 0
}

func (g *graveyard) at(n uint64) []byte {
	if n == g.n {
		return g.block
	}
	b, known := g.blocks[n]
	if !known && g.err == nil {
		if b, g.err = g.read(n); len(g.blocks) < 1<<14 { // 8 MB
			g.blocks[n] = b
		}
	}
	g.n, g.block = n, b
	return b
}

// any reports whether a document in a range, both ends included, is deleted.
func (g *graveyard) any(first, last uint64) bool {
	if g == nil {
		return false
	}
	for n := first / deadBlock; n <= last/deadBlock; n++ {
		b := g.at(n)
		if b == nil {
			continue
		}
		from, to := uint64(0), uint64(deadBlock-1)
		if n == first/deadBlock {
			from = first % deadBlock
		}
		if n == last/deadBlock {
			to = last % deadBlock
		}
		if anyBit(b, from, to) {
			return true
		}
	}
	return false
}

// anyBit reports whether a bit in a range, both ends included, is set.
func anyBit(b []byte, from, to uint64) bool {
	for i := from / 8; i <= to/8; i++ {
		c := b[i]
		if i == from/8 {
			c &= 0xff << (from % 8)
		}
		if i == to/8 {
			c &= 0xff >> (7 - to%8)
		}
		if bits.OnesCount8(c) > 0 {
			return true
		}
	}
	return false
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }
