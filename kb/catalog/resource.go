package catalog

import (
	"path"
	"slices"
	"strings"

	"orbweaver/rdf/syntax"
)

// A role is the purpose of a listed resource.
type role uint8

const (
	isOther role = iota
	isEndpoint
	isDump
	isVoid
	isExample
	isSchema
)

// roleOf returns the role of a resource by its format as catalogues write it ("api/sparql", "meta/void",
// "example/rdf+xml", "gz:nt", media types, extensions), its address and its description. For a dump it also
// returns the media type of the unpacked data, if known.
//
// A compressed file is a dump if its name or description mentions RDF; a resource labelled HTML never is.
func roleOf(format, address, words string) (r role, mediaType string) {
	format, address = plainFormat(format), strings.TrimSpace(address)
	group, rest, _ := strings.Cut(format, "/")
	switch {
	case address == "":
		return isOther, ""
	case isSPARQL(format):
		return isEndpoint, ""
	case format == "meta/void", format == "void", isVoidName(address) && group != "example":
		return isVoid, ""
	case group == "example":
		return isExample, ""
	case group == "meta" && slices.Contains([]string{"rdf-schema", "owl", "rdfs", "ontology", "vocabulary"}, rest):
		return isSchema, ""
	case group == "meta", group == "mapping", group == "api":
		return isOther, ""
	}
	mediaType, rdf := rdfFormat(format)
	named := syntax.Detect(strings.TrimSuffix(address, ".zip"), "", nil).MediaType()
	switch {
	case rdf && mediaType == "":
		return isDump, named
	case rdf:
		return isDump, mediaType
	case isPacked(format) || format == "" && isPackedName(address):
		if named != "" || mentionsRDF(address) || mentionsRDF(words) {
			return isDump, named
		}
	case format == "" && named != "":
		return isDump, named
	}
	return isOther, ""
}

// plainFormat returns a format without quotes and parameters, in lower case.
func plainFormat(format string) string {
	format, _, _ = strings.Cut(strings.ToLower(format), ";")
	format = strings.Trim(format, " \t\r\n\"'.")
	for _, registry := range [...]string{"/media-types/", "/file-type/", "/formats/"} {
		if i := strings.Index(format, registry); i >= 0 { // an IRI of IANA, of the EU's authority tables, of W3C
			format = format[i+len(registry):]
		}
	}
	return format
}

// isSPARQL reports whether a format is that of an endpoint. Query results do not count.
func isSPARQL(format string) bool {
	switch format {
	case "api/sparql", "sparql", "sparql endpoint", "sparql-endpoint", "sparql_endpoint", "sparql api", "api sparql",
		"application/sparql-query", "application/x-sparql-query", "service/sparql", "rdf/sparql", "rdf_sparql", "sparqlq":
		return true
	}
	return false
}

// isVoidName reports whether an address looks like that of a VoID description.
func isVoidName(address string) bool {
	address, _, _ = strings.Cut(strings.ToLower(address), "#")
	if strings.HasSuffix(address, "/.well-known/void") {
		return true
	}
	name := path.Base(address)
	return strings.HasPrefix(name, "void.") && syntax.Detect(name, "", nil) != syntax.Unknown
}

// rdfFormat reports whether a format is RDF, and its media type; the media type is empty if only that it is
// RDF is known.
func rdfFormat(format string) (mediaType string, ok bool) {
	for _, packing := range [...]string{"gz", "gzip", "bz2", "zip", "xz", "tar"} { // "gzip::nquads", "gz:nt", "nt.gz"
		if inner, found := strings.CutPrefix(format, packing+":"); found {
			format = strings.TrimLeft(inner, ":")
		}
		format = strings.TrimSuffix(format, "."+packing)
	}
	if found := syntax.Detect("", strings.Replace(format, "application/x-n", "application/n-", 1), nil); found != syntax.Unknown {
		return found.MediaType(), true
	}
	switch format {
	case "rdf", "linked data", "linked-data", "lod", "rdf dump", "rdf-dump", "application/rdf":
		return "", true
	case "rdf/xml", "rdf-xml", "rdf_xml", "xml/rdf", "rdf+xml", "owl", "rdfs", "application/rdfxml":
		return syntax.RDFXML.MediaType(), true
	case "ttl", "turtle", "rdf/turtle", "rdf_turtle", "rdf/ttl", "n3", "rdf/n3", "rdf_n3", "rdf-turtle":
		return syntax.Turtle.MediaType(), true
	case "nt", "ntriples", "n-triples", "rdf/nt", "rdf_n_triples", "n-triple", "application/n-ntriples", "application/n-triple", "application/n-triples":
		return syntax.NTriples.MediaType(), true
	case "nq", "nquads", "n-quads", "rdf/nq", "rdf_n_quads", "application/n-nquads", "application/n-quads":
		return syntax.NQuads.MediaType(), true
	case "trig", "rdf/trig", "rdf_trig":
		return syntax.TriG.MediaType(), true
	case "jsonld", "json-ld", "json_ld", "application/ld+json":
		return "application/ld+json", true
	}
	return "", false
}

// isPacked reports whether a format only names a compression.
func isPacked(format string) bool {
	switch strings.TrimPrefix(strings.TrimPrefix(format, "application/"), "x-") {
	case "gz", "gzip", "bz2", "bzip2", "zip", "tgz", "tar", "tar.gz", "gtar", "compressed", "tbz2", "tar.bz2", "xz", "7z", "octet-stream", "zip-compressed", "compressed-tar":
		return true
	}
	return false
}

// isPackedName reports whether an address ends like a compressed file.
func isPackedName(address string) bool {
	address, _, _ = strings.Cut(strings.ToLower(address), "?")
	switch path.Ext(address) {
	case ".gz", ".bz2", ".zip", ".tgz", ".xz", ".7z":
		return true
	}
	return false
}

// mentionsRDF reports whether a text, or a path segment of an address, contains a word for RDF.
func mentionsRDF(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(c rune) bool {
		return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c < 0x80
	})
	return slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "rdf", "triples", "ntriples", "nquads", "turtle", "ttl", "nt", "nq", "n3", "owl", "trig":
			return true
		}
		return false
	})
}
