// Package brotli decodes Brotli (RFC 7932). What it reads is not trusted: it takes no more memory than the window of the stream,
// 16 MiB at most, of which it takes what the decoded bytes fill, and its tables, 3 MiB at most.
package brotli

import "io"

// A Reader decodes a stream. The error of a Read is io.ErrUnexpectedEOF where the stream is cut, and another where it is damaged or
// something follows it.
type Reader struct {
	bits    bitReader
	begun   bool
	last    bool // the meta-block is the last one
	block   metaBlock
	left    int // bytes of the meta-block to come
	raw     bool
	insert  int  // literals of the command to come
	copies  int  // bytes to be copied behind them
	away    int  // from how far back; 0: not read yet
	implied bool // the distance is the last one

	ring   []byte // what was decoded last; a power of two
	window int    // the most that it may have
	at     int    // bytes decoded
	given  int    // of them, returned
	recent [4]int // distances, the last first
}

// NewReader returns a Reader of a stream.
func NewReader(from io.Reader) *Reader {
	return &Reader{bits: bitReader{from: from, buffer: make([]byte, 4096)}, recent: [4]int{4, 11, 15, 16}}
}

// Read decodes bytes.
func (r *Reader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for r.at == r.given {
		if r.bits.err != nil {
			return 0, r.bits.err
		}
		r.decode()
	}
	from := r.given & (len(r.ring) - 1)
	n := copy(p, r.ring[from:min(len(r.ring), from+r.at-r.given)])
	r.given += n
	return n, nil
}

// decode decodes what fits in half of the ring, or to the end of a meta-block. All before was returned.
func (r *Reader) decode() {
	if !r.begun {
		r.begun = true
		r.start()
	}
	if r.bits.err == nil && r.left == 0 && !r.header() {
		return
	}
	for end := r.at + len(r.ring)/2; r.left > 0 && r.at < end && r.bits.err == nil; {
		n := min(end-r.at, r.left)
		switch {
		case r.raw:
			r.plain(n)
		case r.insert > 0:
			r.literals(min(n, r.insert))
		case r.copies > 0 && r.away == 0:
			r.distance()
		case r.copies > 0:
			r.copy(min(n, r.copies))
		default:
			r.command()
		}
	}
}

// leastRing is how many bytes the ring has at first: more than twice those of the longest word, which is written at once, as is any
// window.
const leastRing = 1 << 15

// start reads the header of the stream.
func (r *Reader) start() {
	width := uint(16)
	if r.bits.take(1) == 1 {
		if n := r.bits.take(3); n > 0 {
			width = 17 + uint(n)
		} else if n = r.bits.take(3); n > 1 {
			width = 8 + uint(n)
		} else if n == 1 {
			r.bits.fail() // windows above 16 MiB are no part of the RFC
		} else {
			width = 17
		}
	}
	r.window = 1 << width
	r.ring = make([]byte, min(r.window, leastRing))
}

// header reads the header of a meta-block, and returns false where the stream ends.
func (r *Reader) header() bool {
	b := &r.bits
	if r.last {
		if b.align(); b.err == nil && b.atEnd() {
			b.err = io.EOF
		} else {
			b.fail()
		}
		return false
	}
	r.last = b.take(1) == 1
	if r.last && b.take(1) == 1 {
		return true
	}
	n := uint(b.take(2))
	if n == 3 {
		r.skip()
		return true
	}
	size := b.take(4 * (n + 4))
	if n > 0 && size>>(4*(n+3)) == 0 {
		b.fail() // a digit too many
	}
	r.raw = !r.last && b.take(1) == 1
	if r.raw {
		b.align()
	} else {
		r.block.read(b)
	}
	if b.err == nil {
		r.left, r.insert, r.copies = int(size)+1, 0, 0
	}
	return true
}

// skip skips a meta-block that has data of others.
func (r *Reader) skip() {
	b := &r.bits
	if b.take(1) != 0 {
		b.fail()
	}
	n := uint(b.take(2))
	size := b.take(8 * n)
	if n > 1 && size>>(8*(n-1)) == 0 {
		b.fail()
	}
	b.align()
	for left := int(size) + 1; n > 0 && left > 0 && b.err == nil; left-- {
		b.take(8)
	}
}

