package brotli

// What a meta-block has its own codes for.
const (
	ofLiterals = iota
	ofCommands
	ofDistances
)

const (
	commandAlphabet = 704
	alphabetMost    = commandAlphabet
	maxTrees        = 256 // and kinds of blocks
)

// A metaBlock is what the header of one says: codes, and which of them is for what.
type metaBlock struct {
	kinds       [3]kinds
	modes       [maxTrees]uint8 // how the context of literals is computed, by kind
	literalMap  []uint8         // codes, by kind and context
	distanceMap []uint8
	literals    []code
	commands    []code // by kind
	distances   []code
	postfix     uint // low bits of distances that the code has
	direct      int  // distances that have symbols of their own
}

// kinds are those of the blocks that a meta-block divides literals, commands or distances in.
type kinds struct {
	number  int
	is, was int // the kind now, and the one before
	left    int // in the block
	types   code
	counts  code
}

// read reads the header of a meta-block (RFC 7932, section 9.2).
func (m *metaBlock) read(b *bitReader) {
	for i := range m.kinds {
		m.kinds[i].read(b)
	}
	m.postfix = uint(b.take(2))
	m.direct = int(b.take(4) << m.postfix)
	for i := range m.kinds[ofLiterals].number {
		m.modes[i] = uint8(b.take(2))
	}
	var literals, distances int
	m.literalMap, literals = b.readMap(m.literalMap, m.kinds[ofLiterals].number<<6)
	m.distanceMap, distances = b.readMap(m.distanceMap, m.kinds[ofDistances].number<<2)
	m.literals = b.readCodes(m.literals, literals, 256)
	m.commands = b.readCodes(m.commands, m.kinds[ofCommands].number, commandAlphabet)
	m.distances = b.readCodes(m.distances, distances, 16+m.direct+48<<m.postfix)
}

func (b *bitReader) readCodes(codes []code, n, size int) []code {
	for len(codes) < n {
		codes = append(codes, nil)
	}
	for i := 0; i < n && b.err == nil; i++ {
		codes[i] = b.readCode(size, codes[i])
	}
	return codes
}

// number reads a number from 1 to 256.
func (b *bitReader) number() int {
	if b.take(1) == 0 {
		return 1
	}
	n := uint(b.take(3))
	return 1<<n + 1 + int(b.take(n))
}

func (k *kinds) read(b *bitReader) {
	k.number, k.is, k.was, k.left = b.number(), 0, 1, 1<<28 // more than a meta-block has
	if k.number > 1 {
		k.types = b.readCode(k.number+2, k.types)
		k.counts = b.readCode(len(blockLengths), k.counts)
		k.left = blockLengths[b.symbol(k.counts)].read(b)
	}
}

// next returns the kind of what is read next.
func (k *kinds) next(b *bitReader) int {
	if k.left == 0 {
		to := b.symbol(k.types)
		switch to {
		case 0:
			to = k.was
		case 1:
			to = (k.is + 1) % k.number
		default:
			to -= 2
		}
		k.was, k.is = k.is, to
		k.left = blockLengths[b.symbol(k.counts)].read(b)
	}
	k.left--
	return k.is
}

// readMap reads a map to so many codes (section 7.3).
func (b *bitReader) readMap(room []uint8, size int) (to []uint8, codes int) {
	to = append(room[:0], make([]uint8, size)...)
	codes = b.number()
	if codes == 1 {
		return to, codes
	}
	runs := 0
	if b.take(1) == 1 {
		runs = int(b.take(4)) + 1
	}
	c := b.readCode(codes+runs, nil)
	for at := 0; at < size && b.err == nil; {
		symbol := b.symbol(c)
		switch {
		case symbol == 0:
			at++
		case symbol <= runs:
			if at += 1<<symbol + int(b.take(uint(symbol))); at > size {
				b.fail()
			}
		default:
			to[at] = uint8(symbol - runs)
			at++
		}
	}
	if b.take(1) == 1 {
		inverse(to)
	}
	return to, codes
}

// inverse undoes a move-to-front transform.
func inverse(of []uint8) {
	var list [maxTrees]uint8
	for i := range list {
		list[i] = uint8(i)
	}
	for i, at := range of {
		value := list[at]
		copy(list[1:int(at)+1], list[:at])
		list[0], of[i] = value, value
	}
}

// distance returns how far back a symbol says; it may be below 1.
func (m *metaBlock) distance(b *bitReader, symbol int, recent *[4]int) int {
	switch {
	case symbol < 4:
		return recent[symbol]
	case symbol < 16: // one of the last two, or up to three more or less
		symbol -= 4
		by := symbol%6>>1 + 1
		if symbol&1 == 0 {
			by = -by
		}
		return recent[symbol/6] + by
	case symbol < 16+m.direct:
		return symbol - 15
	}
	symbol -= 16 + m.direct
	high := symbol >> m.postfix
	extra := uint(1 + high>>1)
	offset := (2+high&1)<<extra - 4 + int(b.take(extra))
	return offset<<m.postfix + symbol&(1<<m.postfix-1) + m.direct + 1
}

// A span is the numbers that a symbol stands for: the first, and how many bits follow that are added to it.
type span struct{ first, bits uint32 }

func (s span) read(b *bitReader) int { return int(s.first + b.take(uint(s.bits))) }

// spans returns those that follow one another, by their bits.
func spans(first uint32, bits string) []span {
	all := make([]span, len(bits))
	for i := range all {
		all[i] = span{first, uint32(bits[i])}
		first += 1 << bits[i]
	}
	return all
}

// The lengths that symbols stand for (RFC 7932, sections 5 and 6).
var (
	blockLengths  = spans(1, "\x02\x02\x02\x02\x03\x03\x03\x03\x04\x04\x04\x04\x05\x05\x05\x05\x06\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x18")
	insertLengths = spans(0, "\x00\x00\x00\x00\x00\x00\x01\x01\x02\x02\x03\x03\x04\x04\x05\x05\x06\x07\x08\x09\x0a\x0c\x0e\x18")
	copyLengths   = spans(2, "\x00\x00\x00\x00\x00\x00\x00\x00\x01\x01\x02\x02\x03\x03\x04\x04\x05\x05\x06\x07\x08\x09\x0a\x18")
)
