package sparql

import (
	"strings"
	"testing"
)

// TestMisprints: Listings 1 and 2 of Hernandez et al. 2020 as printed.
func TestMisprints(t *testing.T) {
	for _, tc := range []struct{ name, printed, want string }{
		{
			"listing 1", "@PREFIX sfwc: <http://sfwcrawler.com/core#>\n@PREFIX nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#>\n" +
				"SELECT COUNT (DISTINCT ?doc) as ?total WHERE {\n    ?s a sfwc:Entity .\n    ?s nif:anchorOf \"algol\" .\n    ?s sfwc:inDocument ?doc .\n}\n",
			"PREFIX sfwc: <http://sfwcrawler.com/core#>\nPREFIX nif: <http://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core#>\n" +
				"SELECT (COUNT (DISTINCT ?doc) as ?total) WHERE {\n    ?s a sfwc:Entity .\n    ?s nif:anchorOf \"algol\" .\n    ?s sfwc:inDocument ?doc .\n}",
		},
		{
			"listing 2", "@PREFIX sfwc: <http://sfwcrawler.com/core#>\nSELECT COUNT (DISTINCT ?doc) as ?total WHERE {\n?doc a sfwc:Document .\n}",
			"PREFIX sfwc: <http://sfwcrawler.com/core#>\nSELECT (COUNT (DISTINCT ?doc) as ?total) WHERE {\n?doc a sfwc:Document .\n}",
		},
		{"as in Turtle", "@prefix e: <urn:e:> .\nSELECT ?s { ?s e:p 1 }", "prefix e: <urn:e:>\nSELECT ?s { ?s e:p 1 }"},
		{"two", "SELECT ?g COUNT(?s) AS ?n MAX(?o) AS ?m { ?s ?g ?o } GROUP BY ?g", "SELECT ?g (COUNT(?s) AS ?n) (MAX(?o) AS ?m) { ?s ?g ?o } GROUP BY ?g"},
		{"right", "SELECT (COUNT(?s) AS ?n) { ?s ?p ?o }", ""},
		{"wrong beyond", "@prefix e: <urn:e:>\nSELECT ?s { ?s e:p }", ""},
		{"long", "@prefix e: <urn:e:>\nSELECT ?s { ?s e:p 1 }" + strings.Repeat(" ", maxCorrected), ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := Corrected(tc.printed)
			_, query, _ := strings.Cut(got, "the query without them:\n  ")
			query = strings.ReplaceAll(query, "\n  ", "\n")
			if query != tc.want {
				t.Errorf("%q", got)
			}
		})
	}
}
