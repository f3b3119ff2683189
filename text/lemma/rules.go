package lemma

import "orbweaver/text/tag"

// A search looks for the base of one inflected form.
type search struct {
	words map[string]*word
	lower []byte // the form in lower case
}

// base undoes the inflection of the tag; without one it returns the whole form.
func (s *search) base(t tag.Tag) candidate {
	switch t {
	case tag.NNS:
		return s.plural(tag.Noun)
	case tag.NNPS:
		return s.plural(tag.Noun | tag.Name | tag.NamePart)
	case tag.VBZ:
		return s.plural(tag.Verb)
	case tag.VBD, tag.VBN:
		return s.inflected("ed", tag.Verb)
	case tag.VBG:
		if s.ends("ing") {
			return s.inflected("ing", tag.Verb)
		}
		return s.clipped()
	case tag.JJR, tag.RBR:
		return s.inflected("er", tag.Adjective|tag.Adverb)
	case tag.JJS, tag.RBS:
		return s.inflected("est", tag.Adjective|tag.Adverb)
	}
	return candidate{}
}

// ends reports whether the form ends so, behind at least two letters.
func (s *search) ends(suffix string) bool {
	n := len(s.lower) - len(suffix)
	return n >= 2 && string(s.lower[n:]) == suffix
}

// A candidate is a form without its last cut bytes, followed by letters.
type candidate struct {
	cut int
	add string
}

// append appends a candidate to b.
func (s *search) append(b []byte, c candidate) []byte {
	return append(append(b, s.lower[:len(s.lower)-c.cut]...), c.add...)
}

// known returns the dictionary's classes of a candidate.
func (s *search) known(c candidate) tag.Classes {
	var room [2 * maxWord]byte
	if w := s.words[string(s.append(room[:0], c))]; w != nil {
		return w.classes
	}
	return 0
}

// choose returns the first candidate in the dictionary with the class, else the usual one.
func (s *search) choose(class tag.Classes, usual candidate, others ...candidate) candidate {
	if s.known(usual)&class != 0 {
		return usual
	}
	for _, c := range others {
		if s.known(c)&class != 0 {
			return c
		}
	}
	return usual
}

// plural removes the s of a plural or of the third person.
func (s *search) plural(class tag.Classes) candidate {
	es, bare := candidate{1, ""}, candidate{2, ""} // -es without s, and without es
	switch {
	case s.ends("'s"):
		return candidate{2, ""}
	case s.ends("men") && class&tag.Noun != 0:
		return candidate{2, "an"}
	case s.ends("ies"):
		return s.choose(class, candidate{3, "y"}, es, bare)
	case s.ends("sses"), s.ends("xes"), s.ends("ches"), s.ends("shes"), s.ends("zzes"):
		return s.choose(class, bare, es)
	case s.ends("oes"):
		return s.choose(class, bare, es)
	case s.ends("ves") && class&tag.Noun != 0:
		return s.choose(class, es, candidate{3, "f"}, candidate{3, "fe"})
	case s.ends("es"):
		return s.choose(class, es, bare)
	case s.ends("ss"), s.ends("us"), s.ends("is"):
		if base := (candidate{1, ""}); s.known(base)&class != 0 {
			return base
		}
		return candidate{}
	case s.ends("s"):
		return candidate{1, ""}
	}
	return candidate{}
}

// inflected removes -ed, -ing, -er or -est.
func (s *search) inflected(suffix string, class tag.Classes) candidate {
	n := len(suffix)
	if !s.ends(suffix) {
		return candidate{}
	}
	stem := s.lower[:len(s.lower)-n]
	bare, silent := candidate{n, ""}, candidate{n, "e"}
	last := stem[len(stem)-1]
	switch {
	case !hasVowel(stem): // "bring", "red"
		return candidate{}
	case last == 'i' && suffix != "ing":
		return s.choose(class, candidate{n + 1, "y"}, candidate{n, "e"})
	case len(stem) > 2 && last == stem[len(stem)-2] && !vowel(last):
		single := candidate{n + 1, ""}
		if last == 'l' || last == 's' || last == 'z' || last == 'f' {
			return s.choose(class, bare, single)
		}
		return s.choose(class, single, bare)
	case wantsE(stem):
		return s.choose(class, silent, bare)
	}
	return s.choose(class, bare, silent)
}

// clipped reads "doin'" as "doing".
func (s *search) clipped() candidate {
	if !s.ends("in'") && !s.ends("in") {
		return candidate{}
	}
	n := 2
	if s.lower[len(s.lower)-1] == '\'' {
		n = 3
	}
	return s.choose(tag.Verb, candidate{n, ""}, candidate{n, "e"}, candidate{n + 1, ""})
}

// number removes the commas between thousands; false: there are none, or the word is no number in digits.
func number(lower []byte) (string, bool) {
	var room [maxWord]byte
	b := room[:0]
	for _, c := range lower {
		switch {
		case c >= '0' && c <= '9', c == '.':
			b = append(b, c)
		case c != ',':
			return "", false
		}
	}
	if len(b) == len(lower) {
		return "", false
	}
	return string(b), true
}

func vowel(c byte) bool {
	switch c {
	case 'a', 'e', 'i', 'o', 'u':
		return true
	}
	return false
}

func hasVowel(stem []byte) bool {
	for _, c := range stem {
		if vowel(c) || c == 'y' {
			return true
		}
	}
	return false
}

// wantsE reports whether a stem has probably lost an e, by English spelling: words end neither in v, u, c or a
// soft g, nor in one consonant and l, and a short stem with one vowel before one consonant would have doubled
// it.
func wantsE(stem []byte) bool {
	n := len(stem)
	last := stem[n-1]
	if n < 2 {
		return false
	}
	before := stem[n-2]
	switch last {
	case 'v', 'u', 'c':
		return true
	case 'g':
		return before == 'd' || before == 'r' || before == 'a' || before == 'n' && n > 3 && stem[n-3] == 'a'
	case 'l':
		return !vowel(before) && before != 'l' && before != 'r' && before != 'w'
	case 's':
		return before != 's' && (vowel(before) || before == 'n' || before == 'r' || before == 'p')
	case 'z':
		return vowel(before)
	case 't':
		return before == 'a' && n > 2 && (!vowel(stem[n-3]) || stem[n-3] == 'i')
	}
	return vowel(before) && !vowel(last) && last != 'w' && last != 'x' && last != 'y' && measure(stem) == 1 &&
		(n < 3 || !vowel(stem[n-3]))
}

// measure counts the runs of vowels.
func measure(stem []byte) (n int) {
	for i, c := range stem {
		if vowel(c) && (i == 0 || !vowel(stem[i-1])) {
			n++
		}
	}
	return n
}
