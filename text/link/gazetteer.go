package link

import (
	"cmp"
	"encoding/binary"
	"math"
	"math/bits"
	"slices"
)

// Bounds of a gazetteer.
const (
	maxWords      = 16      // parts of a label
	maxCandidates = 64      // entities of a label: the heaviest
	maxIRI        = 2048    // bytes
	maxText       = 1024    // bytes of a label
	maxEntities   = 1 << 28 // bytes of IRIs, and twice as many of labels
	maxLangs      = 63
	bucket        = 8  // entries per bucket: one cache line
	block         = 32 // IRIs per front-coded block
)

// A Gazetteer maps names to entities. It is immutable and safe for concurrent use.
//
// It is a view of the bytes of its file, in sections:
//   - prefixes: a hash table of all prefixes of labels, in buckets of eight entries of 8 bytes: a tag of
//     32 bits of the hash; the number of its first name, from 1, or 0 where no label ends; and whether
//     longer labels go on. An entry of 0 is free, and ends a search;
//   - filter: a bit for each prefix, of four times as many;
//   - names: an entity and what its label is to it, 8 bytes; those of one label beside each other,
//     heaviest first;
//   - iris, by entity: sorted, front-coded in blocks, and blocks, where each begins;
//   - langs: primary language subtags, by number from 1;
//   - and, optionally: support, by entity; uses, by a label's first name; contexts
//     and, by entity, where each begins.
type Gazetteer struct {
	data     []byte
	salt     uint64 // odd; chosen so that no two prefixes within reach of each other share a tag
	buckets  uint64
	prefixes []byte
	filter   []byte
	names    []byte
	iris     []byte
	blocks   []byte
	langs    []string
	supports []byte
	uses     []byte
	contexts []byte
	starts   []byte
	entities int
}

// Entities returns the number of distinct IRIs.
func (g *Gazetteer) Entities() int { return g.entities }

// Names returns the number of distinct pairs of a label and an entity.
func (g *Gazetteer) Names() int { return len(g.names) / 8 }

// Size returns the gazetteer's size in bytes, in memory and in a file.
func (g *Gazetteer) Size() int { return len(g.data) }

const goesOn = 1 << 31 // flag of a prefix's value: longer labels start with it

// find returns a prefix's value: the number of its first name, from 1, and goesOn; 0: unknown prefix.
func (g *Gazetteer) find(prefix uint64) uint32 {
	h := prefix * g.salt
	at, _ := bits.Mul64(h, g.buckets)
	at *= bucket * 8
	for {
		entry := binary.LittleEndian.Uint64(g.prefixes[at:])
		if entry == 0 || uint32(entry) == uint32(h) {
			return uint32(entry >> 32)
		}
		if at += 8; at == uint64(len(g.prefixes)) {
			at = 0
		}
	}
}

// has reports whether a prefix may be in the table; there are no false negatives. Most consecutive words start no
// label: the filter fits the processor's cache, the table does not.
func (g *Gazetteer) has(prefix uint64) bool {
	at, bit := g.bit(prefix)
	return g.filter[at]>>bit&1 != 0
}

// bit is the position of a prefix in the filter.
func (g *Gazetteer) bit(prefix uint64) (at, bit uint64) {
	h := bits.RotateLeft64(prefix*g.salt, 32)
	at, h = bits.Mul64(h, uint64(len(g.filter)))
	return at, h >> 61
}

// touchEntry prefetches the bytes that find will read for a prefix.
func (g *Gazetteer) touchEntry(prefix uint64) byte {
	at, _ := bits.Mul64(prefix*g.salt, g.buckets)
	return g.prefixes[at*bucket*8]
}

// touchFilter prefetches the byte that has will read for a prefix.
func (g *Gazetteer) touchFilter(prefix uint64) byte {
	at, _ := g.bit(prefix)
	return g.filter[at]
}

// A name is the relation of a label to an entity.
//
//	bit 0      the last of its label
//	bits 1-2   kind
//	bits 3-8   shapes it occurs in, a bit each
//	bits 9-14  language, 0 for all
//	bit 15     all its words are stop words
//	bits 16-31 log weight
type name struct {
	entity uint32
	bits   uint32
}

