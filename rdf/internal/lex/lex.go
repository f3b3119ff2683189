// Package lex holds the tokens that Turtle, its relatives and SPARQL have in common: names, labels, language
// tags, numbers and escapes. Its functions look at the start of a piece of text, a string or bytes.
package lex

import (
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
)

// Text is the input of a lexer.
type Text interface{ ~string | ~[]byte }

// IsNameStart reports whether a character may start a name: PN_CHARS_BASE of Turtle, which is
// NameStartChar of XML without ":" and "_".
func IsNameStart(r rune) bool {
	switch {
	case r < 0x80:
		return r|0x20 >= 'a' && r|0x20 <= 'z'
	case r < 0x300:
		return r >= 0xC0 && r != 0xD7 && r != 0xF7
	case r < 0x2000:
		return r >= 0x370 && r != 0x37E
	case r < 0x3001:
		return r == 0x200C || r == 0x200D || r >= 0x2070 && r <= 0x218F || r >= 0x2C00 && r <= 0x2FEF
	}
	return r <= 0xD7FF || r >= 0xF900 && r <= 0xFDCF || r >= 0xFDF0 && r <= 0xFFFD || r >= 0x10000 && r <= 0xEFFFF
}

// IsName reports whether a character may stand inside a name: PN_CHARS of Turtle.
func IsName(r rune) bool {
	switch {
	case r < 0x80:
		return r|0x20 >= 'a' && r|0x20 <= 'z' || r >= '0' && r <= '9' || r == '_' || r == '-'
	case r < 0x370:
		return r == 0xB7 || r >= 0x300 || IsNameStart(r)
	}
	return r == 0x203F || r == 0x2040 || IsNameStart(r)
}

// IsDigit reports whether a byte is a decimal digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// decode returns the first character of s and its length in bytes; a length of 1 beyond ASCII is no character.
func decode[T Text](s T) (r rune, size int) {
	var b [utf8.UTFMax]byte
	return utf8.DecodeRune(b[:copy(b[:], s)])
}

// LabelEnd returns the length of the blank node label at the start of s, behind its "_:"; 0 when there is none. A
// label that reaches the end of s may continue behind it.
func LabelEnd[T Text](s T) int {
	end := 0
	for i := 0; i < len(s); {
		r, size := rune(s[i]), 1
		if r >= utf8.RuneSelf {
			if r, size = decode(s[i:]); size <= 1 {
				return end
			}
		}
		switch {
		case r == '.' && i > 0: // allowed inside, not at the end
		case i == 0 && !(IsNameStart(r) || r == '_' || r >= '0' && r <= '9'), i > 0 && !IsName(r):
			return end
		default:
			end = i + size
		}
		i += size
	}
	return end
}

// LocalEnd returns the length of the local name of a prefixed name at the start of s, and whether it has
// escapes.
func LocalEnd[T Text](s T) (end int, escaped bool) {
	for i := 0; i < len(s); {
		c, size := s[i], 1
		switch {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || IsDigit(c) || c == '_' || c == ':':
		case c == '.' && i > 0:
			i++
			continue // within the name only if something follows
		case c == '-' && i > 0:
		case c == '%' && i+2 < len(s) && IsHex(s[i+1]) && IsHex(s[i+2]):
			size = 3
		case c == '\\' && i+1 < len(s) && strings.IndexByte("_~.-!$&'()*+,;=/?#@%", s[i+1]) >= 0:
			size, escaped = 2, true
		case c >= utf8.RuneSelf:
			var r rune
			if r, size = decode(s[i:]); size == 1 || !IsName(r) || i == 0 && !IsNameStart(r) {
				return end, escaped
			}
		default:
			return end, escaped
		}
		i += size
		end = i
	}
	return end, escaped
}

// LangEnd returns the length of the language tag at the start of s, behind its "@"; 0 when there is none.
func LangEnd[T Text](s T) int {
	end, start := 0, 0
	for i := 0; ; i++ {
		if i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || start > 0 && IsDigit(s[i])) {
			continue
		}
		if i == start {
			return end
		}
		if end = i; i == len(s) || s[i] != '-' {
			return end
		}
		start = i + 1
	}
}

