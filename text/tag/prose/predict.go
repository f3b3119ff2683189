package prose

import (
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

// A reading holds the words of a sentence as the model sees them, with two marks before and behind.
type reading struct {
	cells []cell
	lower []byte
}

// A cell is a word of a sentence: the places of its rows.
type cell struct {
	word   uint32 // in its normal form
	suffix uint32 // of that
	own    uint32 // suffix as written
	plain  bool   // it is written in its normal form
}

// read looks up the words of a sentence.
func (r *reading) read(m *model, words []string) {
	r.cells = append(r.cells[:0], m.cell("-START-"), m.cell("-START2-"))
	for _, word := range words {
		r.cells = append(r.cells, r.cell(m, plain(word)))
	}
	r.cells = append(r.cells, m.cell("-END-"), m.cell("-END2-"))
}

// cell looks up a normal form.
func (m *model) cell(word string) cell {
	at, ok := m.wordAt[word]
	if !ok {
		suffix := m.suffixAt[ending(word)]
		return cell{0, suffix, suffix, true}
	}
	suffix := m.words[at].suffix
	return cell{at, suffix, suffix, true}
}

// cell looks up a word.
func (r *reading) cell(m *model, word string) cell {
	if normal(word) {
		return m.cell(word)
	}
	c := r.normalized(m, word)
	c.own, c.plain = m.suffixAt[ending(word)], false
	return c
}

// normal reports whether a word is its own normal form: in lower case, without hyphens and digits at its start. Of words beyond ASCII
// it does not tell.
func normal(word string) bool {
	for i := range len(word) {
		if c := word[i]; 'A' <= c && c <= 'Z' || c == '-' || c >= utf8.RuneSelf || i == 0 && '0' <= c && c <= '9' {
			return false
		}
	}
	return len(word) != 4 || word[0] != '+'
}

// normalized looks up the normal form of a word: in lower case; numbers and words with hyphens have one each.
func (r *reading) normalized(m *model, word string) cell {
	switch {
	case word == "":
		return m.cell("")
	case word[0] != '-' && strings.IndexByte(word, '-') >= 0:
		return m.cell("!HYPHEN")
	case len(word) == 4 && isNumber(word):
		return m.cell("!YEAR")
	case word[0] >= '0' && word[0] <= '9':
		return m.cell("!DIGITS")
	}
	r.lower = r.lower[:0]
	for i := range len(word) {
		c := word[i]
		if c >= utf8.RuneSelf {
			return m.cell(strings.ToLower(word))
		}
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		r.lower = append(r.lower, c)
	}
	if at, ok := m.wordAt[string(r.lower)]; ok { // without a copy
		return cell{word: at, suffix: m.words[at].suffix}
	}
	return cell{suffix: m.suffixAt[ending(string(r.lower[max(0, len(r.lower)-3):]))]}
}

// isNumber reports whether a word is a whole number, with or without a sign.
func isNumber(s string) bool {
	if s[0] == '+' || s[0] == '-' {
		s = s[1:]
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}

// predict returns the class of word i behind two tags, the nearer first. Scores are sums of single precision: their order is
// that of prose.
func (m *model) predict(r *reading, i int, word string, one, two uint8) uint8 {
	b2, b1, here, a1, a2 := r.cells[i], r.cells[i+1], r.cells[i+2], r.cells[i+3], r.cells[i+4]
	rows, scores := &m.words[here.word], m.starts[here.own]
	first := m.noPrefix
	if word != "" {
		first = m.prefixes[word[0]]
	}
	for _, n := range [...]uint32{
		first, m.before1[one], m.before2[two], m.both[one][two],
		rows.here, m.behind(rows, one),
		m.words[b1.word].before1, m.suffixes[b1.suffix].before, m.words[b2.word].before2,
		m.words[a1.word].after1, m.suffixes[a1.suffix].after, m.words[a2.word].after2,
	} {
		m.add(&scores, n)
	}
	best, most := noTag, float32(math.Inf(-1))
	for class, score := range scores[:m.classes] {
		if score > most {
			best, most = class, score
		}
	}
	return uint8(best)
}

// surely returns the class of a word that has one in any context.
func (m *model) surely(c cell, word string) (class uint8, ok bool) {
	if c.plain {
		sure := m.words[c.word].sure
		return sure - 1, sure > 0
	}
	class, ok = m.sure[word]
	return class, ok
}

// behind returns the row of a word behind a tag.
func (m *model) behind(w *wordRows, tag uint8) uint32 {
	for _, t := range m.tagged[w.tagged:w.end] {
		if t.tag == tag {
			return t.row
		}
	}
	return 0
}

// The marks of a treebank for what is not there, and for brackets.
var (
	noneRe = regexp.MustCompile(`^(?:\*[\w?]\*|\*\-\d{1,3}|\*[A-Z]+\*\-\d{1,3}|\*)$`)
	keepRe = regexp.MustCompile(`^\-[A-Z]{3}\-$`)
)

// fixed returns the tag of a word that prose tags without the model; false for all others.
func fixed(word string) (tag string, ok bool) {
	if word == "" {
		return "", false
	}
	switch first := word[0]; {
	case word == "-":
		return "-", true
	case isEmoticon(word):
		return "SYM", true
	case first == '@':
		return "NN", true
	case word == "0", first == '*' && noneRe.MatchString(word):
		return "-NONE-", true
	case first == '-' && keepRe.MatchString(word):
		return word, true
	}
	return "", false
}

func isEmoticon(word string) bool {
	switch word {
	case "(-8", "(-;", "(-_-)", "(._.)", "(:", "(=", "(o:", "(¬_¬)", "(ಠ_ಠ)", "(╯°□°）╯︵┻━┻", "-__-", "8-)", "8-D", "8D", ":(", ":((", ":(((", ":()",
		":)))", ":-)", ":-))", ":-)))", ":-*", ":-/", ":-X", ":-]", ":-o", ":-p", ":-x", ":-|", ":-}", ":0", ":3", ":P", ":]", ":`(", ":`)", ":`-(",
		":o", ":o)", "=(", "=)", "=D", "=|", "@_@", "O.o", "O_o", "V_V", "XDD", "[-:", "^___^", "o_0", "o_O", "o_o", "v_v", "xD", "xDD", `¯\(ツ)/¯`:
		return true
	}
	return false
}
