package catalog_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/kb/catalog"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/nquads"
)

const prefixes = `@prefix void: <http://rdfs.org/ns/void#> . @prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> .
@prefix sd: <http://www.w3.org/ns/sparql-service-description#> . @prefix foaf: <http://xmlns.com/foaf/0.1/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix : <http://a.test/> .
`

// turtle reads a description and returns its datasets as JSON without common fields, one per line.
func turtle(t *testing.T, text string) (datasets string, c catalog.Catalogue) {
	t.Helper()
	c = read(t, prefixes+text, catalog.Options{Name: "http://doc.test/v.ttl", MediaType: "text/turtle"})
	var lines []string
	for _, d := range c.Datasets {
		if !slices.Equal(d.Sources, []string{"http://doc.test/v.ttl"}) {
			t.Error(d.Sources)
		}
		d.Sources = nil
		b, err := json.Marshal(d)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, strings.ReplaceAll(string(b), `,"sources":null`, ""))
	}
	return strings.Join(lines, "\n"), c
}

// TestDescriptions checks the datasets read from VoID, DCAT and service descriptions.
func TestDescriptions(t *testing.T) {
	for _, tc := range []struct{ name, text, want, problem string }{
		{"VoID", `:planes a void:Dataset ; dct:title "Flugzeuge"@de, "Aeroplanes"@en ; foaf:homepage <http://planes.test> ;
			void:sparqlEndpoint <http://planes.test/sparql> ; void:dataDump <http://planes.test/d.nt.gz> ; void:exampleResource <http://planes.test/1> ;
			void:vocabulary <http://v.test/ns#> ; void:uriSpace "http://planes.test/id/" ; void:triples 10 ; void:entities 4 ; dct:modified "2020-05-06" ;
			void:classPartition [ void:class :Plane ; void:entities 3 ] ; owl:sameAs <http://b.test/planes> ;
			void:propertyPartition [ void:property :wings ; void:triples 4 ], [ void:property :name ; void:triples 6 ] .
			<> a void:DatasetDescription ; foaf:primaryTopic :planes .`,
			`{"name":"planes","title":"Aeroplanes","same":["http://a.test/planes","http://b.test/planes"],"homepage":"http://planes.test/","endpoints":["http://planes.test/sparql"],` +
				`"dumps":[{"url":"http://planes.test/d.nt.gz","mediaType":"application/n-triples"}],"void":["http://doc.test/v.ttl"],"examples":["http://planes.test/1"],"vocabularies":["http://v.test/ns#"],` +
				`"uriSpaces":["http://planes.test/id/"],"triples":10,"entities":4,"classes":[{"iri":"http://a.test/Plane","entities":3}],` +
				`"properties":[{"iri":"http://a.test/wings","triples":4},{"iri":"http://a.test/name","triples":6}],"propertiesComplete":true,"modified":"2020-05-06T00:00:00Z"}`, ""},
		{"subsets without endpoint are parts, those with one are not", `:all a void:Dataset ; void:subset :x, :y .
			:x a void:Dataset ; void:dataDump <http://a.test/x.ttl> ; void:subset :all, :x . :y a void:Dataset ; void:sparqlEndpoint <http://a.test/y> .`,
			`{"name":"all","same":["http://a.test/all"],"dumps":[{"url":"http://a.test/x.ttl","mediaType":"text/turtle"}]}` + "\n" +
				`{"name":"y","same":["http://a.test/y"],"endpoints":["http://a.test/y"]}`, ""},
		{"linksets are none by themselves", `:l a void:Linkset, void:Dataset ; void:triples 5 . :d a void:Dataset ; dct:title "D" .`,
			`{"name":"d","title":"D","same":["http://a.test/d"]}`, ""},
		{"a document's one dataset has its document's name", `<http://b.test/birds/void#dataset> a void:Dataset .`,
			`{"name":"birds","same":["http://b.test/birds/void#dataset"]}`, ""},
		{"DCAT", `:d a dcat:Dataset ; dct:identifier "d-1" ; dct:title "D" ; dcat:keyword "air" ; dcat:landingPage <http://d.test/> ;
			dcat:distribution [ dcat:downloadURL <http://d.test/a> ; dcat:mediaType <https://www.iana.org/assignments/media-types/text/turtle> ],
				[ dcat:downloadURL <http://d.test/b.csv> ; dcat:mediaType "text/csv" ],
				[ dcat:accessURL <http://d.test/sparql> ; dct:format [ rdfs:label "SPARQL" ] ],
				[ dcat:accessURL <http://d.test/s2> ; dct:conformsTo <http://www.w3.org/TR/sparql11-protocol/> ],
				[ dcat:accessURL <http://d.test/c.nt> ],
				[ dct:format "zip" ; dcat:downloadURL <http://d.test/e.nt.zip> ; dcat:accessURL <http://d.test/page> ] .`,
			`{"name":"d-1","title":"D","same":["http://a.test/d"],"homepage":"http://d.test/","endpoints":["http://d.test/sparql","http://d.test/s2"],` +
				`"dumps":[{"url":"http://d.test/a","mediaType":"text/turtle"},{"url":"http://d.test/e.nt.zip","mediaType":"application/n-triples"}],"keywords":["air"]}`, ""},
		{"DCAT services", `:s a dcat:DataService ; dcat:endpointURL <http://s.test/q> ; dct:conformsTo <http://www.w3.org/TR/sparql11-protocol/> ; dcat:servesDataset :d .
			:d a dcat:Dataset . :w a dcat:DataService ; dcat:endpointURL <http://s.test/wms> ; dcat:servesDataset :d .
			:e a dcat:Dataset ; dcat:distribution [ dcat:accessService :t ] . :t a dcat:DataService ; dcat:endpointURL <http://t.test/sparql> .
			:u a dcat:DataService ; dct:title "Alone" ; dcat:endpointURL <http://u.test/sparql> .`,
			`{"name":"d","same":["http://a.test/d"],"endpoints":["http://s.test/q"]}` + "\n" +
				`{"name":"e","same":["http://a.test/e"],"endpoints":["http://t.test/sparql"]}` + "\n" +
				`{"name":"t","endpoints":["http://t.test/sparql"]}` + "\n" +
				`{"name":"u","title":"Alone","endpoints":["http://u.test/sparql"]}`, ""},
		{"a service's own description", `<http://s.test/sparql> a sd:Service ; sd:supportedLanguage sd:SPARQL11Query, sd:SPARQL11Update ;
			sd:defaultDataset [ a sd:Dataset ; dct:title "The lot" ; sd:defaultGraph [ void:triples 7 ; void:classPartition [ void:class :C ; void:entities 2 ] ] ] .`,
			`{"name":"the-lot","title":"The lot","endpoints":["http://s.test/sparql"],"sparqlVersions":["1.1"],"triples":7,"classes":[{"iri":"http://a.test/C","entities":2}]}`, ""},
		{"datasets in named graphs of a service", `[] a sd:Service ; sd:endpoint <http://s.test/sparql> ; sd:availableGraphs [
				sd:namedGraph [ sd:name :g1 ; sd:graph :d1 ], [ sd:name :g2 ; sd:graph :d2 ] ] .
			:d1 a void:Dataset . :d2 a void:Dataset .`,
			`{"name":"d1","same":["http://a.test/d1"],"endpoints":["http://s.test/sparql"],"graphs":["http://a.test/g1"]}` + "\n" +
				`{"name":"d2","same":["http://a.test/d2"],"endpoints":["http://s.test/sparql"],"graphs":["http://a.test/g2"]}`, ""},
		{"what makes no sense", `:d a void:Dataset ; void:sparqlEndpoint "nowhere" ; void:triples "lots" ; void:classPartition [ void:entities 5 ] . :x ( . :e a void:Dataset .`,
			`{"name":"d","same":["http://a.test/d"]}`, `http://a.test/d: endpoint: `},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, c := turtle(t, tc.text)
			if got != tc.want && (tc.problem == "" || !strings.HasPrefix(got, tc.want)) {
				t.Errorf("%s\nwant\n%s", got, tc.want)
			}
			if tc.problem == "" && len(c.Problems) > 0 {
				t.Error(problems(c))
			}
			holds(t, problems(c), tc.problem)
		})
	}
}

