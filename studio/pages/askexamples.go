package pages

// askPrefixes are the prefixes that the editor completes.
var askPrefixes = map[string]string{
	"ow": "http://orbweaver.example/terms#", "semxdm": "http://orbweaver.example/semxdm#", "sfwc": "http://sfwcrawler.com/core#",
	"dcterms": "http://purl.org/dc/terms/", "foaf": "http://xmlns.com/foaf/0.1/", "owl": "http://www.w3.org/2002/07/owl#",
	"prov": "http://www.w3.org/ns/prov#", "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
	"schema": "https://schema.org/", "skos": "http://www.w3.org/2004/02/skos/core#", "xsd": "http://www.w3.org/2001/XMLSchema#",
}

// askExamples are the queries of docs/howto/sparql.md, and one whose answer is a graph.
var askExamples = []example{
	{Label: "The rules behind accepted pages, with their mean weights", Query: `PREFIX ow: <http://orbweaver.example/terms#>
SELECT ?rule (COUNT(DISTINCT ?page) AS ?pages) (AVG(?weight) AS ?mean) {
  ?page ow:accepted true ; ow:reason [ ow:rule ?rule ; ow:weight ?weight ]
} GROUP BY ?rule ORDER BY DESC(?pages)
`},
	{Label: "Pages that scored higher than predicted, with the link that led to them", Query: `PREFIX ow: <http://orbweaver.example/terms#>
PREFIX prov: <http://www.w3.org/ns/prov#>
SELECT ?page ?expected ?score ?anchor ?from {
  ?page ow:predictedScore ?expected ; ow:score ?score ; prov:wasDerivedFrom ?from .
  OPTIONAL { ?page ow:anchor ?anchor }
  FILTER (?score - ?expected > 0.2)
} ORDER BY DESC(?score - ?expected) LIMIT 10
`},
	{Label: "URLs that accepted pages link to most, never requested", Query: `PREFIX ow: <http://orbweaver.example/terms#>
SELECT ?address (COUNT(?page) AS ?links) {
  ?page ow:accepted true ; ow:hasOutlink ?address
  FILTER NOT EXISTS { ?address ow:number ?n }
} GROUP BY ?address ORDER BY DESC(?links) ?address LIMIT 10
`},
	{Label: "The classes used in documents, with the best score", Query: `PREFIX ow: <http://orbweaver.example/terms#>
SELECT ?class (COUNT(DISTINCT ?page) AS ?documents) (MAX(?score) AS ?best) {
  ?page ow:graph ?graph ; ow:score ?score .
  GRAPH ?graph { ?thing a ?class }
} GROUP BY ?class ORDER BY DESC(?documents) ?class
`},
	{Label: "The best pages that link to a page", Query: `PREFIX ow: <http://orbweaver.example/terms#>
SELECT ?page ?score {
  <http://skylines.example/types/a320.html> ow:hasInlink ?page .
  ?page ow:score ?score
} ORDER BY DESC(?score) LIMIT 10
`},
	{Label: "Pages that match words, the best first", Query: `PREFIX ow: <http://orbweaver.example/terms#>
SELECT ?page (ow:relevance(?page, "wide body engine") AS ?score) {
  ?page ow:textMatches "wide body engine" ; ow:accepted true
} ORDER BY DESC(?score) LIMIT 10
`},
	{Label: "Links between accepted pages, as a graph", Query: `PREFIX ow: <http://orbweaver.example/terms#>
CONSTRUCT { ?page ow:hasOutlink ?other } {
  ?page ow:accepted true ; ow:hasOutlink ?other .
  ?other ow:accepted true
} LIMIT 100
`},
}
