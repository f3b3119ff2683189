package spell

import (
	"encoding/binary"
	"fmt"
)

// version is the first byte of a snapshot.
const version = 1

// Append appends a deterministic snapshot of the Dictionary to b. It omits the options and the taught words that were
// never seen: teach them again.
func (d *Dictionary) Append(b []byte) []byte {
	b = append(b, version)
	seen := 0
	for _, e := range d.words {
		if e.count > 0 {
			seen++
		}
	}
	b = binary.AppendUvarint(b, uint64(seen))
	for _, e := range d.words {
		if e.count == 0 {
			continue
		}
		length := uint64(len(e.word)) << 1
		if e.taught {
			length |= 1
		}
		b = binary.AppendUvarint(b, length)
		b = append(b, e.word...)
		b = binary.AppendUvarint(b, uint64(e.count))
		b = binary.AppendUvarint(b, uint64(e.ordinary))
	}
	return b
}

// Restore loads the snapshot at the start of b and returns the rest of b. An error wraps ErrDamaged and leaves the
// Dictionary unchanged.
func (d *Dictionary) Restore(b []byte) (rest []byte, err error) {
	if len(b) == 0 || b[0] != version {
		return nil, fmt.Errorf("%w: not of version %d", ErrDamaged, version)
	}
	n, b, ok := number(b[1:], uint64(len(b))/3) // least size of a word
	if !ok {
		return nil, fmt.Errorf("%w: bad number of words", ErrDamaged)
	}
	words := make([]entry, 0, n)
	seen := make(map[string]bool, n)
	for i := range n {
		var e entry
		if e, b, ok = readEntry(b); !ok || seen[e.word] {
			return nil, fmt.Errorf("%w: word %d", ErrDamaged, i+1)
		}
		seen[e.word] = true
		words = append(words, e)
	}
	d.load(words)
	return b, nil
}

// readEntry reads a word that was counted.
func readEntry(b []byte) (e entry, rest []byte, ok bool) {
	length, b, ok := number(b, maxWord<<1|1)
	e.taught = length&1 != 0
	if length >>= 1; !ok || length == 0 || uint64(len(b)) < length {
		return e, nil, false
	}
	e.word = string(b[:length])
	count, b, ok := number(b[length:], 1<<31)
	if !ok {
		return e, nil, false
	}
	ordinary, b, ok := number(b, count)
	e.count, e.ordinary = uint32(count), uint32(ordinary)
	return e, b, ok && count > 0
}

// number reads a number with an upper bound.
func number(b []byte, most uint64) (n uint64, rest []byte, ok bool) {
	n, size := binary.Uvarint(b)
	if size <= 0 || n > most {
		return 0, nil, false
	}
	return n, b[size:], true
}
