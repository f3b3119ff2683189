// Package document reads an RDF document in whichever syntax it is.
package document

import (
	"fmt"
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/rdfxml"
	"orbweaver/rdf/syntax/trig"
	"orbweaver/rdf/syntax/turtle"
)

// Read reads the triples of a document in a format, as the format's own package does; those of a
// format with graphs whichever graph they are in. For a format that is Unknown the sequence is one
// error.
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
		for q, err := range Quads(r, format, opts) {
			if !yield(rdf.Triple{S: q.S, P: q.P, O: q.O}, err) {
				return
			}
		}
	}
}

// Quads reads the quads of a document in a format, as the format's own package does; those of a format
// without graphs are in the default graph. For a format that is Unknown the sequence is one error.
func Quads(r io.Reader, format syntax.Format, opts syntax.Options) iter.Seq2[rdf.Quad, error] {
	switch format {
	case syntax.NQuads:
		return nquads.Read(r, opts)
	case syntax.TriG:
		return trig.Read(r, opts)
	case syntax.NTriples, syntax.Turtle, syntax.RDFXML:
		return func(yield func(rdf.Quad, error) bool) {
			for t, err := range Read(r, format, opts) {
				if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
					return
				}
			}
		}
	}
	return func(yield func(rdf.Quad, error) bool) {
		yield(rdf.Quad{}, fmt.Errorf("%s: not a known syntax of RDF", opts.Filled().Name))
	}
}
