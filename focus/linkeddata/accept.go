package linkeddata

// Accept is the Accept header of a crawl for RDF. It prefers RDF, and among its syntaxes those that are
// cheapest to parse; HTML is accepted where there is no RDF.
const Accept = "text/turtle, application/n-triples, application/n-quads, application/trig, application/ld+json;q=0.95, " +
	"application/rdf+xml;q=0.9, text/n3;q=0.8, application/xhtml+xml;q=0.7, text/html;q=0.7, */*;q=0.5"
