package relevance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Background holds the word frequencies of classes in general. It is built class by class, stores no class,
// and holds at most 262 144 words: later ones count as unseen. It is not safe for concurrent use. The order
// of classes does not matter unless that limit is reached.
type Background struct {
	reader   *reader
	classes  uint64
	comments uint64 // classes with a comment
	words    map[string]count
}

// count is the number of classes with a word.
type count struct {
	names    uint32 // in their names
	below    uint32 // in superclasses' names that consist of it: a class below Work is a work
	comments uint32
	around   uint32 // in the names of subclasses and equivalents
}

const maxWords = 1 << 18

// ErrDamaged is returned for bytes that do not encode a background.
var ErrDamaged = errors.New("no background of classes")

// NewBackground returns an empty background.
func NewBackground() *Background {
	return &Background{reader: newReader(), words: map[string]count{}}
}

// Classes returns the number of classes added.
func (b *Background) Classes() int { return int(b.classes) }

// Add adds a class with its current description. Repeated classes count again.
func (b *Background) Add(c Class) {
	p := b.reader.profile(c, nil)
	b.classes++
	for _, w := range p.all() {
		b.count(w, func(n *count) { n.names++ })
	}
	for _, n := range p.names {
		if len(n.words) == 1 {
			b.count(n.words[0], func(n *count) { n.below += uint32(len(c.Sub)) })
		}
	}
	for _, w := range p.around {
		b.count(w, func(n *count) { n.around++ })
	}
	if len(p.comment) > 0 {
		b.comments++
	}
	for _, w := range p.comment {
		b.count(w, func(n *count) { n.comments++ })
	}
}

func (b *Background) count(w string, add func(*count)) {
	n, ok := b.words[w]
	if !ok && len(b.words) >= maxWords {
		return
	}
	add(&n)
	b.words[w] = n
}

// A frequency is the share of classes with a word, above 0 and at most 1.
type frequency func(b *Background, w string) float64

func inNames(b *Background, w string) float64 {
	n := b.words[w]
	return share(uint64(n.names)+uint64(n.below), b.classes)
}

func inComments(b *Background, w string) float64 {
	return share(uint64(b.words[w].comments), b.comments)
}

func inNearby(b *Background, w string) float64 { return share(uint64(b.words[w].around), b.classes) }

// share is smoothed to be above 0, since a sample cannot exclude a word, and capped at 1, since repeated
// classes count again.
func share(n, of uint64) float64 { return min(1, float64(n+1)/float64(of+2)) }

func rarity(p float64) float64 { return -math.Log(p) }

// format is the version of the encoding, its first byte.
const format = 1

// MarshalBinary encodes the background; equal backgrounds give equal bytes. The error is always nil.
func (b *Background) MarshalBinary() ([]byte, error) {
	words := make([]string, 0, len(b.words))
	for w := range b.words {
		words = append(words, w)
	}
	slices.Sort(words)
	out := []byte{format}
	out = binary.AppendUvarint(out, b.classes)
	out = binary.AppendUvarint(out, b.comments)
	out = binary.AppendUvarint(out, uint64(len(words)))
	for _, w := range words {
		n := b.words[w]
		out = binary.AppendUvarint(out, uint64(len(w)))
		out = append(out, w...)
		for _, x := range []uint32{n.names, n.below, n.comments, n.around} {
			out = binary.AppendUvarint(out, uint64(x))
		}
	}
	return out, nil
}

// UnmarshalBinary replaces the background by one that MarshalBinary encoded. An error wraps ErrDamaged and
// leaves the background unchanged.
func (b *Background) UnmarshalBinary(data []byte) error {
	r := &bytesReader{rest: data}
	if version := r.uvarint(math.MaxUint8); version != format {
		return fmt.Errorf("%w: its format is %d, not %d", ErrDamaged, version, format)
	}
	read := NewBackground()
	read.classes, read.comments = r.uvarint(math.MaxInt64), r.uvarint(math.MaxInt64)
	for range r.uvarint(maxWords) {
		w := string(r.take(int(r.uvarint(1 << 10))))
		var n count
		for _, x := range []*uint32{&n.names, &n.below, &n.comments, &n.around} {
			*x = uint32(r.uvarint(math.MaxUint32))
		}
		if r.broken {
			break
		}
		read.words[w] = n
	}
	if r.broken || len(r.rest) > 0 {
		return fmt.Errorf("%w: byte %d of %d is invalid", ErrDamaged, len(data)-len(r.rest), len(data))
	}
	*b = *read
	return nil
}

// bytesReader reads numbers and bytes until the first error.
type bytesReader struct {
	rest   []byte
	broken bool
}

func (r *bytesReader) uvarint(most uint64) uint64 {
	x, n := binary.Uvarint(r.rest)
	if n <= 0 || x > most || r.broken {
		r.broken = true
		return 0
	}
	r.rest = r.rest[n:]
	return x
}

func (r *bytesReader) take(n int) []byte {
	if n > len(r.rest) {
		r.broken = true
		return nil
	}
	taken := r.rest[:n]
	r.rest = r.rest[n:]
	return taken
}
