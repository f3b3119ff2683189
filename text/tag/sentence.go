package tag

// edge is how many words the features see on either side.
const edge = 2

// A sentence is one as the features see it.
type sentence struct {
	words  []word // those of the sentence, between edge words
	marks  []mark // of each of the sentence's own
	manner uint64 // how it is written
}

// A mark is what a word is to its sentence.
type mark struct {
	initial uint64 // 1: no letter stands before it
	quoted  uint64 // 1: within quotation marks that do not say whether they open or close
}

// The forms of sentences.
const (
	plain uint64 = iota
	capitals
	titled // nearly every word starts with a capital
	short  // fewer than two words, which show no manner
)

// reset makes room for a sentence of n words, and returns where they go.
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

// survey looks at the whole sentence, once its words are read.
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
		s.manner = short
	case all*2 > letters:
		s.manner = capitals
	case upper*3 > letters*2:
		s.manner = titled
	default:
		s.manner = plain
	}
}
