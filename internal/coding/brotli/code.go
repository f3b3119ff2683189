package brotli

const (
	maxLength = 15 // of the bits of a symbol
	rootBits  = 8
	rootMask  = 1<<rootBits - 1
)

// A code is a prefix code as a table: the first 256 entries by the next 8 bits, the others by those behind them.
type code []entry

// An entry is a symbol and the length of its bits; with below, the place of the entries for that many further bits.
type entry struct {
	value         uint16
	length, below uint8
}

// makeCode makes the code whose symbols have these lengths in bits, 0: the symbol does not occur. Lengths use up all bits, or
// there is one symbol, which has no bits.
func makeCode(lengths []uint8, room code) code {
	var counts [maxLength + 1]int
	only, used := 0, 0
	for symbol, n := range lengths {
		if n > 0 {
			counts[n]++
			only = symbol
			used++
		}
	}
	c := append(room[:0], make([]entry, 1<<rootBits)...)
	if used <= 1 {
		for i := range c {
			c[i].value = uint16(only)
		}
		return c
	}
	var next [maxLength + 2]int // the next code of each length, its first bit the highest
	for n := 1; n <= maxLength; n++ {
		next[n+1] = (next[n] + counts[n]) << 1
	}
	c = c.roots(lengths, next)
	for symbol, n := range lengths {
		if n == 0 {
			continue
		}
		bits, e := reversed(next[n], n), entry{value: uint16(symbol), length: n}
		next[n]++
		if n <= rootBits {
			for i := bits; i <= rootMask; i += 1 << n {
				c[i] = e
			}
			continue
		}
		root := c[bits&rootMask]
		for i := bits >> rootBits; i < 1<<root.below; i += 1 << (n - rootBits) {
			c[int(root.value)+i] = e
		}
	}
	return c
}

// roots makes room for the symbols longer than 8 bits.
func (c code) roots(lengths []uint8, next [maxLength + 2]int) code {
	for _, n := range lengths {
		if n == 0 {
			continue
		}
		if n > rootBits {
			root := &c[reversed(next[n], n)&rootMask]
			root.below = max(root.below, n-rootBits)
		}
		next[n]++
	}
	for i := range rootMask + 1 {
		if below := c[i].below; below > 0 {
			c[i].value = uint16(len(c))
			c = append(c, make([]entry, 1<<below)...)
		}
	}
	return c
}

// reversed returns the lowest n bits, the last first.
func reversed(bits int, n uint8) (r int) {
	for range n {
		r = r<<1 | bits&1
		bits >>= 1
	}
	return r
}

// readCode reads a prefix code for an alphabet of some size (RFC 7932, section 3.4 and 3.5).
func (b *bitReader) readCode(size int, room code) code {
	var lengths [alphabetMost]uint8
	if skip := b.take(2); skip == 1 {
		b.simpleLengths(lengths[:size])
	} else {
		b.lengths(lengths[:size], int(skip))
	}
	if b.err != nil {
		clear(lengths[:]) // so that the code can be made
	}
	return makeCode(lengths[:size], room)
}

// simpleLengths reads the lengths of a code of up to four symbols.
func (b *bitReader) simpleLengths(lengths []uint8) {
	width := uint(0)
	for (len(lengths)-1)>>width > 0 {
		width++
	}
	var symbols [4]uint32
	n := int(b.take(2)) + 1
	for i := range symbols[:n] {
		symbols[i] = b.take(width)
	}
	of := [4]uint8{1}
	switch {
	case n == 2:
		of = [4]uint8{1, 1}
	case n == 3:
		of = [4]uint8{1, 2, 2}
	case n == 4 && b.take(1) == 1:
		of = [4]uint8{1, 2, 3, 3}
	case n == 4:
		of = [4]uint8{2, 2, 2, 2}
	}
	for i, symbol := range symbols[:n] {
		if int(symbol) >= len(lengths) || lengths[symbol] > 0 {
			b.fail()
			return
		}
		lengths[symbol] = of[i]
	}
}

// lengthOrder is the order in which the lengths of the code for lengths stand.
const lengthOrder = "\x01\x02\x03\x04\x00\x05\x11\x06\x10\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"

// lengths reads the lengths of a code behind a code for them, of which it skips the first ones.
func (b *bitReader) lengths(lengths []uint8, skip int) {
	fixed := makeCode([]uint8{2, 4, 3, 2, 2, 4}, nil)
	var of [18]uint8
	left, some := 32, 0
	for _, symbol := range []byte(lengthOrder[skip:]) {
		n := uint8(b.symbol(fixed))
		if of[symbol] = n; n > 0 {
			some++
			if left -= 32 >> n; left <= 0 {
				break
			}
		}
	}
	if left < 0 || left > 0 && some != 1 {
		b.fail()
		return
	}
	b.repeats(lengths, makeCode(of[:], nil))
}

// repeats reads lengths by a code of 18 symbols: 16 repeats the last length that was not 0, 17 repeats 0.
func (b *bitReader) repeats(lengths []uint8, c code) {
	left, last, repeat, of := 1<<maxLength, uint8(8), 0, uint8(0)
	for at := 0; at < len(lengths) && left > 0 && b.err == nil; {
		symbol := b.symbol(c)
		if symbol < 16 {
			if lengths[at] = uint8(symbol); symbol > 0 {
				last = uint8(symbol)
				left -= 1 << maxLength >> symbol
			}
			at++
			repeat = 0
			continue
		}
		extra, length := uint(symbol-14), uint8(0)
		if symbol == 16 {
			length = last
		}
		if of != length {
			repeat, of = 0, length
		}
		before := repeat
		if repeat > 0 {
			repeat = (repeat - 2) << extra // repeats after one another are digits of a number
		}
		repeat += int(b.take(extra)) + 3
		if repeat-before > len(lengths)-at {
			b.fail()
			return
		}
		for range repeat - before {
			if lengths[at] = length; length > 0 {
				left -= 1 << maxLength >> length
			}
			at++
		}
	}
	if left != 0 {
		b.fail()
	}
}
