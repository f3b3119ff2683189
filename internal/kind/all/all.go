// Package all lists the kinds of focus; it is the only place that names them all.
package all

import (
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/baseline"
	"orbweaver/internal/kind/blend"
	"orbweaver/internal/kind/crossref"
	"orbweaver/internal/kind/keyword"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/linkeddata"
	"orbweaver/internal/kind/metadata"
	"orbweaver/internal/kind/ontology"
	"orbweaver/internal/kind/own"
	"orbweaver/internal/kind/swget"
)

// Kinds returns all kinds of focus, in the order of the reference.
func Kinds() kind.Registry {
	kinds := kind.Registry{
		ontology.Kind{}, keyword.Kind{}, linkeddata.Kind{}, krs.Kind{}, metadata.Kind{}, swget.Kind{}, crossref.Kind{},
		baseline.BestFirst{}, baseline.BreadthFirst{}, baseline.Random{}, baseline.Oracle{}, own.Kind{},
	}
	return append(kinds, blend.Kind{Others: kinds})
}
