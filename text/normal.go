package text

import (
	"math/bits"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns a text in the form in which labels, terms and filters are compared: NFKC (UAX 15), apostrophes and
// hyphens of all kinds as in ASCII, without characters that have no shape. Case stays. ASCII is its own form. Words
// are compared by a Scanner's, which agrees and keeps offsets.
func Fold(s string) string {
	if firstHigh(s, 0) == len(s) {
		return s
	}
	return norm.NFKC.String(strings.Map(straighten, s))
}

// Key is Fold in lower case: texts with one key differ in nothing that a reader would call another word.
func Key(s string) string { return strings.Map(lowerOf, Fold(s)) }

// Composed returns a text as it is shown and stored: in NFC (UAX 15). It costs ASCII one look at its bytes.
func Composed(s string) string {
	if firstHigh(s, 0) == len(s) {
		return s
	}
	return norm.NFC.String(s)
}

// lowerOf is a character in lower case; a sigma has one form, at the end of a word too.
func lowerOf(r rune) rune {
	if r == 'ς' {
		return 'σ'
	}
	return unicode.ToLower(r)
}

// straighten returns the ASCII sign that looks like a character, -1 for one without a shape, else the character.
func straighten(r rune) rune {
	switch {
	case r < 0xa0:
	case apostrophe(r):
		return '\''
	case r >= 0x2010 && r <= 0x2013, r == 0x2043, r == 0x2212, r == 0xfe58, r == 0xfe63, r == 0xff0d:
		return '-'
	case shapeless(r):
		return -1
	}
	return r
}

// apostrophe reports whether a character beyond ASCII is written for an apostrophe.
func apostrophe(r rune) bool {
	switch r {
	case 0x2bb, 0x2bc, 0x2bd, 0x55a, 0x2019, 0x201b, 0xff07:
		return true
	}
	return quoteOrPrime(r)
}

// quoteOrPrime reports whether a character is an apostrophe only between letters: it is a quote or, in 30′, a minute.
func quoteOrPrime(r rune) bool { return r == 0xb4 || r == 0x2b9 || r == 0x2018 || r == 0x2032 }

// shapeless reports whether a character only guides the breaking, direction or shaping of its neighbours.
func shapeless(r rune) bool {
	switch {
	case r < 0x34f:
		return r == 0xad
	case r < 0x2000:
		return r == 0x34f || r == 0x61c || r >= 0x180b && r <= 0x180f
	case r < 0xfe00:
		return r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e || r >= 0x2060 && r <= 0x206f
	}
	return r <= 0xfe0f || r == 0xfeff || r >= 0xe0000 && r <= 0xe0fff
}

// The ways in which a character can depart from the form of words.
const (
	itself    uint8 = iota
	attached        // may stand in another order among its like
	composing       // the same, or is one character with that before it
	foreign         // another character, or several, in its stead
	modifier        // both: the half-width voicing mark of Katakana
	vanishing       // shapeless
	point           // depends on its neighbours: a comma between digits, an apostrophe between letters
)

// kinds are those of all characters below 0x10000. They cost some milliseconds, once, when the first text comes that
// is not ASCII.
var kinds = sync.OnceValue(func() *[1 << 16]uint8 {
	t := new([1 << 16]uint8)
	for r := rune(0x80); r < 1<<16; r++ {
		if r >= 0x3400 && r < 0xa000 || r >= 0xac00 && r < 0xf900 { // Han, Hangul, private
			continue
		}
		if kind := findKind(r); kind != itself {
			t[r] = max(t[r], kind)
		} else if d := norm.NFC.PropertiesString(string(r)).Decomposition(); d != nil {
			if mark, _ := utf8.DecodeLastRune(d); mark < 1<<16 && !norm.NFC.PropertiesString(string(mark)).BoundaryBefore() {
				t[mark] = max(t[mark], composing)
			}
		}
	}
	for r := 0x1161; r < 0x11c3; r++ { // vowels and final consonants of Hangul
		t[r] = composing
	}
	return t
})

func findKind(r rune) uint8 {
	switch {
	case r >= 0xd800 && r < 0xe000, r == utf8.RuneError, r == '’': // which a Scanner reads as it is
		return itself
	case r == 0xff0c, r == 0xff0e, quoteOrPrime(r):
		return point
	case apostrophe(r):
		return foreign
	case shapeless(r):
		return vanishing
	}
	s := string(r)
	begins, same := norm.NFKC.PropertiesString(s).BoundaryBefore(), !wordlike(r) || norm.NFKC.String(s) == s
	switch {
	case begins && same:
		return itself
	case begins:
		return foreign
	case same:
		return attached
	}
	return modifier
}

// wordlike reports whether the compatibility form of a character matters in words. That of a superscript does not: it
// mostly is the number of a note; nor that of symbols such as ™.
func wordlike(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.Nd, unicode.Nl) ||
		r >= 0x2080 && r <= 0x2089 || // CO₂
		r >= 0x2e80 && r <= 0x2fdf || r >= 0x3300 && r <= 0x33ff || // radicals, ㎞
		r == 0xff03 || r == 0xff0b // C＃, C＋＋
}

