package segment

import "strings"

// piece appends the token at p within a chunk, start to end, and returns its end. seen holds the classes of the
// chunk's bytes except the last.
func (w *worker) piece(start, p, end int, seen uint8) int {
	c, size := w.at(p)
	switch {
	case c&(letter|digit) != 0:
		if seen&(dot|joiner) != 0 {
			if q := webEnd(w.text, p, end); q > p {
				w.emit(p, q)
				return q
			}
		}
		return w.core(p, end)
	case c == space: // impossible: chunks have none
		return p + size
	}
	if q := w.special(start, p, end); q > p {
		w.emit(p, q)
		return q
	}
	if c == dot && !w.isDotRun(p, end) {
		if last, ok := w.before(p); ok && w.isAbbreviation(last) {
			w.tokens = append(w.tokens, marked(Token{int32(p), int32(p + 1)}))
			return p + 1
		}
	}
	if w.text[p] == '$' && w.joinsCurrency(p) {
		w.tokens[len(w.tokens)-1].End = int32(p + 1)
		return p + 1
	}
	q := w.markEnd(p, end, size)
	w.emit(p, q)
	return q
}

// before returns the token that ends at p, unless there is none or it is an abbreviation's dot.
func (w *worker) before(p int) (t Token, ok bool) {
	if len(w.tokens) == 0 {
		return t, false
	}
	t = w.tokens[len(w.tokens)-1]
	return t, int(t.End) == p && !isMarked(t)
}

func (w *worker) isDotRun(p, end int) bool {
	return p+1 < end && w.text[p+1] == '.'
}

// special returns the end of a special token at p: an emoticon, a handle, a tag, a clitic without its word, a
// fraction without a leading zero. Otherwise it returns p.
func (w *worker) special(start, p, end int) int {
	if q := emoticonEnd(w.text, p, end); q > p && (p == start || !isDigit(w.text[p-1])) {
		return q
	}
	opens := p == start || strings.IndexByte("([\"'", w.text[p-1]) >= 0
	switch c := w.text[p]; {
	case (c == '@' || c == '#') && opens && p+1 < end && !isDigit(w.text[p+1]):
		return w.nameEnd(p, end)
	case (c == '.' || c == '+' && p == start) && opens && p+1 < end && isDigit(w.text[p+1]):
		return spanOf(w.text, p+1, end, digit)
	case c == '.' && opens:
		if q := spanOf(w.text, p+1, end, letter|digit); q > p+1 && !w.isWord(q, end) && isDotted(w.text[p+1:q]) {
			return w.dottedEnd(q, end)
		}
	case c == '\'' || strings.HasPrefix(w.text[p:end], "’"):
		return w.loneClitic(start, p, end)
	}
	return p
}

// isDotted reports whether a word behind a dot and a blank before it is a name with that dot, such as .NET and
// .htaccess, rather than the start of a sentence without a blank.
func isDotted(word string) bool {
	if isKnownExtension(word) || word == "Net" {
		return true
	}
	upper, lower := 0, 0
	for i := range len(word) {
		switch {
		case isUpper(word[i]):
			upper++
		case isLower(word[i]):
			lower++
		}
	}
	return len(word) > 1 && (upper == 0) != (lower == 0)
}

// dottedEnd returns the end of a name with a dot before it, from the end of its first part on: .co.uk, .bash_profile.
func (w *worker) dottedEnd(q, end int) int {
	for q+1 < end && strings.IndexByte("._-", w.text[q]) >= 0 && classes[w.text[q+1]]&(letter|digit) != 0 {
		q = spanOf(w.text, q+1, end, letter|digit)
	}
	return q
}

// nameEnd returns the end of the handle or tag at p, or p.
func (w *worker) nameEnd(p, end int) int {
	q := p + 1
	for q < end {
		c, size := w.at(q)
		if c&(letter|digit) == 0 && w.text[q] != '_' {
			break
		}
		q += size
	}
	if q == p+1 {
		return p
	}
	return q
}

