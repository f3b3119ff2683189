package turtle_test

import (
	"testing"

	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/turtle"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.Run(t, "rdf/rdf11/rdf-turtle", 313, turtle.Read, ntriples.Read)
}

// The suites of RDF 1.2 pass in full, too.
func TestW3C12(t *testing.T) {
	rdftest.Run(t, "rdf/rdf12/rdf-turtle/syntax", 74, turtle.Read, ntriples.Read)
	rdftest.Run(t, "rdf/rdf12/rdf-turtle/eval", 29, turtle.Read, ntriples.Read)
}
