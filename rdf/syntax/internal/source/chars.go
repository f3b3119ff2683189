package source

import (
	"strconv"
	"unicode/utf8"
)

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

// LabelEnd returns the length of the blank node label at the start of b, behind its "_:"; 0 when
// there is none. A label that reaches the end of b may go on behind it.
func LabelEnd(b []byte) int {
	end := 0
	for i := 0; i < len(b); {
		r, size := rune(b[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRune(b[i:])
			if r == utf8.RuneError && size <= 1 {
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

// LangEnd returns the length of the language tag at the start of b, behind its "@"; 0 when there is
// none.
func LangEnd(b []byte) int {
	end, start := 0, 0
	for i := 0; ; i++ {
		if i < len(b) && (b[i]|0x20 >= 'a' && b[i]|0x20 <= 'z' || start > 0 && b[i] >= '0' && b[i] <= '9') {
			continue
		}
		if i == start {
			return end
		}
		if end = i; i == len(b) || b[i] != '-' {
			return end
		}
		start = i + 1
	}
}

// Escape reads the escape at b[0] == '\\'. It returns the character and the escape's length, or a
// length of 0 when it is none; text says whether the escapes of strings (\n, \" and so on) are
// allowed beside \u and \U.
func Escape(b []byte, text bool) (r rune, length int) {
	if len(b) < 2 {
		return 0, 0
	}
	switch b[1] {
	case 'u':
		return hexEscape(b, 6)
	case 'U':
		return hexEscape(b, 10)
	}
	if !text {
		return 0, 0
	}
	switch b[1] {
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
		return rune(b[1]), 2
	}
	return 0, 0
}

// hexEscape reads \uXXXX or \UXXXXXXXX, length bytes long. Surrogates are no characters.
func hexEscape(b []byte, length int) (rune, int) {
	if len(b) < length {
		return 0, 0
	}
	var v uint64
	for _, c := range b[2:length] {
		d := hexDigit(c)
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

// Unescape appends b to dst with its escapes replaced. bad is the offset of the first escape that is
// none, -1 when all are well.
func Unescape(dst, b []byte, text bool) (out []byte, bad int) {
	for i := 0; i < len(b); {
		if b[i] != '\\' {
			dst = append(dst, b[i])
			i++
			continue
		}
		r, n := Escape(b[i:], text)
		if n == 0 {
			return dst, i
		}
		dst = utf8.AppendRune(dst, r)
		i += n
	}
	return dst, -1
}

// Show quotes the start of b for an error message, at most a few characters of it.
func Show(b []byte) string {
	const most = 16
	if len(b) == 0 {
		return "end of input"
	}
	n := 0
	for i := 0; i < most && n < len(b); i++ {
		_, size := utf8.DecodeRune(b[n:])
		if i > 0 && (b[n] == ' ' || b[n] == '\n' || b[n] == '\r' || b[n] == '\t') {
			break
		}
		n += size
	}
	return strconv.Quote(string(b[:n]))
}
