package tag

import (
	"encoding/binary"
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// maxWord bounds the bytes of a word that are examined.
const maxWord = 64

// A word holds the context-free properties of a word.
type word struct {
	exact  uint64 // hash of its form, with digits unified and typographic signs in ASCII
	lower  uint64 // the same in lower case
	first  uint64 // first eight bytes in lower case, the first one lowest
	last   uint64 // last eight bytes, the last one lowest
	shape  uint64 // kinds of its characters, four bits each; a run counts once
	length int    // in bytes
	look   look
	entry  // of the lexicon
}

// A look is a bit set of orthographic properties.
type look uint64

const (
	startsUpper look = 1 << iota
	allUpper         // it has letters, all in upper case
	laterUpper       // after its first character
	hasLetter
	hasDigit
	hasHyphen
	allSigns
)

// Kinds of characters in a shape; all other signs share one.
const (
	kindLower uint64 = 1 + iota
	kindUpper
	kindDigit
	kindHyphen
	kindPoint
	kindApostrophe
	kindSlash
	kindAt
	kindLetter // of a script without case
	kindSign
)

// Codes of signs beyond ASCII.
const (
	openQuote  = 1
	closeQuote = 2
	dash       = 3
)

// A speller reads the characters of forms.
type speller struct {
	lower [maxWord + utf8.UTFMax]byte // last word in lower case, digits unified
	exact [maxWord + utf8.UTFMax]byte
	n     int
}

// read reads a form. It does not set the lexicon entry.
func (s *speller) read(w *word, form string) {
	*w = word{}
	s.n = 0
	lower := false
	for i := 0; i < len(form) && s.n < maxWord; {
		size, kind := 1, kindSign
		if c := form[i]; c < utf8.RuneSelf {
			kind = s.ascii(c)
		} else {
			size, kind = s.rune(form[i:])
		}
		switch kind {
		case kindLower:
			lower = true
			w.look |= hasLetter
		case kindUpper:
			w.look |= hasLetter
			if i == 0 {
				w.look |= startsUpper
			} else {
				w.look |= laterUpper
			}
		case kindLetter:
			w.look |= hasLetter
		case kindDigit:
			w.look |= hasDigit
		case kindHyphen:
			w.look |= hasHyphen
		}
		if w.shape&15 != kind && w.shape>>60 == 0 {
			w.shape = w.shape<<4 | kind
		}
		i += size
	}
	if !lower && w.look&(startsUpper|laterUpper) != 0 {
		w.look |= allUpper
	}
	if w.look&(hasLetter|hasDigit) == 0 {
		w.look |= allSigns
	}
	s.hash(w)
}

// ascii adds an ASCII character and returns its kind.
func (s *speller) ascii(c byte) (kind uint64) {
	lower := c
	switch {
	case 'a' <= c && c <= 'z':
		kind = kindLower
	case 'A' <= c && c <= 'Z':
		kind, lower = kindUpper, c|0x20
	case '0' <= c && c <= '9':
		kind, lower, c = kindDigit, '0', '0'
	default:
		kind = kindOf(c)
	}
	s.lower[s.n], s.exact[s.n] = lower, c
	s.n++
	return kind
}

// kindOf returns the kind of an ASCII sign.
func kindOf(c byte) uint64 {
	switch c {
	case '-':
		return kindHyphen
	case '.', ',':
		return kindPoint
	case '\'':
		return kindApostrophe
	case '/':
		return kindSlash
	case '@':
		return kindAt
	}
	return kindSign
}

// rune adds the non-ASCII character at the start of a text and returns its size and kind.
func (s *speller) rune(text string) (size int, kind uint64) {
	r, size := utf8.DecodeRuneInString(text)
	if c := plainSign(r); c != 0 {
		s.lower[s.n], s.exact[s.n] = c, c
		s.n++
		return size, kindOf(c)
	}
	switch {
	case unicode.IsUpper(r):
		kind = kindUpper
	case unicode.IsLower(r):
		kind = kindLower
	case unicode.IsLetter(r):
		kind = kindLetter
	default:
		kind = kindSign
	}
	n := utf8.EncodeRune(s.lower[s.n:], unicode.ToLower(r))
	clear(s.exact[s.n : s.n+n])
	utf8.EncodeRune(s.exact[s.n:], r)
	s.n += n
	return size, kind
}

// plainSign returns the ASCII replacement of a typographic sign, or 0.
func plainSign(r rune) byte {
	switch r {
	case '\u2018', '\u2019', '\u02bc':
		return '\''
	case '\u201c', '\u201e', '\u00ab':
		return openQuote
	case '\u201d', '\u00bb':
		return closeQuote
	case '\u2010', '\u2011':
		return '-'
	case '\u2012', '\u2013', '\u2014':
		return dash
	}
	return 0
}

// hash sets the fields derived from the characters.
func (s *speller) hash(w *word) {
	w.length = s.n
	w.lower = hash(s.lower[:s.n])
	w.exact = hash(s.exact[:s.n])
	for i := range min(s.n, 8) {
		w.first |= uint64(s.lower[i]) << (8 * i)
		w.last |= uint64(s.lower[s.n-1-i]) << (8 * i)
	}
}

// prefix returns the first n bytes in lower case, fewer if the word is shorter.
func (w *word) prefix(n int) uint64 { return w.first & (1<<(8*n) - 1) }

// suffix returns the last n bytes in lower case, fewer if the word is shorter.
func (w *word) suffix(n int) uint64 { return w.last & (1<<(8*n) - 1) }

// hash hashes the bytes of a word. It is part of the model's format.
func hash(b []byte) uint64 {
	h := uint64(len(b))
	for len(b) >= 8 {
		h = mix(h, binary.LittleEndian.Uint64(b))
		b = b[8:]
	}
	var x uint64
	for i, c := range b {
		x |= uint64(c) << (8 * i)
	}
	return mix(h, x)
}

// mix mixes all bits of a and b. It is part of the model's format.
func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a^0x9e3779b97f4a7c15, b^0xd1342543de82ef95)
	return high ^ low
}
