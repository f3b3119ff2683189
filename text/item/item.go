// Package item describes a document by weighted terms: the words and collocations that distinguish it from all
// documents seen before (SemXDM's items).
//
// A document is added in two steps. Reader.Read does what depends on the document alone and is safe for concurrent
// use: it segments, stems and counts candidates. State.Take does the rest in crawl order, on one goroutine, and
// learns:
//   - spelling errors are corrected by the words seen in the language (text/spell);
//   - words with one stem are one term, shown in the form that most items have;
//   - synonyms are one term where a Thesaurus is given;
//   - two or three words that co-occur more often than by chance are a term of their own;
//   - a term weighs (1 + ln tf) · ln(1 + N/df): tf times in the item, in df of N items so far, this one counted;
//   - the 25 heaviest terms are the item's. New terms that occur once rank last;
//   - with Options.SharedBy, terms of enough items rank first: in a long document the
//     heaviest terms are mostly names of its own, which identify it but do not describe its topic;
//   - Options.Vector, which may be more, is the number of terms by which items are compared.
//
// Stop words are those of package text. In a language other than English, for which text has no list, a word in more
// than a quarter of the language's items is one too, once 20 items were seen. Words without a letter, of one byte or
// of more than 64 are no terms. All languages share their terms: a name is the same in all.
//
// A State is bounded: 262 144 words and 524 288 pairs and triples of words at most, about 100 MB, and 100 000 words
// of each of 8 languages for spelling, about 15 MB per language. When an item does not fit a table, a quarter of the
// table is dropped: words of lowest document frequency, pairs and triples of lowest count, then the least recently
// seen. Collocations go with their words. A dropped term that recurs gets a new number; numbers are never reused. The
// cost of an item depends on its length alone, except for eviction, whose amortized cost is constant.
//
// The same items in the same order give the same State, bit by bit, on one processor architecture.
package item

import (
	"errors"

	"orbweaver/text/spell"
)

// ErrDamaged means that a snapshot is incomplete or of another format.
var ErrDamaged = errors.New("the snapshot of terms is damaged")

// A Term is a term of an item or a dimension of a vector.
type Term struct {
	ID     uint32  // from 1
	Weight float64 // above 0
}

// A Lack is the reason why an item has no terms. Empty: it has some.
type Lack string

// The lacks.
const (
	NoText    Lack = "no-text"    // no words in text and title
	NoLetters Lack = "no-letters" // numbers and single letters only
	StopWords Lack = "stop-words" // stop words only
	Strange   Lack = "strange"    // only words of no item; State.Weigh only
)

// An Item is a document by its terms.
type Item struct {
	Terms     []Term       // sorted by ID
	Vector    []Term       // its heaviest terms, used for comparison; sorted by ID
	Length    int          // words of text and title, including stop words and numbers
	Lack      Lack         // why Terms is empty
	Unknown   int          // State.Weigh only: number of distinct words of no item, which are not in Terms
	Corrected []Correction // in the order of the text

	resolved *resolver // by State.Weigh, for State.TakeWeighed
}

// A Correction is a misspelt word and its correction.
type Correction struct{ From, To string }

// Options configure the choice of terms. A zero field means its default.
type Options struct {
	Terms      int           // maximum per item; 25
	Vector     int           // maximum used for comparison, at least Terms; Terms
	MinCount   int           // least count of a collocation; 5
	MinItems   int           // least number of its items; 3
	MinLLR     float64       // least log-likelihood ratio of a collocation; 10.83, p = 0.001
	MinNPMI    float64       // least normalised pointwise mutual information, -1..1; 0.3
	MaxWords   int           // capacity in words, at least 20 000; 262 144
	MaxGrams   int           // capacity in pairs and triples, at least 80 000; 524 288
	AsWritten  bool          // disables spelling correction
	Spelling   spell.Options // Words: 100 000
	Thesaurus  *Thesaurus    // nil: no synonyms
	Languages  int           // number of languages, first come, whose spelling and stop words are learned; 8
	SharedBy   int           // number of items from which on a term ranks first; 0: rank by weight alone
	SharedIn   float64       // and their least share of all items, 0..1, with SharedBy; 0.002
	FrequentIn float64       // share of a language's items above which a word is a stop word, 0..1; 0.25
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
	}{{&o.MinLLR, 10.83}, {&o.MinNPMI, 0.3}, {&o.FrequentIn, 0.25}, {&o.SharedIn, 0.002}} {
		if *x.field == 0 {
			*x.field = x.otherwise
		}
	}
	return o
}