// loneClitic returns the end of the clitic at an apostrophe: 's and the like after a non-word, 'em, 'til and
// '05 anywhere. Otherwise it returns p.
func (w *worker) loneClitic(start, p, end int) int {
	a := p + 1
	if w.text[p] != '\'' {
		a = p + len("’")
	}
	q := spanOf(w.text, a, end, letter|digit)
	if w.isWord(q, end) || q == a || q-a > 5 {
		return p
	}
	word := w.text[a:q]
	if q-a == 2 && isDigit(word[0]) && isDigit(word[1]) && p == start {
		return q
	}
	switch string(w.lower(word)) {
	case "em", "til", "n", "tis", "twas", "cause", "bout", "round":
		if p == start && !strings.HasPrefix(w.text[q:end], w.text[p:a]) {
			return q
		}
	case "s", "m", "d", "ll", "re", "ve":
		if p == start && q == end || p > start && !w.isWord(p-1, end) {
			return q
		}
	}
	return p
}

// joinsCurrency reports whether the dollar sign at p belongs to the letters before it: US$.
func (w *worker) joinsCurrency(p int) bool {
	last, ok := w.before(p)
	if !ok {
		return false
	}
	switch last.Of(w.text) {
	case "US", "U", "C", "A", "AU", "CA", "NZ", "HK", "S":
		return true
	}
	return false
}

// markEnd returns the end of the mark at p, whose first character has the given size: one character, or a run
// of marks that form runs.
func (w *worker) markEnd(p, end, size int) int {
	switch c := w.text[p]; c {
	case '.', '!', '?':
		q := p + 1
		for q < end && strings.IndexByte(".!?", w.text[q]) >= 0 {
			q++
		}
		return q
	case '\'', '`':
		if p+1 < end && w.text[p+1] == c {
			return p + 2
		}
	case '-', '=', '+', '*', '~', '_', '^', '|', '<', '>', '#', '/', '\\':
		q, mixed := p+1, p+1
		for q < end && w.text[q] == c {
			q++
		}
		for mixed < end && strings.IndexByte("-=+*~_^|<>#", w.text[mixed]) >= 0 {
			mixed++
		}
		if mixed-p > 4 {
			return mixed
		}
		return q
	default:
		if c < 0x80 {
			return p + 1
		}
		return w.highMarkEnd(p, end, size)
	}
	return p + 1
}

// highMarkEnd is markEnd for marks beyond ASCII: quotes of two, ellipses and dashes.
func (w *worker) highMarkEnd(p, end, size int) int {
	rest := w.text[p:end]
	for _, pair := range []string{"’’", "‘‘", "‘’"} {
		if strings.HasPrefix(rest, pair) {
			return p + len(pair)
		}
	}
	r := rest[:size]
	if r != "…" && r != "—" && r != "–" {
		return p + size
	}
	q := p + size
	for strings.HasPrefix(w.text[q:end], r) {
		q += size
	}
	return q
}

// spanOf returns the end of the run of bytes of the given classes at i.
func spanOf(text string, i, end int, of uint8) int {
	for i < end && classes[text[i]]&of != 0 {
		i++
	}
	return i
}

// emoticonEnd returns the end of the emoticon at p, followed only by marks; p if none.
func emoticonEnd(text string, p, end int) int {
	if strings.IndexByte(":;=^(-<>8xX", text[p]) < 0 {
		return p
	}
	for n := min(4, end-p); n >= 2; n-- {
		if isEmoticon(text[p:p+n]) && (p+n == end || classes[text[p+n]]&(letter|digit|joiner|high) == 0) {
			return p + n
		}
	}
	return p
}

// isEmoticon reports whether s is one: eyes, perhaps a nose, a mouth; or one of a few others.
func isEmoticon(s string) bool {
	switch s {
	case "^_^", "-_-", "<3", "(:", "(;", "(-:", "^^", ">:(", ">:)", "=D":
		return true
	}
	if strings.IndexByte(":;=", s[0]) < 0 {
		return false
	}
	mouth := s[1:]
	if len(mouth) > 1 && (mouth[0] == '-' || mouth[0] == '\'') {
		mouth = mouth[1:]
	}
	return len(mouth) == 1 && strings.IndexByte(")(DPpOo/|*]3", mouth[0]) >= 0 && !(s[0] == '=' && mouth[0] == '3')
}
