// Package tag says of each word of a sentence what part of speech it is, in the tags of the Penn
// Treebank.
//
// A Tagger is an averaged perceptron (Collins 2002) that reads a sentence from left to right: what a
// word is follows from its form, its neighbours, the tags already given, and what a lexicon knows of
// it. It is learned from a treebank by a Trainer and kept, beside what other readers of the language
// need, in a Model: one file. The package promises that the same model and words give the same tags
// on every machine, that no word costs an allocation once a worker is warm, and that no words and no
// file, however hostile, make it panic or need more memory than a small multiple of their size.
// Cutting a text into sentences and words is not its business.
package tag

// A Tag is a part of speech of the Penn Treebank, with those that the treebanks of web text added to
// them. The zero Tag says that it is not known.
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
	NFP         // punctuation that does not punctuate: smileys, rules
	ADD         // address: of mail, on the Web
	AFX         // affix
	GW          // part of a word that was torn
	XX          // cannot be made out
	tags        // how many there are
)

// names is never written.
var names = [tags]string{
	"", "CC", "CD", "DT", "EX", "FW", "IN", "JJ", "JJR", "JJS", "LS", "MD", "NN", "NNP", "NNPS", "NNS",
	"PDT", "POS", "PRP", "PRP$", "RB", "RBR", "RBS", "RP", "SYM", "TO", "UH", "VB", "VBD", "VBG", "VBN",
	"VBP", "VBZ", "WDT", "WP", "WP$", "WRB", ",", ".", ":", "$", "#", "``", "''", "-LRB-", "-RRB-", "HYPH",
	"NFP", "ADD", "AFX", "GW", "XX",
}

// String returns the tag as the Penn Treebank writes it, "" for Unknown.
func (t Tag) String() string {
	if t >= tags {
		return ""
	}
	return names[t]
}

// Parse returns the tag of a name, as a treebank writes it; false says that there is none, and of ""
// too.
func Parse(name string) (Tag, bool) {
	for t := Unknown + 1; t < tags; t++ {
		if names[t] == name {
			return t, true
		}
	}
	return Unknown, false
}
