// Package krs stores a topic learned from documents: the knowledge representation schema of
// Hernandez, Marin-Castro and Morales-Sandoval, "A Semantic Focused Web Crawler Based on a Knowledge
// Representation Schema", Applied Sciences 10 (2020) 3837.
//
// A Store keeps, in a database that its caller opens, the documents as RDF, in the paper's classes and properties
// (Fig. 2), and in tables beside it N, n of every noun, and the running sums of the mean and the deviation of IDF:
// a document changes the records of its own nouns alone, in one batch. No record holds sfwc:idfValue: View
// computes it, and Export writes it.
//
// A Snapshot is the store compiled for judging. It computes the paper's measure, the mean of IDF over the linked
// nouns of a page (equations 1 to 4); coverage, the share of a page's nouns that are the topic's; and likeness,
// by which pages are accepted: see Verdict. The threshold of likeness is no constant: compiling a snapshot finds
// it from the documents, each judged as if it had been left out.
//
// Finding nouns in texts, and acting on verdicts, is left to callers.
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

// The errors of this package, wrapped with the folder and what they are about.
var (
	ErrNone    = errors.New("no KRS")            // the folder holds none, and Open was not to make one
	ErrExists  = errors.New("there is one")      // the folder is not empty
	ErrTopic   = errors.New("another topic")     // the KRS is about another topic than the one given
	ErrFormat  = errors.New("another format")    // written by another version
	ErrDamaged = errors.New("KRS damaged")       // its content is not what any version writes
	ErrID      = errors.New("no ID")             // a document's ID is empty or too long
	ErrEmpty   = errors.New("no documents")      // there is nothing to judge by
	ErrNoNouns = errors.New("no nouns")          // the documents have none
	ErrUnknown = errors.New("no such document")  // the KRS never had it
	ErrSection = errors.New("no such section")   // no Put under that name
	errLength  = errors.New("not all was there") // of a record
)

// A Noun is a noun or noun phrase of a text, enriched.
type Noun struct {
	Lemma  string // as nif:anchorOf
	Tag    string // Penn part-of-speech tag
	Type   string // entity type, for sfwc:neTag; empty: none
	IRI    string // what it is linked to; empty: nothing
	Phrase bool   // several words
	Start  int32  // byte offset of Words in the document: its title, a blank line, its text; not kept

	Words  string // as they stand in the text; not kept
	Folded string // the lemma for a KRS that was made before abbreviations were kept as written; empty: Lemma
}

// A Document is a text by its nouns, as mentioned, repetitions and all.
type Document struct {
	ID    string // an IRI, or any name, which becomes one
	Title string
	Nouns []Noun
}

// What is kept of a document, at most; the rest is left out.
const (
	maxNouns = 50_000 // distinct ones
	maxLemma = 256    // bytes
	maxIRI   = 2048   // bytes
	maxTitle = 2048   // bytes
)

// A Key is what a noun is known by: equation 1's n counts the documents with the same lemma and the same
// IRI.
type Key struct{ Lemma, IRI string }

// Linked reports whether the noun leads to a knowledge base.
func (k Key) Linked() bool { return k.IRI != "" }

// compare orders keys by lemma, then by IRI.
func (k Key) compare(o Key) int {
	return cmp.Or(strings.Compare(k.Lemma, o.Lemma), strings.Compare(k.IRI, o.IRI))
}

// A Mention is a noun of a text, and how often the text has it.
type Mention struct {
	Key
	Times int
	Words string // as it stands there most often, of equally frequent forms the first
}

// Mentions counts nouns: each distinct one once, as first met. Nouns without a lemma, or too long to be any, are left
// out, and so is what follows the first 50 000. Lemmas are those of this KRS: one made before abbreviations were kept
// as written has them in small letters.
func (s *Snapshot) Mentions(nouns []Noun) []Mention {
	mentions, _ := gather(nouns, s.folded)
	return mentions
}

// Key returns under which key Mentions counts a noun; false: under none.
func (s *Snapshot) Key(n Noun) (Key, bool) { return keyOf(&n, s.folded) }

// gather is Mentions with, for each, where it was first met; folded says which lemmas are meant.
func gather(nouns []Noun, folded bool) (mentions []Mention, first []int) {
	at := make(map[Key]int, len(nouns))
	words := make(map[spoken]int, len(nouns))
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
			mentions, first = append(mentions, Mention{Key: key}), append(first, i)
		}
		m := &mentions[j]
		m.Times++
		if w := nouns[i].Words; w != "" {
			words[spoken{j, w}]++
			if n := words[spoken{j, w}]; n > words[spoken{j, m.Words}] {
				m.Words = w
			}
		}
	}
	return mentions, first
}

// spoken is a form of a mention.
type spoken struct {
	mention int
	words   string
}

// keyOf is the key of a noun, in what RDF can say; false: it has none.
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

// proper is an IRI as it may be written; what is none stays without one.
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

// cut is a string of at most so many bytes, whole characters of UTF-8.
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
