// Package nautilod parses expressions of NautiLOD (Fionda, Gutierrez and Pirrò, "Semantic navigation on the
// Web of data", 2012), which specify walks on the Web of data from node to node, and compiles them to
// automata.
//
// An expression is a path over predicates:
//
//	<IRI>  <prefix:name>    a statement with this predicate, from subject to object
//	_  <_>                  one with any predicate
//	^p  p^-1                from object to subject; p is one predicate
//	a/b  a|b  (a)           one after the other; either; a group
//	a*  a+  a?  a<m-n>      any number of times; at least once; at most once; m to n times, n from 1 to 100
//	a[ASK {…}]  [ASK {…}]   continue where the document of the node reached says so; ?ctx is that node
//	ACT[save]               keep the document of the node reached
//
// Postfix operators bind first, from left to right: a[ASK {…}]* repeats the test too. Then come / and |. An
// expression may be preceded by the start nodes, each an IRI in brackets, and the word swget, and followed by
// the options -saveGraph and -domains {a,b} of the tool of that name. An IRI directly followed by another
// element belongs to the path, so that a test of the start itself is written in a group: <A> ([ASK {…}]/<p>).
//
// Deviations: actions other than saving are rejected, since an expression may come from an untrusted source
// and must only read; ranges come from the tool and not from the paper, and are bounded; ^p and a+ are
// extensions.
//
// The form "<t> -p <q> <m-n>" is that of the comparison in the paper on CRAWLER-LD (section 6.3): every node
// within n levels from t by statements with q, followed in both directions, except t itself. The paper reads
// <2-2> as "expanding two levels recursively" and counts level 1 with level 2. Accordingly n is the number of
// levels; m is checked and kept, but excludes nothing.
//
// This package is not part of the stable API.
package nautilod

import (
	"orbweaver/rdf/syntax"
)

// The limits of an expression.
const (
	MaxText   = 64 << 10 // bytes
	MaxRepeat = 100      // n of <m-n>
	MaxStates = 512      // of an automaton: predicates, tests and actions after expanding all ranges
	maxDepth  = 64       // nested groups
)

// Any is the value of Repeat.Max for an unlimited number of times.
const Any = -1

// An Error locates a syntax error and says what was expected there. Lines and columns, in characters, count
// from 1.
type Error = syntax.Error

// A Query is a whole expression.
type Query struct {
	From    []string // IRIs of start nodes, as written; empty: supplied by the evaluation
	Path    Path
	Command bool     // form -p: Path is a Repeat of a Step in Both directions, and the levels are 1 to Max
	Save    bool     // -saveGraph
	Domains []string // of -domains, as written; empty: not given
}

// A Path is one of *Step, *Sequence, *Alternative, *Repeat, *Test and *Action.
type Path interface{ path() }

// A Direction is the direction in which a statement is followed.
type Direction uint8

// The directions.
const (
	Forward Direction = iota // from subject to object
	Inverse                  // from object to subject
	Both                     // form -p only
)

// A Step follows one statement.
type Step struct {
	Predicate string // IRI; empty: any
	Direction Direction
}

// A Sequence is two or more paths in succession. None of them is a Sequence.
type Sequence struct{ Parts []Path }

// An Alternative is two or more paths of which one matches. None of them is an Alternative.
type Alternative struct{ Parts []Path }

// A Repeat repeats a path.
type Repeat struct {
	Path     Path
	Min, Max int // Max is Any or at least 1
}

// A Test passes only the nodes for which a SPARQL query over the node's document is true.
type Test struct {
	Ask string // on one line, with full IRIs
}

// An Action keeps the node's document.
type Action struct{}

func (*Step) path()        {}
func (*Sequence) path()    {}
func (*Alternative) path() {}
func (*Repeat) path()      {}
func (*Test) path()        {}
func (*Action) path()      {}

// Options configure parsing.
type Options struct {
	Name     string            // name of the text in errors; empty: "expression"
	Prefixes map[string]string // namespaces by prefix, without its colon; they override WellKnown's
}

// Parse parses an expression. Errors are *Error.
func Parse(text string, opts Options) (*Query, error) {
	p := newParser(text, opts)
	q := p.query()
	if p.err != nil {
		return nil, p.err
	}
	return q, nil
}

// WellKnown returns the predefined prefixes.
func WellKnown() map[string]string {
	return map[string]string{
		"rdf":         "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
		"rdfs":        "http://www.w3.org/2000/01/rdf-schema#",
		"owl":         "http://www.w3.org/2002/07/owl#",
		"xsd":         "http://www.w3.org/2001/XMLSchema#",
		"skos":        "http://www.w3.org/2004/02/skos/core#",
		"foaf":        "http://xmlns.com/foaf/0.1/",
		"dc":          "http://purl.org/dc/elements/1.1/",
		"dcterms":     "http://purl.org/dc/terms/",
		"dbo":         "http://dbpedia.org/ontology/",
		"dbpedia-owl": "http://dbpedia.org/ontology/",
		"dbpedia":     "http://dbpedia.org/resource/",
		"schema":      "http://schema.org/",
		"mo":          "http://purl.org/ontology/mo/",
		"frbr":        "http://purl.org/vocab/frbr/core#",
		"void":        "http://rdfs.org/ns/void#",
		"dcat":        "http://www.w3.org/ns/dcat#",
		"prov":        "http://www.w3.org/ns/prov#",
		"geo":         "http://www.w3.org/2003/01/geo/wgs84_pos#",
	}
}
