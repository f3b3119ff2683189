package segment

import (
	"strings"
)

// maxWord is the length in bytes of the longest word that is looked up.
const maxWord = 32

// core appends the tokens of the word at p, including parts joined by hyphens, slashes, dots and apostrophes,
// and returns its end.
func (w *worker) core(p, end int) int {
	q := w.coreEnd(p, end)
	if w.watch != nil {
		w.watch(p, q)
	}
	if cuts, ok := w.cutsOf(w.text[p:q]); ok {
		for _, n := range []byte(cuts) {
			w.emit(p, p+int(n))
			p += int(n)
		}
		w.emit(p, q)
		return q
	}
	if strings.IndexByte("0123456789", w.text[p]) >= 0 && isNumeric(w.text[p:q]) && isOneNumber(w.text[p:q]) {
		w.emit(p, q)
		return q
	}
	for a := p; a < q; {
		a = w.parts(p, a, q)
	}
	return q
}

// coreEnd returns the end of the core at p.
func (w *worker) coreEnd(p, end int) int {
	before := uint8(0) // class of the character before i
	for i := p; i < end; {
		c, size := w.at(i)
		switch {
		case c&(letter|digit) != 0 || w.text[i] == '_':
			before = c
		case w.joins(i, size, end, before):
			before = 0
		default:
			return i
		}
		i += size
	}
	return end
}

// joins reports whether the mark at i joins the characters before it, of the given class, and after it.
func (w *worker) joins(i, size, end int, before uint8) bool {
	if before == 0 || i+size >= end {
		return false
	}
	after, _ := w.at(i + size)
	switch c := w.text[i]; c {
	case '-', '.', '/':
		return after&(letter|digit) != 0
	case ',', ':':
		return before == digit && after == digit
	case '&', '*':
		return before == letter && after == letter
	case '\'', '`', 0xe2: // the first byte of ’
		class, _ := w.at(i)
		return class == apostrophe && after == letter
	}
	return false
}

// parts appends the tokens from a on, within the core p to q, up to a hyphen or slash that is a token of its
// own, which it appends too. It returns their end.
func (w *worker) parts(p, a, q int) int {
	from := a
	for {
		n := strings.IndexAny(w.text[from:q], "-/")
		if n < 0 {
			w.part(a, q)
			return q
		}
		i := from + n
		right := q
		if n := strings.IndexAny(w.text[i+1:q], "-/"); n >= 0 {
			right = i + 1 + n
		}
		if i+1 < q && w.holds(a, i, right) {
			from = i + 1
			continue
		}
		if a < i {
			w.part(a, i)
		}
		w.emit(i, i+1)
		return i + 1
	}
}

// holds reports whether the hyphen or slash at i is part of the token that starts at a; the part on its right
// ends at right.
func (w *worker) holds(a, i, right int) bool {
	left, after := w.text[a:i], w.text[i+1:right]
	if w.text[i] == '/' {
		return isDate(left, after)
	}
	if len(left) <= maxWord && only(left, letter) {
		return w.prefixes[string(w.lower(left))]
	}
	return false
}

// isNumeric reports whether s has only digits, and separators between digits.
func isNumeric(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) && strings.IndexByte("-/.,:", s[i]) < 0 {
			return false
		}
	}
	return true
}

// isOneNumber reports whether a core of digits and marks between them is one token: a number, a time,
// a date, a telephone number, but not a range or a fraction.
func isOneNumber(s string) bool {
	hyphens, slashes := strings.Count(s, "-"), strings.Count(s, "/")
	switch {
	case hyphens == 0 && slashes == 0:
		return true
	case hyphens == 0 && slashes == 1:
		left, right, _ := strings.Cut(s, "/")
		return isDate(left, right)
	case hyphens == 0:
		return slashes == 2
	case hyphens == 1:
		left, right, _ := strings.Cut(s, "-")
		return len(right) == 4 && (len(left) == 3 || len(left) == 7 && slashes == 1)
	}
	return len(s) > hyphens*2+1 && slashes == 0
}

