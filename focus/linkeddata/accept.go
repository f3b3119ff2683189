package linkeddata

// Accept is what a crawl for RDF asks for: whoever has a resource in several forms sends RDF, and of its
// syntaxes those that say the same in the fewest bytes to read; pages of HTML come where there is no RDF.
const Accept = "text/turtle, application/n-triples, application/n-quads, application/trig, application/ld+json;q=0.95, " +
	"application/rdf+xml;q=0.9, text/n3;q=0.8, application/xhtml+xml;q=0.7, text/html;q=0.7, */*;q=0.5"
