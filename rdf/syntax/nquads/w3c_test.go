package nquads_test

import (
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/nquads"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.RunQuads(t, "rdf/rdf11/rdf-n-quads", 87, nquads.Read, nquads.Read)
}
