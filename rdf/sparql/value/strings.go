package value

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// MaxString is how many bytes a string that a function makes may have.
const MaxString = 16 << 20

// isString reports whether a value is what section 17.4.3 calls a string literal: with a language or
// without.
func (v Value) isString() bool { return v.class == text || v.class == langText }

// with returns another string of the same language, or also without.
func (v Value) with(s string) Value {
	v.value = s
	return v
}

// isCompatible reports whether a string may be an argument beside another (section 17.4.3.1.2).
func (v Value) isCompatible(second Value) bool {
	return v.isString() && (second.class == text || second.class == langText && strings.EqualFold(v.lang, second.lang))
}

// ofString calls a function of one string.
func ofString(name string, v Value) (Value, error) {
	if !v.isString() {
		return Value{}, ErrType
	}
	switch name {
	case "STRLEN":
		return Integer(int64(utf8.RuneCountInString(v.value))), nil
	case "UCASE":
		return sized(v.with(upper(v.value)))
	case "LCASE":
		return sized(v.with(lower(v.value)))
	case "ENCODE_FOR_URI":
		return sized(String(encodeForURI(v.value)))
	}
	return v, nil
}

// sized refuses strings that are too large.
func sized(v Value) (Value, error) {
	if len(v.value) > MaxString {
		return Value{}, errSize
	}
	return v, nil
}

// isASCII reports whether a string is of ASCII characters alone.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// upper returns a string in capitals, of which one letter may have several: "ß" is "SS".
func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// lower returns a string in small letters, whatever stands around them.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und, cases.HandleFinalSigma(false)).String(s)
}

// encodeForURI escapes all but what RFC 3986 calls unreserved.
func encodeForURI(s string) string {
	const hexadecimal = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexadecimal[c>>4])
			b.WriteByte(hexadecimal[c&15])
		}
	}
	return b.String()
}

// concat joins strings: with the language of all, if it is one, or else without.
func concat(args []Value) (Value, error) {
	size := 0
	lang, same := args[0].lang, true
	for _, a := range args {
		if !a.isString() {
			return Value{}, ErrType
		}
		same = same && a.class == args[0].class && strings.EqualFold(a.lang, lang)
		if size += len(a.value); size > MaxString {
			return Value{}, errSize
		}
	}
	var b strings.Builder
	b.Grow(size)
	for _, a := range args {
		b.WriteString(a.value)
	}
	if same {
		return args[0].with(b.String()), nil
	}
	return String(b.String()), nil
}

// ofStrings calls a function of two compatible strings.
func ofStrings(name string, a, b Value) (Value, error) {
	if !a.isCompatible(b) {
		return Value{}, ErrType
	}
	switch name {
	case "CONTAINS":
		return Bool(strings.Contains(a.value, b.value)), nil
	case "STRSTARTS":
		return Bool(strings.HasPrefix(a.value, b.value)), nil
	case "STRENDS":
		return Bool(strings.HasSuffix(a.value, b.value)), nil
	}
	before, after, found := strings.Cut(a.value, b.value)
	switch {
	case !found:
		return String(""), nil
	case name == "STRBEFORE":
		return a.with(before), nil
	}
	return a.with(after), nil
}

// substring is SUBSTR: the characters, counted from 1, at start and behind, or as many as length says.
// Both are rounded, and characters before the first may be asked for, as XPath has it.
func substring(s, start Value, length []Value) (Value, error) {
	if !s.isString() || !start.IsNumeric() {
		return Value{}, ErrType
	}
	first := roundFloat("ROUND", start.toDouble())
	end := math.Inf(1)
	if len(length) > 0 {
		if !length[0].IsNumeric() {
			return Value{}, ErrType
		}
		end = first + roundFloat("ROUND", length[0].toDouble())
	}
	from, to, position := len(s.value), len(s.value), 1.0
	for i := range s.value {
		if position >= first && i < from {
			from = i
		}
		if position >= end {
			to = i
			break
		}
		position++
	}
	if first != first || end != end || from >= to { // not a number, or nothing
		return s.with(""), nil
	}
	return s.with(s.value[from:to]), nil
}

// langMatches is basic filtering (RFC 4647, section 3.3.1).
func langMatches(tag, wanted string) bool {
	if wanted == "*" {
		return tag != ""
	}
	return len(tag) >= len(wanted) && strings.EqualFold(tag[:len(wanted)], wanted) && tag != "" && wanted != "" &&
		(len(tag) == len(wanted) || tag[len(wanted)] == '-')
}

// isTag reports whether a string may stand as a language tag.
func isTag(s string) bool {
	for i, part := range strings.Split(s, "-") {
		if part == "" || len(part) > 8 {
			return false
		}
		for _, c := range []byte(part) {
			if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || i > 0 && '0' <= c && c <= '9') {
				return false
			}
		}
	}
	return true
}
