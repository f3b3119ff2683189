// Package quads stores RDF quads, in memory or within a Pebble database, for programs that match
// patterns against them: a SPARQL evaluator, first of all.
//
// Terms are 64-bit IDs. Small values are in the ID itself, with their exact lexical form; the ID of any
// other term is 60 bits of the SHA-256 of what it says, and a dictionary has the term to the ID. IDs so
// depend on the terms alone (but for a collision, which moves the later term one further), loading needs
// no look-up, and within a kind IDs are spread evenly, from which numbers of distinct terms and sizes of
// long lists are estimated.
//
// A quad is kept in several orderings, so that every pattern is one range of one of them:
//
//	of the default graph   SPO  POS  OSP          all eight shapes are ranges
//	of named graphs        SPOG POSG OSPG GSPO    in any graph, likewise; in one graph: G, GS, GSP, GSPO
//	                                              are ranges, GSO is one of GS with a check, and
//	                                              GP, GO, GPO read the shorter of two ranges, with a check
//
// The default graph stands apart because a query that names no graph asks for it alone: it must not wade
// through what thousands of page graphs say with the same predicate, and needs no fourth ordering.
package quads

import (
	"errors"
	"math"

	"orbweaver/rdf"
)

// The errors of this package, wrapped with what they are about.
var (
	// ErrDamaged says that the database does not hold a store of this version.
	ErrDamaged = errors.New("quad store damaged")
	// ErrUnknown says that no term of the store has an ID.
	ErrUnknown = errors.New("no such term")
	// ErrTerm says that a quad lacks a subject, predicate or object.
	ErrTerm = errors.New("not a term")
)

// What IDs mean in patterns beside terms.
const (
	Default ID = 0                  // as a graph: the default graph
	Any     ID = math.MaxUint64     // every term; as a graph, the default graph too
	Named   ID = math.MaxUint64 - 1 // as a graph: every one but the default graph
)

// A Quad is a statement: three terms, in a graph that is Default or a term.
type Quad struct{ S, P, O, G ID }

// A Pattern is what quads are to match: each of S, P and O is a term or Any; G is Default, a term, Any or
// Named.
type Pattern struct{ S, P, O, G ID }

// A Reader is a store as it was at one moment. It is safe for concurrent use; what it gives out is to be closed
// before it is.
type Reader interface {
	// Cursor returns a cursor without a pattern.
	Cursor() Cursor
	// NextGraph returns the named graph with the lowest ID above after that has a quad; false: there is
	// none. Starting from 0 it goes through all of them.
	NextGraph(after ID) (ID, bool, error)
	// Lookup returns the ID of a term; false: no quad of the store has it. A term whose ID holds its
	// value always has one, and one whose quads were removed still may. A blank node is looked up by the
	// label that Term gave it, a language tag is in any case: see Canonical.
	Lookup(t rdf.Term) (ID, bool, error)
	// Term returns the term of an ID. The error wraps ErrUnknown if the store does not know it.
	Term(id ID) (rdf.Term, error)
	// Count estimates how many quads match. It is exact for all quads, those of a graph, those of a predicate in the
	// default graph, in the named ones or in all, and what is one range of fewer than 256; beyond, it is within about
	// 15 % of what a range holds, as a rule, and an upper bound where a range is checked.
	Count(p Pattern) (int64, error)
	// Predicate returns what is known of a predicate in the default graph, in the named ones (Named), or
	// in both (Any), of which the distinct terms are added up.
	Predicate(p, graph ID) (Predicate, error)
}

// A Cursor goes through the quads that match a pattern. It is not safe for concurrent use, and may be used again for
// one pattern after the other, which costs less than a new one.
type Cursor interface {
	// Seek gives the cursor a pattern.
	Seek(p Pattern)
	// Next advances to the next quad, first to the first one; false: there is none, or an error.
	Next() bool
	// Quad returns the quad that the cursor is at.
	Quad() Quad
	// Order is the order in which quads come, known once Seek was called.
	Order() Order
	// Term is Reader.Term, but much faster where many are asked for, above all in the order of their IDs.
	Term(id ID) (rdf.Term, error)
	// Err returns the error that ended the quads, if one did.
	Err() error
	// Close releases the cursor and returns Err.
	Close() error
}

// A Predicate says how often a predicate is used.
type Predicate struct {
	Quads    int64 // exact
	Subjects int64 // distinct: exact up to 127, then within about 10 %; removals are not seen but by Quads, which it never exceeds
	Objects  int64 // likewise
}
