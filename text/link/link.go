// Package link finds the entities that a text speaks of, and tells which: offline, over a gazetteer
// of labels.
//
// A Gazetteer holds labels as hashes of their word prefixes, so that five million of them take less
// than 200 MB, and is one piece of bytes, the same in memory and in a file. It is made by a Builder
// from a stream of labels. A Trainer may add to it what examples tell: how often a label, where it
// occurs, is a mention at all, and what else stands where an entity does. A Linker reads documents,
// given as tokens, and answers as DBpedia Spotlight does: mentions with an IRI, a similarity between 0
// and 1, and how near the second candidate came.
//
// Words are compared folded: in lower case, hyphens and apostrophes divide, points within a word and
// the possessive 's are left out, "&" is "and". A comma or colon is a word of its own. How capitals
// stood is kept beside, so that "US" and "us" are told apart. A false match of two different prefixes
// happens once in some 10⁸ prefixes looked up; the table itself holds none.
//
// The same labels and examples, in any order, give the same bytes, and these and a document the same
// mentions. Files and documents may be hostile: a file is checked as a whole before it is used, work
// on a document is linear in its tokens, but for sorting. Cutting text into tokens and tagging them is
// not its business.
package link

import "errors"

// Errors of builders and readers.
var (
	ErrLabel  = errors.New("label cannot be matched")     // no words, or too many; or no IRI
	ErrFull   = errors.New("gazetteer is full")           // of entities, labels or bytes
	ErrFormat = errors.New("not a gazetteer, or damaged") // of a file
)

// A Kind says what a label is to its entity, and thereby how probable it is that who says the one
// means the other.
type Kind uint8

// The kinds of labels, best first.
const (
	Preferred   Kind = iota // a title, skos:prefLabel: 1
	Alternative             // a redirect, skos:altLabel: 0.7
	Acronym                 // 0.4
	Hidden                  // skos:hiddenLabel, misspellings: 0.3
)

// prior is the weight of a kind, as a share of a mention that was counted.
func (k Kind) prior() float64 {
	return [...]float64{1, 0.7, 0.4, 0.3}[k&3]
}

// A Label is a name of an entity.
type Label struct {
	Text  string
	IRI   string
	Kind  Kind
	Lang  string // language tag; empty: of every language
	Count int    // how often the label was seen to mean the entity; 0: not known
}

// A Document is a text cut into tokens. The slices beside Words are nil, or as long.
type Document struct {
	Words     []string // words and signs as they stand in the text, without space in them
	Sentences []int    // number of the first token of each sentence, ascending; nil: one sentence
	Tags      []string // Penn tags; "" where none is known
	Lemmas    []string // "" where none is known; without them a rule takes the plural from the last word
	Lang      string   // language tag; empty: labels of all languages are looked for
}

// A Mention is a place where a document speaks of an entity.
type Mention struct {
	First, Last int     // tokens, both inclusive
	IRI         string  // of the best candidate
	Support     int     // how often the entity was counted; 0: not known
	Similarity  float64 // 0 to 1: probability that the entity is meant, rather than another or none
	Second      float64 // 0 to 1: similarity of the second candidate as a share of the best one's
	Candidates  []Candidate
	Back        bool // part of a name that was said in full before
}

// A Candidate is an entity that a mention may mean; a mention has them best first.
type Candidate struct {
	IRI        string
	Similarity float64
}