// TagEnd is LangEnd for a tag that may have a direction behind it, as in "en--ltr". It returns where the language ends, where all
// of it ends, and the direction; not ok is a direction that is none.
func TagEnd[T Text](s T) (lang, end int, dir rdf.Direction, ok bool) {
	lang = LangEnd(s)
	if end = lang; lang == 0 || len(s) < lang+2 || s[lang] != '-' || s[lang+1] != '-' {
		return lang, end, rdf.Undirected, true
	}
	for end = lang + 2; end < len(s) && s[end]|0x20 >= 'a' && s[end]|0x20 <= 'z'; end++ {
	}
	dir, ok = rdf.DirectionOf(string(s[lang+2 : min(end, lang+2+len("ltr")+1)]))
	return lang, end, dir, ok
}

// NumberEnd returns the length of the number at the start of s, with its sign, and its datatype; 0 when there
// is none. A full stop that no digit or exponent follows is not part of it.
func NumberEnd[T Text](s T) (end int, datatype string) {
	i := 0
	if len(s) > 0 && (s[0] == '+' || s[0] == '-') {
		i = 1
	}
	whole := Digits(s, i)
	end, datatype = whole, rdf.XSDInteger
	if whole == i {
		end = 0
	}
	mantissa := end
	if whole < len(s) && s[whole] == '.' {
		if fraction := Digits(s, whole+1); fraction > whole+1 {
			end, mantissa, datatype = fraction, fraction, rdf.XSDDecimal
		} else if whole > i {
			mantissa = whole + 1
		}
	}
	if exponent := exponentEnd(s, mantissa); mantissa > 0 && exponent > 0 {
		return exponent, rdf.XSDDouble
	}
	return end, datatype
}

// exponentEnd returns where an exponent that starts at i ends, 0 when there is none.
func exponentEnd[T Text](s T, i int) int {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return 0
	}
	if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if end := Digits(s, i); end > i {
		return end
	}
	return 0
}

// Digits returns where the digits that start at i end.
func Digits[T Text](s T, i int) int {
	for i < len(s) && IsDigit(s[i]) {
		i++
	}
	return i
}

// Escape reads the escape at s[0] == '\\'. It returns the character and the length of the escape; a length of 0
// is no escape. With text the escapes of strings (\n, \" and so on) are allowed beside \u and \U.
func Escape[T Text](s T, text bool) (r rune, length int) {
	if len(s) < 2 {
		return 0, 0
	}
	switch s[1] {
	case 'u':
		return hexEscape(s, 6)
	case 'U':
		return hexEscape(s, 10)
	}
	if !text {
		return 0, 0
	}
	switch s[1] {
	case 't':
		return '\t', 2
	case 'b':
		return '\b', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 'f':
		return '\f', 2
	case '"', '\'', '\\':
		return rune(s[1]), 2
	}
	return 0, 0
}

// hexEscape reads \uXXXX or \UXXXXXXXX, length bytes long. Surrogates are no characters.
func hexEscape[T Text](s T, length int) (rune, int) {
	if len(s) < length {
		return 0, 0
	}
	var v uint64
	for i := 2; i < length; i++ {
		d := hexDigit(s[i])
		if d < 0 {
			return 0, 0
		}
		v = v<<4 | uint64(d)
	}
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), length
}

// hexDigit returns a hexadecimal digit's value, -1 for another byte.
func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// IsHex reports whether a byte is a hexadecimal digit.
func IsHex(c byte) bool { return hexDigit(c) >= 0 }

// Unescape appends s to dst with its escapes replaced. bad is the offset of the first that is no escape, -1 when
// all are valid.
func Unescape[T Text](dst []byte, s T, text bool) (out []byte, bad int) {
	for i := 0; i < len(s); {
		if s[i] != '\\' {
			dst = append(dst, s[i])
			i++
			continue
		}
		r, n := Escape(s[i:], text)
		if n == 0 {
			return dst, i
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst, -1
}
