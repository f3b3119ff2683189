package sample

import (
	"fmt"
	"strings"
)

// elements writes RDF/XML. Every 50 nodes have an xml:base of their own, lists of four items are written
// as containers.
type elements struct{ nodes int }

// appendHead appends the start tag of the root.
func appendHead(b []byte) []byte {
	b = append(b, "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF"...)
	for _, s := range spaces {
		b = fmt.Appendf(b, "\n    xmlns:%s=%q", s[0], s[1])
	}
	return append(b, "\n    xml:base=\"http://data.example.org/resource/\">\n"...)
}

// node appends a node; every fifth is an rdf:Description with its class in an element.
func (x *elements) node(b []byte, n *node) []byte {
	x.nodes++
	subject := " " + attribute("about", n.id)
	if x.nodes%50 == 0 {
		subject += ` xml:base="http://data.example.org/graph/` + fmt.Sprint(x.nodes/50) + `"`
	}
	if x.nodes%5 > 0 {
		return x.typed(append(b, '\n'), n, subject, 1)
	}
	b = fmt.Appendf(b, "\n  <rdf:Description%s>\n    <rdf:type rdf:resource=%q/>\n", subject, n.class.iri())
	return append(x.facts(b, n, 2), "  </rdf:Description>\n"...)
}

// typed appends a node as an element of its class.
func (x *elements) typed(b []byte, n *node, subject string, depth int) []byte {
	indent := strings.Repeat("  ", depth)
	b = fmt.Appendf(b, "%s<%s%s>\n", indent, n.class, subject)
	return fmt.Appendf(x.facts(b, n, depth+1), "%s</%s>\n", indent, n.class)
}

// facts appends a property element for each value.
func (x *elements) facts(b []byte, n *node, depth int) []byte {
	for _, f := range n.facts {
		for _, v := range f.values {
			b = append(b, strings.Repeat("  ", depth)...)
			b = append(x.property(b, f.property, v, depth), '\n')
		}
	}
	return b
}

// property appends one.
func (x *elements) property(b []byte, p name, v value, depth int) []byte {
	indent := strings.Repeat("  ", depth)
	switch {
	case v.node != nil:
		b = x.typed(fmt.Appendf(b, "<%s>\n", p), v.node, "", depth+1)
		return fmt.Appendf(b, "%s</%s>", indent, p)
	case len(v.items) == 4:
		b = fmt.Appendf(b, "<%s>\n%s  <rdf:Seq>\n", p, indent)
		for _, item := range v.items {
			b = fmt.Appendf(b, "%s    <rdf:li %s/>\n", indent, attribute("resource", item.iri))
		}
		return fmt.Appendf(b, "%s  </rdf:Seq>\n%s</%s>", indent, indent, p)
	case v.items != nil:
		b = fmt.Appendf(b, "<%s rdf:parseType=\"Collection\">\n", p)
		for _, item := range v.items {
			b = fmt.Appendf(b, "%s  <rdf:Description %s/>\n", indent, attribute("about", item.iri))
		}
		return fmt.Appendf(b, "%s</%s>", indent, p)
	case v.iri != "":
		return fmt.Appendf(b, "<%s %s/>", p, attribute("resource", v.iri))
	}
	about := ""
	if v.lang != "" {
		about = ` xml:lang="` + v.lang + `"`
	} else if v.datatype.local != "" {
		about = ` rdf:datatype="` + v.datatype.iri() + `"`
	}
	return fmt.Appendf(b, "<%s%s>%s</%s>", p, about, escaped(v.text), p)
}

// attribute is rdf:about or rdf:resource, or rdf:nodeID of a label; IRIs below the base are relative.
func attribute(kind, id string) string {
	if label, ok := strings.CutPrefix(id, "_:"); ok {
		return `rdf:nodeID="` + label + `"`
	}
	if local, ok := strings.CutPrefix(id, "http://data.example.org"); ok && len(id)%2 == 0 {
		id = local
	}
	return `rdf:` + kind + `="` + escaped(id) + `"`
}

// references are how XML has some characters.
var references = strings.NewReplacer("&", "&amp;", "<", "&lt;", `"`, "&quot;")

func escaped(s string) string { return references.Replace(s) }
