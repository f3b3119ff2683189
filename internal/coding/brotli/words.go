package brotli

import (
	"bytes"
	"compress/gzip"
	_ "embed" // of the dictionary
	"io"
	"sync"
)

// packed is the dictionary of RFC 7932, appendix A, gzipped: words of 4 to 24 bytes, the shortest first.
//
//go:embed dictionary.gz
var packed []byte

var dictionary = sync.OnceValue(func() []byte {
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		var words []byte
		if words, err = io.ReadAll(r); err == nil {
			return words
		}
	}
	panic(err) // it is part of the program
})

// wordBits says how many words of each length there are, as the logarithm to base 2.
const wordBits = "\x00\x00\x00\x00\x0a\x0a\x0b\x0b\x0a\x0a\x0a\x0a\x0a\x09\x09\x08\x07\x07\x08\x07\x07\x06\x06\x05\x05"

// wordOf appends word n of a length, of the words and what transforms make of them, or returns false.
func wordOf(to []byte, length, n int) ([]byte, bool) {
	if length < 4 || length >= len(wordBits) {
		return to, false
	}
	from := 0
	for i := 4; i < length; i++ {
		from += i << wordBits[i]
	}
	from += length * (n & (1<<wordBits[length] - 1))
	if n >>= wordBits[length]; n >= len(transforms) {
		return to, false
	}
	t := transforms[n]
	word := dictionary()[from : from+length]
	if t.of < omitLast {
		word = word[min(length, int(t.of-omitFirst)):]
	} else if t.of < whole {
		word = word[:max(0, length-int(t.of-omitLast))]
	}
	to = append(to, t.before...)
	start := len(to)
	to = append(to, word...)
	switch t.of {
	case upperFirst:
		upper(to[start:])
	case upperAll:
		for at := start; at < len(to); {
			at += upper(to[at:])
		}
	}
	return append(to, t.behind...), true
}

// upper makes the first letter a capital, as far as the RFC goes in that, and returns its length.
func upper(word []byte) int {
	switch {
	case len(word) == 0:
		return 0
	case word[0] < 0xc0:
		if word[0] >= 'a' && word[0] <= 'z' {
			word[0] ^= 32
		}
		return 1
	case word[0] < 0xe0:
		if len(word) > 1 {
			word[1] ^= 32
		}
		return 2
	}
	if len(word) > 2 {
		word[2] ^= 5
	}
	return 3
}

// A change is what a transform does to a word.
type change uint8

const (
	omitFirst  change = 0  // and so many bytes, up to 9
	omitLast   change = 10 // and so many
	whole      change = 20
	upperFirst change = 21
	upperAll   change = 22
)

// A transform puts something before and behind a changed word.
type transform struct {
	before string
	of     change
	behind string
}

// transforms are those of RFC 7932, appendix B.
var transforms = [...]transform{
	{"", whole, ""}, {"", whole, " "}, {" ", whole, " "}, {"", omitFirst + 1, ""}, {"", upperFirst, " "},
	{"", whole, " the "}, {" ", whole, ""}, {"s ", whole, " "}, {"", whole, " of "}, {"", upperFirst, ""},
	{"", whole, " and "}, {"", omitFirst + 2, ""}, {"", omitLast + 1, ""}, {", ", whole, " "},
	{"", whole, ", "}, {" ", upperFirst, " "}, {"", whole, " in "}, {"", whole, " to "},
	{"e ", whole, " "}, {"", whole, "\""}, {"", whole, "."}, {"", whole, "\">"}, {"", whole, "\n"},
	{"", omitLast + 3, ""}, {"", whole, "]"}, {"", whole, " for "}, {"", omitFirst + 3, ""},
	{"", omitLast + 2, ""}, {"", whole, " a "}, {"", whole, " that "}, {" ", upperFirst, ""},
	{"", whole, ". "}, {".", whole, ""}, {" ", whole, ", "}, {"", omitFirst + 4, ""},
	{"", whole, " with "}, {"", whole, "'"}, {"", whole, " from "}, {"", whole, " by "},
	{"", omitFirst + 5, ""}, {"", omitFirst + 6, ""}, {" the ", whole, ""}, {"", omitLast + 4, ""},
	{"", whole, ". The "}, {"", upperAll, ""}, {"", whole, " on "}, {"", whole, " as "},
	{"", whole, " is "}, {"", omitLast + 7, ""}, {"", omitLast + 1, "ing "}, {"", whole, "\n\t"},
	{"", whole, ":"}, {" ", whole, ". "}, {"", whole, "ed "}, {"", omitFirst + 9, ""},
	{"", omitFirst + 7, ""}, {"", omitLast + 6, ""}, {"", whole, "("}, {"", upperFirst, ", "},
	{"", omitLast + 8, ""}, {"", whole, " at "}, {"", whole, "ly "}, {" the ", whole, " of "},
	{"", omitLast + 5, ""}, {"", omitLast + 9, ""}, {" ", upperFirst, ", "}, {"", upperFirst, "\""},
	{".", whole, "("}, {"", upperAll, " "}, {"", upperFirst, "\">"}, {"", whole, "=\""}, {" ", whole, "."},
	{".com/", whole, ""}, {" the ", whole, " of the "}, {"", upperFirst, "'"}, {"", whole, ". This "},
	{"", whole, ","}, {".", whole, " "}, {"", upperFirst, "("}, {"", upperFirst, "."},
	{"", whole, " not "}, {" ", whole, "=\""}, {"", whole, "er "}, {" ", upperAll, " "},
	{"", whole, "al "}, {" ", upperAll, ""}, {"", whole, "='"}, {"", upperAll, "\""},
	{"", upperFirst, ". "}, {" ", whole, "("}, {"", whole, "ful "}, {" ", upperFirst, ". "},
	{"", whole, "ive "}, {"", whole, "less "}, {"", upperAll, "'"}, {"", whole, "est "},
	{" ", upperFirst, "."}, {"", upperAll, "\">"}, {" ", whole, "='"}, {"", upperFirst, ","},
	{"", whole, "ize "}, {"", upperAll, "."}, {"\xc2\xa0", whole, ""}, {" ", whole, ","},
	{"", upperFirst, "=\""}, {"", upperAll, "=\""}, {"", whole, "ous "}, {"", upperAll, ", "},
	{"", upperFirst, "='"}, {" ", upperFirst, ","}, {" ", upperAll, "=\""}, {" ", upperAll, ", "},
	{"", upperAll, ","}, {"", upperAll, "("}, {"", upperAll, ". "}, {" ", upperAll, "."},
	{"", upperAll, "='"}, {" ", upperAll, ". "}, {" ", upperFirst, "=\""}, {" ", upperAll, "='"},
	{" ", upperFirst, "='"},
}
