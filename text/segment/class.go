package segment

import (
	"unicode"
	"unicode/utf8"
)

// Classes of characters, one bit each.
const (
	letter uint8 = 1 << iota
	digit
	space
	dot
	joiner // typical of an address: @ : / _ #
	apostrophe
	mark // all others
	high // a byte of a character beyond ASCII
)

// classes is read-only.
var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 0x80:
			t[c] = high
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z':
			t[c] = letter
		case '0' <= c && c <= '9':
			t[c] = digit
		case c == ' ' || '\t' <= c && c <= '\r':
			t[c] = space
		case c == '.':
			t[c] = dot
		case c == '@' || c == ':' || c == '/' || c == '_' || c == '#':
			t[c] = joiner
		case c == '\'' || c == '`':
			t[c] = apostrophe
		default:
			t[c] = mark
		}
	}
	return t
}()

// at returns the class of the character at i, never high, and its size.
func (w *worker) at(i int) (class uint8, size int) {
	if c := classes[w.text[i]]; c != high {
		return c, 1
	}
	r, size := utf8.DecodeRuneInString(w.text[i:])
	return classOf(r, size), size
}

// classOf returns the class of a character beyond ASCII.
func classOf(r rune, size int) uint8 {
	switch {
	case r == utf8.RuneError && size == 1:
		return mark
	case r == '’':
		return apostrophe
	case unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Cf, r):
		return letter
	case unicode.IsDigit(r):
		return digit
	case unicode.IsSpace(r):
		return space
	}
	return mark
}

// isWord reports whether there is a letter or digit at i.
func (w *worker) isWord(i, end int) bool {
	if i >= end {
		return false
	}
	c, _ := w.at(i)
	return c&(letter|digit) != 0
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// lowered returns an ASCII letter in lower case, and any other byte unchanged.
func lowered(c byte) byte {
	if isUpper(c) {
		return c | 0x20
	}
	return c
}

// lowerInto returns s with its ASCII letters in lower case, in b; nothing if it is longer than b.
func lowerInto(b []byte, s string) []byte {
	if len(s) > len(b) {
		return nil
	}
	for i := range len(s) {
		b[i] = lowered(s[i])
	}
	return b[:len(s)]
}

// only reports whether all bytes of s are of the classes given.
func only(s string, of uint8) bool {
	for i := range len(s) {
		if classes[s[i]]&of == 0 {
			return false
		}
	}
	return len(s) > 0
}
