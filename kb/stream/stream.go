// Package stream learns the terms of a stream of documents (text/item), and from these a hierarchy of labels
// with the rules that assign them (kb/labels). Together they are a Model, kept in a folder.
//
// A document is passed as an item.Draft, which any number of goroutines may make; Model.Learn takes drafts in
// the order of the stream. The model is a function of that order and of the Options alone.
//
// Labels are named by the keys of terms, stems that do not change, and not by their displayed words, which
// are those of most documents so far: Model.Show returns the words of a key, Model.Find the key of words.
//
// This package is not part of the stable API.
package stream

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver/kb/concepts"
	"orbweaver/kb/labels"
	"orbweaver/text"
	"orbweaver/text/item"
)

// Options configure learning. The zero value is the default: 25 terms, no half-life, no synonyms.
type Options struct {
	Terms    int     `json:"terms"`            // maximum per item; 0: 25
	HalfLife float64 `json:"halfLife"`         // number of items after which an item counts half; 0: it counts forever
	Shared   bool    `json:"shared,omitempty"` // terms that documents share precede heavier ones
	Rules    Rules   `json:"rules,omitzero"`   // when labels, rules and edges are in force
	WordNet  string  `json:"wordnet,omitempty"`
	Synonyms string  `json:"synonyms,omitempty"` // digest of WordNet's files, which New sets or compares
}

// Rules are the thresholds of a model. Zero values are those of labels.Default.
type Rules struct {
	Alpha   float64 `json:"alpha,omitempty"`   // α: P(label|term) above which a term gives the label by itself
	Beta    float64 `json:"beta,omitempty"`    // β: from which it does so with others
	Broader float64 `json:"broader,omitempty"` // τ: P(i|j) from which i is broader than j
	Delta   int     `json:"delta,omitempty"`   // δ: terms of a Beta set that give the label together, whatever its size
	Exact   bool    `json:"exact,omitempty"`   // as in the paper: these inequalities alone, whatever the evidence
}

// Parameters returns the parameters of labels. The paper knows no support, confidence or hysteresis: with Exact a
// single document with both terms is evidence, and each threshold has one value. Ours keep a margin from both ends of
// the scale.
func (r Rules) Parameters() labels.Parameters {
	p := labels.Default()
	p.Alpha, p.Beta, p.Broader = cmp.Or(r.Alpha, p.Alpha), cmp.Or(r.Beta, p.Beta), cmp.Or(r.Broader, p.Broader)
	p.Margin = min(p.Margin, (1-p.Alpha)/2, (1-p.Broader)/2, p.Broader/2)
	p.Apart = min(p.Apart, p.Broader/2)
	if r.Delta != 0 {
		p.Together, p.TogetherShare = r.Delta, 0
	}
	if r.Exact {
		p.Support, p.Confidence, p.Margin, p.Apart = 1, 0, 0, 0
		p.Frequent.Leave, p.Common.Leave, p.Prominence.Leave = p.Frequent.Enter, p.Common.Enter, p.Prominence.Enter
	}
	return p
}

// A Model is learned from a stream. It is not safe for concurrent use, except that Labels may be read
// concurrently while nothing is learned.
type Model struct {
	Options Options
	Terms   *item.State
	Labels  *labels.Model
	Groups  *concepts.Model
	churn   churn
}

// Vector is the maximum number of terms by which documents are compared. Labels are learned from the heaviest
// Options.Terms of these.
const Vector = 400

// sharedBy is the minimum number of documents of a shared term.
const sharedBy = 5

// New returns an empty model. The error wraps labels.ErrParameters for an option out of range, and ErrWordNet
// if the WordNet cannot be read or has another digest than Synonyms.
func New(o Options) (*Model, error) {
	p := o.Rules.Parameters()
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
	return &Model{Options: o, Terms: item.NewState(terms), Labels: l, Groups: concepts.New(o.HalfLife)}, nil
}

// thesaurus reads the WordNet and verifies its digest against Synonyms.
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
		return nil, errors.New("it is not the one with which the model was learned")
	}
	o.Synonyms = digest
	return item.ReadThesaurus(o.WordNet)
}

// Learn processes the next document. It returns its terms by the current weights and the changes of labels and
// concepts, with an alarm if they have become more than before, which are valid until the next call. A document without terms
// changes nothing.
func (m *Model) Learn(id string, at time.Time, d item.Draft) (item.Item, []labels.Change) {
	return m.learn(id, at, m.Terms.Take(d))
}

// LearnWeighed is Learn for a document that Terms.Weigh returned an item for, which saves work: see item.State.TakeWeighed.
func (m *Model) LearnWeighed(id string, at time.Time, d item.Draft, weighed item.Item) (item.Item, []labels.Change) {
	return m.learn(id, at, m.Terms.TakeWeighed(d, weighed))
}

func (m *Model) learn(id string, at time.Time, it item.Item) (item.Item, []labels.Change) {
	if len(it.Terms) == 0 {
		return it, nil
	}
	x := m.Item(id, at, it.Terms)
	changes := m.churn.learned(m.Labels, x, m.Labels.Learn(x))
	return it, append(changes, m.group(x, it.Vector)...)
}

// Item returns a document's terms in the form that labels uses.
func (m *Model) Item(id string, at time.Time, terms []item.Term) labels.Item {
	it := labels.Item{ID: id, At: at, Terms: make([]labels.Term, 0, len(terms))}
	for _, t := range terms {
		if key, ok := m.Terms.Key(t.ID); ok {
			it.Terms = append(it.Terms, labels.Term{Text: key, Weight: t.Weight})
		}
	}
	return it
}

// Weigh returns the terms of a document without learning from it. vector has those by which documents are compared;
// lack says why there are none.
func (m *Model) Weigh(id string, d item.Draft) (it labels.Item, vector []item.Term, lack item.Lack) {
	x := m.Terms.Weigh(d)
	return m.Item(id, time.Time{}, x.Terms), x.Vector, x.Lack
}

// Show returns a term or label as most documents write it; its key if that was evicted.
func (m *Model) Show(key string) string {
	if id, ok := m.Terms.Lookup(key); ok {
		if text, ok := m.Terms.Text(id); ok && text != "" {
			return text
		}
	}
	return key
}

// Find returns the key of the label that is displayed as words, ignoring case, or that has them as its key;
// among several, the one of most items. If there is none, near lists labels that share a word with it.
func (m *Model) Find(words string) (key string, near []string, ok bool) {
	best := -1.0
	asked := strings.Fields(text.Key(words))
	for _, l := range m.Labels.Labels() {
		shown := m.Show(l.Text)
		switch {
		case l.Text == words:
			return words, nil, true
		case text.Key(shown) == text.Key(words) && l.Items > best:
			key, best = l.Text, l.Items
		case slices.ContainsFunc(strings.Fields(text.Key(shown)), func(w string) bool { return alike(w, asked) }):
			near = append(near, shown)
		}
	}
	return key, near[:min(len(near), 5)], key != ""
}

// alike reports whether a word starts like one of those in asked.
func alike(word string, asked []string) bool {
	return slices.ContainsFunc(asked, func(a string) bool {
		n := min(len(a), len(word), 4)
		return n > 2 && a[:n] == word[:n]
	})
}

// Digest identifies a model: two with the same digest learn the same labels from the same documents. It leaves out
// the detector of drift, which learns none, and concepts, which follow from labels and documents.
func (m *Model) Digest() string {
	sum := sha256.Sum256([]byte(m.Terms.Digest() + " " + m.Labels.Digest()))
	return hex.EncodeToString(sum[:16])
}
