package relevance

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// A Background is how frequent words are among classes at large. It grows class by class, keeps no class, and knows
// at most 262 144 words: what comes after counts as never seen. It is not safe for concurrent use. Classes may be
// added in any order, as long as there are not too many words.
type Background struct {
	reader   *reader
	classes  uint64
	comments uint64 // classes that have one
	words    map[string]count
}

// count is in how many classes a word is.
type count struct {
	names    uint32 // in their names
	below    uint32 // in those of their superclasses, where it is the whole name: a class below Work is a work
	comments uint32
	around   uint32 // in the names of subclasses and equivalents
}

const maxWords = 1 << 18

// ErrDamaged says that bytes are no background.
var ErrDamaged = errors.New("no background of classes")

// NewBackground returns one that has seen nothing.
func NewBackground() *Background {
	return &Background{reader: newReader(), words: map[string]count{}}
}

// Classes returns how many classes were added.
func (b *Background) Classes() int { return int(b.classes) }

// Add takes up a class, as it is known now. One that is added twice counts twice.
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

// A frequency is the share of classes that have a word, above 0 and at most 1.
type frequency func(b *Background, w string) float64

func inNames(b *Background, w string) float64 {
	n := b.words[w]
	return share(uint64(n.names)+uint64(n.below), b.classes)
}

func inComments(b *Background, w string) float64 {
	return share(uint64(b.words[w].comments), b.comments)
}

func inNearby(b *Background, w string) float64 { return share(uint64(b.words[w].around), b.classes) }

// share is smoothed away from 0, which no sample can show, and kept below 1 by those that count twice.
func share(n, of uint64) float64 { return min(1, float64(n+1)/float64(of+2)) }

func rarity(p float64) float64 { return -math.Log(p) }

// format is the first byte of a background: it changes when what follows is read otherwise.
const format = 1

// MarshalBinary writes the background; the same one gives the same bytes. There is no error.
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

// UnmarshalBinary reads what MarshalBinary wrote, in place of what was there. The error wraps ErrDamaged, and
// leaves the background as it was.
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
		return fmt.Errorf("%w: byte %d of %d makes no sense", ErrDamaged, len(data)-len(r.rest), len(data))
	}
	*b = *read
	return nil
}

// bytesReader reads numbers and bytes until something is wrong.
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
