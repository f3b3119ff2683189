// Package stream learns the terms of a stream of documents (text/item), and from these a hierarchy of labels
// with the rules that assign them (kb/labels). Together they are a Model, kept in a folder.
//
// A document goes in as an item.Draft, made by any number of goroutines; Model.Learn takes drafts in the order of
// the stream. The model is a function of that order and of the Options alone.
//
// Labels are named by the keys of terms, stems that stay what they are, and not by the words that they are
// shown as, which are those of most documents so far: Model.Show has the words for a key, Model.Find the key for
// words.
//
// This package is not part of the stable API.
package stream

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver/kb/labels"
	"orbweaver/rdf"
	"orbweaver/text/item"
)

// Options say how a model learns. The zero value is the design's: 25 terms, nothing forgotten, no synonyms.
type Options struct {
	Terms    int     `json:"terms"`            // most that an item has; 0: 25
	HalfLife float64 `json:"halfLife"`         // after how many items one counts half; 0: it counts forever
	Shared   bool    `json:"shared,omitempty"` // terms that documents share go before those that weigh more
	WordNet  string  `json:"wordnet,omitempty"`
	Synonyms string  `json:"synonyms,omitempty"` // digest of WordNet's files, which New sets, or compares
}

// A Model is what was learned from a stream. It is not safe for concurrent use, but that Labels may be read by many
// while nothing is learned.
type Model struct {
	Options Options
	Terms   *item.State
	Labels  *labels.Model
}

// Vector is by how many terms documents are compared at most. Labels are learned from the heaviest of these, Options.Terms.
const Vector = 400

// sharedBy is by how many documents a term is shared at least.
const sharedBy = 5

// New returns a model that has learned nothing. The error wraps labels.ErrParameters where an option is out of
// range, and ErrWordNet where the WordNet cannot be read or, having been named with its digest, is another.
func New(o Options) (*Model, error) {
	p := labels.Default()
	if o.Terms == 0 {
		o.Terms = p.Terms
	}
	p.Terms, p.HalfLife = o.Terms, o.HalfLife
	l, err := labels.New(p)
	if err != nil {
		return nil, err
	}
	terms := item.Options{Terms: o.Terms, Vector: Vector}
	if o.Shared {
		terms.SharedBy = sharedBy
	}
	if o.WordNet != "" {
		if terms.Thesaurus, err = o.thesaurus(); err != nil {
			return nil, fmt.Errorf("WordNet %s: %w: %w", o.WordNet, ErrWordNet, err)
		}
	}
	return &Model{Options: o, Terms: item.NewState(terms), Labels: l}, nil
}

// thesaurus reads the WordNet, and sees that it is that of Synonyms.
func (o *Options) thesaurus() (*item.Thesaurus, error) {
	if _, err := os.Stat(o.WordNet); err != nil {
		return nil, err
	}
	sum := sha256.New()
	for _, name := range []string{"cntlist.rev", "index.noun", "index.verb", "index.adj", "index.adv"} {
		f, err := os.Open(filepath.Join(o.WordNet, name))
		if err != nil {
			return nil, err
		}
		_, err = io.Copy(sum, f)
		if err = errors.Join(err, f.Close()); err != nil {
			return nil, err
		}
	}
	digest := hex.EncodeToString(sum.Sum(nil)[:16])
	if o.Synonyms != "" && o.Synonyms != digest {
		return nil, errors.New("it is not the one that the model was learned with")
	}
	o.Synonyms = digest
	return item.ReadThesaurus(o.WordNet)
}

// Learn takes the next document: what its terms are as of now, and what it changed in the labels, which is valid until
// the next call. One without terms teaches nothing.
func (m *Model) Learn(id string, at time.Time, d item.Draft) (item.Item, []labels.Change) {
	it := m.Terms.Take(d)
	if len(it.Terms) == 0 {
		return it, nil
	}
	return it, m.Labels.Learn(m.Item(id, at, it.Terms))
}

// Item is a document by its terms, as the labels know them.
func (m *Model) Item(id string, at time.Time, terms []item.Term) labels.Item {
	it := labels.Item{ID: id, At: at, Terms: make([]labels.Term, 0, len(terms))}
	for _, t := range terms {
		if key, ok := m.Terms.Key(t.ID); ok {
			it.Terms = append(it.Terms, labels.Term{Text: key, Weight: t.Weight})
		}
	}
	return it
}

// Weigh is a document by its terms without learning from it. Lack says why it has none.
func (m *Model) Weigh(id string, d item.Draft) (it labels.Item, lack item.Lack) {
	x := m.Terms.Weigh(d)
	return m.Item(id, time.Time{}, x.Terms), x.Lack
}

// Show is a term, or a label, as most documents write it; its key where they are forgotten.
func (m *Model) Show(key string) string {
	if id, ok := m.Terms.Lookup(key); ok {
		if text, ok := m.Terms.Text(id); ok && text != "" {
			return text
		}
	}
	return key
}

// Find is the key of the label that is shown as some words, whatever their case, or that has them as its key; of several the
// one held by most items. False: there is none, and near are some that share a word with it.
func (m *Model) Find(words string) (key string, near []string, ok bool) {
	best := -1.0
	asked := strings.Fields(strings.ToLower(words))
	for _, l := range m.Labels.Labels() {
		shown := m.Show(l.Text)
		switch {
		case l.Text == words:
			return words, nil, true
		case strings.EqualFold(shown, words) && l.Items > best:
			key, best = l.Text, l.Items
		case slices.ContainsFunc(strings.Fields(strings.ToLower(shown)), func(w string) bool { return alike(w, asked) }):
			near = append(near, shown)
		}
	}
	return key, near[:min(len(near), 5)], key != ""
}

// alike reports whether a word begins as one of those asked for does.
func alike(word string, asked []string) bool {
	return slices.ContainsFunc(asked, func(a string) bool {
		n := min(len(a), len(word), 4)
		return n > 2 && a[:n] == word[:n]
	})
}

// Digest identifies a model: two with the same digest learn the same from the same documents.
func (m *Model) Digest() string {
	sum := sha256.Sum256([]byte(m.Terms.Digest() + " " + m.Labels.Digest()))
	return hex.EncodeToString(sum[:16])
}

// Quads are the labels and rules in RDF, as labels.Model.Quads has them, but with skos:prefLabel and rdfs:label as
// terms are shown.
func (m *Model) Quads() iter.Seq[rdf.Quad] {
	const label, prefLabel = "http://www.w3.org/2000/01/rdf-schema#label", "http://www.w3.org/2004/02/skos/core#prefLabel"
	return func(yield func(rdf.Quad) bool) {
		for q := range m.Labels.Quads() {
			if q.P.Value == label || q.P.Value == prefLabel {
				q.O = rdf.NewString(m.Show(q.O.Value))
			}
			if !yield(q) {
				return
			}
		}
	}
}
