package tag

// edge is the number of words of context on either side.
const edge = 2

// A sentence is the input of the features.
type sentence struct {
	words []word // the words of the sentence, with edge words on either side
	marks []mark // of the sentence's own words
	form  uint64 // form of the sentence
}

// A mark holds the position of a word in its sentence.
type mark struct {
	initial uint64 // 1: no letter precedes it in the sentence
	quoted  uint64 // 1: within symmetric quotation marks
}

// The forms of sentences.
const (
	plain uint64 = iota
	capitals
	titled // nearly every word starts with a capital
	short  // fewer than two words, too few to decide
)

// reset prepares for a sentence of n words and returns their slice.
func (s *sentence) reset(n int) []word {
	if cap(s.words) < n+2*edge {
		s.words = make([]word, n+2*edge)
		s.marks = make([]mark, n)
	}
	s.words, s.marks = s.words[:n+2*edge], s.marks[:n]
	for i := range edge {
		before, behind := &s.words[i], &s.words[n+edge+i]
		*before = word{lower: uint64(1 + i), shape: 15, entry: entry{seen: seenBefore}}
		*behind = word{lower: uint64(3 + i), shape: 14, entry: entry{seen: seenBehind}}
	}
	return s.words[edge : n+edge]
}

// survey computes the marks and the form of a sentence from its words.
func (s *sentence) survey() {
	letters, upper, all := 0, 0, 0
	var quoted uint64
	for i := range s.marks {
		w := &s.words[i+edge]
		if w.length == 1 && w.last == '"' {
			quoted ^= 1
		}
		s.marks[i] = mark{quoted: quoted}
		if letters == 0 {
			s.marks[i].initial = 1
		}
		if w.look&hasLetter == 0 {
			continue
		}
		letters++
		if w.look&startsUpper != 0 {
			upper++
		}
		if w.look&(allUpper|laterUpper) == allUpper|laterUpper {
			all++
		}
	}
	switch {
	case letters < 2:
		s.form = short
	case all*2 > letters:
		s.form = capitals
	case upper*3 > letters*2:
		s.form = titled
	default:
		s.form = plain
	}
}
