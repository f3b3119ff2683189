package metadata_test

import (
	"strings"
	"testing"

	"orbweaver/focus/metadata"
	"orbweaver/kb/terms"
)

const voidOf = `
@prefix void: <http://rdfs.org/ns/void#> .
@prefix dcterms: <http://purl.org/dc/terms/> .
<#zoo> a void:Dataset ; void:sparqlEndpoint <http://zoo.test/sparql> ; void:triples 100 ;
  dcterms:modified "2014-02-28"^^<http://www.w3.org/2001/XMLSchema#date> ;
  void:propertyPartition [ void:property <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> ; void:triples PART ] ;
  void:classPartition [ void:class <http://zoo.test/Animal> ; void:entities 77 ] .
`

// TestVoid: a complete list of properties without any followed one makes the property query unnecessary, and
// a class partition the count; an incomplete list makes nothing unnecessary.
func TestVoid(t *testing.T) {
	for _, tc := range []struct {
		part     string
		property bool // is queried
		spared   int
	}{{"100", false, 2}, {"60", true, 1}} {
		w := newWeb(t)
		w.dataset("http://zoo.test/sparql", []byte(zoo))
		w.documents["http://zoo.test/void"] = []byte(strings.Replace(voidOf, "PART", tc.part, 1))
		f := w.crawl(metadata.Options{
			Terms: []string{"http://zoo.test/Animal"}, Limits: metadata.Limits{Levels: 1, Terms: 40, PerTerm: 20, PerDataset: 10},
			Datasets:   []metadata.Dataset{{Name: "zoo", Endpoint: "http://zoo.test/sparql", Void: []string{"http://zoo.test/void", "http://zoo.test/gone"}}},
			Processors: paperProcessors(),
		})
		asked := strings.Join(w.asked, "\n")
		if strings.Contains(asked, "UNION") != tc.property || strings.Contains(asked, "COUNT") {
			t.Errorf("%s of 100: asked\n%s", tc.part, asked)
		}
		d := f.Datasets()[0]
		if d.Spared != tc.spared || len(d.Instances) != 1 {
			t.Fatalf("%s of 100: %+v", tc.part, d)
		}
		if c := d.Instances[0]; c.N != 77 || c.How != terms.Declared || c.Of == nil || c.Of.Format("2006-01-02") != "2014-02-28" {
			t.Errorf("%+v", c)
		}
	}
}
