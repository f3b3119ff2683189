package tag

// An entry is what the lexicon says of a word in lower case.
type entry struct {
	seen  uint16 // the set of tags that it was seen with, by number
	kinds kinds  // what a dictionary says of it
	only  Tag    // the only tag it ever has, or Unknown
}

// The first numbers of sets of tags.
const (
	seenNothing uint16 = iota
	seenBefore         // what stands before a sentence
	seenBehind
	seenSets // from here on: sets
)

// kinds is what a dictionary says of a form: its Classes, of what it looks like an inflection, and
// of what it is an irregular one.
type kinds uint32

const (
	nounS kinds = 1 << (8 + iota)
	verbS
	verbEd
	verbIng
	er
	est
	oddNoun
	oddVerb
	oddAdjective
	allKinds = 1<<17 - 1
)

// A stemmer finds the kinds of forms that are inflected by the rules.
type stemmer struct {
	known func(form []byte) Classes
	buf   [maxWord + 8]byte
}

// An ending is how an inflection ends, and what it may have taken the place of. "2" stands for a
// letter that was doubled.
type ending struct {
	suffix string
	stems  []string
	of     Classes
	kind   kinds
}

// endings is never written.
var endings = [...]ending{
	{"s", []string{""}, Noun, nounS},
	{"s", []string{""}, Verb, verbS},
	{"es", []string{""}, Noun, nounS},
	{"es", []string{""}, Verb, verbS},
	{"ies", []string{"y"}, Noun, nounS},
	{"ies", []string{"y"}, Verb, verbS},
	{"ed", []string{"", "e", "2"}, Verb, verbEd},
	{"ied", []string{"y"}, Verb, verbEd},
	{"ing", []string{"", "e", "2"}, Verb, verbIng},
	{"er", []string{"", "e", "2"}, Adjective | Adverb, er},
	{"ier", []string{"y"}, Adjective | Adverb, er},
	{"est", []string{"", "e", "2"}, Adjective | Adverb, est},
	{"iest", []string{"y"}, Adjective | Adverb, est},
}

// inflected returns the kinds of a form in lower case, of at most maxWord bytes and a character.
func (s *stemmer) inflected(form []byte) (k kinds) {
	n := len(form)
	if n < 3 {
		return 0
	}
	switch form[n-1] {
	case 's', 'd', 'g', 'r', 't':
	default:
		return 0
	}
	for i := range endings {
		e := &endings[i]
		cut := n - len(e.suffix)
		if cut >= 2 && string(form[cut:]) == e.suffix && k&e.kind == 0 && s.stems(form[:cut], e) {
			k |= e.kind
		}
	}
	return k
}

// stems reports whether what is left of a form is, or was made from, a word of the ending's class.
func (s *stemmer) stems(left []byte, e *ending) bool {
	for _, add := range e.stems {
		stem := append(s.buf[:0], left...)
		if add == "2" {
			if stem[len(stem)-1] != stem[len(stem)-2] {
				continue
			}
			stem = stem[:len(stem)-1]
		} else {
			stem = append(stem, add...)
		}
		if s.known(stem)&e.of != 0 {
			return true
		}
	}
	return false
}
