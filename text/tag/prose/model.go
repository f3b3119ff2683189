package prose

import (
	"bytes"
	"cmp"
	"compress/gzip"
	_ "embed" // of the model
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	penn "orbweaver/text/tag"
)

// maxTags bounds the tags of a model; noTag is the number of those that no feature has.
const (
	maxTags = 64
	noTag   = maxTags - 1
)

// A model is prose's averaged perceptron. Its features are taken apart: the rows of weights that a word adds to are found once a
// word, by a hash, where prose searches all names of features for each of a token's fourteen. Row 0 is empty.
type model struct {
	classes int
	tags    map[string]uint8  // numbers of tags, the classes first
	penn    [maxTags]penn.Tag // of the classes
	sure    map[string]uint8  // classes of words that have one in any context; of those in normal form, wordRows has them

	rows    []row
	weights []weight

	bias     uint32
	starts   [][maxTags]float32 // by suffix: what bias and the suffix of the word add up to
	prefixes [256]uint32        // by the first byte of the word
	noPrefix uint32             // of the empty word
	before1  [maxTags]uint32
	before2  [maxTags]uint32
	both     [maxTags][maxTags]uint32

	words    []wordRows // 0: a word without features
	wordAt   map[string]uint32
	tagged   []taggedRow  // of each word, one after the other
	suffixes []suffixRows // 0: a suffix without features
	suffixAt map[uint32]uint32
}

// A row is a range of weights.
type row struct{ from, to uint32 }

// A weight is what a feature adds to the score of a class.
type weight struct {
	value float32
	class uint8
}

// wordRows are the rows of a word by its place: here, or one or two words before or behind the one to be tagged.
type wordRows struct {
	here, before1, before2, after1, after2 uint32
	tagged, end                            uint32 // those for the word behind a tag
	suffix                                 uint32 // place of its suffix
	sure                                   uint8  // its class in any context, plus 1; 0: it has none
}

type taggedRow struct {
	word uint32
	tag  uint8
	row  uint32
}

// suffixRows are the rows of a suffix by the place of its word.
type suffixRows struct{ here, before, after uint32 }

// packed is prose's English model, gzipped: a third of its size. See NOTICE.
//
//go:embed english.gz
var packed []byte

// english decodes the built-in model, once in a process.
var english = sync.OnceValues(func() (*model, error) {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	return decode(data)
})

