package tag

// A Dictionary is lexical knowledge of a language beyond the treebank, in lower case.
type Dictionary struct {
	Words     map[string]Classes // base forms
	Irregular []Irregular
}

// An Irregular is an irregular form and its base.
type Irregular struct {
	Form, Base string
	Class      Classes
}

// Classes is a set of word classes in dictionaries.
type Classes uint8

// The classes.
const (
	Noun Classes = 1 << iota
	Verb
	Adjective
	Adverb
	Name     // a proper noun
	NamePart // part of a name of several words
)

// Class returns the class of a tag: one, or none.
func (t Tag) Class() Classes {
	switch t {
	case NN, NNS:
		return Noun
	case NNP, NNPS:
		return Name
	case VB, VBD, VBG, VBN, VBP, VBZ, MD:
		return Verb
	case JJ, JJR, JJS:
		return Adjective
	case RB, RBR, RBS:
		return Adverb
	}
	return 0
}
