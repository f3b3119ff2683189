// Package labels learns a hierarchy of labels, and rules that assign them, from a stream of items: the classification
// and maintenance modules of SemXDM (Hassan, Cruz and Bertaux, "Ontology-based approach for unsupervised and adaptive
// focused crawling", SBD 2017, sections 3.3 and 3.4), and of their basis, Semantic HMC (Peixoto et al. 2015 and
// 2016).
//
// It learns from one Item after the other, given by terms; extracting terms from text is not its business. Everything
// follows from co-occurrence counts: cf(i,j) is how many items hold both terms i and j, cf(i) how many hold i, and
// P(i|j) = cf(i,j)/cf(j). Terms that are neither rare nor common, and prominent where they stand, are labels. A label
// i is broader than j when P(i|j) ≥ Broader and P(j|i) < Broader, which makes i the more frequent and a cycle
// impossible. A term t gives the label L by itself when P(L|t) > Alpha, and together with others when P(L|t) ≥ Beta.
// An item with a label has all broader ones.
//
// A Model is a function of the sequence of items alone, hysteresis included: see Parameters. An item costs time in
// proportion to the pairs of its own terms, however many items came before; see Model.Learn for why that is exact.
// Items are not kept: Classify computes labels on demand, so that a changed model reclassifies without rewriting
// anything.
//
// This package is not part of the stable API.
package labels

import (
	"cmp"
	"errors"
	"math"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// The errors of this package.
var (
	ErrParameters = errors.New("parameters out of range") // every one that is wrong is named
	ErrFormat     = errors.New("another format")          // a snapshot of another version
	ErrDamaged    = errors.New("snapshot damaged")        // it holds what no version writes
)

// A Term is a word or phrase of an item, with its weight there (tf·idf or the like; only the order of the
// weights of one item matters).
type Term struct {
	Text   string
	Weight float64 // what is below 0 or not a number counts as 0
}

// An Item is a document by its terms.
type Item struct {
	ID    string    // its URL, for the changes that it brings about
	At    time.Time // when it came, for the same; may be zero
	Terms []Term
}

// maxText bounds the bytes of a term; what is longer is none.
const maxText = 256

// terms are those of an item that count: in valid UTF-8, each once with its highest weight, heaviest first
// and by text among equals, at most so many.
func (it *Item) terms(most int) []Term {
	all := make([]Term, 0, len(it.Terms))
	for _, t := range it.Terms {
		if !utf8.ValidString(t.Text) {
			t.Text = strings.ToValidUTF8(t.Text, "\uFFFD")
		}
		if t.Text == "" || len(t.Text) > maxText {
			continue
		}
		if !(t.Weight > 0) || math.IsInf(t.Weight, 0) {
			t.Weight = 0
		}
		all = append(all, t)
	}
	slices.SortFunc(all, func(a, b Term) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(b.Weight, a.Weight))
	})
	all = slices.CompactFunc(all, func(a, b Term) bool { return a.Text == b.Text })
	slices.SortStableFunc(all, func(a, b Term) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), most)]
}