// TestProblemsOfDescriptions: each mistake is reported with the dataset's name.
func TestProblemsOfDescriptions(t *testing.T) {
	_, c := turtle(t, `:d a void:Dataset ; void:sparqlEndpoint "nowhere" ; void:triples "lots" ; void:classPartition [ void:entities 5 ] .`)
	holds(t, problems(c), `http://doc.test/v.ttl: http://a.test/d: endpoint: `, "nowhere", `triples: "lots" is no number`, "a classPartition without a void:class")
}

// TestEntangled: nodes shared by many others, each with many objects, take little time, and the omission is
// reported.
func TestEntangled(t *testing.T) {
	var b strings.Builder
	b.WriteString(prefixes)
	for i := range 5000 {
		fmt.Fprintf(&b, "_:s dcat:servesDataset :d%d ; dcat:endpointURL <http://a.test/sparql%d> . :d%d a void:Dataset ; void:classPartition _:p ; dcat:distribution _:x . _:p void:class :C ; void:triples %d . _:x dcat:downloadURL :x%d .\n", i, i, i, i, i)
	}
	c := read(t, b.String(), catalog.Options{Name: "e", MediaType: "text/turtle"})
	if len(c.Datasets) == 0 || len(c.Datasets) > 5000 {
		t.Errorf("%d datasets", len(c.Datasets))
	}
	holds(t, problems(c)[strings.LastIndex(problems(c), "\n"):], "too entangled")
}

