package main

import (
	"bytes"
	"fmt"
	"html"
	"slices"
	"strings"
)

// A statement is a triple of the island's data. Its object is an IRI or plain text.
type statement struct {
	subject, predicate, object string
	text                       bool
}

// Terms of other vocabularies in the island's data.
const (
	rdfType  = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfLabel = "http://www.w3.org/2000/01/rdf-schema#label"
	seeAlso  = "http://www.w3.org/2000/01/rdf-schema#seeAlso"
)

// thingOf returns the IRI of a page's thing.
func thingOf(p *page) string {
	return "http://" + p.set.host + strings.ReplaceAll(p.set.thing, "{id}", p.fact["id"])
}

// statements returns the facts of a page's card in a namespace.
func (w *web) statements(p *page, namespace string) []statement {
	class, properties, _ := strings.Cut(p.set.card, " ")
	thing := thingOf(p)
	all := []statement{{thing, rdfType, namespace + class, false}}
	for pair := range strings.FieldsSeq(properties) {
		property, column, _ := strings.Cut(pair, ":")
		for _, s := range w.values(p.fact[column]) {
			s.subject, s.predicate = thing, namespace+property
			all = append(all, s)
		}
	}
	return all
}

// values returns the objects of a cell: referenced things, an address, or a text.
func (w *web) values(cell string) []statement {
	switch {
	case cell == "":
		return nil
	case strings.HasPrefix(cell, "http://"):
		return []statement{{object: cell}}
	case !strings.HasPrefix(cell, "@"):
		return []statement{{object: cell, text: true}}
	}
	var all []statement
	for ref := range strings.FieldsSeq(cell) {
		if p := w.pageOf[strings.TrimPrefix(ref, "@")]; p != nil { // the page's writer reports a missing one
			all = append(all, statement{object: thingOf(p)})
		}
	}
	return all
}

// asNTriples writes one statement per line; with a graph, as N-Quads.
func asNTriples(all []statement, graph string) []byte {
	var out bytes.Buffer
	for _, s := range all {
		fmt.Fprintf(&out, "<%s> <%s> %s", s.subject, s.predicate, s.term())
		if graph != "" {
			fmt.Fprintf(&out, " <%s>", graph)
		}
		out.WriteString(" .\n")
	}
	return out.Bytes()
}

// term formats the object for N-Triples and Turtle.
func (s statement) term() string {
	if s.text {
		return fmt.Sprintf("%q", s.object)
	}
	return "<" + s.object + ">"
}

// asTurtle writes the namespaces and the statements by subject.
func asTurtle(all []statement) []byte {
	var out bytes.Buffer
	spaces := namespaces(all)
	for i, space := range spaces {
		fmt.Fprintf(&out, "@prefix n%d: <%s> .\n", i, space)
	}
	writeSubjects(&out, all, spaces)
	return out.Bytes()
}

// asTriG writes graphs in order.
func asTriG(names []string, graphs [][]statement) []byte {
	var out bytes.Buffer
	spaces := namespaces(slices.Concat(graphs...))
	for i, space := range spaces {
		fmt.Fprintf(&out, "@prefix n%d: <%s> .\n", i, space)
	}
	for i, name := range names {
		fmt.Fprintf(&out, "\n<%s> {", name)
		writeSubjects(&out, graphs[i], spaces)
		out.WriteString("}\n")
	}
	return out.Bytes()
}

// writeSubjects writes statements sorted by subject.
func writeSubjects(out *bytes.Buffer, all []statement, spaces []string) {
	for i, s := range all {
		space, local := split(s.predicate)
		name := fmt.Sprintf("n%d:%s", slices.Index(spaces, space), local)
		if s.predicate == rdfType {
			name = "a"
		}
		lead := "\t"
		if i == 0 || all[i-1].subject != s.subject {
			lead = "\n<" + s.subject + "> "
		}
		end := " .\n"
		if i+1 < len(all) && all[i+1].subject == s.subject {
			end = " ;\n"
		}
		out.WriteString(lead + name + " " + s.term() + end)
	}
}

// namespaces returns those of the predicates, in order of first use.
func namespaces(all []statement) []string {
	var spaces []string
	for _, s := range all {
		if space, _ := split(s.predicate); s.predicate != rdfType && !slices.Contains(spaces, space) {
			spaces = append(spaces, space)
		}
	}
	return spaces
}

// split splits an IRI into namespace and local name.
func split(iri string) (space, local string) {
	i := strings.LastIndexAny(iri, "#/") + 1
	return iri[:i], iri[i:]
}

// asRDFXML writes one element per statement.
func asRDFXML(all []statement) []byte {
	var out bytes.Buffer
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n")
	for _, s := range all {
		space, local := split(s.predicate)
		fmt.Fprintf(&out, "<rdf:Description rdf:about=\"%s\"><p:%s xmlns:p=\"%s\"", html.EscapeString(s.subject), local, html.EscapeString(space))
		if s.text {
			fmt.Fprintf(&out, ">%s</p:%s></rdf:Description>\n", html.EscapeString(s.object), local)
		} else {
			fmt.Fprintf(&out, " rdf:resource=\"%s\"/></rdf:Description>\n", html.EscapeString(s.object))
		}
	}
	out.WriteString("</rdf:RDF>\n")
	return out.Bytes()
}

// asJSONLD writes one object per statement, expanded except for an empty context.
func asJSONLD(all []statement) []byte {
	var out bytes.Buffer
	out.WriteString("{\"@context\": {}, \"@graph\": [\n")
	for i, s := range all {
		object := fmt.Sprintf("{\"@id\": %q}", s.object)
		if s.text {
			object = fmt.Sprintf("{\"@value\": %q}", s.object)
		}
		fmt.Fprintf(&out, "{\"@id\": %q, %q: [%s]}", s.subject, s.predicate, object)
		if i+1 < len(all) {
			out.WriteByte(',')
		}
		out.WriteByte('\n')
	}
	out.WriteString("]}\n")
	return out.Bytes()
}
