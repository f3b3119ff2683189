package brotli

import (
	"errors"
	"io"
)

// errDamaged is the error of whatever no encoder writes.
var errDamaged = errors.New("brotli: damaged")

// A bitReader reads bits, the lowest of each byte first. After an error, which it keeps, it gives zeros.
//
// It asks its source for more only when what it has does not suffice, so that a part that a server has sent is decoded before the
// next arrives.
type bitReader struct {
	from   io.Reader
	buffer []byte
	ahead  []byte // of the buffer: read, and not yet in bits
	bits   uint64 // those above held are zero
	held   uint
	err    error
}

// refill moves whole bytes into bits while there is room.
func (b *bitReader) refill() {
	for b.held <= 56 && len(b.ahead) > 0 {
		b.bits |= uint64(b.ahead[0]) << b.held
		b.ahead = b.ahead[1:]
		b.held += 8
	}
}

// more has at least another byte in bits, and returns false at an error, of which the end of the source is one.
func (b *bitReader) more() bool {
	for empty := 0; len(b.ahead) == 0 && b.err == nil; empty++ {
		n, err := b.from.Read(b.buffer)
		b.ahead = b.buffer[:n]
		switch {
		case n > 0:
		case errors.Is(err, io.EOF):
			b.err = io.ErrUnexpectedEOF
		case err != nil:
			b.err = err
		case empty == 100:
			b.err = io.ErrNoProgress
		}
	}
	b.refill()
	return b.err == nil
}

// take reads n bits, at most 32.
func (b *bitReader) take(n uint) uint32 {
	for b.held < n {
		if b.refill(); b.held < n && !b.more() {
			return 0
		}
	}
	v := uint32(b.bits & (1<<n - 1))
	b.drop(n)
	return v
}

func (b *bitReader) drop(n uint) {
	b.bits >>= n
	b.held -= n
}

// symbol reads a symbol of a code.
func (b *bitReader) symbol(c code) int {
	for {
		if b.held < maxLength {
			b.refill()
		}
		e := c[b.bits&rootMask]
		if e.below > 0 {
			e = c[uint64(e.value)+b.bits>>rootBits&(1<<e.below-1)]
		}
		// Bits that are missing count as zeros; where the symbol needs none of them, it is right.
		if uint(e.length) <= b.held {
			b.drop(uint(e.length))
			return int(e.value)
		}
		if !b.more() {
			return 0
		}
	}
}

// align drops the bits before the next whole byte, which are zeros.
func (b *bitReader) align() {
	if b.take(b.held%8) != 0 {
		b.fail()
	}
}

// fail keeps errDamaged, unless there was an error before.
func (b *bitReader) fail() {
	if b.err == nil {
		b.err = errDamaged
	}
}

// atEnd reports whether nothing follows.
func (b *bitReader) atEnd() bool {
	if b.held > 0 || len(b.ahead) > 0 {
		return false
	}
	if b.more() {
		return false
	}
	if b.err == io.ErrUnexpectedEOF { // it was expected
		b.err = nil
		return true
	}
	return false
}