func (g *Gazetteer) name(i uint32) name {
	b := g.names[int(i)*8:]
	return name{binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:])}
}

func (n name) last() bool     { return n.bits&1 != 0 }
func (n name) kind() Kind     { return Kind(n.bits >> 1 & 3) }
func (n name) shapes() uint32 { return n.bits >> 3 & 63 }
func (n name) lang() uint32   { return n.bits >> 9 & 63 }
func (n name) stop() bool     { return n.bits>>15&1 != 0 }

// weight is the log frequency with which the label means the entity, up to a common factor: from its count, else from
// the entity's support.
func (n name) weight() float64 { return float64(n.bits>>16)/2048 - 2 }

// weighed returns a name with another weight, given linearly.
func (n name) weighed(w float64) name {
	q := math.Round((math.Log(w) + 2) * 2048)
	n.bits = n.bits&0xffff | uint32(min(max(q, 0), 0xffff))<<16
	return n
}

// heavier orders the names of one label by weight.
func heavier(a, b name) int {
	return cmp.Or(cmp.Compare(b.bits>>16, a.bits>>16), cmp.Compare(a.entity, b.entity))
}

// iri returns the IRI of an entity.
func (g *Gazetteer) iri(entity uint32) string {
	var buf [128]byte
	return string(g.appendIRI(buf[:0], entity))
}

func (g *Gazetteer) appendIRI(dst []byte, entity uint32) []byte {
	run := g.iris[binary.LittleEndian.Uint32(g.blocks[entity/block*4:]):]
	for range entity%block + 1 {
		shared, n := binary.Uvarint(run)
		run = run[n:]
		length, n := binary.Uvarint(run)
		dst = append(dst[:shared], run[n:n+int(length)]...)
		run = run[n+int(length):]
	}
	return dst
}

// entity returns the number of an IRI.
func (g *Gazetteer) entity(iri string) (uint32, bool) {
	var buf []byte
	lo, hi := 0, g.entities
	for lo < hi {
		mid := int(uint(lo+hi) / 2)
		buf = g.appendIRI(buf[:0], uint32(mid))
		switch {
		case string(buf) == iri:
			return uint32(mid), true
		case string(buf) < iri:
			lo = mid + 1
		default:
			hi = mid
		}
	}
	return 0, false
}

// support is an entity's count.
func (g *Gazetteer) support(entity uint32) int {
	if len(g.supports) == 0 {
		return 0
	}
	return int(binary.LittleEndian.Uint32(g.supports[entity*4:]))
}

// use returns, for a label given by its first name, its occurrences in examples and those that are mentions: in lower
// case, and in other shapes.
type use struct{ lower, other share }

// A share is a fraction: of ÷ all.
type share struct{ of, all uint8 }

func (s share) and(t share) (of, all float64) {
	return float64(s.of) + float64(t.of), float64(s.all) + float64(t.all)
}

func (g *Gazetteer) use(label uint32) use {
	if len(g.uses) == 0 {
		return use{}
	}
	b := g.uses[label*4 : label*4+4]
	return use{share{b[0], b[1]}, share{b[2], b[3]}}
}

// context returns the features near an entity, 4 bytes each: see feature.
func (g *Gazetteer) context(entity uint32) []byte {
	if len(g.starts) == 0 {
		return nil
	}
	from := binary.LittleEndian.Uint32(g.starts[entity*4:])
	to := binary.LittleEndian.Uint32(g.starts[entity*4+4:])
	return g.contexts[uint64(from)*4 : uint64(to)*4]
}

// lang returns the number of a language: 0 for an empty tag, an unused number for a language without labels.
func (g *Gazetteer) lang(tag string) uint32 {
	if tag = primary(tag); tag == "" {
		return 0
	}
	if i := slices.Index(g.langs, tag); i >= 0 {
		return uint32(i + 1)
	}
	return maxLangs + 1
}
