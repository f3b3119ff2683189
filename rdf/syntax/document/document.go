// Package document reads an RDF document in whichever syntax it is.
package document

import (
	"fmt"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/rdfxml"
	"orbweaver/rdf/syntax/turtle"
)

// Read reads the triples of a document in a format, as the format's own package does. For a format
// that is Unknown the sequence is one error.
func Read(r io.Reader, format syntax.Format, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	switch format {
	case syntax.NTriples:
		return ntriples.Read(r, opts)
	case syntax.Turtle:
		return turtle.Read(r, opts)
	case syntax.RDFXML:
		return rdfxml.Read(r, opts)
	}
	return func(yield func(rdf.Triple, error) bool) {
		yield(rdf.Triple{}, fmt.Errorf("%s: not a known syntax of RDF", opts.Filled().Name))
	}
}
