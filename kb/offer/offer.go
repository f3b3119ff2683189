// Package offer holds what one body of knowledge has for another: names with what is known of them, and how often two of
// them occur together. Label models (kb/stream), topics learned from documents (kb/krs) and metadata crawls (kb/terms)
// are sources; an ontology takes what it lacks (internal/kind/ontology).
//
// This package is not part of the stable API.
package offer

import "iter"

// An Offer is a name in a source: a label, a noun, a class.
type Offer struct {
	Text     string   // as most often written
	Lang     string   // BCP 47 primary subtag; empty: unknown
	IRI      string   // of the entity that it names; empty: unknown
	Class    bool     // the entity is known to be a class
	Anchor   bool     // it only tells what others stand near, and is not offered itself
	Count    int64    // items, documents or statements that have it, at most
	Error    int64    // by how much Count may be too large
	Score    float64  // how surely it belongs to the topic of the source, above 0; 0: the source has no topic
	On, Off  float64  // share of the documents of the source's topic that have it, and of others; 0 without a topic
	Examples []string // URLs or names of items that have it, at most 3
	Above    []Ref    // what is broader, the nearest first
	Same     []Ref    // what names the same
}

// A Ref names another entity, by its IRI, its words, or both.
type Ref struct{ Text, IRI string }

// A Page is a page of a source, with the offers that it has.
type Page struct {
	URL, Lang, Title, Text string
	Has                    []int // offers, by position, each once
}

// A Source is what a body of knowledge offers. Of Pages and Together at most one is set: it tells what occurs together.
type Source struct {
	Offers []Offer // in a fixed order
	Pages  iter.Seq2[Page, error]

	// Together returns the number of items, of all Items, that have both of two offers, by position; that of one offer with
	// itself is the number of items that have it.
	Together func(i, j int) float64
	Items    float64
}
