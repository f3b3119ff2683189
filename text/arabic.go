package text

import (
	"iter"
	"unicode/utf8"
)

// appendArabic appends an Arabic word as lexicons compare it: without vowel signs and tatweel, alef and ya in one
// form each, without the article and its prefixes (ال، وال، بال، فال، كال، لل), the feminine plural reduced to the
// singular, the masculine plural ending removed. Unlike a stemmer it keeps the endings that make other words: مكتبة,
// library, is not مكتب, office.
func appendArabic(dst, word []byte) []byte {
	from := len(dst)
	for len(word) > 0 {
		r, n := utf8.DecodeRune(word)
		word = word[n:]
		switch {
		case r >= 0x064b && r <= 0x0652, r == 0x0670, r == 0x0640:
			continue
		case r == 'أ', r == 'إ', r == 'آ', r == 'ٱ':
			r = 'ا'
		case r == 'ى':
			r = 'ي'
		}
		dst = utf8.AppendRune(dst, r)
	}
	stem := string(dst[from:])
	stem = withoutArticle(stem)
	return append(dst[:from], singularArabic(stem)...)
}

const letterOfArabic = 2 // bytes

// withoutArticle strips the article and its prefixes if three letters remain.
func withoutArticle(word string) string {
	rest := word
	if p := firstOf(rest, "و", "ف"); p > 0 {
		rest = rest[p:]
	}
	attached := firstOf(rest, "ب", "ك")
	if p := firstOf(rest[attached:], "ال"); p > 0 && len(rest)-attached-p >= 3*letterOfArabic {
		return rest[attached+p:]
	}
	if p := firstOf(rest, "لل"); p > 0 && len(rest)-p >= 3*letterOfArabic {
		return rest[p:]
	}
	return word
}

// firstOf returns the length of the first of some prefixes that a word has, 0 for none.
func firstOf(word string, prefixes ...string) int {
	for _, p := range prefixes {
		if len(word) >= len(p) && word[:len(p)] == p {
			return len(p)
		}
	}
	return 0
}

// singularArabic strips the endings of the sound plurals.
func singularArabic(word string) string {
	n := len(word) - 2*letterOfArabic
	if n < 3*letterOfArabic {
		return word
	}
	switch word[n:] {
	case "ات":
		return word[:n] + "ة"
	case "ون", "ين":
		return word[:n]
	}
	return word
}

// arabicPrefixes are the conjunctions and prepositions that a word without article has attached: and, so, by,
// like, for.
func arabicPrefixes() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, conjunction := range [...]string{"", "و", "ف"} {
			for _, preposition := range [...]string{"", "ب", "ك", "ل", "لل"} {
				if conjunction+preposition != "" && !yield(conjunction+preposition) {
					return
				}
			}
		}
	}
}