// isDate reports whether two numbers with a slash between them are a month and a day, or a month and a year of
// two digits, and not a usual fraction.
func isDate(month, day string) bool {
	if len(month) > 2 || len(day) > 2 || !only(month, digit) || !only(day, digit) {
		return false
	}
	m, d := number(month), number(day)
	if m < 1 || m > 12 || d < 1 || d > 31 {
		return false
	}
	return d > 4 && d != 8 && d != 16 || m > d || len(day) == 2
}

func number(s string) (n int) {
	for i := range len(s) {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// part appends the tokens of a part without separating hyphens.
func (w *worker) part(a, b int) {
	s := w.text[a:b]
	var seen uint8
	and := false
	for i := range len(s) {
		seen |= classes[s[i]]
		and = and || s[i] == '&'
	}
	switch {
	case isDigit(s[0]):
		w.number(a, b)
	case and && !isShortPair(s):
		i := a + strings.IndexByte(s, '&')
		w.part(a, i)
		w.emit(i, i+1)
		w.part(i+1, b)
	case seen&dot != 0:
		w.dotted(a, b)
	default:
		w.clitics(a, b)
	}
}

// isShortPair reports whether s is one token in spite of an ampersand: A&E, PG&E's.
func isShortPair(s string) bool {
	left, right, _ := strings.Cut(s, "&")
	right = right[:spanOf(right, 0, len(right), letter)]
	return len(left) <= 2 && len(right) <= 2
}

// number appends a number, and the unit that follows it.
func (w *worker) number(a, b int) {
	i := a
	for i < b && (isDigit(w.text[i]) || (w.text[i] == '.' || w.text[i] == ',' || w.text[i] == ':') && i+1 < b && isDigit(w.text[i+1])) {
		i++
	}
	if unit := w.text[i:b]; len(unit) <= maxWord && only(unit, letter) && w.units[string(w.lower(unit))] {
		w.emit(a, i)
		a = i
	}
	w.emit(a, b)
}

// dotted appends a part with dots: one token, unless a blank after a dot is missing.
func (w *worker) dotted(a, b int) {
	s := w.text[a:b]
	i := strings.IndexByte(s, '.')
	left, right := s[:i], s[i+1:]
	capital := len(right) > 1 && isUpper(right[0]) && only(right[1:], letter) && isLower(right[1])
	switch {
	case !capital:
		w.clitics(a, b)
	case w.isShortened(left):
		w.emit(a, a+i+1)
		w.clitics(a+i+1, b)
	case i > 1 && only(left, letter) && isLower(left[i-1]):
		w.clitics(a, a+i)
		w.emit(a+i, a+i+1)
		w.clitics(a+i+1, b)
	default:
		w.clitics(a, b)
	}
}

// clitics appends a word, its clitics apart: at most three, from the end.
func (w *worker) clitics(a, b int) {
	var cut [3]int
	n, end := 0, b
	for w.contracts && n < len(cut) {
		i := cliticStart(w.text[a:end])
		if i <= 0 {
			break
		}
		cut[n], end = a+i, a+i
		n++
	}
	for n--; n >= 0; n-- {
		w.emit(a, cut[n])
		a = cut[n]
	}
	w.emit(a, b)
}

// cliticStart returns the start of the clitic at the end of s, 0 or less if there is none.
func cliticStart(s string) int {
	i, size := lastApostrophe(s)
	if i <= 0 {
		return 0
	}
	tail := s[i+size:]
	if len(tail) == 0 || len(tail) > 2 {
		return 0
	}
	x, y := lowered(tail[0]), byte(0)
	if len(tail) == 2 {
		y = lowered(tail[1])
	}
	switch {
	case y == 0 && (x == 's' || x == 'm' || x == 'd'), x == 'l' && y == 'l', x == 'r' && y == 'e', x == 'v' && y == 'e':
		return i
	case y == 0 && x == 't' && lowered(s[i-1]) == 'n':
		return i - 1
	}
	return 0
}

// lastApostrophe returns the index and size of an apostrophe among the last characters of s; -1 if none.
func lastApostrophe(s string) (at, size int) {
	for i := len(s) - 1; i >= 0 && i >= len(s)-5; i-- {
		switch {
		case s[i] == '\'' || s[i] == '`':
			return i, 1
		case strings.HasPrefix(s[i:], "’"):
			return i, len("’")
		}
	}
	return -1, 0
}
