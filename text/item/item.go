// Package item says what a document is about by weighted terms: the words and collocations that tell it from all
// others seen before (SemXDM's items).
//
// A document is taken in two steps. Reader.Read does what depends on the document alone, and is for any number of
// goroutines: it cuts words, stems them and counts the candidates. State.Take does the rest in the order of the
// crawl, on one goroutine, and learns:
//   - a slip is corrected by the words that were seen in the language (text/spell);
//   - words with one stem are one term, shown in the form that most items have;
//   - synonyms are one term where a Thesaurus is given;
//   - two or three words that stand together more often than chance would have it are a term of their own;
//   - a term weighs (1 + ln tf) · ln(1 + N/df): tf times in the item, in df of N items so far, this one counted;
//   - the 25 heaviest terms are the item's. What is met for the first time, and once, goes behind all other;
//   - items are compared by as many as Options.Vector says, which may be more.
//
// Stop words are those of package text. In a language other than English a word of more than a quarter of that
// language's items is one, too, as soon as 20 were seen: text has no list of them. Words without a letter, of one
// byte or of more than 64 are no terms. All languages share their terms: a name is the same in all.
//
// A State is bounded: 262 144 words and 524 288 pairs and triples of words at most, some 100 MB, and 100 000 words of
// each of 8 languages for spelling, some 15 MB a language. When a table cannot take an item's words, a quarter of it
// is forgotten: of words those of the fewest items, of pairs and triples those counted least, and among these those not met
// for the longest. With a word go the collocations that hold it. A term that is forgotten and met again is another, with
// a number of its own; numbers are never used twice. The cost of an item depends on its own length alone, but for
// forgetting, whose cost is spread over the items that filled the table.
//
// The same items in the same order give the same State, bit by bit, on one kind of processor.
package item

import (
	"errors"

	"orbweaver/text/spell"
)

// ErrDamaged says that a snapshot is not one of this package, or not whole.
var ErrDamaged = errors.New("the snapshot of terms is damaged")

// A Term is a term of an item or a dimension of a vector.
type Term struct {
	ID     uint32  // from 1
	Weight float64 // above 0
}

// A Lack says why an item has no terms. Empty: it has some.
type Lack string

// The lacks.
const (
	NoText    Lack = "no-text"    // neither text nor title has a word
	NoLetters Lack = "no-letters" // numbers and single letters alone
	StopWords Lack = "stop-words" // nothing else
	Strange   Lack = "strange"    // only words that no item had: of State.Weigh alone
)

// An Item is a document by its terms.
type Item struct {
	Terms     []Term       // sorted by ID
	Vector    []Term       // what it is compared by, Terms among them; sorted by ID
	Length    int          // words of text and title, stop words and numbers too
	Lack      Lack         // why Terms is empty
	Unknown   int          // of State.Weigh: different words that no item had, and that have no part in Terms
	Corrected []Correction // in the order of the text
}

// A Correction is a word that was taken for another.
type Correction struct{ From, To string }

// Options say how terms are chosen. A zero field has its default.
type Options struct {
	Terms      int           // most an item has; 25
	Vector     int           // most it is compared by; Terms, which it is not below
	MinCount   int           // how often a collocation was met at least; 5
	MinItems   int           // in how many items; 3
	MinLLR     float64       // log-likelihood ratio of a collocation at least; 10.83, one in a thousand by chance
	MinNPMI    float64       // normalised pointwise mutual information, -1..1, at least; 0.3
	MaxWords   int           // how many words are remembered, 20 000 at least; 262 144
	MaxGrams   int           // how many pairs and triples, 80 000 at least; 524 288
	AsWritten  bool          // no spelling is corrected
	Spelling   spell.Options // Words: 100 000
	Thesaurus  *Thesaurus    // nil: no synonyms
	Languages  int           // how many have their spelling and stop words learned, those met first; 8
	FrequentIn float64       // share of a language's items above which a word says nothing, 0..1; 0.25
}

func (o Options) withDefaults() Options {
	for _, n := range []struct {
		field     *int
		otherwise int
		least     int
	}{
		{&o.Terms, 25, 1}, {&o.MinCount, 5, 1}, {&o.MinItems, 3, 1}, {&o.Languages, 8, 1}, {&o.Spelling.Words, 100_000, 1},
		{&o.MaxWords, 1 << 18, 4 * maxWords}, {&o.MaxGrams, 1 << 19, 4 * maxGrams},
	} {
		if *n.field == 0 {
			*n.field = n.otherwise
		}
		*n.field = max(*n.field, n.least)
	}
	o.Vector = max(o.Vector, o.Terms)
	for _, x := range []struct {
		field     *float64
		otherwise float64
	}{{&o.MinLLR, 10.83}, {&o.MinNPMI, 0.3}, {&o.FrequentIn, 0.25}} {
		if *x.field == 0 {
			*x.field = x.otherwise
		}
	}
	return o
}
