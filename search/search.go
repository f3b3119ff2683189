// Package search is a full-text index in a caller's Pebble database, under a key prefix.
//
// A document has an ID chosen by the caller, and texts in named fields. The index keeps its words as stems with their
// positions, for phrases, and as written where that differs, for prefixes. Documents are ranked by BM25F (Robertson,
// Zaragoza and Taylor, "Simple BM25 Extension to Multiple Weighted Fields", CIKM 2004), or by the cosine to a vector
// of terms.
//
// Within the index documents are numbered in sequence. A document that is put again gets a new number; its old one is
// marked dead, at constant cost. New documents wait, one key each, until there are enough for a segment: for each
// term the list of the documents that have it, and a table of the documents' lengths. Put and Delete never change
// lists; Compact removes the dead from them.
//
// This package is not part of the stable API.
package search

import "errors"

// The errors of this package, wrapped with what they are about.
var (
	// ErrDamaged says that the database does not hold an index of this version.
	ErrDamaged = errors.New("search index damaged")
	// ErrFields says that a field is one too many, or that its name is invalid.
	ErrFields = errors.New("a field too many, or without a name of 1 to 64 bytes")
	// ErrQuery says that a query is too long.
	ErrQuery = errors.New("query too long")
)

// What an index takes.
const (
	maxFields = 32      // of all documents together
	maxName   = 64      // bytes of a field's name
	maxWords  = 1 << 20 // of a document; those behind are not found
	maxForms  = 1 << 17 // different words that a document may add to those that wait; others are not found
)

// A Document is what is put into an index.
type Document struct {
	ID    uint64 // the caller's
	Texts []Text // a field may have several
}

// A Text is one of a document's, in which a blank line ends a block: no phrase continues behind it.
type Text struct {
	Field string // its name; an index has at most 32
	Lang  string // language tag; empty: unknown, taken for English
	Text  string
}

// limits say when what was put becomes a segment.
type limits struct {
	waitingDocs, waitingBytes int // of what waits, a key a document: a query looks at each
	segmentDocs, segmentBytes int // of a segment that is made in memory
	listBytes                 int // of a list's part that Compact writes
}

func usual() limits {
	return limits{waitingDocs: 4096, waitingBytes: 1 << 20, segmentDocs: 4096, segmentBytes: 16 << 20, listBytes: 128 << 10}
}
