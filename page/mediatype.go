package page

import (
	"bytes"
	"strings"

	"github.com/gabriel-vasile/mimetype"

	"orbweaver/page/office"
)

// Media types that are read or distinguished.
const (
	typeHTML     = "text/html"
	typeXHTML    = "application/xhtml+xml"
	typePlain    = "text/plain"
	typeTurtle   = "text/turtle"
	typeNTriples = "application/n-triples"
	typeNQuads   = "application/n-quads"
	typeTriG     = "application/trig"
	typeRDFXML   = "application/rdf+xml"
	typeJSON     = "application/json"
	typeLDJSON   = "application/ld+json"
	typePDF      = "application/pdf"
	typeXML      = "application/xml"
	typeRSS      = "application/rss+xml"
	typeAtom     = "application/atom+xml"
	typeJSONFeed = "application/feed+json"
	typeBinary   = "application/octet-stream"
)

// sniffed is the number of bytes that decide the media type.
const sniffed = 3072

// mediaType determines the media type of a document from its bytes and its Content-Type together.
func mediaType(body []byte, contentType string) string {
	declared := declaredType(contentType)
	if len(body) == 0 {
		return declared
	}
	head := bytes.TrimLeft(bytes.TrimPrefix(body[:min(len(body), sniffed)], []byte("\xef\xbb\xbf")), " \t\r\n\f")
	if startsHTML(head) {
		return htmlType(declared)
	}
	if len(head) > 1 && head[0] == '<' && head[1] != '<' {
		if t := angled(head, declared); t != "" {
			return t
		}
	}
	if t := textual(head, declared); t != "" {
		return t
	}
	return otherwise(body, head, declared)
}

// declaredType returns the media type of a Content-Type header under its usual name.
func declaredType(contentType string) string {
	t, _, _ := strings.Cut(contentType, ";")
	t, _, _ = strings.Cut(t, ",")
	t = strings.ToLower(strings.TrimSpace(t))
	switch t {
	case "application/x-turtle", "application/turtle", "text/n3", "text/rdf+n3":
		return typeTurtle
	case "text/ntriples", "text/n-triples", "application/ntriples":
		return typeNTriples
	case "text/x-nquads", "text/n-quads", "text/nquads":
		return typeNQuads
	case "application/x-trig", "text/trig":
		return typeTriG
	case "text/xml":
		return typeXML
	case "text/json":
		return typeJSON
	}
	return t
}

// startsHTML reports whether a document certainly is HTML: the fast path.
func startsHTML(head []byte) bool {
	return hasPrefixFold(head, "<!doctype html") || hasPrefixFold(head, "<html")
}

// htmlType is XHTML only if the header says so: servers and authors test pages as HTML.
func htmlType(declared string) string {
	if declared == typeXHTML {
		return typeXHTML
	}
	return typeHTML
}

