// Package text reads running text: words, stems by language, the places where a lexicon's phrases occur, the
// similarity of texts in a collection, and the fingerprint of a text.
//
// It works on plain strings in which a blank line ends a block (a paragraph, a heading, a list item), knows nothing
// of pages or crawling, and promises three things: it is deterministic by text and language; no token costs an
// allocation once a worker is warm; and no input, however hostile, makes it panic or use more memory than a small
// multiple of the text. Word sense is not its business.
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
