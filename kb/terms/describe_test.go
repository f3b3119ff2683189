package terms

import (
	"slices"
	"testing"

	"orbweaver/rdf"
)

// TestDescribe: found statements are asserted with their source; deduced ones are reified only.
func TestDescribe(t *testing.T) {
	all, datasets := example()
	datasets[0].Endpoint = "http://one.test/sparql"
	all[2].Deduced = []Fact{{Subject: "http://c#Z", Property: below, Object: "http://b/Y", Premises: all[2].Paths[0]}}
	triples := Describe(all, datasets)
	has := func(s, p, o rdf.Term) bool { return slices.Contains(triples, rdf.Triple{S: s, P: p, O: o}) }
	iri := rdf.NewIRI
	z, x, one := iri("http://c#Z"), iri("http://a/X"), iri("http://one.test/sparql#dataset")
	if !has(z, iri(below), x) || has(z, iri(below), iri("http://b/Y")) {
		t.Error("Z is stated to be below X, and only deduced to be below Y")
	}
	if !has(z, iri(provNS+"wasDerivedFrom"), x) || !has(one, iri(voidNS+"sparqlEndpoint"), iri("http://one.test/sparql")) {
		t.Errorf("%v", triples)
	}
	var sources, entities int
	for _, q := range triples {
		if q.P == iri(provNS+"wasDerivedFrom") && q.O == one {
			sources++
		}
		if q.P == iri(voidNS+"entities") && q.O == integer(7) {
			entities++
		}
	}
	if sources != 1 || entities != 1 {
		t.Errorf("%d statements from one, %d counts of 7", sources, entities)
	}
}
