package segment

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"
)

// ErrModel means that bytes are not a valid model of this version.
var ErrModel = errors.New("not a segmentation model of this version")

// version is the first byte of a model; it changes with the format, the features and their hashes.
const version = 1

// maxWords is the maximal number of words of a kind in a model.
const maxWords = 1 << 20

// AppendBinary appends the model's bytes for Parse. The error is always nil. The bytes have neither a checksum
// nor their length: the containing file has both.
func (m *Model) AppendBinary(b []byte) ([]byte, error) {
	b = append(b, version)
	b = appendWord(b, m.language)
	b = appendWords(b, m.abbreviations)
	b = appendWords(b, m.prefixes)
	b = binary.AppendUvarint(b, uint64(len(m.cuts)))
	for _, word := range slices.Sorted(maps.Keys(m.cuts)) {
		b = appendWord(appendWord(b, word), m.cuts[word])
	}
	for i := 0; i < len(m.lexicon); i += 4 {
		b = append(b, m.lexicon[i]|m.lexicon[i+1]<<2|m.lexicon[i+2]<<4|m.lexicon[i+3]<<6)
	}
	last := -1
	for i, weight := range m.weights {
		if weight != 0 {
			b = append(binary.AppendUvarint(b, uint64(i-last)), byte(weight))
			last = i
		}
	}
	return binary.AppendUvarint(b, 0), nil
}

func appendWord(b []byte, word string) []byte { return append(append(b, byte(len(word))), word...) }

func appendWords(b []byte, words map[string]bool) []byte {
	b = binary.AppendUvarint(b, uint64(len(words)))
	for _, word := range slices.Sorted(maps.Keys(words)) {
		yes := byte(0)
		if words[word] {
			yes = 1
		}
		b = append(appendWord(b, word), yes)
	}
	return b
}

// Parse decodes a model of AppendBinary, which must be all of b. Other bytes are an error that wraps ErrModel.
// For any input, memory is bounded by about the size of the input plus a megabyte.
func Parse(b []byte) (*Model, error) {
	r := reader{b: b}
	if r.byte() != version {
		return nil, ErrModel
	}
	m := &Model{language: r.word(), abbreviations: r.words(), prefixes: r.words(), cuts: map[string]string{}}
	for range r.count() {
		word, lengths := r.word(), r.word()
		if !areLengths(lengths, word) {
			r.fail("tokens of %q", word)
			break
		}
		m.cuts[word] = lengths
	}
	packed := r.take(len(m.lexicon) / 4)
	for i, c := range packed {
		for j := range 4 {
			m.lexicon[4*i+j] = c >> (2 * j) & 3
		}
	}
	m.weights = r.weights()
	if len(r.b) > 0 {
		r.fail("%d bytes too many", len(r.b))
	}
	if r.err != nil {
		return nil, r.err
	}
	return m, nil
}

// areLengths reports whether lengths are those of tokens of a word, all but the last's.
func areLengths(lengths, word string) bool {
	sum := 0
	for _, n := range []byte(lengths) {
		sum += int(n)
		if n == 0 || sum >= len(word) {
			return false
		}
	}
	return len(word) > 0
}

// A reader decodes a model. After its first error it returns zero values.
type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrModel, fmt.Sprintf(format, args...))
	}
	r.b = nil
}

func (r *reader) take(n int) []byte {
	if n > len(r.b) {
		r.fail("it ends too early")
		return nil
	}
	b := r.b[:n]
	r.b = r.b[n:]
	return b
}

func (r *reader) byte() byte {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *reader) number() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.fail("it ends too early")
		return 0
	}
	r.b = r.b[n:]
	return x
}

func (r *reader) count() int {
	n := r.number()
	if n > maxWords || n > uint64(len(r.b)) {
		r.fail("%d words", n)
		return 0
	}
	return int(n)
}

func (r *reader) word() string {
	n := int(r.byte())
	if n > maxWord {
		r.fail("a word of %d bytes", n)
		return ""
	}
	return string(r.take(n))
}

func (r *reader) words() map[string]bool {
	words := map[string]bool{}
	for range r.count() {
		word := r.word()
		words[word] = r.byte() == 1
	}
	return words
}

func (r *reader) weights() []int8 {
	weights := make([]int8, 1<<weightBits)
	at := -1
	for {
		step := r.number()
		if step == 0 {
			return weights
		}
		if step > uint64(len(weights)-1-at) {
			r.fail("a weight beyond the last")
			return nil
		}
		at += int(step)
		weights[at] = int8(r.byte())
	}
}
