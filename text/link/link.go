// Package link links the entities mentioned in a text, offline, by a gazetteer of labels.
//
// A Gazetteer holds labels as hashes of their word prefixes, so that five million of them take less than 200 MB, and
// is one block of bytes, the same in memory and in a file. A Builder builds it from a stream of labels. A Trainer may
// add statistics from examples: how often an occurrence of a label is a mention, and what occurs near an entity. A
// Linker reads documents, given as tokens, and answers as DBpedia Spotlight does: mentions with an IRI, a similarity
// between 0 and 1, and the second candidate's share of it.
//
// Words are compared folded: in lower case, hyphens and apostrophes divide, points within a word and the possessive
// 's are left out, "&" is "and". A comma or colon is a word of its own. Capitals are recorded separately, so that
// "US" and "us" differ. A lookup matches a wrong prefix about once in 10⁸ times; the table itself holds no
// collisions.
//
// The same labels and examples, in any order, give the same bytes; the same bytes and document give the same
// mentions. Files and documents may be hostile: a file is validated as a whole before use, and work on a document is
// linear in its tokens except for sorting. Tokenizing and tagging is not its business.
package link

import "errors"

// Errors of builders and readers.
var (
	ErrLabel  = errors.New("label cannot be matched")     // without words, with too many, or without an IRI
	ErrFull   = errors.New("gazetteer is full")           // of entities, labels or bytes
	ErrFormat = errors.New("not a gazetteer, or damaged") // of a file
)

// A Kind is the relation of a label to its entity; it sets the prior probability that the label means the entity.
type Kind uint8

// The kinds of labels, best first.
const (
	Preferred   Kind = iota // a title, skos:prefLabel: 1
	Alternative             // a redirect, skos:altLabel: 0.7
	Acronym                 // 0.4
	Hidden                  // skos:hiddenLabel, misspellings: 0.3
)

// prior is the weight of a kind, as a share of a counted mention.
func (k Kind) prior() float64 {
	return [...]float64{1, 0.7, 0.4, 0.3}[k&3]
}

// A Label is a name of an entity.
type Label struct {
	Text  string
	IRI   string
	Kind  Kind
	Lang  string // language tag; empty: of every language
	Count int    // how often the label meant the entity; 0: unknown
}

// A Document is a text cut into tokens. The slices parallel to Words are nil or of its length.
type Document struct {
	Words     []string // words and signs as in the text, without spaces
	Sentences []int    // number of the first token of each sentence, ascending; nil: one sentence
	Tags      []string // Penn tags; "" if unknown
	Lemmas    []string // "" if unknown; without lemmas a rule removes the plural of the last word
	Lang      string   // language tag; empty: labels of all languages match
}

// A Mention is an occurrence of an entity in a document.
type Mention struct {
	First, Last int     // tokens, both inclusive
	IRI         string  // of the best candidate
	Support     int     // the entity's count; 0: unknown
	Similarity  float64 // 0 to 1: probability that the entity is meant, rather than another or none
	Second      float64 // 0 to 1: similarity of the second candidate as a share of the best one's
	Candidates  []Candidate
	Back        bool // short form of a name given in full before
}

// A Candidate is an entity that a mention may mean. A mention's candidates are ordered best first.
type Candidate struct {
	IRI        string
	Similarity float64
}
