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
}

// read looks up the words of a sentence.
func (r *reading) read(m *model, words []string) {
	r.cells = append(r.cells[:0], m.mark("-START-"), m.mark("-START2-"))
	for _, word := range words {
		r.cells = append(r.cells, r.cell(m, plain(word)))
	}
	r.cells = append(r.cells, m.mark("-END-"), m.mark("-END2-"))
}

func (m *model) mark(name string) cell {
	return cell{word: m.wordAt[name], suffix: m.suffixAt[ending(name)]}
}

// cell looks up a word. Its normal form is in lower case; numbers and words with hyphens have one each.
func (r *reading) cell(m *model, word string) cell {
	var c cell
	c.own = m.suffixAt[ending(word)]
	switch {
	case word == "":
		return cell{m.wordAt[word], c.own, c.own}
	case word[0] != '-' && strings.IndexByte(word, '-') >= 0:
		word = "!HYPHEN"
	case len(word) == 4 && isNumber(word):
		word = "!YEAR"
	case word[0] >= '0' && word[0] <= '9':
		word = "!DIGITS"
	default:
		return r.lowered(m, word, c)
	}
	c.word, c.suffix = m.wordAt[word], m.suffixAt[ending(word)]
	return c
}

// lowered is cell for a word in lower case.
func (r *reading) lowered(m *model, word string, c cell) cell {
	r.lower = r.lower[:0]
	same := true
	for i := range len(word) {
		b := word[i]
		switch {
		case b >= utf8.RuneSelf:
			word = strings.ToLower(word)
			return cell{m.wordAt[word], m.suffixAt[ending(word)], c.own}
		case 'A' <= b && b <= 'Z':
			b |= 0x20
			same = false
		}
		r.lower = append(r.lower, b)
	}
	c.word, c.suffix = m.wordAt[string(r.lower)], c.own
	if !same {
		c.suffix = m.suffixAt[ending(string(r.lower[max(0, len(r.lower)-3):]))]
	}
	return c
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
	var scores [maxTags]float32
	b2, b1, here, a1, a2 := r.cells[i], r.cells[i+1], r.cells[i+2], r.cells[i+3], r.cells[i+4]
	rows := &m.words[here.word]
	first := m.noPrefix
	if word != "" {
		first = m.prefixes[word[0]]
	}
	for _, n := range [...]uint32{
		m.bias, m.suffixes[here.own].here, first,
		m.before1[one], m.before2[two], m.both[one][two],
		rows.here, m.behind(rows, one),
		m.words[b1.word].before1, m.suffixes[b1.suffix].before, m.words[b2.word].before2,
		m.words[a1.word].after1, m.suffixes[a1.suffix].after, m.words[a2.word].after2,
	} {
		at := m.rows[n]
		for _, w := range m.weights[at.from:at.to] {
			scores[w.class%maxTags] += w.value
		}
	}
	best, most := noTag, float32(math.Inf(-1))
	for class, score := range scores[:m.classes] {
		if score > most {
			best, most = class, score
		}
	}
	return uint8(best)
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
