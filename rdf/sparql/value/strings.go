package value

import (
	"math"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/language"
)

// MaxString bounds the bytes of a string that a function returns.
const MaxString = 16 << 20

// isString reports whether a value is a string literal (section 17.4.3): with or without a language.
func (v Value) isString() bool { return v.class == text || v.class == langText }

// with returns another string with the same language, if any.
func (v Value) with(s string) Value {
	v.value = s
	return v
}

// isCompatible reports whether two strings are compatible arguments (section 17.4.3.1.2).
func (v Value) isCompatible(second Value) bool {
	return v.isString() && (second.class == text || second.class == langText && v.dir() == second.dir() && strings.EqualFold(v.lang, second.lang))
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

// sized returns an error for strings that are too large.
func sized(v Value) (Value, error) {
	if len(v.value) > MaxString {
		return Value{}, errSize
	}
	return v, nil
}

// isASCII reports whether a string has only ASCII characters.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// upper returns a string in upper case; one letter may become several: "ß" is "SS".
func upper(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return cases.Upper(language.Und).String(s)
}

// lower returns a string in lower case, independent of context.
func lower(s string) string {
	if isASCII(s) {
		return strings.ToLower(s)
	}
	return cases.Lower(language.Und, cases.HandleFinalSigma(false)).String(s)
}

// encodeForURI escapes all characters except the unreserved ones of RFC 3986.
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

// concat joins strings. The result has the common language of all, or none.
func concat(args []Value) (Value, error) {
	size := 0
	lang, same := args[0].lang, true
	for _, a := range args {
		if !a.isString() {
			return Value{}, ErrType
		}
		same = same && a.class == args[0].class && a.dir() == args[0].dir() && strings.EqualFold(a.lang, lang)
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

// substring is SUBSTR: the characters from start, counted from 1, to the end or up to length. Both are
// rounded, and start may be less than 1, as in XPath.
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
	if first != first || end != end || from >= to { // NaN, or an empty range
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

// isTag reports whether a string is a valid language tag.
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
