package syntax

import (
	"bytes"
	"path"
	"strings"
)

// A Format is a syntax of RDF.
type Format uint8

// The formats that Detect distinguishes. Notation3 counts as Turtle.
const (
	Unknown Format = iota
	NTriples
	Turtle
	RDFXML
	NQuads
	TriG
)

// HasGraphs reports whether a document of the format is a dataset: its statements may be in graphs.
func (f Format) HasGraphs() bool { return f == NQuads || f == TriG }

// String returns the format's usual name.
func (f Format) String() string {
	switch f {
	case NTriples:
		return "N-Triples"
	case Turtle:
		return "Turtle"
	case RDFXML:
		return "RDF/XML"
	case NQuads:
		return "N-Quads"
	case TriG:
		return "TriG"
	}
	return "unknown"
}

// MediaType returns the format's registered media type, empty for Unknown.
func (f Format) MediaType() string {
	switch f {
	case NTriples:
		return "application/n-triples"
	case Turtle:
		return "text/turtle"
	case RDFXML:
		return "application/rdf+xml"
	case NQuads:
		return "application/n-quads"
	case TriG:
		return "application/trig"
	}
	return ""
}

// Detect guesses a document's format from its name (a path or URL), its media type (parameters are ignored)
// and its first bytes; each may be empty. A media type of RDF decides, unless the bytes contradict it; then
// the name's extension, under the same condition; then the bytes alone. A few hundred bytes suffice.
//
// Bytes without graphs are N-Triples or Turtle. Bytes with graphs do not exclude Turtle: Notation3 has
// braces, too.
func Detect(name, mediaType string, head []byte) Format {
	seen := sniff(head)
	for _, declared := range []Format{ofMediaType(mediaType), ofName(name)} {
		switch {
		case declared == Unknown:
		case seen != Unknown && (declared == RDFXML) != (seen == RDFXML), seen == NQuads:
			return seen
		default:
			return declared
		}
	}
	return seen
}

// ofMediaType maps the registered types and their predecessors.
func ofMediaType(mediaType string) Format {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	switch strings.ToLower(strings.TrimSpace(mediaType)) {
	case "application/n-triples", "text/ntriples", "text/n-triples":
		return NTriples
	case "text/turtle", "application/turtle", "application/x-turtle", "text/n3", "text/rdf+n3", "application/n3", "application/rdf+n3":
		return Turtle
	case "application/rdf+xml", "text/rdf+xml", "text/rdf", "application/owl+xml":
		return RDFXML
	case "application/n-quads", "text/x-nquads", "text/nquads", "text/n-quads":
		return NQuads
	case "application/trig", "application/x-trig", "text/trig":
		return TriG
	}
	return Unknown
}

// ofName uses the extension, ignoring one of compression. ".xml" is ambiguous.
func ofName(name string) Format {
	if i := strings.IndexAny(name, "?#"); i >= 0 {
		name = name[:i]
	}
	name = strings.ToLower(name)
	switch path.Ext(strings.TrimSuffix(strings.TrimSuffix(name, ".gz"), ".bz2")) {
	case ".nt", ".ntriples":
		return NTriples
	case ".ttl", ".turtle", ".n3":
		return Turtle
	case ".rdf", ".owl", ".rdfs":
		return RDFXML
	case ".nq", ".nquads":
		return NQuads
	case ".trig":
		return TriG
	}
	return Unknown
}

// sniff examines the first bytes only. It recognizes XML with the RDF namespace, Turtle by a directive,
// N-Triples by a valid first line, N-Quads by a graph in one of its lines, and TriG by the start of a graph.
func sniff(head []byte) Format {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	for {
		head = bytes.TrimLeft(head, " \t\r\n")
		if len(head) == 0 || head[0] != '#' {
			break
		}
		end := bytes.IndexAny(head, "\r\n")
		if end < 0 {
			return Unknown
		}
		head = head[end:]
	}
	if rest, announced := afterVersion(head); announced {
		if seen := sniff(rest); seen != Unknown {
			return seen
		}
		return Turtle // there may be a prefix as well, behind more than is seen
	}
	switch {
	case len(head) == 0:
		return Unknown
	case isDirective(head), startsGraph(head), bytes.HasPrefix(head, []byte("<<")):
		if hasGraph(head) {
			return TriG
		}
		return Turtle
	case head[0] == '<' && isXML(head):
		// A document type declares entities, often more of them than is seen.
		for _, sign := range []string{"http://www.w3.org/1999/02/22-rdf-syntax-ns#", "<rdf:RDF", "<!DOCTYPE rdf:RDF"} {
			if bytes.Contains(head, []byte(sign)) {
				return RDFXML
			}
		}
		return Unknown
	case head[0] == '<' || bytes.HasPrefix(head, []byte("_:")):
		if hasGraph(head) {
			return TriG
		}
		return ofStatement(head)
	}
	return Unknown
}

// afterVersion returns what follows a document's announcement of a version (RDF 1.2), if it starts with one.
func afterVersion(head []byte) (rest []byte, announced bool) {
	for _, word := range []string{"@version", "version"} {
		if len(head) <= len(word) || !bytes.EqualFold(head[:len(word)], []byte(word)) {
			continue
		}
		rest := bytes.TrimLeft(head[len(word):], " \t\r\n")
		if len(rest) == 0 || rest[0] != '"' && rest[0] != '\'' {
			return nil, false
		}
		line, rest, _ := bytes.Cut(rest[1:], rest[:1])
		if len(line) > maxVersion {
			return nil, false
		}
		if word[0] == '@' {
			rest = bytes.TrimPrefix(bytes.TrimLeft(rest, " \t\r\n"), []byte("."))
		}
		return rest, true
	}
	return nil, false
}

// maxVersion is how long the name of a version is, in bytes.
const maxVersion = 32

// isDirective reports whether a document starts with a declaration of Turtle.
func isDirective(head []byte) bool {
	for _, word := range []string{"@prefix", "@base", "prefix", "base"} {
		if len(head) <= len(word) || !bytes.EqualFold(head[:len(word)], []byte(word)) {
			continue
		}
		rest := bytes.TrimLeft(head[len(word):], " \t\r\n")
		if len(rest) == len(head)-len(word) || len(rest) == 0 {
			continue
		}
		if rest[0] == '<' || strings.HasSuffix(word, "prefix") && bytes.IndexByte(rest[:min(len(rest), 64)], ':') >= 0 {
			return true
		}
	}
	return false
}

// isXML reports whether "<" starts a tag, declaration or comment, not an IRI.
func isXML(head []byte) bool {
	if len(head) > 1 && (head[1] == '?' || head[1] == '!') {
		return true
	}
	end := bytes.IndexAny(head, " \t\r\n>/")
	if end < 0 {
		return false
	}
	name := head[1:end]
	return len(name) > 0 && !bytes.Contains(head[:end+1], []byte(":/")) && !bytes.HasPrefix(name, []byte("#")) &&
		(head[end] != '>' || bytes.IndexByte(name, ':') < 0 || bytes.HasPrefix(name, []byte("rdf:")))
}
