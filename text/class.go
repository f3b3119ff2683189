package text

import "unicode"

// The classes of bytes for word segmentation.
const (
	other = iota
	lower
	upper
	digit
	joiner // may stand inside a word or end it
	space
	line // line feed
	high // part of a character beyond ASCII
)

// classes is read-only.
var classes = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c >= 0x80:
			t[c] = high
		case 'a' <= c && c <= 'z':
			t[c] = lower
		case 'A' <= c && c <= 'Z':
			t[c] = upper
		case '0' <= c && c <= '9':
			t[c] = digit
		case c == '\'' || c == '.' || c == ',' || c == '+' || c == '#':
			t[c] = joiner
		case c == '\n':
			t[c] = line
		case c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v':
			t[c] = space
		}
	}
	return t
}()

func class(c byte) uint8 { return classes[c] }

// prolongs classifies bytes that may continue a word after its last ASCII letter (1) or digit (2). It is read-only.
var prolongs = func() (t [256]uint8) {
	for c := range t {
		switch {
		case c == '.' || c == ',':
			t[c] = 2
		case class(byte(c)) == joiner || class(byte(c)) == high:
			t[c] = 1 | 2
		}
	}
	return t
}()

// goesOn reports whether c can continue a word of ASCII letters and digits.
func goesOn(c, last byte) bool {
	kind := uint8(1)
	if last <= '9' {
		kind = 2
	}
	return prolongs[c]&kind != 0
}

func letter(c byte) bool { return class(c) == lower || class(c) == upper }

// wordRune reports whether a word can start with the character.
func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// alone reports whether the character is a word of its own: its script has no spaces.
func alone(r rune) bool {
	return r >= 0x2e80 && (unicode.Is(unicode.Han, r) || unicode.Is(unicode.Hiragana, r))
}

// clitic reports whether the n lower-case letters a (and b) are one of the English clitics written
// behind an apostrophe.
func clitic(a, b byte, n int) bool {
	if n == 1 {
		return a == 's' || a == 't' || a == 'd' || a == 'm'
	}
	return a == 'l' && b == 'l' || a == 'r' && b == 'e' || a == 'v' && b == 'e'
}
