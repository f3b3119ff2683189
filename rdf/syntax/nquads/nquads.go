// Package nquads reads and writes N-Quads (W3C Recommendation of 25 February 2014), one quad per line:
// N-Triples with an optional fourth term for the graph.
//
// Reading is as strict as that of N-Triples. Documents survive a round trip.
package nquads

import (
	"io"
	"iter"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/internal/lines"
)

// Read returns the quads of a document, in order. A mistake ends the sequence with a *syntax.Error; in
// lenient mode the whole line is skipped. MaxToken limits a line; Base is not used, since N-Quads has
// absolute IRIs only. The sequence can be ranged over once.
func Read(r io.Reader, opts syntax.Options) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		in := lines.New(r, opts, true)
		var q rdf.Quad
		for {
			found, err := in.Next(&q)
			switch {
			case err == nil && !found:
				return
			case err == nil:
				if !yield(q, nil) {
					return
				}
			case !opts.Lenient || in.Failed():
				yield(rdf.Quad{}, err)
				return
			default:
				opts.Report(err)
			}
		}
	}
}
