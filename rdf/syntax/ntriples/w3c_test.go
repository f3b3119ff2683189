package ntriples_test

import (
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/canon"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/ntriples"
)

// The suite of the W3C passes in full: there is no list of exceptions.
func TestW3C(t *testing.T) {
	rdftest.Run(t, "rdf/rdf11/rdf-n-triples", 70, ntriples.Read, ntriples.Read)
}

// The suites of RDF 1.2. An exception is a test that fails, with the reason.
func TestW3C12(t *testing.T) {
	read := rdftest.Reader(ntriples.Read).Quads()
	rdftest.RunBut(t, "rdf/rdf12/rdf-n-triples/syntax", 29, map[string]string{
		"N-Triples - Bad - literal with bad language tag": "subtags of more than eight letters are read: pages have them",
	}, read, read)
	rdftest.RunCanonical(t, "rdf/rdf12/rdf-n-triples/c14n", 41, read, func(b []byte, q rdf.Quad) []byte { return canon.AppendQuad(b, q) })
}