// TestJSONLD reads DCAT as portals publish it.
func TestJSONLD(t *testing.T) {
	c := read(t, `{"@context": {"dcat": "http://www.w3.org/ns/dcat#", "dct": "http://purl.org/dc/terms/"}, "@id": "http://a.test/d", "@type": "dcat:Dataset", "dct:title": "D",
		"dcat:distribution": {"dcat:downloadURL": {"@id": "http://a.test/d.nt"}, "dct:format": "N-Triples"}}`, catalog.Options{Name: "data.json"})
	if len(c.Datasets) != 1 || c.Datasets[0].Name != "d" || len(c.Datasets[0].Dumps) != 1 || len(c.Problems) > 0 {
		t.Errorf("%+v %s", c.Datasets, problems(c))
	}
}

// TestDescribe: descriptions read back as the same dataset.
func TestDescribe(t *testing.T) {
	_, c := turtle(t, `:planes a void:Dataset ; dct:identifier "p" ; dct:title "Aeroplanes" ; dct:description "All\nof them" ; foaf:homepage <http://planes.test> ; dct:alternative "aircraft" ;
		void:dataDump <http://planes.test/d.nt.gz>, <http://planes.test/dump> ; void:exampleResource <http://planes.test/1> ; dcat:keyword "a", "b" ;
		void:vocabulary <http://v.test/ns#> ; void:uriSpace "http://planes.test/id/" ; void:triples 10 ; void:entities 4 ; dct:modified "2020-05-06T01:02:03Z" ;
		void:classPartition [ void:class :Plane ; void:entities 3 ] ; owl:sameAs <http://b.test/planes>, <urn:x:y> ; void:propertyPartition [ void:property :wings ; void:triples 10 ] .
		<http://planes.test/void.ttl> a void:DatasetDescription ; foaf:primaryTopic :planes .
		[] a sd:Service ; sd:endpoint <http://s.test/sparql> ; sd:availableGraphs [ sd:namedGraph [ sd:name :g1 ; sd:graph :planes ] ] .
		[] a void:Dataset ; dct:title "No IRI of its own" ; void:sparqlEndpoint <http://t.test/sparql> .`)
	if len(c.Datasets) != 2 || len(c.Problems) > 0 {
		t.Fatal(c.Datasets, c.Problems)
	}
	var b bytes.Buffer
	w := nquads.NewWriter(&b)
	for _, d := range c.Datasets {
		for _, s := range catalog.Describe(d) {
			if err := w.Write(rdf.Quad{S: s.S, P: s.P, O: s.O}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	again := read(t, b.String(), catalog.Options{Name: "http://doc.test/v.ttl"})
	want, _ := json.Marshal(c.Datasets[0])
	got, _ := json.Marshal(again.Datasets[0])
	if string(got) != string(want) || len(again.Datasets) != 2 || again.Datasets[1].Name != c.Datasets[1].Name {
		t.Errorf("%s\nwant %s\n%s", got, want, b.String())
	}
}
