package tag

// An entry is the lexicon's entry of a word in lower case.
type entry struct {
	seen  uint16 // tag set in the treebank, by number
	kinds kinds  // from the dictionary
	only  Tag    // its only tag in the treebank, or Unknown
}

// Reserved numbers of tag sets.
const (
	seenNothing uint16 = iota
	seenBefore         // padding before a sentence
	seenBehind
	seenSets // first number of a real set
)

// kinds is a bit set of a form's dictionary classes: as a base form, as a regular inflection, and as an
// irregular one.
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

// A stemmer finds the kinds of regularly inflected forms.
type stemmer struct {
	known func(form []byte) Classes
	buf   [maxWord + 8]byte
}

// An ending is the ending of an inflection and the ending that it may replace. "2" denotes a doubled letter.
type ending struct {
	suffix string
	stems  []string
	of     Classes
	kind   kinds
}

// endings is read-only.
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

// inflected returns the kinds of a form in lower case, of at most maxWord bytes plus one character.
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

// stems reports whether the rest of a form is, or derives from, a word of the ending's class.
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
