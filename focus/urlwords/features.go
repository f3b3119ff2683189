package urlwords

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver/text"
	"orbweaver/weburl"
)

// Bounds of the words of one URL.
const (
	maxWords   = 12
	maxWord    = 32 // bytes of a stem
	leastWord  = 3  // characters; shorter words say little
	affix      = 4  // characters of a word's beginning or end that are a feature
	leastAffix = 7  // characters of a word that has such features
)

// Spell returns the words of a URL's path as text: escapes decoded, the extension and digits left out, camel case and
// all signs split. A URL of an opaque id gives hardly any text.
func Spell(url string) string {
	var b strings.Builder
	last := ' '
	for _, r := range weburl.PathWords(url) {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsMark(r):
			r = ' '
		case unicode.IsUpper(r) && unicode.IsLower(last):
			b.WriteByte(' ')
		}
		if r != ' ' || last != ' ' {
			b.WriteRune(r)
		}
		last = r
	}
	return strings.TrimSpace(b.String())
}

// A Listed is what a link that is a URL alone says of its target.
type Listed struct {
	Named float64 // how surely the URL names what the focus is for, 0..1: by the focus
	Place uint32  // hash of its host and folder
	words []byte  // stems in order, each preceded by a byte with its length
}

// A Reader finds the words of URLs and texts. It is not safe for concurrent use.
type Reader struct {
	scanner             text.Scanner
	stem, last, feature []byte
}

// Read returns what a URL says, named by the focus.
func (r *Reader) Read(url string, named float64, stemmer *text.Stemmer) Listed {
	l := Listed{Named: float64(float32(named)), Place: place(url)}
	n := 0
	r.scanner.Reset(Spell(url))
	for r.scanner.Next() && n < maxWords {
		if r.stem = stemmer.Append(r.stem[:0], r.scanner.Word()); proper(r.stem) {
			l.words = append(append(l.words, byte(len(r.stem))), r.stem...)
			n++
		}
	}
	return l
}

// place hashes the URL up to its last slash.
func place(url string) uint32 {
	h := fnv.New32a()
	h.Write([]byte(url[:strings.LastIndexByte(url, '/')+1]))
	return h.Sum32()
}

// proper reports whether a stem is a feature.
func proper(stem []byte) bool {
	return len(stem) <= maxWord && utf8.Valid(stem) && utf8.RuneCount(stem) >= leastWord
}

// Append appends the encoding of l.
func (l Listed) Append(b []byte) []byte {
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(l.Named)))
	b = binary.LittleEndian.AppendUint32(b, l.Place)
	b = binary.AppendUvarint(b, uint64(len(l.words)))
	return append(b, l.words...)
}

// Parse decodes a Listed at the start of b and returns the rest; false: there is none.
func Parse(b []byte) (l Listed, rest []byte, ok bool) {
	if len(b) < 9 {
		return l, nil, false
	}
	l.Named, l.Place = float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), binary.LittleEndian.Uint32(b[4:])
	n, size := binary.Uvarint(b[8:])
	if b = b[8:]; size <= 0 || n > uint64(len(b)-size) || !(l.Named >= 0 && l.Named <= 1) {
		return Listed{}, nil, false
	}
	l.words, rest = b[size:size+int(n)], b[size+int(n):]
	count := 0
	for w := l.words; len(w) > 0; w = w[1+int(w[0]):] {
		if count++; int(w[0]) >= len(w) || w[0] == 0 || count > maxWords {
			return Listed{}, nil, false
		}
	}
	return l, rest, true
}

// The sides on which a feature counts.
const (
	inText = 1 << iota // of pages
	inURL              // of requests
)

// each calls yield with the features of a URL: its stems and pairs of neighbours, which texts have too; beginnings and
// ends of long words ("ichthyo-", "-saurus"); and its place.
func (r *Reader) each(l Listed, yield func(feature []byte, sides int)) {
	r.last = r.last[:0]
	for w := l.words; len(w) > 0; w = w[1+int(w[0]):] {
		stem := w[1 : 1+int(w[0])]
		yield(stem, inText|inURL)
		if len(r.last) > 0 {
			yield(r.pair(stem), inText|inURL)
		}
		r.last = append(r.last[:0], stem...)
		if head, tail, long := affixes(stem); long {
			r.feature = append(append(r.feature[:0], head...), '-')
			yield(r.feature, inURL)
			r.feature = append(append(r.feature[:0], '-'), tail...)
			yield(r.feature, inURL)
		}
	}
	yield(binary.LittleEndian.AppendUint32(append(r.feature[:0], '/'), l.Place), inURL)
}

// pair returns the last stem and another.
func (r *Reader) pair(stem []byte) []byte {
	r.feature = append(append(append(r.feature[:0], r.last...), ' '), stem...)
	return r.feature
}

// affixes returns the beginning and the end of a long word.
func affixes(stem []byte) (head, tail []byte, long bool) {
	if utf8.RuneCount(stem) < leastAffix {
		return nil, nil, false
	}
	from, to := 0, len(stem)
	for range affix {
		_, size := utf8.DecodeRune(stem[from:])
		from += size
		_, size = utf8.DecodeLastRune(stem[:to])
		to -= size
	}
	return stem[:from], stem[to:], true
}

// text calls yield with the stems and pairs of neighbours of a text, in order, again and again.
func (r *Reader) text(s string, stemmer *text.Stemmer, yield func(feature []byte)) {
	r.last = r.last[:0]
	r.scanner.Reset(s)
	for r.scanner.Next() {
		if r.stem = stemmer.Append(r.stem[:0], r.scanner.Word()); !proper(r.stem) {
			r.last = r.last[:0]
			continue
		}
		yield(r.stem)
		if len(r.last) > 0 {
			yield(r.pair(r.stem))
		}
		r.last = append(r.last[:0], r.stem...)
	}
}
