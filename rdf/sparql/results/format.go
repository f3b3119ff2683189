package results

import (
	"bytes"
	"path"
	"strconv"
	"strings"

	"orbweaver/rdf/syntax"
)

// A Format is a syntax of query results.
type Format uint8

// The formats. RDF is a result set in the vocabulary rs:, in Turtle or RDF/XML, for reading only.
const (
	Unknown Format = iota
	JSON
	XML
	CSV
	TSV
	RDF
)

// String returns the format's name.
func (f Format) String() string {
	return [...]string{"unknown", "JSON", "XML", "CSV", "TSV", "RDF"}[min(f, RDF)]
}

// MediaType returns the format's registered media type, empty for Unknown.
func (f Format) MediaType() string {
	return [...]string{
		"", "application/sparql-results+json", "application/sparql-results+xml", "text/csv", "text/tab-separated-values", "text/turtle",
	}[min(f, RDF)]
}

// Extension returns the usual file name extension with its dot, empty for Unknown.
func (f Format) Extension() string {
	return [...]string{"", ".srj", ".srx", ".csv", ".tsv", ".ttl"}[min(f, RDF)]
}

// Accept returns an Accept header for clients: the most expressive formats first.
func Accept() string {
	return "application/sparql-results+json, application/sparql-results+xml;q=0.9, text/tab-separated-values;q=0.5, text/csv;q=0.3, application/json;q=0.2, application/xml;q=0.2, */*;q=0.1"
}

// Negotiate returns the writable format that an Accept header prefers; among equals the first of JSON, XML,
// TSV, CSV. Without a header it is JSON; Unknown if none matches.
func Negotiate(accept string) Format {
	if strings.TrimSpace(accept) == "" {
		return JSON
	}
	best, most := Unknown, 0.0
	for _, f := range [...]Format{JSON, XML, TSV, CSV} {
		if q := quality(accept, f); q > most {
			best, most = f, q
		}
	}
	return best
}

// quality returns the weight of a format in an Accept header: the most specific range counts.
func quality(accept string, f Format) float64 {
	quality, exact := 0.0, -1
	for part := range strings.SplitSeq(accept, ",") {
		media, params, _ := strings.Cut(part, ";")
		media = strings.ToLower(strings.TrimSpace(media))
		said := 0
		switch major, _, _ := strings.Cut(f.MediaType(), "/"); {
		case media == "*/*":
		case media == major+"/*":
			said = 1
		case ofMediaType(media) == f:
			said = 2
		default:
			continue
		}
		q := 1.0
		for param := range strings.SplitSeq(params, ";") {
			if value, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(param)), "q="); ok {
				if n, err := strconv.ParseFloat(value, 64); err == nil && n >= 0 && n <= 1 {
					q = n
				}
			}
		}
		if said > exact || said == exact && q > quality {
			quality, exact = q, said
		}
	}
	return quality
}

// OfName returns the format of a file name's extension. RDF is assumed to be a result set.
func OfName(name string) Format {
	switch strings.ToLower(path.Ext(name)) {
	case ".srj", ".json":
		return JSON
	case ".srx", ".xml":
		return XML
	case ".csv":
		return CSV
	case ".tsv":
		return TSV
	case ".ttl", ".rdf", ".n3":
		return RDF
	}
	return Unknown
}

// ofMediaType maps registered media types and others that endpoints use.
func ofMediaType(mediaType string) Format {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch mediaType = strings.ToLower(strings.TrimSpace(mediaType)); mediaType {
	case "application/sparql-results+json", "application/json", "text/json", "application/x-sparql-results+json":
		return JSON
	case "application/sparql-results+xml", "application/xml", "text/xml", "application/x-sparql-results+xml":
		return XML
	case "text/csv", "application/csv", "text/x-csv":
		return CSV
	case "text/tab-separated-values", "text/tsv", "application/tab-separated-values":
		return TSV
	}
	if syntax.Detect("", mediaType, nil) != syntax.Unknown {
		return RDF
	}
	return Unknown
}

// Detect guesses an answer's format from its media type and its first bytes; either may be missing. The bytes
// take precedence, since endpoints send wrong types; HTML, as in error messages, is Unknown. A few hundred
// bytes suffice.
func Detect(contentType string, head []byte) Format {
	declared := ofMediaType(contentType)
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\ufeff")), " \t\r\n")
	if len(head) == 0 {
		return declared
	}
	lower := bytes.ToLower(head)
	switch {
	case declared == CSV || declared == TSV:
		if head[0] != '<' && head[0] != '{' {
			return declared
		}
	case declared == RDF && head[0] != '<' && head[0] != '{':
		return RDF
	}
	switch {
	case head[0] == '{':
		return JSON
	case bytes.HasPrefix(lower, []byte("<!doctype html")), bytes.Contains(lower, []byte("<html")):
		return Unknown
	case bytes.Contains(head, []byte("<sparql")), bytes.Contains(head, []byte(":sparql")):
		return XML
	case syntax.Detect("", "", head) != syntax.Unknown:
		return RDF
	case head[0] == '<' && (declared == XML || declared == Unknown):
		return XML
	case head[0] == '?' || head[0] == '$':
		return TSV
	}
	return declared
}
