package trig_test

import (
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/trig"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.RunQuads(t, "rdf/rdf11/rdf-trig", 356, trig.Read, nquads.Read)
}

// The suites of RDF 1.2 pass in full, too.
func TestW3C12(t *testing.T) {
	rdftest.RunQuads(t, "rdf/rdf12/rdf-trig/syntax", 35, trig.Read, nquads.Read)
	rdftest.RunQuads(t, "rdf/rdf12/rdf-trig/eval", 25, trig.Read, nquads.Read)
}
