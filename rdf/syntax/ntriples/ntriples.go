// Package ntriples reads and writes N-Triples (W3C Recommendation of 25 February 2014), one triple per line.
//
// Reading is strict and complete: IRIs are absolute and of allowed characters, text is UTF-8. Documents
// survive a round trip.
package ntriples

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/lines"
)

// Read returns the triples of a document, in order. A mistake ends the sequence with a *syntax.Error; in
// lenient mode the whole line is skipped. MaxToken limits a line; Base is not used, since N-Triples has
// absolute IRIs only. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		in := lines.New(r, opts, false)
		var q rdf.Quad
		for {
			found, err := in.Next(&q)
			switch {
			case err == nil && !found:
				return
			case err == nil:
				if !yield(rdf.Triple{S: q.S, P: q.P, O: q.O}, nil) {
					return
				}
			case !opts.Lenient || in.Failed():
				yield(rdf.Triple{}, err)
				return
			default:
				opts.Report(err)
			}
		}
	}
}