// kindOf returns the kind of a character beyond ASCII.
func kindOf(r rune, known *[1 << 16]uint8) uint8 {
	switch {
	case r < 1<<16:
		return known[r]
	case r >= 0x1f200 && r < 0x2f800: // emoji, Han
		return itself
	}
	return findKind(r)
}

// An edit is a place where a normal form departs from its text: form[at:to] stands for text[from:end].
type edit struct{ at, to, from, end int }

// normalise returns a text in the form in which words are compared, and where it departs from the text; edits is
// memory to use. The form is NFKC without the compatibility forms of signs; see Fold.
func normalise(s string, edits []edit) (string, []edit) {
	edits = edits[:0]
	high := firstHigh(s, 0)
	if high == len(s) {
		return s, edits
	}
	var b []byte
	done, known := 0, kinds()
	for i, end := nextOdd(s, high, 0, known); i < len(s); i, end = nextOdd(s, end, end, known) {
		b = append(b, s[done:i]...)
		at := len(b)
		b = append(b, formOf(s[i:end], known)...)
		edits = append(edits, edit{at, len(b), i, end})
		done = end
	}
	if len(edits) == 0 {
		return s, edits
	}
	return string(append(b, s[done:]...)), edits
}

// nextOdd returns the extent of the next characters that go together and are not in normal form, from i on but not
// before least; the text's length if there are none.
func nextOdd(s string, i, least int, known *[1 << 16]uint8) (start, end int) {
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			i = firstHigh(s, i+1)
			continue
		}
		r, n := rune(c&0x1f)<<6|rune(at(s, i+1)&0x3f), 2 // of Latin, Greek, Cyrillic, Hebrew, Arabic
		if c >= 0xe0 {
			r, n = utf8.DecodeRuneInString(s[i:])
		}
		kind := kindOf(r, known)
		if kind == itself {
			i += n
			continue
		}
		if start, end = oddAt(s, i, least, known); end > i {
			if start >= 0 {
				return start, end
			}
			i = end
		}
	}
	return len(s), len(s)
}

// oddAt looks at a character at i that is not itself: it returns the extent of the characters that go together and
// are not in normal form; start -1 if they are.
func oddAt(s string, i, least int, known *[1 << 16]uint8) (start, end int) {
	r, n := utf8.DecodeRuneInString(s[i:])
	end = endOfGroup(s, i+n, known)
	last, size := utf8.DecodeLastRuneInString(s[:i])
	if start = i - size; start < least {
		start, size = i, 0
	}
	switch kind := kindOf(r, known); kind {
	case itself: // no UTF-8
	case foreign:
		return i, end
	case point:
		if next, _ := utf8.DecodeRuneInString(s[i+n:]); quoteOrPrime(r) && unicode.IsLetter(last) && unicode.IsLetter(next) ||
			!quoteOrPrime(r) && unicode.IsDigit(last) {
			return i, end
		}
	case vanishing:
		if i > 0 && holdsOn(last, r) {
			return start, end
		}
	default:
		alone := kind == attached && end == i+n
		if !alone && (!norm.NFC.IsNormalString(s[start:end]) || holdsOdd(s[i:end], known)) {
			return start, end
		}
		return -1, end
	}
	return -1, i + n
}