// grow makes room for n bytes before any are overwritten that the window has.
func (r *Reader) grow(n int) {
	for r.at+n > len(r.ring) && len(r.ring) < r.window {
		r.ring = append(r.ring, make([]byte, len(r.ring))...)
	}
}

// put appends a byte.
func (r *Reader) put(c byte) {
	r.grow(1)
	r.ring[r.at&(len(r.ring)-1)] = c
	r.at++
}

// back returns the byte decoded n bytes before the next, or 0 before the first.
func (r *Reader) back(n int) byte { return r.ring[(r.at-n)&(len(r.ring)-1)] }

// plain takes bytes as they are.
func (r *Reader) plain(n int) {
	for ; n > 0; n-- {
		c := byte(r.bits.take(8))
		if r.bits.err != nil {
			return
		}
		r.put(c)
		r.left--
	}
}

// command reads how many literals follow, and how many bytes are copied.
func (r *Reader) command() {
	b := &r.bits
	symbol := b.symbol(r.block.commands[r.block.kinds[ofCommands].next(b)])
	// Eleven ranges of 64: which eight of the lengths each has.
	inserts := "\x00\x00\x00\x00\x08\x08\x00\x10\x08\x10\x10"[symbol>>6] + byte(symbol>>3&7)
	copies := "\x00\x08\x00\x08\x00\x08\x10\x00\x10\x08\x10"[symbol>>6] + byte(symbol&7)
	r.insert = insertLengths[inserts].read(b)
	r.copies = copyLengths[copies].read(b)
	r.away, r.implied = 0, symbol < 128
	if r.insert > r.left {
		b.fail()
	}
}

// literals reads n of the literals of a command.
func (r *Reader) literals(n int) {
	b, k := &r.bits, &r.block.kinds[ofLiterals]
	for ; n > 0; n-- {
		kind := k.next(b)
		context := contextOf(r.block.modes[kind], r.back(1), r.back(2))
		c := b.symbol(r.block.literals[r.block.literalMap[kind<<6+int(context)]])
		if b.err != nil {
			return
		}
		r.put(byte(c))
		r.insert--
		r.left--
	}
}

// distance reads from how far back a command copies; if that is before the first byte, it writes a word of the dictionary.
func (r *Reader) distance() {
	b, symbol := &r.bits, 0
	if !r.implied {
		kind := r.block.kinds[ofDistances].next(b)
		context := min(r.copies, 5) - 2
		symbol = b.symbol(r.block.distances[r.block.distanceMap[kind<<2+context]])
	}
	away := r.block.distance(b, symbol, &r.recent)
	reach := min(r.at, r.window-16)
	switch {
	case b.err != nil:
	case away <= 0:
		b.fail()
	case away > reach:
		r.word(away - reach - 1)
	case r.copies > r.left:
		b.fail()
	default:
		r.away = away
		if symbol != 0 {
			r.recent = [4]int{away, r.recent[0], r.recent[1], r.recent[2]}
		}
	}
}

// word writes a word of the dictionary.
func (r *Reader) word(n int) {
	var room [64]byte
	word, ok := wordOf(room[:0], r.copies, n)
	if !ok || len(word) > r.left {
		r.bits.fail()
		return
	}
	for _, c := range word {
		r.put(c)
	}
	r.left -= len(word)
	r.copies = 0
}

// copy repeats n bytes.
func (r *Reader) copy(n int) {
	r.copies -= n
	r.left -= n
	r.grow(n)
	mask := len(r.ring) - 1
	to, from := r.at&mask, (r.at-r.away)&mask
	if r.away >= n && max(to, from)+n <= len(r.ring) {
		r.at += copy(r.ring[to:to+n], r.ring[from:])
		return
	}
	for ; n > 0; n-- {
		r.put(r.back(r.away))
	}
}
