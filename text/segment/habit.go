package segment

import (
	"unicode"
	"unicode/utf8"
)

// habit is the judge without a model: it uses stops, capitals, quotes and a few words.
type habit struct{}

func (habit) ends(g *gap) bool {
	last, next := g.token(g.last), g.token(g.next)
	stop := last
	if turned := g.usage != nil && isTurned(last) && g.isGlued(g.last); !g.glued && (isCloser(last) || turned) {
		stop = g.token(g.last - 1)
	}
	if stop == "" || !endsStop(stop) {
		return false
	}
	first := next
	opens := g.usage != nil && !g.glued && next == "»"
	if opens || isOpener(next) {
		first = g.token(g.next + 1)
	}
	lower := startsLow(first)
	switch {
	case isFullStop(stop):
		return true
	case g.glued:
		return !lower && stop == "."
	case next != "\"" && next != "'" && !opens && isCloser(next) || isClosing(next, g):
		return false
	case g.short && g.usage != nil:
		return g.usage.endsShort(g, first)
	case g.short:
		return isStarter(first) && !g.isInitial(first) && !isTitle(g.shortForm())
	case stop == "…" || len(stop) > 1 && stop[0] == '.':
		return !lower
	case lower:
		return stop != "." && stop == last
	}
	return true
}

// startsLow reports whether a word starts with a small letter, and startsHigh whether with a capital.
func startsLow(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsLower(r)
}

func startsHigh(word string) bool {
	r, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(r)
}

// classOfFirst returns the class of a word's first byte, 0 for none.
func classOfFirst(word string) uint8 {
	if word == "" {
		return 0
	}
	return classes[word[0]]
}

// isCloser reports whether a token closes a bracket or quote.
func isCloser(token string) bool {
	switch token {
	case ")", "]", "}", "\"", "''", "'", "”", "’", "»":
		return true
	}
	return false
}

// isOpener reports whether a token opens a bracket or quote.
func isOpener(token string) bool {
	switch token {
	case "(", "[", "{", "\"", "``", "'", "“", "‘", "«", "„", "‚":
		return true
	}
	return false
}

// isTurned reports whether a token opens a quote in English, and closes one in German: „so“, »so«, ‚so‘.
func isTurned(token string) bool { return token == "“" || token == "«" || token == "‘" }

// isGlued reports whether no white space stands before a token.
func (g *gap) isGlued(i int) bool {
	return i > g.first && plain(g.tokens[i]).Start == plain(g.tokens[i-1]).End
}

// isClosing reports whether the next token is a straight quote that closes an open one.
func isClosing(token string, g *gap) bool { return token == "\"" && g.quoted }

// isStarter reports whether a capitalized word usually begins a sentence and is rarely a name.
func isStarter(word string) bool {
	switch word {
	case "The", "This", "That", "These", "Those", "It", "He", "She", "We", "They", "You", "I", "A", "An", "In", "On",
		"At", "By", "But", "And", "If", "When", "While", "As", "For", "There", "However", "After", "Before", "Since",
		"His", "Her", "Its", "Our", "My", "Your", "Their", "What", "Who", "Why", "How", "Some", "No", "Not", "Also", "So":
		return true
	}
	return false
}

// isTitle reports whether an abbreviation rarely ends a sentence.
func isTitle(word string) bool {
	switch word {
	case "a.k.a", "Mr", "Mrs", "Ms", "Dr", "Prof", "Gen", "Sen", "Rep", "Gov", "Rev", "St", "Lt", "Col", "Capt", "Sgt", "vs", "e.g", "i.e":
		return true
	}
	return len(word) == 1
}
