package ontology

import (
	"reflect"
	"testing"
)

// TestEquals: what is stated to be the same is, transitively and in any order; what is close, inverse or below is not.
func TestEquals(t *testing.T) {
	o := build(t, `@prefix : <urn:> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
		@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
		:d owl:equivalentClass :c . :b owl:sameAs :a . :c skos:exactMatch :b . :p owl:equivalentProperty :q . :a owl:sameAs :d .
		:x owl:equivalentClass :x . :y owl:equivalentClass [ owl:unionOf ( :a :z ) ] .
		:a skos:closeMatch :close . :p owl:inverseOf :back . :below rdfs:subClassOf :a .`)
	if got, want := o.Equals(), [][]string{{"urn:a", "urn:b", "urn:c", "urn:d"}, {"urn:p", "urn:q"}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestSchemaTerm: schema.org's namespace is written in four ways, and others stay.
func TestSchemaTerm(t *testing.T) {
	for iri, want := range map[string]string{
		"http://schema.org/Recipe": "http://schema.org/Recipe", "https://schema.org/Recipe": "http://schema.org/Recipe",
		"https://www.schema.org/Recipe": "http://schema.org/Recipe", "https://schema.organic/Recipe": "https://schema.organic/Recipe",
		"urn:schema.org/Recipe": "urn:schema.org/Recipe", "http": "http", "https://health.schema.org/X": "https://health.schema.org/X",
	} {
		if got := SchemaTerm(iri); got != want {
			t.Errorf("%s: %s, want %s", iri, got, want)
		}
	}
}
