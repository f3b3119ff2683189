package segment

// habit is the judge without a model: it uses stops, capitals, quotes and a few words.
type habit struct{}

func (habit) ends(g *gap) bool {
	last, next := g.token(g.last), g.token(g.next)
	stop := last
	if !g.glued && isCloser(last) {
		stop = g.token(g.last - 1)
	}
	if stop == "" || !endsStop(stop) {
		return false
	}
	first := next
	if isOpener(next) {
		first = g.token(g.next + 1)
	}
	lower := first != "" && isLower(first[0])
	switch {
	case isFullStop(stop):
		return true
	case g.glued:
		return !lower && stop == "."
	case next != "\"" && next != "'" && isCloser(next) || isClosing(next, g):
		return false
	case g.short:
		return isStarter(first) && !isTitle(g.token(g.last-1))
	case stop == "…" || len(stop) > 1 && stop[0] == '.':
		return !lower
	case lower:
		return stop != "." && stop == last
	}
	return true
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
	case "(", "[", "{", "\"", "``", "'", "“", "‘", "«":
		return true
	}
	return false
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
	case "Mr", "Mrs", "Ms", "Dr", "Prof", "Gen", "Sen", "Rep", "Gov", "Rev", "St", "Lt", "Col", "Capt", "Sgt", "vs", "e.g", "i.e":
		return true
	}
	return len(word) == 1
}
