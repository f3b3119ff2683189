package rdfxml_test

import (
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/rdfxml"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.Run(t, "rdf/rdf11/rdf-xml", 166, rdfxml.Read, ntriples.Read)
}

// The suites of RDF 1.2 pass in full, too.
func TestW3C12(t *testing.T) {
	rdftest.Run(t, "rdf/rdf12/rdf-xml/eval", 31, rdfxml.Read, ntriples.Read)
}
