// Package text reads running text: words, stems by language, the places where a lexicon's phrases
// occur, how alike the texts of a collection are, and which fingerprint tells a text from others.
//
// It works on plain strings in which a blank line ends a block (a paragraph, a heading, a list
// item), knows nothing of pages or crawling, and promises three things: the same text and language
// give the same answer always; no token costs an allocation once a worker is warm; and no input,
// however hostile, makes it panic or need more memory than a small multiple of the text. What a
// word means is not its business.
package text

import "strings"

// Primary returns the primary subtag of a BCP 47 language tag in lower case: "de" of "de-AT". An
// empty tag and "und" give "".
func Primary(tag string) string {
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	tag = strings.ToLower(tag)
	if tag == "und" {
		return ""
	}
	return tag
}
