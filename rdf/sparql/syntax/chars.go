package syntax

import (
	"strings"
	"unicode/utf8"
)

// isNameStart reports whether a character may start a prefix: PN_CHARS_BASE.
func isNameStart(r rune) bool {
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

// isVar reports whether a character may stand in the name of a variable, behind its first: VARNAME.
func isVar(r rune) bool {
	switch {
	case r < 0x80:
		return r|0x20 >= 'a' && r|0x20 <= 'z' || isDigit(r) || r == '_'
	case r < 0x370:
		return r == 0xB7 || r >= 0x300 || isNameStart(r)
	}
	return r == 0x203F || r == 0x2040 || isNameStart(r)
}

// isVarStart reports whether a character may start a variable's name.
func isVarStart(r rune) bool { return isNameStart(r) || r == '_' || isDigit(r) }

// isName reports whether a character may stand in a name: PN_CHARS.
func isName(r rune) bool { return r == '-' || isVar(r) }

func isDigit(r rune) bool { return r >= '0' && r <= '9' }

func isHex(c byte) bool { return hexDigit(c) >= 0 }

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

// span returns the length of the run of characters at the start of s.
func span(s string, in func(rune) bool) int {
	for i, r := range s {
		if !in(r) {
			return i
		}
	}
	return len(s)
}

// dotted returns the length of a run that may have full stops inside, but does not end with one.
func dotted(s string, first, in func(rune) bool) int {
	end := 0
	for i, r := range s {
		switch {
		case i == 0 && !first(r), i > 0 && r != '.' && !in(r):
			return end
		case i == 0 || r != '.':
			end = i + utf8.RuneLen(r)
		}
	}
	return end
}

// localEnd returns the length of the local name at the start of s, and whether it has escapes.
func localEnd(s string) (end int, escaped bool) {
	for i := 0; i < len(s); {
		c, size := s[i], 1
		r := rune(c)
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(s[i:])
		}
		switch {
		case isVarStart(r) || c == ':' || i > 0 && isName(r):
		case c == '.' && i > 0:
			i++
			continue // within the name only if something follows
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			size = 3
		case c == '\\' && i+1 < len(s) && strings.IndexByte("_~.-!$&'()*+,;=/?#@%", s[i+1]) >= 0:
			size, escaped = 2, true
		default:
			return end, escaped
		}
		i += size
		end = i
	}
	return end, escaped
}

// numberEnd returns the length of the number without sign at the start of s, and its datatype's
// local name. 0: none.
func numberEnd(s string) (end int, kind string) {
	whole := digits(s, 0)
	end, kind = whole, "integer"
	mantissa := whole
	if whole < len(s) && s[whole] == '.' {
		if fraction := digits(s, whole+1); fraction > whole+1 {
			end, mantissa, kind = fraction, fraction, "decimal"
		} else if whole > 0 {
			mantissa = whole + 1
		}
	}
	if exponent := exponentEnd(s, mantissa); mantissa > 0 && exponent > 0 {
		return exponent, "double"
	}
	return end, kind
}

// exponentEnd returns where an exponent that starts at i ends, 0 when there is none.
func exponentEnd(s string, i int) int {
	if i >= len(s) || s[i]|0x20 != 'e' {
		return 0
	}
	if i++; i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	if end := digits(s, i); end > i {
		return end
	}
	return 0
}

// digits returns where the digits that start at i end.
func digits(s string, i int) int {
	for i < len(s) && isDigit(rune(s[i])) {
		i++
	}
	return i
}

// langEnd returns the length of the language tag at the start of s.
func langEnd(s string) int {
	end, start := 0, 0
	for i := 0; ; i++ {
		if i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || start > 0 && isDigit(rune(s[i]))) {
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

// unescape replaces escapes: \uXXXX and \UXXXXXXXX, and in text those of strings. bad is the offset of
// the first that is none, -1 when all are well.
func unescape(s string, text bool) (out string, bad int) {
	var b strings.Builder
	for i := 0; ; {
		next := strings.IndexByte(s[i:], '\\')
		if next < 0 {
			b.WriteString(s[i:])
			return b.String(), -1
		}
		b.WriteString(s[i : i+next])
		i += next
		r, length := escape(s[i:], text)
		if length == 0 {
			return "", i
		}
		b.WriteRune(r)
		i += length
	}
}

// escape reads the escape at s[0] == '\\'; a length of 0 says that it is none.
func escape(s string, text bool) (r rune, length int) {
	switch {
	case len(s) < 2:
		return 0, 0
	case s[1] == 'u':
		return hexEscape(s, 6)
	case s[1] == 'U':
		return hexEscape(s, 10)
	case !text:
		return 0, 0
	}
	if i := strings.IndexByte(`tbnrf"'\`, s[1]); i >= 0 {
		return rune("\t\b\n\r\f\"'\\"[i]), 2
	}
	return 0, 0
}

// hexEscape reads an escape of some length. Surrogates are no characters.
func hexEscape(s string, length int) (rune, int) {
	if len(s) < length {
		return 0, 0
	}
	var v int64
	for i := 2; i < length; i++ {
		d := hexDigit(s[i])
		if d < 0 {
			return 0, 0
		}
		v = v<<4 | int64(d)
	}
	if v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return 0, 0
	}
	return rune(v), length
}