func at(s string, i int) byte {
	if i < len(s) {
		return s[i]
	}
	return 0
}

// endOfGroup returns the end of the characters at i that are attached to those before them.
func endOfGroup(s string, i int, known *[1 << 16]uint8) int {
	for i < len(s) && s[i] >= utf8.RuneSelf {
		r, n := utf8.DecodeRuneInString(s[i:])
		kind := kindOf(r, known)
		if kind != attached && kind != composing && kind != modifier && (kind != vanishing || r == zeroSpace) {
			break
		}
		i += n
	}
	return i
}

// holdsOdd reports whether one of the characters departs from the form of words by itself.
func holdsOdd(s string, known *[1 << 16]uint8) bool {
	for _, r := range s {
		if kindOf(r, known) > composing {
			return true
		}
	}
	return false
}

// zeroSpace is a place where a line may break, as <wbr> is, and the end of a word in scripts that show none.
const zeroSpace = '\u200b'

// holdsOn reports whether a shapeless character behind last stands in a word.
func holdsOn(last, shapeless rune) bool {
	if shapeless == zeroSpace && (last >= 0xe00 && last < 0x10a0 || last >= 0x1780 && last < 0x1800) { // Thai … Khmer
		return false
	}
	return wordRune(last) || unicode.IsMark(last) || last < utf8.RuneSelf && class(byte(last)) == joiner ||
		last >= utf8.RuneSelf && (apostrophe(last) || last < 1<<16 && kinds()[last] != itself)
}

// formOf is the normal form of characters that go together.
func formOf(s string, known *[1 << 16]uint8) []byte {
	b := make([]byte, 0, 32)
	for _, r := range s {
		if r < utf8.RuneSelf {
			b = append(b, byte(r))
			continue
		}
		switch kind := kindOf(r, known); {
		case kind == vanishing:
		case kind > composing && apostrophe(r):
			b = append(b, '\'')
		case kind > composing:
			b = norm.NFKD.AppendString(b, string(r))
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return norm.NFC.Bytes(b)
}

// A Form is a text in the form in which words are compared, which a Scanner reads.
type Form struct {
	Text  string
	edits []edit
}

// FormOf returns the form of a text: the text itself if it is ASCII, as nearly always.
func FormOf(s string) Form {
	form, edits := normalise(s, nil)
	return Form{form, edits}
}

// Start returns where in the text a word begins that begins at a byte of its form.
func (f Form) Start(at int) int { return inText(f.edits, at, true) }

// End returns where in the text a word ends that ends before a byte of its form.
func (f Form) End(at int) int { return inText(f.edits, at, false) }

// inText returns the place in a text that a place in its form stands for: a start, or an end, of a word.
func inText(edits []edit, at int, start bool) int {
	low, high := 0, len(edits) // of the edits that begin before at
	for low < high {
		if mid := (low + high) / 2; edits[mid].at < at || start && edits[mid].at == at {
			low = mid + 1
		} else {
			high = mid
		}
	}
	if low == 0 {
		return at
	}
	e := edits[low-1]
	switch {
	case at >= e.to:
		return e.end + at - e.to
	case start:
		return e.from
	}
	return e.end
}

// firstHigh returns the first byte from i on that is not ASCII.
func firstHigh(s string, i int) int {
	for i+8 <= len(s) {
		if i+32 <= len(s) {
			b := s[i : i+32]
			if (eight(b[:8])|eight(b[8:16])|eight(b[16:24])|eight(b[24:]))&(each*0x80) == 0 {
				i += 32
				continue
			}
		}
		if x := eight(s[i:i+8]) & (each * 0x80); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
		i += 8
	}
	for i < len(s) && s[i] < utf8.RuneSelf {
		i++
	}
	return i
}
