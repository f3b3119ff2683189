// Package labels learns a hierarchy of labels, and rules that assign them, from a stream of items. It
// implements the classification and maintenance modules of SemXDM (Hassan, Cruz and Bertaux, "Ontology-based
// approach for unsupervised and adaptive focused crawling", SBD 2017, sections 3.3 and 3.4) and of its basis,
// Semantic HMC (Peixoto et al. 2015 and 2016).
//
// It learns one Item at a time, given as terms; term extraction is outside this package. Everything follows
// from co-occurrence counts: cf(i,j) is the number of items with both terms i and j, cf(i) the number with i,
// and P(i|j) = cf(i,j)/cf(j). Labels are terms that are neither rare nor common, and prominent in their
// items. Label i is broader than j when P(i|j) ≥ Broader and P(j|i) < Broader, which makes i the more
// frequent and cycles impossible. A term t implies the label L by itself when P(L|t) > Alpha, and together
// with others when P(L|t) ≥ Beta. An item with a label has all broader ones.
//
// A Model is a function of the sequence of items alone, hysteresis included: see Parameters. Learning an item
// takes time proportional to the pairs of its own terms, independently of the number of earlier items;
// Model.Learn explains why this is exact. Items are not stored: Classify computes labels on demand, so that a
// changed model reclassifies without rewriting anything.
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

	"orbweaver/internal/order"
)

// The errors of this package.
var (
	ErrParameters = errors.New("parameters out of range") // every invalid one is named
	ErrFormat     = errors.New("another format")          // a snapshot of another version
	ErrDamaged    = errors.New("snapshot damaged")        // content that no version writes
)

// A Term is a word or phrase of an item with its weight there (tf·idf or the like; only the order of weights
// within an item matters).
type Term struct {
	Text   string
	Weight float64 // negative values and NaN count as 0
}

// An Item is a document represented by its terms.
type Item struct {
	ID    string    // its URL, reported with the changes it causes
	At    time.Time // its time, reported with the changes; may be zero
	Terms []Term
}

// maxText bounds the bytes of a term; longer ones are ignored.
const maxText = 256

// terms returns the terms of an item that count: in valid UTF-8, each once with its highest weight, heaviest
// first and by text among equals, at most most of them.
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
	order.By(all, func(a, b Term) int {
		return cmp.Or(strings.Compare(a.Text, b.Text), cmp.Compare(b.Weight, a.Weight))
	})
	all = slices.CompactFunc(all, func(a, b Term) bool { return a.Text == b.Text })
	order.Stably(all, func(a, b Term) int { return cmp.Compare(b.Weight, a.Weight) })
	return all[:min(len(all), most)]
}