// decode reads a model in version 1 of prose's format.
func decode(data []byte) (*model, error) {
	d := penn.NewDecoder(data)
	if start := string(d.Bytes(8)); start != "PROSETAG" || d.Uint32() != 1 {
		return nil, fmt.Errorf("%w: it is none of prose, or of another version", penn.ErrModel)
	}
	m := &model{
		tags: map[string]uint8{}, wordAt: map[string]uint32{}, suffixAt: map[uint32]uint32{},
		rows: make([]row, 1), words: make([]wordRows, 1), suffixes: make([]suffixRows, 1),
	}
	m.classes = min(int(d.Uint32()), noTag)
	for range m.classes {
		name := text(d)
		m.penn[m.tag(name)] = pennTag("", name)
	}
	features, pairs, size := int(d.Uint32()), int(d.Uint32()), int(d.Uint32())
	names, ends, starts := string(d.Bytes(size)), d.Bytes(4*(features+1)), d.Bytes(4*(features+1))
	classes, values := d.Bytes(pairs), d.Bytes(4*pairs)
	sure := int(d.Uint32())
	m.sure = make(map[string]uint8, min(sure, size))
	for i := 0; i < sure && !d.Failed(); i++ {
		word := text(d)
		if m.sure[word] = d.Byte(); normal(word) {
			m.words[m.word(word)].sure = m.sure[word] + 1
		}
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	m.weights = make([]weight, pairs)
	for i := range m.weights {
		m.weights[i] = weight{math.Float32frombits(number(values, i)), classes[i]}
	}
	kinds := m.kinds()
	for i := range features {
		m.rows = append(m.rows, row{number(starts, i), number(starts, i+1)})
		name := names[number(ends, i):number(ends, i+1)]
		for _, kind := range kinds {
			if of, ok := strings.CutPrefix(name, kind.prefix); ok {
				kind.set(of, uint32(len(m.rows)-1))
				break
			}
		}
	}
	m.group()
	m.start()
	return m, nil
}

func number(b []byte, i int) uint32 { return binary.LittleEndian.Uint32(b[4*i:]) }

// text reads a string behind its length of two bytes.
func text(d *penn.Decoder) string {
	n := int(d.Byte())
	return string(d.Bytes(n | int(d.Byte())<<8))
}

// A kind of features has names that start alike, and sets the row of one by the rest of its name.
type kind struct {
	prefix string
	set    func(of string, row uint32)
}

// kinds are all that are asked for.
func (m *model) kinds() []kind {
	return []kind{
		{"bias", func(_ string, row uint32) { m.bias = row }},
		{"i pref1 ", m.prefix},
		{"i-1 tag ", func(of string, row uint32) { m.before1[m.tag(of)] = row }},
		{"i-2 tag ", func(of string, row uint32) { m.before2[m.tag(of)] = row }},
		{"i tag+i-2 tag ", func(of string, row uint32) {
			one, two, _ := strings.Cut(of, " ")
			m.both[m.tag(one)][m.tag(two)] = row
		}},
		{"i-1 tag+i word ", func(of string, row uint32) {
			tag, word, _ := strings.Cut(of, " ")
			m.tagged = append(m.tagged, taggedRow{m.word(word), m.tag(tag), row})
		}},
		{"i word ", func(of string, row uint32) { m.words[m.word(of)].here = row }},
		{"i-1 word ", func(of string, row uint32) { m.words[m.word(of)].before1 = row }},
		{"i-2 word ", func(of string, row uint32) { m.words[m.word(of)].before2 = row }},
		{"i+1 word ", func(of string, row uint32) { m.words[m.word(of)].after1 = row }},
		{"i+2 word ", func(of string, row uint32) { m.words[m.word(of)].after2 = row }},
		{"i suffix ", func(of string, row uint32) { m.suffixes[m.suffix(of)].here = row }},
		{"i-1 suffix ", func(of string, row uint32) { m.suffixes[m.suffix(of)].before = row }},
		{"i+1 suffix ", func(of string, row uint32) { m.suffixes[m.suffix(of)].after = row }},
	}
}

func (m *model) prefix(of string, row uint32) {
	if of == "" {
		m.noPrefix = row
	} else if len(of) == 1 {
		m.prefixes[of[0]] = row
	}
}

// tag returns the number of a tag, a new one if it has none.
func (m *model) tag(name string) uint8 {
	n, ok := m.tags[name]
	if !ok {
		n = uint8(min(len(m.tags), noTag))
		m.tags[name] = n
	}
	return n
}

// tagAt returns the number of a tag.
func (m *model) tagAt(name string) uint8 {
	if n, ok := m.tags[name]; ok {
		return n
	}
	return noTag
}

// word returns the place of a word with features, a new one if it has none.
func (m *model) word(of string) uint32 {
	at, ok := m.wordAt[of]
	if !ok {
		at = uint32(len(m.words))
		m.wordAt[of] = at
		m.words = append(m.words, wordRows{})
	}
	return at
}

// suffix returns the place of a suffix with features, a new one if it has none.
func (m *model) suffix(of string) uint32 {
	at, ok := m.suffixAt[ending(of)]
	if !ok {
		at = uint32(len(m.suffixes))
		m.suffixAt[ending(of)] = at
		m.suffixes = append(m.suffixes, suffixRows{})
	}
	return at
}

// ending returns the last three bytes of a word, with their number: suffixes of a model have no more.
func ending(word string) uint32 {
	last := word[max(0, len(word)-3):]
	n := uint32(len(last)) << 24
	for i := range len(last) {
		n |= uint32(last[i]) << (8 * i)
	}
	return n
}

// group puts the rows for words behind tags together, by word.
func (m *model) group() {
	slices.SortFunc(m.tagged, func(a, b taggedRow) int { return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.tag, b.tag)) })
	for i, t := range m.tagged {
		w := &m.words[t.word]
		if w.end == 0 {
			w.tagged = uint32(i)
		}
		w.end = uint32(i) + 1
	}
}

// start completes what is known of words and suffixes by themselves.
func (m *model) start() {
	for word, at := range m.wordAt {
		m.words[at].suffix = m.suffixAt[ending(word)]
	}
	m.starts = make([][maxTags]float32, len(m.suffixes))
	for i := range m.starts {
		m.add(&m.starts[i], m.bias)
		m.add(&m.starts[i], m.suffixes[i].here)
	}
}

// add adds a row to scores.
func (m *model) add(scores *[maxTags]float32, n uint32) {
	at := m.rows[n]
	for _, w := range m.weights[at.from:at.to] {
		scores[w.class%maxTags] += w.value
	}
}
