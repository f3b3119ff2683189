// Package krs stores a topic learned from documents: the knowledge representation schema of
// Hernandez, Marin-Castro and Morales-Sandoval, "A Semantic Focused Web Crawler Based on a Knowledge
// Representation Schema", Applied Sciences 10 (2020) 3837.
//
// A Store keeps the documents as RDF, in the paper's classes and properties (Fig. 2), in a database that its
// caller opens. Tables beside it hold N, n of every noun, and the running sums of the mean and the deviation
// of IDF: a document changes only the records of its own nouns, in one batch. sfwc:idfValue is not stored:
// View computes it, and Export writes it.
//
// A Snapshot is the store compiled for judging. It computes the paper's measure, the mean IDF of the linked
// nouns of a page (equations 1 to 4); coverage, the topic's share of a page's nouns; and likeness, by which
// pages are accepted: see Verdict. The threshold of likeness is calibrated when a snapshot is compiled, from
// the documents, each judged as if it had been left out.
//
// Callers find the nouns in texts and act on verdicts.
//
// This package is not part of the stable API.
package krs

import (
	"cmp"
	"errors"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf/iri"
)

// The errors of this package, wrapped with the folder and the object they concern.
var (
	ErrNone    = errors.New("no KRS")            // the folder holds none, and Open was not asked to create one
	ErrExists  = errors.New("there is one")      // the folder is not empty
	ErrTopic   = errors.New("another topic")     // the KRS is about another topic than the one given
	ErrFormat  = errors.New("another format")    // written by an incompatible version
	ErrDamaged = errors.New("KRS damaged")       // content that no version writes
	ErrID      = errors.New("no ID")             // a document's ID is empty or too long
	ErrEmpty   = errors.New("no documents")      // there is nothing to judge by
	ErrNoNouns = errors.New("no nouns")          // the documents have none
	ErrUnknown = errors.New("no such document")  // the KRS does not have it
	ErrSection = errors.New("no such section")   // nothing was Put under that name
	errLength  = errors.New("not all was there") // the record is truncated
)

// A Noun is a noun or noun phrase of a text, with annotations.
type Noun struct {
	Lemma  string // as nif:anchorOf
	Tag    string // Penn part-of-speech tag
	Type   string // entity type, for sfwc:neTag; empty if none
	IRI    string // what it is linked to; empty if nothing
	Phrase bool   // several words
	Start  int32  // byte offset of Words in the document (title, blank line, text); not stored

	Words  string // as written in the text; not stored
	Folded string // the lemma in a KRS that stores abbreviations in lower case; empty: Lemma
}

// A Document is the nouns of a text, with repetitions.
type Document struct {
	ID    string // an IRI, or any name, which is converted to one
	Title string
	Nouns []Noun
}

// The limits per document; the rest is dropped.
const (
	maxNouns = 50_000 // distinct ones
	maxLemma = 256    // bytes
	maxIRI   = 2048   // bytes
	maxTitle = 2048   // bytes
)

// A Key identifies a noun: equation 1's n counts the documents with the same lemma and the same IRI.
type Key struct{ Lemma, IRI string }

// Linked reports whether the noun is linked to a knowledge base.
func (k Key) Linked() bool { return k.IRI != "" }

// compare orders keys by lemma, then by IRI.
func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Lemma, o.Lemma), strings.Compare(k.IRI, o.IRI))
}

// A Mention is a noun of a text with its number of occurrences.
type Mention struct {
	Key
	Times int
	Words string // the most frequent form in the text, of equally frequent forms the first
}

// Mentions counts nouns: each distinct one once, in order of first occurrence. Nouns without a lemma or with
// one that is too long are skipped, and so are those after the first 50 000. Lemmas have the form of this
// KRS: an older one has abbreviations in lower case.
func (s *Snapshot) Mentions(nouns []Noun) []Mention {
	mentions, _ := gather(nouns, s.folded)
	return mentions
}

// Key returns the key under which Mentions counts a noun; false if it is not counted.
func (s *Snapshot) Key(n Noun) (Key, bool) { return keyOf(&n, s.folded) }

// gather is Mentions with the first occurrence of each; folded selects lower-case abbreviations.
func gather(nouns []Noun, folded bool) (mentions []Mention, first []int) {
	at := make(map[Key]int, len(nouns)/2) // about so many are distinct
	mentions, first = make([]Mention, 0, len(nouns)/2), make([]int, 0, len(nouns)/2)
	most := make([]int, 0, len(nouns)/2) // how often each mention has its Words
	others := map[spoken]int{}           // and other forms
	for i := range nouns {
		key, ok := keyOf(&nouns[i], folded)
		if !ok {
			continue
		}
		j, met := at[key]
		if !met {
			if len(mentions) == maxNouns {
				continue
			}
			j = len(mentions)
			at[key] = j
			mentions, first, most = append(mentions, Mention{Key: key}), append(first, i), append(most, 0)
		}
		m := &mentions[j]
		m.Times++
		switch w := nouns[i].Words; {
		case w == "":
		case w == m.Words || m.Words == "":
			m.Words = w
			most[j]++
		default:
			n := others[spoken{j, w}] + 1
			if n > most[j] {
				w, m.Words, n, most[j] = m.Words, w, most[j], n
			}
			others[spoken{j, w}] = n
		}
	}
	return mentions, first
}

// spoken is a written form of a mention.
type spoken struct {
	mention int
	words   string
}

// keyOf returns the key of a noun, in valid RDF; false if it has none.
func keyOf(n *Noun, folded bool) (Key, bool) {
	k := Key{n.Lemma, n.IRI}
	if folded && n.Folded != "" {
		k.Lemma = n.Folded
	}
	if !utf8.ValidString(k.Lemma) {
		k.Lemma = strings.ToValidUTF8(k.Lemma, "\uFFFD")
	}
	if k.IRI != "" {
		k.IRI = proper(k.IRI)
	}
	return k, k.Lemma != "" && len(k.Lemma) <= maxLemma && len(k.IRI) <= maxIRI
}

// proper returns the escaped form of an IRI; empty for an invalid one.
func proper(s string) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if !iri.Plain(s) {
		s = iri.Encode(s)
	}
	if iri.Check(s) != nil {
		return ""
	}
	return s
}

// cut truncates a string to at most most bytes, at a character boundary.
func cut(s string, most int) string {
	s = strings.ToValidUTF8(s, "\uFFFD")
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}
