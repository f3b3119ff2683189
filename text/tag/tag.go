// Package tag assigns part-of-speech tags of the Penn Treebank to the words of a sentence.
//
// A Tagger is an averaged perceptron (Collins 2002) that tags a sentence from left to right, by the form of a
// word, its neighbours, the previous tags, and a lexicon. A Trainer trains it on a treebank. A Model stores
// it, with other parts of the text pipeline, in one file. The same model and words give the same tags on
// every machine; a warm worker does not allocate; and no input words or file, however hostile, cause a panic
// or need more memory than a small multiple of their size. The input is already split into sentences and
// words.
package tag

// A Tag is a part of speech of the Penn Treebank, with the additions of treebanks of web text. The zero Tag
// means unknown.
type Tag uint8

// The tags.
const (
	Unknown Tag = iota
	CC          // coordinating conjunction
	CD          // cardinal number
	DT          // determiner
	EX          // existential there
	FW          // foreign word
	IN          // preposition, subordinating conjunction
	JJ          // adjective
	JJR         // adjective, comparative
	JJS         // adjective, superlative
	LS          // mark of a list item
	MD          // modal
	NN          // noun
	NNP         // proper noun
	NNPS        // proper noun, plural
	NNS         // noun, plural
	PDT         // predeterminer
	POS         // possessive ending
	PRP         // personal pronoun
	PRPS        // PRP$: possessive pronoun
	RB          // adverb
	RBR         // adverb, comparative
	RBS         // adverb, superlative
	RP          // particle
	SYM         // symbol
	TO          // to
	UH          // interjection
	VB          // verb, base form
	VBD         // verb, past tense
	VBG         // verb, gerund or present participle
	VBN         // verb, past participle
	VBP         // verb, present, not third person singular
	VBZ         // verb, present, third person singular
	WDT         // wh-determiner
	WP          // wh-pronoun
	WPS         // WP$: possessive wh-pronoun
	WRB         // wh-adverb
	Comma       // ,
	Stop        // . ! ?
	Colon       // : ; … and dashes
	Dollar      // $ and other currencies
	Hash        // #
	Open        // `` opening quotation mark
	Close       // '' closing quotation mark
	LRB         // -LRB-: opening bracket
	RRB         // -RRB-: closing bracket
	HYPH        // hyphen within a word
	NFP         // non-functional punctuation: smileys, rules
	ADD         // address: of mail, on the Web
	AFX         // affix
	GW          // part of a word split by mistake
	XX          // undetermined
	tags        // number of tags
)

// names is read-only.
var names = [tags]string{
	"", "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNP", "NNPS", "NNS",
	"PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN",
	"VBP", "VBZ", "WDT", "WP", "WP$", "WRB", ",", ".", ":", "$", "#", "``", "''", "-LRB-", "-RRB-", "HYPH",
	"NFP", "ADD", "AFX", "GW", "XX",
}

// String returns the tag's name in the Penn Treebank, "" for Unknown.
func (t Tag) String() string {
	if t >= tags {
		return ""
	}
	return names[t]
}

// Parse returns the tag with a name in a treebank; false if there is none, as for "".
func Parse(name string) (Tag, bool) {
	for t := Unknown + 1; t < tags; t++ {
		if names[t] == name {
			return t, true
		}
	}
	return Unknown, false
}
