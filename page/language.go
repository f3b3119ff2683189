package page

import (
	"cmp"
	"strings"

	"github.com/abadojack/whatlanggo"
)

// sampled is the number of bytes examined to guess the language, and enough the number that suffices.
const sampled, enough = 1000, 60

// Language returns the language of a text in the same way as for a page: the declared one, a BCP 47 tag, unless the
// text is plainly in another, else a guess from the text's first words, else "". It is a primary subtag.
func Language(declared, text string) string { return language(declared, text) }

// language returns the language declared by a header or attribute unless the text is plainly in another, else a
// guess from the text, else "".
func language(declared, text string) string {
	lang := primary(declared)
	if len(text) < enough {
		return lang
	}
	sample := text[:min(len(text), sampled)]
	if end := strings.LastIndexByte(sample, ' '); end > enough {
		sample = sample[:end]
	}
	switch {
	case lang == "en" && mostlyEnglish(sample): // most pages
		return lang
	case lang != "":
		return cmp.Or(plainly(lang, text), lang)
	}
	if mostlyEnglish(sample) {
		return "en"
	}
	// Of two equally likely languages the library returns either, with confidence zero.
	if guess := whatlanggo.Detect(sample); guess.Confidence > 0.3 {
		return guess.Lang.Iso6391()
	}
	return ""
}

// mostlyEnglish reports whether one word in six is a function word found only in English. It saves most pages
// the comparison with eighty languages.
func mostlyEnglish(sample string) bool {
	words, hits := 0, 0
	for word := range strings.FieldsSeq(sample) {
		words++
		switch word {
		case "the", "The", "of", "and", "to", "is", "by", "with", "for", "from", "that", "which", "it", "as", "are":
			hits++
		}
	}
	return words > 20 && hits*6 > words
}

// primary returns the primary subtag of a language tag in lower case, or "" if it is invalid; of several tags
// the first.
func primary(tag string) string {
	tag = strings.TrimSpace(tag)
	end := 0
	for end < len(tag) && (tag[end]|0x20) >= 'a' && (tag[end]|0x20) <= 'z' {
		end++
	}
	if end < 2 || end > 3 || end < len(tag) && strings.IndexByte("-_, ;", tag[end]) < 0 {
		return ""
	}
	lang := strings.ToLower(tag[:end])
	if lang == "und" || lang == "mul" || lang == "zxx" {
		return ""
	}
	return lang
}
