// Package quads stores RDF quads, in memory or within a Pebble database, for programs that match patterns
// against them, mainly a SPARQL evaluator.
//
// Terms are 64-bit IDs. Small values are in the ID itself, with their exact lexical form; the ID of any other
// term is 60 bits of the SHA-256 of its content, and a dictionary maps the ID to the term. So IDs depend only
// on the terms (except for a collision, which moves the later term to the next ID), loading needs no lookup,
// and within a kind IDs are evenly distributed, which permits estimates of the number of distinct terms and of
// the size of long lists.
//
// A quad is stored in several orderings, so that every pattern is one range of one of them:
//
//	of the default graph   SPO  POS  OSP          all eight shapes are ranges
//	of named graphs        SPOG POSG OSPG GSPO    in any graph, likewise; in one graph: G, GS, GSP, GSPO
//	                                              are ranges, GSO is one of GS with a check, and
//	                                              GP, GO, GPO read the shorter of two ranges, with a check
//
// The default graph is separate because a query that names no graph reads only it: it must not scan the
// statements of thousands of page graphs with the same predicate, and needs no fourth ordering.
package quads

import (
	"errors"
	"math"

	"orbweaver/rdf"
)

// Errors of this package, wrapped with their subject.
var (
	// ErrDamaged means that the database has no readable store of this version.
	ErrDamaged = errors.New("quad store damaged")
	// ErrUnknown means that no term of the store has an ID.
	ErrUnknown = errors.New("no such term")
	// ErrTerm means that a quad lacks a subject, predicate or object.
	ErrTerm = errors.New("not a term")
)

// Special IDs in patterns.
const (
	Default ID = 0                  // as a graph: the default graph
	Any     ID = math.MaxUint64     // every term; as a graph, the default graph too
	Named   ID = math.MaxUint64 - 1 // as a graph: every one but the default graph
)

// A Quad is a statement: three terms, in a graph that is Default or a term.
type Quad struct{ S, P, O, G ID }

// A Pattern matches quads: each of S, P and O is a term or Any; G is Default, a term, Any or Named.
type Pattern struct{ S, P, O, G ID }

// A Reader is an immutable view of a store. It is safe for concurrent use; its cursors must be closed before it
// is.
type Reader interface {
	// Cursor returns a cursor without a pattern.
	Cursor() Cursor
	// NextGraph returns the non-empty named graph with the lowest ID above after; false: there is none.
	// Starting from 0 it enumerates all of them.
	NextGraph(after ID) (ID, bool, error)
	// Lookup returns the ID of a term; false: no quad of the store has it. A term encoded in its ID always has
	// one, and a term whose quads were removed may still have one. A blank node is looked up by the label that
	// Term returned for it, a language tag in any case: see Canonical.
	Lookup(t rdf.Term) (ID, bool, error)
	// Term returns the term of an ID. The error wraps ErrUnknown if the store lacks it.
	Term(id ID) (rdf.Term, error)
	// Count estimates the number of matching quads. It is exact for all quads, those of a graph, those of a
	// predicate in the default graph, in the named ones or in all, and for a range of fewer than 256; beyond,
	// its error is usually within 15 % of a range, and it is an upper bound if a range is checked.
	Count(p Pattern) (int64, error)
	// Predicate returns the statistics of a predicate in the default graph, in the named ones (Named), or in
	// both (Any), which adds up the distinct terms.
	Predicate(p, graph ID) (Predicate, error)
}

// A Cursor iterates over the quads that match a pattern. It is not safe for concurrent use. Reuse for several
// patterns is cheaper than a new one.
type Cursor interface {
	// Seek gives the cursor a pattern.
	Seek(p Pattern)
	// Next advances to the next quad, first to the first one; false: there is none, or an error.
	Next() bool
	// Quad returns the quad that the cursor is at.
	Quad() Quad
	// Order is the order in which quads come, known once Seek was called.
	Order() Order
	// Term is like Reader.Term, but much faster for many IDs, especially in ascending order.
	Term(id ID) (rdf.Term, error)
	// Err returns the error that ended the iteration, if any.
	Err() error
	// Close releases the cursor and returns Err.
	Close() error
}

// A Predicate is the statistics of a predicate.
type Predicate struct {
	Quads    int64 // exact
	Subjects int64 // distinct: exact up to 127, then within about 10 %; removals do not lower it, but it never exceeds Quads
	Objects  int64 // likewise
}
