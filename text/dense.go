package text

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Characters that may precede a word of Hiragana or follow a single character: particles, not endings.
const (
	particlesBefore = "はがをにのともへや"
	particlesBehind = "はがをにのとでもへやかだ"
)

// districts are suffixes of district names, not part of them: 東京都 is 東京 and 都, not 京都.
const districts = "都道府県市区町村郡"

// dense reports whether a phrase is in a script without spaces and contains none.
func dense(phrase string) bool {
	phrase = strings.TrimSpace(phrase)
	r, _ := utf8.DecodeRuneInString(phrase)
	return alone(r) && !strings.ContainsFunc(phrase, unicode.IsSpace)
}

// stands reports whether a phrase of a script without spaces occupies text[start:end] and may be a word there. There
// is no segmentation dictionary; it rejects only what is certainly part of another word:
//
//   - a single character of Han among others: 水 in 水素; or with an ending: 食 in 食べる;
//   - Hiragana that goes on before it, or behind it, by what is no particle;
//   - in Japanese the end of one name and a district: 京都 in 東京都.
//
// Katakana and Hangul are words as they stand, from where they begin to where they end.
func (m *Matcher) stands(phrase string, start, end int) bool {
	if !strings.EqualFold(m.text[start:end], phrase) {
		return false // a space or sign within
	}
	before, _ := utf8.DecodeLastRuneInString(m.text[:start])
	behind, _ := utf8.DecodeRuneInString(m.text[end:])
	first, n := utf8.DecodeRuneInString(phrase)
	last, _ := utf8.DecodeLastRuneInString(phrase)
	single := n == len(phrase)
	han := unicode.Is(unicode.Han, before)
	switch {
	case single && (han || unicode.Is(unicode.Han, behind)):
		return false
	case han && m.table.lang == "ja" && utf8.RuneCountInString(phrase) == 2 && strings.ContainsRune(districts, last):
		return false
	case unicode.Is(unicode.Hiragana, first) && unicode.Is(unicode.Hiragana, before) && !strings.ContainsRune(particlesBefore, before):
		return false
	}
	ends := single || unicode.Is(unicode.Hiragana, last)
	return !ends || !unicode.Is(unicode.Hiragana, behind) || strings.ContainsRune(particlesBehind, behind)
}
