package text

import (
	"strings"
	"unicode/utf8"
)

// umlauted reports whether a word has a letter with an alternative spelling.
func umlauted(word string) bool { return strings.ContainsAny(word, "äöüÄÖÜß") }

// withoutUmlauts returns the spelling of a word without umlauts: Ärzte, Aerzte.
func withoutUmlauts(word string) (string, bool) {
	if !umlauted(word) {
		return word, false
	}
	return strings.NewReplacer("ä", "ae", "ö", "oe", "ü", "ue", "Ä", "Ae", "Ö", "Oe", "Ü", "Ue", "ß", "ss").Replace(word), true
}

// sameVowels reports whether a German word that stems as w does has its umlauts, or the two letters written
// for them. An inflected form may have one where w has none (Arzt, Ärzte; Mutter, Mütter), but no form
// loses it: a Bar is no Bär.
func sameVowels(there, w string) bool {
	have, need := umlautsOf(there), umlautsOf(w)
	switch {
	case have == need:
		return true
	case need == "":
		return utf8.RuneCountInString(there) > utf8.RuneCountInString(w) || endsSoft(w)
	case have == "":
		plain, _ := withoutUmlauts(need)
		return strings.Contains(strings.ToLower(there), plain[:2])
	}
	return strings.HasPrefix(have, need)
}

// umlautsOf returns the umlauts of a word, in small letters.
func umlautsOf(word string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune("äöü", r) {
			return r
		}
		return -1
	}, strings.ToLower(word))
}

// endsSoft reports whether a noun may have a plural by its umlaut alone: Mutter, Apfel, Garten.
func endsSoft(w string) bool {
	return strings.HasSuffix(w, "er") || strings.HasSuffix(w, "el") || strings.HasSuffix(w, "en")
}