// hasPrefixFold compares with a prefix in lower case.
func hasPrefixFold(b []byte, prefix string) bool {
	if len(b) < len(prefix) {
		return false
	}
	for i := range len(prefix) {
		c := b[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

// angled returns the type of a document that starts with "<"; "" if unknown.
func angled(head []byte, declared string) string {
	if isIRIRef(head) {
		return statements(head, declared)
	}
	name, attributes := rootElement(head)
	if _, local, prefixed := bytes.Cut(name, []byte(":")); prefixed {
		name = local
	}
	switch string(bytes.ToLower(name)) {
	case "html":
		return htmlType(xmlOr(head, declared))
	case "rdf":
		return typeRDFXML
	case "rss":
		return typeRSS
	case "feed":
		return typeAtom
	case "urlset", "sitemapindex":
		return typeXML
	case "":
		if declared == typeHTML || declared == typeXHTML {
			return declared
		}
		return ""
	}
	switch {
	case declared == typeHTML || declared == typeXHTML || declared == typeRDFXML:
		return declared
	case strings.HasSuffix(declared, "+xml") && declared != typeRSS && declared != typeAtom:
		return declared
	case hasPrefixFold(head, "<?xml") || declared == typeXML || bytes.Contains(attributes, []byte("xmlns")):
		return typeXML
	case isHTMLElement(name):
		return typeHTML
	}
	return ""
}

// xmlOr is XHTML for a document with an XML declaration, unless the header says HTML.
func xmlOr(head []byte, declared string) string {
	if declared != typeHTML && hasPrefixFold(head, "<?xml") {
		return typeXHTML
	}
	return declared
}

// isHTMLElement names elements that fragments of HTML start with.
func isHTMLElement(name []byte) bool {
	switch string(bytes.ToLower(name)) {
	case "head", "body", "title", "meta", "link", "script", "style", "div", "p", "table", "h1", "h2", "h3", "a",
		"br", "ul", "ol", "span", "font", "center", "b", "i", "img", "iframe", "frameset", "base":
		return true
	}
	return false
}

// rootElement returns name and attributes of the first element after declarations and comments. If that is behind
// what is seen, its name is the one in the document type: entities may be long.
func rootElement(b []byte) (name, attributes []byte) {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 || i+1 >= len(b) {
			return name, nil
		}
		b = b[i+1:]
		end := ">"
		switch {
		case bytes.HasPrefix(b, []byte("!--")):
			end = "-->"
		case b[0] == '?':
			end = "?>"
		case b[0] == '!':
			if hasPrefixFold(b, "!doctype ") {
				name = bytes.TrimLeft(b[len("!doctype "):], " \t\r\n")
				name = name[:max(0, bytes.IndexAny(name, " \t\r\n[>"))]
			}
			if open, shut := bytes.IndexByte(b, '['), bytes.IndexByte(b, '>'); open >= 0 && open < shut {
				end = "]>"
			}
		default:
			tag, _, _ := bytes.Cut(b, []byte(">"))
			n := bytes.IndexAny(tag, " \t\r\n/")
			if n < 0 {
				n = len(tag)
			}
			return tag[:n], tag[n:]
		}
		_, rest, ok := bytes.Cut(b, []byte(end))
		if !ok {
			return name, nil
		}
		b = rest
	}
}

// isIRIRef reports whether the text starts with an absolute IRI in angle brackets.
func isIRIRef(b []byte) bool {
	iri, _, ok := bytes.Cut(b[1:], []byte(">"))
	return ok && bytes.Contains(iri, []byte(":")) && !bytes.ContainsAny(iri, " \t\r\n\"<") &&
		(bytes.Contains(iri, []byte("://")) || bytes.HasPrefix(iri, []byte("urn:")))
}

// statements distinguishes the line formats from Turtle by the first statement.
func statements(head []byte, declared string) string {
	switch declared {
	case typeTurtle, typeNTriples, typeNQuads, typeTriG:
		return declared
	}
	line, _, _ := bytes.Cut(head, []byte("\n"))
	line = bytes.TrimRight(line, " \t\r")
	switch {
	case !bytes.HasSuffix(line, []byte(".")) || bytes.Count(line, []byte(">")) < 2:
		return typeTurtle
	case bytes.Count(line, []byte("<")) > 3 && !bytes.Contains(line, []byte("\"")):
		return typeNQuads
	case bytes.Contains(line, []byte(" a ")) || bytes.Contains(line, []byte(";")):
		return typeTurtle
	}
	return typeNTriples
}

// textual returns the media type by the first words; "" if unknown.
func textual(head []byte, declared string) string {
	first := skipComments(head)
	switch {
	case hasPrefixFold(first, "@prefix ") || hasPrefixFold(first, "@base ") ||
		isSparqlPrefix(first):
		if declared == typeTriG {
			return typeTriG
		}
		return typeTurtle
	case len(first) > 1 && (first[0] == '<' && isIRIRef(first) || bytes.HasPrefix(first, []byte("_:"))):
		return statements(first, declared)
	case len(first) > 0 && (first[0] == '{' || first[0] == '['):
		return jsonType(first, declared)
	}
	return ""
}

// isSparqlPrefix reports whether the text starts with PREFIX or BASE in the syntax of SPARQL and Turtle.
func isSparqlPrefix(b []byte) bool {
	if !hasPrefixFold(b, "prefix ") && !hasPrefixFold(b, "base ") {
		return false
	}
	line, _, _ := bytes.Cut(b, []byte("\n"))
	return bytes.Contains(line, []byte("<")) && bytes.Contains(line, []byte(">"))
}

// skipComments skips blank lines and lines that start with "#".
func skipComments(b []byte) []byte {
	for {
		b = bytes.TrimLeft(b, " \t\r\n")
		if len(b) == 0 || b[0] != '#' {
			return b
		}
		_, b, _ = bytes.Cut(b, []byte("\n"))
	}
}

// jsonType distinguishes JSON-LD, JSON and text that only starts like them.
func jsonType(head []byte, declared string) string {
	second := bytes.TrimLeft(head[1:], " \t\r\n")
	like := len(second) > 0 && (second[0] == '"' || second[0] == '{' || second[0] == '}' || second[0] == '[' || second[0] == ']')
	switch {
	case declared == typeTurtle || declared == typeTriG:
		return declared
	case declared == typeJSONFeed || like && head[0] == '{' && isJSONFeed(head):
		return typeJSONFeed
	case declared == typeLDJSON || like && bytes.Contains(head, []byte(`"@context"`)):
		return typeLDJSON
	case declared == typeJSON || strings.HasSuffix(declared, "+json"):
		return declared
	case like && !strings.Contains(declared, "script"):
		return typeJSON
	}
	return ""
}

// isJSONFeed reports whether JSON starts like a JSON Feed, with its version.
func isJSONFeed(head []byte) bool {
	return bytes.Contains(head, []byte(`"version"`)) &&
		(bytes.Contains(head, []byte("://jsonfeed.org/version/")) || bytes.Contains(head, []byte(`:\/\/jsonfeed.org\/version\/`)))
}

// otherwise decides if no text format was recognised.
func otherwise(body, head []byte, declared string) string {
	switch {
	case bytes.HasPrefix(head, []byte("%PDF-")):
		return typePDF
	case isBinary(head):
		if t := office.TypeOf(body); t != "" {
			return t
		}
		return general(body, declared)
	case declared == "" || declared == typeBinary || declared == typePDF:
		return general(body, typePlain)
	case declared == typeXML && !bytes.HasPrefix(head, []byte("<")):
		return typePlain
	}
	return declared
}

// isBinary reports whether bytes include controls that are never in text; UTF-16 with its mark is text.
func isBinary(head []byte) bool {
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return false
	}
	for _, c := range head {
		if c < 0x09 || 0x0e <= c && c < 0x1b {
			return true
		}
	}
	return false
}

// general uses a library of about a hundred formats, and the declared type for others.
func general(body []byte, declared string) string {
	found, _, _ := strings.Cut(mimetype.Detect(body[:min(len(body), sniffed)]).String(), ";")
	switch {
	case found != typeBinary:
		return found
	case declared == "" || strings.HasPrefix(declared, "text/"):
		return typeBinary
	}
	return declared
}
