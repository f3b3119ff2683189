package nquads_test

import (
	"testing"

	"orbweaver/rdf/canon"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/nquads"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.RunQuads(t, "rdf/rdf11/rdf-n-quads", 87, nquads.Read, nquads.Read)
}

// The suites of RDF 1.2 pass in full, too.
func TestW3C12(t *testing.T) {
	rdftest.RunQuads(t, "rdf/rdf12/rdf-n-quads/syntax", 27, nquads.Read, nquads.Read)
	rdftest.RunCanonical(t, "rdf/rdf12/rdf-n-quads/c14n", 41, nquads.Read, canon.AppendQuad)
}
