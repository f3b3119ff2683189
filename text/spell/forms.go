package spell

// inflected reports whether two words with a common prefix may be forms of one word, or one derived from the other:
// they differ in their endings alone, and both endings are known. Such a word is more often rare than wrong.
func inflected(a, b []rune) bool {
	same := 0
	for same < len(a) && same < len(b) && a[same] == b[same] {
		same++
	}
	const ends = 4 // letters
	from := max(3, min(same, max(len(a), len(b))-ends))
	for ; from <= same; from++ {
		if ending(string(a[from:])) && ending(string(b[from:])) {
			return true
		}
	}
	return false
}

// ending reports whether s is an ending of English words, or empty.
func ending(s string) bool {
	switch s {
	case "", "s", "es", "d", "ed", "e", "er", "ers", "r", "rs", "or", "ors", "ing", "ings", "ly", "y", "ies", "ied", "ier",
		"al", "ally", "able", "ably", "ible", "ist", "ists", "ism", "ity", "ion", "ions", "ive", "ness", "ful", "less",
		"ant", "ent", "ants", "ents", "ance", "ence", "ancy", "ency", "est", "st", "t", "en", "n", "ic", "ics", "ous",
		"age", "ment", "ee", "ees", "an", "ian", "ans", "ish", "man", "men", "ator":
		return true
	}
	return false
}
