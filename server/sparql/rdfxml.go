package sparql

import (
	"bufio"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"net/http"
	"strings"
	"unicode/utf8"

	"orbweaver/rdf"
)

// An xmlWriter writes a graph as flat RDF/XML, one node per subject, for clients that read nothing else.
type xmlWriter struct {
	out     *bufio.Writer
	subject rdf.Term // of the open node; zero: none is open
}

// newXMLWriter writes the start of the document.
func newXMLWriter(w io.Writer) *xmlWriter {
	x := &xmlWriter{out: bufio.NewWriter(w)}
	fmt.Fprintf(x.out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF xmlns:rdf=%q>\n", nsRDF)
	return x
}

// Write writes a triple. A triple that RDF/XML cannot express is an error.
func (x *xmlWriter) Write(t rdf.Triple) error {
	if err := expressible(t); err != nil {
		return err
	}
	if t.S != x.subject {
		x.leave()
		x.subject = t.S
		x.out.WriteString("<rdf:Description")
		x.reference("rdf:about", t.S)
		x.out.WriteString(">\n")
	}
	x.out.WriteString("  ")
	x.property(t)
	_, err := x.out.WriteString("\n")
	return err
}

// expressible returns an error for a triple that RDF/XML cannot express, at any depth.
func expressible(t rdf.Triple) error {
	space, local := splitName(t.P.Value)
	if local == "" || space == nsRDF && reserved(local) {
		return faulty(http.StatusNotAcceptable, "RDF/XML cannot express the property <%s>: request text/turtle", t.P.Value)
	}
	texts := []string{t.S.Value, t.O.Value}
	if inner, is := t.O.Triple(); is {
		if err := expressible(inner); err != nil {
			return err
		}
		texts = texts[:1]
	}
	for _, text := range texts {
		if i := strings.IndexFunc(text, noXML); i >= 0 || !utf8.ValidString(text) {
			return faulty(http.StatusNotAcceptable, "RDF/XML cannot express a character of %q: request text/turtle", text)
		}
	}
	return nil
}

// property writes a triple's property element.
func (x *xmlWriter) property(t rdf.Triple) {
	space, local := splitName(t.P.Value)
	x.out.WriteString("<p:" + local)
	x.attribute("xmlns:p", space)
	x.object(t.O, local)
}

// object writes the object of a property, and closes its element.
func (x *xmlWriter) object(o rdf.Term, local string) {
	if inner, is := o.Triple(); is { // parsed as such where the version says that there are any
		x.attribute("rdf:version", "1.2")
		x.attribute("rdf:parseType", "Triple")
		x.out.WriteString("><rdf:Description")
		x.reference("rdf:about", inner.S)
		x.out.WriteString(">")
		x.property(inner)
		x.out.WriteString("</rdf:Description></p:" + local + ">")
		return
	}
	if o.Kind != rdf.Literal {
		x.reference("rdf:resource", o)
		x.out.WriteString("/>")
		return
	}
	switch {
	case o.Lang != "" && o.Dir != rdf.Undirected:
		x.attribute("rdf:version", "1.2")
		x.attribute("xml:lang", o.Lang)
		x.attribute("xmlns:its", "http://www.w3.org/2005/11/its")
		x.attribute("its:dir", o.Dir.String())
	case o.Lang != "":
		x.attribute("xml:lang", o.Lang)
	case o.Datatype != rdf.XSDString:
		x.attribute("rdf:datatype", o.Datatype)
	}
	x.out.WriteString(">")
	_ = xml.EscapeText(x.out, []byte(o.Value)) // the buffer keeps its error until the flush
	x.out.WriteString("</p:" + local + ">")
}

// reference names a node: an IRI by the attribute given, a blank node by its label.
func (x *xmlWriter) reference(attribute string, t rdf.Term) {
	if t.Kind == rdf.Blank {
		x.attribute("rdf:nodeID", "n"+hex.EncodeToString([]byte(t.Value)))
		return
	}
	x.attribute(attribute, t.Value)
}

func (x *xmlWriter) attribute(name, value string) {
	x.out.WriteString(" " + name + `="`)
	_ = xml.EscapeText(x.out, []byte(value))
	x.out.WriteString(`"`)
}

// leave closes the open node.
func (x *xmlWriter) leave() {
	if !x.subject.IsZero() {
		x.out.WriteString("</rdf:Description>\n")
	}
}

// Close writes the end of the document.
func (x *xmlWriter) Close() error {
	x.leave()
	x.out.WriteString("</rdf:RDF>\n")
	return x.out.Flush()
}

// splitName splits an IRI before its longest suffix that is an element name in ASCII; empty: there is none.
func splitName(iri string) (space, local string) {
	at := len(iri)
	for i := len(iri) - 1; i >= 0; i-- {
		c := iri[i]
		letter := 'a' <= c|0x20 && c|0x20 <= 'z' || c == '_'
		if !letter && (c < '0' || c > '9') && c != '-' && c != '.' {
			break
		}
		if letter {
			at = i
		}
	}
	return iri[:at], iri[at:]
}

// reserved are names of RDF with another meaning in the place of a property.
func reserved(local string) bool {
	switch local {
	case "RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype", "Description", "li", "aboutEach", "aboutEachPrefix", "bagID",
		"annotation", "annotationNodeID", "version":
		return true
	}
	return false
}

// noXML reports whether a character is not allowed in XML 1.0.
func noXML(r rune) bool {
	return r < 0x20 && r != '\t' && r != '\n' && r != '\r' || r == 0xfffe || r == 0xffff
}
