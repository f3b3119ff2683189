package text

// A stripped is an English word of ASCII on its way through Porter's algorithm ("An algorithm for suffix stripping",
// Program 14:3, 1980), Snowball's version, done in place.
type stripped struct {
	word   []byte // a "y" that is a consonant is "Y"
	p1, p2 int    // where R1 and R2 begin: behind the first, the second consonant that follows a vowel
}

// An ending and what it becomes.
type ending struct{ from, to string }

// The endings of the steps 2 to 4, by their last letter, the longer first. Read-only.
var (
	porter2 = byLast([]ending{
		{"ational", "ate"}, {"tional", "tion"}, {"enci", "ence"}, {"anci", "ance"}, {"abli", "able"},
		{"entli", "ent"}, {"ousli", "ous"}, {"alli", "al"}, {"eli", "e"}, {"izer", "ize"}, {"ization", "ize"},
		{"ation", "ate"}, {"ator", "ate"}, {"alism", "al"}, {"biliti", "ble"}, {"aliti", "al"}, {"iviti", "ive"},
		{"fulness", "ful"}, {"ousness", "ous"}, {"iveness", "ive"},
	})
	porter3 = byLast([]ending{
		{"alize", "al"}, {"icate", "ic"}, {"iciti", "ic"}, {"ical", "ic"}, {"ative", ""}, {"ful", ""}, {"ness", ""},
	})
	porter4 = byLast([]ending{
		{"ement", ""}, {"ment", ""}, {"ent", ""}, {"ant", ""}, {"ance", ""}, {"ence", ""}, {"able", ""}, {"ible", ""},
		{"ate", ""}, {"ive", ""}, {"ize", ""}, {"al", ""}, {"er", ""}, {"ic", ""}, {"ism", ""}, {"ion", ""},
		{"iti", ""}, {"ous", ""}, {"ou", ""},
	})
)

// byLast groups endings by their last letter, keeping their order.
func byLast(endings []ending) (by [32][]ending) {
	for _, e := range endings {
		last := e.from[len(e.from)-1] & 31
		by[last] = append(by[last], e)
	}
	return by
}

// appendPorter appends the stem of a word of ASCII without capitals; it may be empty.
func appendPorter(dst, word []byte) []byte {
	from := len(dst)
	dst = append(append(dst, word...), 0)[:from+len(word)] // and room for an "e"
	p := stripped{word: dst[from:]}
	p.mark()
	p.plural()
	p.past()
	if n := len(p.word) - 1; n > 0 && p.word[n]|0x20 == 'y' && p.vowel(n) {
		p.word[n] = 'i'
	}
	p.replace(&porter2, p.p1)
	p.replace(&porter3, p.p1)
	p.replace(&porter4, p.p2)
	p.last()
	for i, c := range p.word {
		if c == 'Y' {
			p.word[i] = 'y'
		}
	}
	return dst[:from+len(p.word)]
}

// isVowel reports whether a byte is a vowel, or a "y" that is one.
func isVowel(c byte) bool {
	const vowels = 1<<('a'&31) | 1<<('e'&31) | 1<<('i'&31) | 1<<('o'&31) | 1<<('u'&31) | 1<<('y'&31)
	return c >= 'a' && c <= 'y' && vowels>>(c&31)&1 != 0
}

// mark marks each "y" that is a consonant, at the beginning or behind a vowel, and finds R1 and R2.
func (p *stripped) mark() {
	p.p1, p.p2 = len(p.word), len(p.word)
	before, ends := false, 0
	for i, c := range p.word {
		if c == 'y' && (i == 0 || before) {
			c, p.word[i] = 'Y', 'Y'
		}
		is := isVowel(c)
		if before && !is {
			if ends++; ends == 1 {
				p.p1 = i + 1
			} else if ends == 2 {
				p.p2 = i + 1
			}
		}
		before = is
	}
}

// vowel reports whether a vowel is among the first n bytes.
func (p *stripped) vowel(n int) bool {
	for _, c := range p.word[:n] {
		if isVowel(c) {
			return true
		}
	}
	return false
}

// short reports whether the first n bytes end in a consonant, a vowel and a consonant other than "w", "x"
// and "y".
func (p *stripped) short(n int) bool {
	if n < 3 {
		return false
	}
	c := p.word[n-1]
	return !isVowel(c) && c != 'w' && c != 'x' && c != 'Y' && isVowel(p.word[n-2]) && !isVowel(p.word[n-3])
}

func (p *stripped) ends(with string) bool {
	n := len(p.word) - len(with)
	return n >= 0 && string(p.word[n:]) == with
}

// plural is step 1a.
func (p *stripped) plural() {
	n := len(p.word)
	switch {
	case !p.ends("s"):
	case p.ends("sses"), p.ends("ies"):
		p.word = p.word[:n-2]
	case !p.ends("ss"):
		p.word = p.word[:n-1]
	}
}

// past is step 1b.
func (p *stripped) past() {
	n := len(p.word)
	switch {
	case p.ends("eed"):
		if n-3 >= p.p1 {
			p.word = p.word[:n-1]
		}
		return
	case p.ends("ed") && p.vowel(n-2):
		n -= 2
	case p.ends("ing") && p.vowel(n-3):
		n -= 3
	default:
		return
	}
	p.word = p.word[:n]
	switch {
	case p.ends("at"), p.ends("bl"), p.ends("iz"), !p.doubled() && n == p.p1 && p.short(n):
		p.word = append(p.word, 'e')
	case p.doubled():
		p.word = p.word[:n-1]
	}
}

// doubled reports whether the word ends in a doubled consonant that is not kept.
func (p *stripped) doubled() bool {
	n := len(p.word)
	if n < 2 || p.word[n-1] != p.word[n-2] {
		return false
	}
	switch p.word[n-1] {
	case 'b', 'd', 'f', 'g', 'm', 'n', 'p', 'r', 't':
		return true
	}
	return false
}

// replace is one of the steps 2 to 4: it replaces a known ending that lies in the region starting at from.
func (p *stripped) replace(endings *[32][]ending, from int) {
	n := len(p.word)
	if n <= from {
		return
	}
	for _, e := range endings[p.word[n-1]&31] {
		if !p.ends(e.from) {
			continue
		}
		n -= len(e.from)
		if n >= from && (e.from != "ion" || n > 0 && (p.word[n-1] == 's' || p.word[n-1] == 't')) {
			p.word = append(p.word[:n], e.to...)
		}
		return
	}
}

// last is step 5.
func (p *stripped) last() {
	n := len(p.word) - 1
	if p.ends("e") && (n >= p.p2 || n >= p.p1 && !p.short(n)) {
		p.word = p.word[:n]
		n--
	}
	if p.ends("ll") && n >= p.p2 {
		p.word = p.word[:n]
	}
}
