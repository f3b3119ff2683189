package ledger

import (
	"encoding/binary"
	"math/bits"
)

const (
	tagBits   = 52
	tagMask   = 1<<tagBits - 1
	lowBytes  = 6 // of a tag, and half a byte more
	lowMask   = 1<<(8*lowBytes) - 1
	lineSlots = 6
	lineSize  = 64
	numbersAt = lineSlots * lowBytes    // offset of the numbers of a line
	highAt    = numbersAt + 4*lineSlots // offset of the upper half bytes of its tags
	countAt   = highAt + lineSlots/2    // offset of the number of slots taken
	wentPast  = 1 << 7                  // in the count: a search continues in the next line
)

// A hashLine is one cache line: six tags, their six numbers, and a count.
type hashLine [lineSize]byte

// A hashTable maps tags of 52 bits, evenly distributed, to non-zero numbers of 32 bits. Entries are never removed.
//
// It uses linear probing by cache lines: a tag stands in its home line or, if that is full, in the next line with a
// free slot; a full line notes that a tag went past it. Most searches thus look at one line and branch the same way,
// so that the processor starts the next search without waiting for memory. Homes rise with tags: copying into a larger
// table is one sweep over both.
type hashTable struct {
	lines []hashLine
	n     int // entries
}

// newHashTable returns an empty table with at least the given number of lines, rounded up to the allocator's
// size.
func newHashTable(lines int) hashTable {
	got := append([]hashLine(nil), make([]hashLine, lines)...)
	return hashTable{lines: got[:cap(got)]}
}

// get returns the number of a tag, 0 if absent.
func (t *hashTable) get(tag uint64) uint32 {
	if t.n == 0 {
		return 0
	}
	for at := t.home(tag); ; at = t.next(at) {
		l := &t.lines[at]
		for i := range lineSlots {
			if l.low(i) == tag&lowMask && l.number(i) != 0 && l.tag(i) == tag {
				return l.number(i)
			}
		}
		if l[countAt]&wentPast == 0 {
			return 0
		}
	}
}

// put adds an absent tag to a table that is not full.
func (t *hashTable) put(tag uint64, number uint32) {
	at := t.home(tag)
	for t.lines[at].taken() == lineSlots {
		t.lines[at][countAt] |= wentPast
		at = t.next(at)
	}
	t.lines[at].add(tag, number)
	t.n++
}

// full reports whether nine slots in ten are taken: the table must be replaced before the next put.
func (t *hashTable) full() bool { return t.n*10 >= len(t.lines)*lineSlots*9 }

// enlarged returns an empty table with an eighth more lines, or up to a quarter more due to the allocator's
// sizes.
func (t *hashTable) enlarged() hashTable { return newHashTable(len(t.lines) + len(t.lines)/8 + 1) }

// size returns the bytes of the lines.
func (t *hashTable) size() int64 { return int64(len(t.lines)) * lineSize }

// all ranges over the entries, line by line.
func (t *hashTable) all(yield func(tag uint64, number uint32) bool) {
	for at := range t.lines {
		l := &t.lines[at]
		for i := range l.taken() {
			if !yield(l.tag(i), l.number(i)) {
				return
			}
		}
	}
}

// home returns the line in which a tag stands unless that line was full.
func (t *hashTable) home(tag uint64) int { return slotOf(tag, len(t.lines)) }

// next returns the line after another, cyclically.
func (t *hashTable) next(at int) int {
	if at++; at == len(t.lines) {
		return 0
	}
	return at
}

// slotOf maps tags to 0 … n-1, evenly and in their order.
func slotOf(tag uint64, n int) int {
	high, _ := bits.Mul64(tag<<(64-tagBits), uint64(n))
	return int(high)
}

// low returns a tag without its highest four bits.
func (l *hashLine) low(i int) uint64 {
	return binary.LittleEndian.Uint64(l[i*lowBytes:]) & lowMask
}

func (l *hashLine) tag(i int) uint64 {
	high := uint64(l[highAt+i/2] >> (i % 2 * 4) & 0xf)
	return high<<(8*lowBytes) | l.low(i)
}

func (l *hashLine) number(i int) uint32 {
	return binary.LittleEndian.Uint32(l[numbersAt+4*i:])
}

// taken returns the number of slots taken.
func (l *hashLine) taken() int { return int(l[countAt] &^ wentPast) }

// add fills the first free slot.
func (l *hashLine) add(tag uint64, number uint32) {
	i := l.taken()
	for k := range lowBytes {
		l[i*lowBytes+k] = byte(tag >> (8 * k))
	}
	l[highAt+i/2] |= byte(tag>>(8*lowBytes)) << (i % 2 * 4) // a slot is filled only once
	binary.LittleEndian.PutUint32(l[numbersAt+4*i:], number)
	l[countAt]++
}
