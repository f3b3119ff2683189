package rdfa

// Namespaces that the processing rules use.
const (
	rdfNS   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS  = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS   = "http://www.w3.org/2002/07/owl#"
	rdfaNS  = "http://www.w3.org/ns/rdfa#"
	xsdNS   = "http://www.w3.org/2001/XMLSchema#"
	xhvNS   = "http://www.w3.org/1999/xhtml/vocab#"
	dcNS    = "http://purl.org/dc/terms/"
	xhtmlNS = "http://www.w3.org/1999/xhtml"

	rdfType  = rdfNS + "type"
	rdfFirst = rdfNS + "first"
	rdfRest  = rdfNS + "rest"
	rdfNil   = rdfNS + "nil"
	rdfHTML  = rdfNS + "HTML"
)

// initialPrefixes is the initial context of RDFa Core (http://www.w3.org/2011/rdfa-context/rdfa-1.1).
var initialPrefixes = map[string]string{
	"as":      "https://www.w3.org/ns/activitystreams#",
	"cc":      "http://creativecommons.org/ns#",
	"csvw":    "http://www.w3.org/ns/csvw#",
	"ctag":    "http://commontag.org/ns#",
	"dc":      dcNS,
	"dc11":    "http://purl.org/dc/elements/1.1/",
	"dcat":    "http://www.w3.org/ns/dcat#",
	"dcterms": dcNS,
	"dqv":     "http://www.w3.org/ns/dqv#",
	"duv":     "https://www.w3.org/ns/duv#",
	"foaf":    "http://xmlns.com/foaf/0.1/",
	"gr":      "http://purl.org/goodrelations/v1#",
	"grddl":   "http://www.w3.org/2003/g/data-view#",
	"ical":    "http://www.w3.org/2002/12/cal/icaltzd#",
	"jsonld":  "http://www.w3.org/ns/json-ld#",
	"ldp":     "http://www.w3.org/ns/ldp#",
	"ma":      "http://www.w3.org/ns/ma-ont#",
	"oa":      "http://www.w3.org/ns/oa#",
	"odrl":    "http://www.w3.org/ns/odrl/2/",
	"og":      "http://ogp.me/ns#",
	"org":     "http://www.w3.org/ns/org#",
	"owl":     owlNS,
	"prov":    "http://www.w3.org/ns/prov#",
	"qb":      "http://purl.org/linked-data/cube#",
	"rdf":     rdfNS,
	"rdfa":    rdfaNS,
	"rdfs":    rdfsNS,
	"rev":     "http://purl.org/stuff/rev#",
	"rif":     "http://www.w3.org/2007/rif#",
	"rr":      "http://www.w3.org/ns/r2rml#",
	"schema":  "http://schema.org/",
	"sd":      "http://www.w3.org/ns/sparql-service-description#",
	"sioc":    "http://rdfs.org/sioc/ns#",
	"skos":    "http://www.w3.org/2004/02/skos/core#",
	"skosxl":  "http://www.w3.org/2008/05/skos-xl#",
	"sosa":    "http://www.w3.org/ns/sosa/",
	"ssn":     "http://www.w3.org/ns/ssn/",
	"time":    "http://www.w3.org/2006/time#",
	"v":       "http://rdf.data-vocabulary.org/#",
	"vcard":   "http://www.w3.org/2006/vcard/ns#",
	"void":    "http://rdfs.org/ns/void#",
	"wdr":     "http://www.w3.org/2007/05/powder#",
	"wdrs":    "http://www.w3.org/2007/05/powder-s#",
	"xhv":     xhvNS,
	"xml":     "http://www.w3.org/XML/1998/namespace",
	"xsd":     xsdNS,
}

// initialTerm returns the IRI of a term in lower case if no vocabulary is set, or "": the terms of the
// initial context and, for XHTML 1, those of http://www.w3.org/2011/rdfa-context/xhtml-rdfa-1.1.
func initialTerm(term string, host Host) string {
	switch term {
	case "describedby":
		return "http://www.w3.org/2007/05/powder-s#describedby"
	case "license", "role":
		return xhvNS + term
	case "alternate", "appendix", "bookmark", "chapter", "cite", "contents", "copyright", "first",
		"glossary", "help", "icon", "index", "itsrules", "last", "meta", "next", "p3pv1", "prev",
		"previous", "section", "start", "stylesheet", "subsection", "top", "up":
		if host == XHTML1 {
			return xhvNS + term
		}
	}
	return ""
}
