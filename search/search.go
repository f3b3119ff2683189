// Package search is a full-text index in a caller's Pebble database, under a key prefix.
//
// A document has an ID chosen by the caller, and texts in named fields. The index stores its words as stems
// with positions, for phrases, and as written if that differs, for prefixes. Documents are ranked by BM25F
// (Robertson, Zaragoza and Taylor, "Simple BM25 Extension to Multiple Weighted Fields", CIKM 2004), or by the
// cosine to a vector of terms.
//
// Documents are numbered sequentially. A document that is put again gets a new number; its old one is marked
// deleted, at constant cost. New documents are stored with one key each until there are enough for a segment: a
// posting list for each term, and a table of the documents' lengths. Put and Delete never change lists; Compact
// removes deleted documents from them.
//
// This package is not part of the stable API.
package search

import "errors"

// Errors of this package, wrapped with their subject.
var (
	// ErrDamaged means that the database has no readable index of this version.
	ErrDamaged = errors.New("search index damaged")
	// ErrFields means that there are too many fields, or that a name is invalid.
	ErrFields = errors.New("a field too many, or without a name of 1 to 64 bytes")
	// ErrQuery means that a query is too long or invalid.
	ErrQuery = errors.New("query too long")
)

// Limits of an index.
const (
	maxFields = 32      // in all documents
	maxName   = 64      // bytes of a field's name
	maxWords  = 1 << 20 // of a document; later ones are not found
	maxForms  = 1 << 17 // different unstemmed words per document; further ones are not found
)

// A Document is the input of the index.
type Document struct {
	ID    uint64 // the caller's
	Texts []Text // a field may have several
}

// A Text is a text of a document. Phrases do not match across blank lines.
type Text struct {
	Field string // its name; an index has at most 32
	Lang  string // language tag; empty: unknown, taken for English
	Text  string
}

// limits determine the size of segments.
type limits struct {
	waitingDocs, waitingBytes int // of new documents, with one key each: every query reads them all
	segmentDocs, segmentBytes int // of a segment made in memory
	listBytes                 int // of a list part written by Compact
}

func usual() limits {
	return limits{waitingDocs: 4096, waitingBytes: 1 << 20, segmentDocs: 4096, segmentBytes: 16 << 20, listBytes: 128 << 10}
}
