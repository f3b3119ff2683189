package ntriples_test

import (
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/ntriples"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.Run(t, "rdf/rdf11/rdf-n-triples", 70, ntriples.Read, ntriples.Read)
}
