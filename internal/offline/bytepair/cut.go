package bytepair

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cutters returns what cuts the first piece off a text, by the name of an encoding. Each does what tiktoken's regular expression of that encoding does (of openai_public.py, version 0.7);
// a look-ahead among them is why package regexp would not.
func cutters(name string) (func(text string) int, error) {
	switch name {
	case "cl100k_base":
		return cut100k, nil
	case "o200k_base":
		return cut200k, nil
	}
	return nil, fmt.Errorf("%q is none of the encodings cl100k_base and o200k_base", name)
}

func isSpace(r rune) bool  { return unicode.Is(unicode.White_Space, r) }
func isBreak(r rune) bool  { return r == '\n' || r == '\r' }
func isSymbol(r rune) bool { return !isSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) }

// isUpper and isLower are the characters of the first and of the second part of a word. Many are both.
func isUpper(r rune) bool {
	return unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M)
}
func isLower(r rune) bool { return unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M) }

// run returns the end of the characters of a kind from i on, many at most.
func run(s string, i, many int, is func(rune) bool) int {
	for ; i < len(s) && many > 0; many-- {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !is(r) {
			break
		}
		i += n
	}
	return i
}

// contraction returns the end of an English one at i, or i.
func contraction(s string, i int) int {
	if i == len(s) || s[i] != '\'' {
		return i
	}
	for _, end := range [...]string{"s", "t", "m", "d", "ll", "ve", "re"} {
		to := run(s, i+1, len(end), unicode.IsLetter)
		if strings.EqualFold(s[i+1:to], end) {
			return to
		}
	}
	return i
}

// space returns the end of white space: of the last line break in it; else of all at the end of a text, and before other characters of all but the last one.
func space(s string) int {
	end := run(s, 0, len(s), isSpace)
	if i := strings.LastIndexAny(s[:end], "\r\n"); i >= 0 {
		return i + 1
	}
	if _, n := utf8.DecodeLastRuneInString(s[:end]); end < len(s) && end > n {
		return end - n
	}
	return end
}

// cut100k: (?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cut100k(s string) int {
	if end := contraction(s, 0); end > 0 {
		return end
	}
	from := prefix(s)
	if end := run(s, from, len(s), unicode.IsLetter); end > from {
		return end
	}
	return others(s, isBreak)
}

// cut200k: with A for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], B for [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C for (?i:'s|'t|'re|'ve|'m|'ll|'d),
// [^\r\n\p{L}\p{N}]?A*B+C?|[^\r\n\p{L}\p{N}]?A+B*C?|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func cut200k(s string) int {
	from := prefix(s)
	for _, i := range [...]int{from, 0} { // a mark before a word may be the word's first character
		if end := mixed(s, i); end > i {
			return contraction(s, end)
		}
	}
	if end := run(s, from, len(s), isUpper); end > from { // no B follows where mixed finds nothing
		return contraction(s, end)
	}
	return others(s, func(r rune) bool { return isBreak(r) || r == '/' })
}

// mixed returns the end of A*B+ from i on, or i. If no B follows all A, it is that of the last A that is a B too.
func mixed(s string, i int) int {
	all := run(s, i, len(s), isUpper)
	if end := run(s, all, len(s), isLower); end > all {
		return end
	}
	for all > i {
		r, n := utf8.DecodeLastRuneInString(s[:all])
		if isLower(r) {
			return all
		}
		all -= n
	}
	return i
}

// prefix returns the end of the character that may stand before a word and be of its piece: none, or any but line breaks, letters and numbers.
func prefix(s string) int {
	return run(s, 0, 1, func(r rune) bool { return !isBreak(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// others cuts off what is no word: three digits, symbols with what may follow them, white space.
func others(s string, follows func(rune) bool) int {
	if end := run(s, 0, 3, unicode.IsNumber); end > 0 {
		return end
	}
	from := len(s) - len(strings.TrimPrefix(s, " "))
	if end := run(s, from, len(s), isSymbol); end > from {
		return run(s, end, len(s), follows)
	}
	return space(s)
}
