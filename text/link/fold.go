package link

import (
	"math/bits"
	"unicode"
	"unicode/utf8"
)

// A shape is the pattern of capitals in a word or a name.
type shape uint8

const (
	caseless shape = iota // no cased letters, or unknown: everything around is in capitals
	lower                 // water, computer science
	initial               // Water, Computer science: the first letter may start a sentence or a title
	proper                // New York, University of Oxford, US dollar
	upper                 // US, NATO
	mixed                 // iPhone, McDonald
	shapes
)

// A part is a folded word, or a significant sign. One token may have several, or none.
type part struct {
	hash     uint64 // of the folded word
	singular uint64 // of its singular by rule or lemma; 0: none
	token    int32  // index of its token
	shape    shape  // this word's: never proper
	stop     bool   // no label crosses it: a bracket, a semicolon
	sign     bool   // a comma or colon
	sentence bool   // first in its sentence
}

const (
	hashStart = 0xcbf29ce484222325 // FNV-1a, mixed at the end
	hashPrime = 0x100000001b3
)

// mix spreads a hash over all its bits (the finalizer of MurmurHash3).
func mix(h uint64) uint64 {
	h ^= h >> 33
	h *= 0xff51afd7ed558ccd
	h ^= h >> 33
	h *= 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// step is the hash of a prefix and one more word.
func step(prefix, word uint64) uint64 {
	return mix(bits.RotateLeft64(prefix, 23)*hashPrime + word)
}

// hashOf is the hash of a folded word.
func hashOf(word string) uint64 {
	h := uint64(hashStart)
	for i := range len(word) {
		h = (h ^ uint64(word[i])) * hashPrime
	}
	return mix(h)
}

// A folder reads one word of a string.
type folder struct {
	hash   uint64
	n      int  // bytes read
	last   byte // the last letter
	uppers int  // letters that are capitals
	lowers bool // it has other letters
	title  bool // the first letter is a capital
}

// part ends the word, given as in the text.
func (f *folder) part(word string, token int32) part {
	p := part{hash: mix(f.hash), token: token}
	switch {
	case f.uppers == 0 && !f.lowers:
	case f.uppers == 0:
		p.shape = lower
	case !f.lowers && (f.uppers > 1 || f.title && digit(f.last)): // NATO, B52
		p.shape = upper
	case f.title && f.uppers == 1:
		p.shape = initial
	default:
		p.shape = mixed
	}
	if f.last == 's' && p.shape != upper {
		p.singular = singular(word)
	}
	return p
}

// singular is the hash of a word without the plural's ending, by the most reliable rules of English; 0: none. The
// removed ending is ASCII.
func singular(word string) uint64 {
	n := len(word)
	if n < 4 || word[n-1] != 's' { // a point behind it
		return 0
	}
	stem, ending := word[:n-1], ""
	switch a, b := word[n-3]|0x20, word[n-4]|0x20; word[n-2] | 0x20 {
	case 's', 'u', 'i': // glass, virus, crisis
		return 0
	case 'e':
		switch {
		case a == 'i' && n > 4: // cities
			stem, ending = word[:n-3], "y"
		case a == 'x' || a == 'z' || a == 's' && b == 's' || a == 'h' && (b == 'c' || b == 's'): // boxes, churches
			stem = word[:n-2]
		}
	}
	f := folder{hash: hashStart}
	f.word(stem)
	for i := range len(ending) {
		f.take(ending[i])
	}
	return mix(f.hash)
}

func (f *folder) take(c byte) {
	f.hash = (f.hash ^ uint64(c)) * hashPrime
	f.n++
	f.last = c
}

// rune adds a letter, mark or digit beyond ASCII.
func (f *folder) rune(r rune) {
	low := unicode.ToLower(r)
	switch {
	case low != r:
		f.title = f.title || f.n == 0
		f.uppers++
	case unicode.IsLower(r):
		f.lowers = true
	}
	var buf [utf8.UTFMax]byte
	for _, c := range buf[:utf8.EncodeRune(buf[:], low)] {
		f.take(c)
	}
}

// plain adds the ASCII letters and digits at the start of s and returns their number.
func (f *folder) plain(s string) int {
	hash, uppers, i := f.hash, 0, 0
	for ; i < len(s); i++ {
		c := s[i]
		switch {
		case c-'a' < 26:
			f.lowers = true
		case c-'A' < 26:
			uppers++
			c |= 0x20
		case c-'0' >= 10:
			goto end
		}
		hash = (hash ^ uint64(c)) * hashPrime
	}
end:
	if i > 0 {
		f.title = f.title || f.n == 0 && s[0]-'A' < 26
		f.hash, f.last = hash, s[i-1]
		f.n, f.uppers = f.n+i, f.uppers+uppers
	}
	return i
}

// fold appends the parts of a token, or of a whole label, to dst.
func fold(dst []part, s string, token int32) []part {
	for i := 0; i < len(s); {
		if c := s[i]; c < utf8.RuneSelf && !alphanumeric(c) {
			dst = sign(dst, c, token)
			if c == '\'' {
				i += possessive(s[i+1:])
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if !wordRune(r) {
			dst = signRune(dst, r, token)
			if r == '\u2019' {
				n += possessive(s[i+n:])
			}
			i += n
			continue
		}
		f := folder{hash: hashStart}
		n = f.word(s[i:])
		dst = append(dst, f.part(s[i:i+n], token))
		i += n
	}
	return dst
}

// word reads the word at the start of s and returns its length, at least one character's.
func (f *folder) word(s string) int {
	i := f.plain(s)
	for i < len(s) {
		c := s[i]
		switch {
		case c >= utf8.RuneSelf:
			r, n := utf8.DecodeRuneInString(s[i:])
			if !wordRune(r) {
				return i
			}
			f.rune(r)
			i += n
		case c == '.' && !digit(f.last): // U.S.
			i++
		case (c == '.' || c == ',') && digit(f.last) && i+1 < len(s) && digit(s[i+1]): // 3.5, 1,000
			f.take(c)
			i++
		case c == '+' || c == '#': // c++
			f.take(c)
			i++
		default:
			return i
		}
		i += f.plain(s[i:])
	}
	return i
}

// sign appends the part for an ASCII character outside words: none, a word, a sign or a stop.
func sign(dst []part, c byte, token int32) []part {
	switch c {
	case ' ', '\t', '\n', '\r', '\'', '"', '`', '-', '/', '!', '?', '_':
		return dst
	case '&':
		return append(dst, part{hash: hashOf("and"), token: token})
	case ',', ':':
		return append(dst, part{hash: mix(uint64(c)), token: token, sign: true})
	}
	return append(dst, part{token: token, stop: true})
}

// signRune is sign beyond ASCII.
func signRune(dst []part, r rune, token int32) []part {
	switch r {
	case '\u2018', '\u2019', '\u201c', '\u201d', '\u2010', '\u2011', '\u2013', '\u00ad', '\u200b', '\u200d':
		return dst
	}
	if unicode.IsSpace(r) {
		return dst
	}
	return append(dst, part{token: token, stop: true})
}

// possessive returns the length of a possessive s after an apostrophe, 0 for none.
func possessive(s string) int {
	if s == "" || s[0]|0x20 != 's' {
		return 0
	}
	if r, _ := utf8.DecodeRuneInString(s[1:]); len(s) > 1 && wordRune(r) {
		return 0
	}
	return 1
}

func digit(c byte) bool { return c-'0' < 10 }

func alphanumeric(c byte) bool { return c|0x20-'a' < 26 || c-'0' < 10 }

func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return alphanumeric(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r))
}

// shapeOf is the pattern of capitals in a name of several words.
func shapeOf(parts []part) shape {
	var n [shapes]int
	first := caseless
	for _, p := range parts {
		if first == caseless {
			first = p.shape
		}
		n[p.shape]++
	}
	switch {
	case n[mixed] > 0:
		return mixed
	case n[upper] > 0 && n[initial]+n[lower] == 0:
		return upper
	case n[upper] > 0:
		return proper
	case n[initial] == 0 && n[lower] == 0:
		return caseless
	case n[initial] == 0:
		return lower
	case n[initial] == 1 && first == initial:
		return initial
	}
	return proper
}
