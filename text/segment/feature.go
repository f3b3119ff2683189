package segment

import "math/bits"

// Weights are indexed by hashes of features with this many bits; colliding features share a weight.
const weightBits = 20

// Numbers of features of a gap: near features, which mostly suffice, and far ones.
const (
	nearFeatures = 21
	features     = 40
)

// A view is the features of a gap for a learned judge: indexes of weights.
type view [features]uint32

func (v *view) near() []uint32 { return v[:nearFeatures] }
func (v *view) far() []uint32  { return v[nearFeatures:] }

// A word is a token beside a gap.
type word struct {
	text       string
	hash, kind uint32
}

func (g *gap) word(i int, x *lexicon) word {
	s := g.token(i)
	h := hashOf(s)
	return word{s, h, x.kind(s, h)}
}

// A sight is the collected context of a gap.
type sight struct {
	l1, l2, n1, n2 word // the last tokens, backwards, and the next
	pair, triple   uint32
	length, left   uint32 // of the sentence so far, of the block
}

// lookNear collects the near features of a gap: the words beside it and their kinds, alone and combined, and
// the length of the sentence so far.
func (g *gap) lookNear(v *view, x *lexicon) (s sight) {
	l1, l2 := g.word(g.last, x), g.word(g.last-1, x)
	n1, n2 := g.word(g.next, x), g.word(g.next+1, x)
	state := g.state()
	length, left := bucket(g.last-g.start), bucket(g.end-g.next)
	pair := l1.kind<<5 | n1.kind
	triple := pair<<5 | l2.kind
	copy(v.near(), []uint32{
		0,
		l1.hash,
		l2.hash,
		n1.hash,
		n2.hash,
		l1.hash ^ turn(n1.hash),
		l1.hash ^ n1.kind,
		triple | state<<20,
		l1.hash ^ l2.kind<<5 ^ n1.kind,
		length,
		length<<20 | triple,
		state<<12 | pair,
		n1.hash ^ l1.kind,
		l2.hash ^ n1.kind<<1 ^ (state & 1),
		triple<<5 | n2.kind,
		n1.hash ^ turn(n2.hash),
		l1.hash ^ turn(l2.hash),
		left<<20 | triple,
		length<<16 | left<<12 | pair,
		l2.hash ^ turn(n1.hash),
		state<<20 | length<<17 | triple,
	})
	scatter(v.near(), 0)
	return sight{l1, l2, n1, n2, pair, triple, length, left}
}

// lookFar collects the far features: distant words, the next stop and capitals, the beginning of the sentence,
// and properties of previous sentences.
func (g *gap) lookFar(v *view, x *lexicon, s *sight) {
	l3, n3, first := g.word(g.last-2, x), g.word(g.next+2, x), g.word(g.start, x)
	before, after := g.capitals(g.last, -1), g.capitals(g.next, 1)
	stop := g.stopAhead()
	same, past := g.past.likeness(first, s.l1, s.n1), g.past.form()
	pair, length, left := s.pair, s.length, s.left
	copy(v.far(), []uint32{
		first.hash ^ pair,
		l3.hash ^ pair,
		n3.hash ^ pair,
		uint32(min(len(s.l2.text), 7))<<10 | pair,
		s.n1.hash ^ turn(s.l1.hash) ^ length<<8,
		s.triple<<15 | s.n2.kind<<10 | l3.kind<<5 | n3.kind,
		before<<16 | after<<12 | pair,
		before<<20 | length<<16 | pair,
		stop<<20 | length<<12 | pair,
		stop<<20 | left<<16 | pair,
		first.kind<<10 | pair,
		after<<20 | left<<16 | pair,
		same<<20 | pair,
		same<<20 | length<<16 | bucket(g.past.length)<<12,
		past<<20 | pair,
		past<<20 | length<<16 | pair,
		past<<20 | same<<10,
		same<<20 | (g.past.bare&1)<<10 | pair,
		first.kind<<20 | g.past.first.kind<<15 | pair,
	})
	scatter(v.far(), nearFeatures)
}

// scatter hashes the values of features to indexes; first is the number of the first feature.
func scatter(values []uint32, number uint32) {
	for i, x := range values {
		h := (x + (number+uint32(i))*0x9e3779b9) * 0x85ebca6b
		h = (h ^ h>>15) * 0xc2b2ae35
		values[i] = h >> (32 - weightBits)
	}
}

func turn(h uint32) uint32 { return bits.RotateLeft32(h, 13) }

// bucket maps a number of tokens to one of 8 classes.
func bucket(n int) uint32 {
	for i, most := range [...]int{0, 1, 2, 4, 7, 12, 25} {
		if n <= most {
			return uint32(i)
		}
	}
	return 7
}

// state is a bit set of simple properties of a gap.
func (g *gap) state() (s uint32) {
	for i, set := range [...]bool{g.short, g.glued, g.open > 0, g.quoted, g.past.bare&1 != 0 || !g.past.any} {
		if set {
			s |= 1 << i
		}
	}
	return s
}

// capitals counts the tokens with a capital from i on in steps, up to four, not beyond the sentence's
// first.
func (g *gap) capitals(i, step int) (n uint32) {
	for ; i >= g.start && n < 4; i += step {
		if s := g.token(i); s == "" || !isUpper(s[0]) {
			break
		}
		n++
	}
	return n
}

// stopAhead is the distance of the next stop in the block: 0 to 6, 7 for farther and 8 for none.
func (g *gap) stopAhead() uint32 {
	const far = 25 // tokens
	for i := g.next; i < g.end && i < g.next+far; i++ {
		if s := g.token(i); len(s) < 4 && endsStop(s) {
			return bucket(i - g.next)
		}
	}
	return either(g.end < g.next+far, 8, 7)
}

// A past is the state of previous sentences.
type past struct {
	any         bool   // there were some
	bare        uint32 // of the last four, one bit each, the latest lowest: ended without a stop
	lower       uint32 // began in lower case
	length      int    // of the last, in tokens
	first, last word   // of the last
}

// add adds a sentence.
func (p *past) add(first, last word, length int) {
	const four = 1<<4 - 1
	p.bare, p.lower = p.bare<<1&four, p.lower<<1&four
	if !endsStop(last.text) {
		p.bare |= 1
	}
	if isLower(first.text[0]) {
		p.lower |= 1
	}
	p.any, p.length, p.first, p.last = true, length, first, last
}

// form summarizes the form of the last sentences.
func (p *past) form() uint32 {
	return uint32(bits.OnesCount32(p.bare))<<3 | uint32(bits.OnesCount32(p.lower))
}

// likeness describes the similarity of a gap to the boundaries of this and the last sentence: lists are
// repetitive.
func (p *past) likeness(first, last, next word) (s uint32) {
	for i, same := range [...]bool{next.text == first.text, next.text == p.first.text, next.kind == first.kind,
		next.kind == p.first.kind, last.kind == p.last.kind, last.text == p.last.text} {
		if same {
			s |= 1 << i
		}
	}
	return s
}
