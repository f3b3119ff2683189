package distil

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const prefixes = `
@prefix v: <http://v.example/terms#> .
@prefix o: <http://other.example/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix dct: <http://purl.org/dc/terms/> .
@prefix prov: <http://www.w3.org/ns/prov#> .
@prefix void: <http://rdfs.org/ns/void#> .
@prefix foaf: <http://xmlns.com/foaf/0.1/> .
`

// read reads Turtle with the prefixes above.
func read(t testing.TB, text string) (all []rdf.Triple) {
	t.Helper()
	for triple, err := range turtle.Read(strings.NewReader(prefixes+text), syntax.Options{Name: "v.ttl"}) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, triple)
	}
	return all
}

const namespace = "http://v.example/terms#"

// TestClean: each kind of statement stays, or goes for its reason.
func TestClean(t *testing.T) {
	held := func(iri string) bool { return iri == "http://held.example/" }
	for name, tc := range map[string]struct {
		text string
		kept int
		gone Removed
	}{
		"a class, its words and its place":       {`v:Ship a owl:Class ; rdfs:label "ship"@en ; rdfs:comment "It floats." ; rdfs:subClassOf v:Vehicle .`, 4, Removed{}},
		"a concept":                              {`v:Ship a skos:Concept ; skos:altLabel "vessel" ; skos:broader v:Vehicle ; skos:inScheme v:scheme .`, 3, Removed{Annotations: 1}},
		"a property":                             {`v:sails a owl:ObjectProperty ; rdfs:domain v:Ship ; rdfs:range v:Sea ; <http://schema.org/domainIncludes> v:Ship .`, 4, Removed{}},
		"annotations":                            {`v:Ship a owl:Class ; dct:created "2020" ; rdfs:isDefinedBy v: ; foaf:depiction o:picture ; a o:Good .`, 1, Removed{Annotations: 4}},
		"instances":                              {`v:Ship a owl:Class . o:titanic a v:Ship ; rdfs:label "Titanic" . v:fleet o:has o:titanic .`, 1, Removed{Data: 3}},
		"provenance":                             {`v:Ship a owl:Class ; prov:wasDerivedFrom o:x . o:run a prov:Activity ; rdfs:label "a run" . o:set a void:Dataset ; dct:title "set" .`, 1, Removed{Provenance: 5}},
		"the ontology and its imports":           {`o:v a owl:Ontology ; dct:title "V" ; owl:imports <http://held.example/>, <http://gone.example/> .`, 2, Removed{Data: 1, Imports: 1}},
		"a class of another vocabulary, related": {`v:Ship rdfs:subClassOf o:Thing . o:Thing rdfs:label "thing" ; foaf:page o:p . o:Else a owl:Class .`, 2, Removed{Annotations: 1, Data: 1}},
		"an anonymous class":                     {`v:Ship rdfs:subClassOf [ a owl:Restriction ; owl:onProperty v:sails ; owl:someValuesFrom [ owl:unionOf ( v:Sea v:Lake ) ] ] .`, 9, Removed{}},
		"a blank node of an annotation":          {`v:Ship a owl:Class ; dct:contributor [ foaf:name "A" ] .`, 1, Removed{Annotations: 1, Data: 1}},
		"twice":                                  {`v:Ship a owl:Class . v:Ship a owl:Class .`, 1, Removed{}},
		"nothing":                                {``, 0, Removed{}},
	} {
		kept, gone := Clean(read(t, tc.text), namespace, held)
		if len(kept) != tc.kept || gone != tc.gone {
			t.Errorf("%s: %d stay, gone %+v; want %d, %+v\n%v", name, len(kept), gone, tc.kept, tc.gone, kept)
		}
	}
}

// TestCleanItself: a vocabulary of provenance is no provenance where it is the vocabulary.
func TestCleanItself(t *testing.T) {
	kept, gone := Clean(read(t, `prov:Entity a owl:Class ; rdfs:label "entity" . prov:Plan rdfs:subClassOf prov:Entity .`), nsPROV, func(string) bool { return false })
	if len(kept) != 3 || gone != (Removed{}) {
		t.Errorf("%v %+v", kept, gone)
	}
}

// TestOrder: the order of statements in the documents does not matter.
func TestOrder(t *testing.T) {
	text := read(t, `o:Thing rdfs:label "thing" . v:B rdfs:subClassOf o:Thing, v:A ; rdfs:label "b" ; a owl:Class . v:A a owl:Class .`)
	kept, _ := Clean(text, namespace, nil)
	slices.Reverse(text)
	if again, _ := Clean(text, namespace, nil); !slices.Equal(kept, again) {
		t.Errorf("%v\n%v", kept, again)
	}
	if first := kept[0].S.Value; first != namespace+"A" {
		t.Errorf("%s comes first", first)
	}
}

// TestBest: the class that covers most of the wanted ones, the smallest such, and then the first.
func TestBest(t *testing.T) {
	const tree = `v:B rdfs:subClassOf v:A . v:C skos:broader v:A . v:A rdfs:subClassOf v:Top . v:Else rdfs:subClassOf v:Top .
		v:D rdfs:subClassOf v:B . v:D rdfs:subClassOf o:Thing . v:B rdfs:subClassOf v:D . v:Alone a owl:Class .`
	for _, tc := range []struct {
		wanted string
		want   string
	}{
		{"B C", "A 2 of 4"}, // Top covers them too, and more
		{"B C Else", "Top 3 of 6"},
		{"C", "C 1 of 1"},
		{"B", "B 1 of 2"}, // of a cycle the first
		{"Alone Missing", "Alone 1 of 1"},
		{"Missing", "none"},
	} {
		var wanted []string
		for _, name := range strings.Fields(tc.wanted) {
			wanted = append(wanted, namespace+name)
		}
		got := "none"
		if best, ok := Best(read(t, tree), namespace, wanted); ok {
			got = fmt.Sprintf("%s %d of %d", strings.TrimPrefix(best.IRI, namespace), len(best.Covers), best.Size)
		}
		if got != tc.want {
			t.Errorf("%s: %s, not %s", tc.wanted, got, tc.want)
		}
	}
}

// TestDeclares counts the wanted classes that statements are about, each once.
func TestDeclares(t *testing.T) {
	text := read(t, `v:A a owl:Class . v:B rdfs:subClassOf v:C . v:D rdfs:label "named only" . o:x a v:E .`)
	wanted := []string{namespace + "A", namespace + "A", namespace + "B", namespace + "C", namespace + "D", namespace + "E"}
	if n := Declares(text, wanted); n != 2 {
		t.Errorf("%d", n)
	}
}
