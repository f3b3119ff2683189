package orcatest

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"html"
	"io"
	"iter"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/turtle"
)

// mediaTypes are those of syntaxes by file extension.
var mediaTypes = map[string]string{
	"nt": "application/n-triples", "ttl": "text/turtle", "rdf": "application/rdf+xml", "nq": "application/n-quads",
	"trig": "application/trig", "jsonld": "application/ld+json",
}

// write writes statements in the syntax of a file extension.
func write(w io.Writer, extension string, all iter.Seq[rdf.Triple]) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	switch extension {
	case "ttl":
		t := turtle.NewWriter(out, syntax.WriteOptions{})
		for s := range all {
			_ = t.Write(s) // the client may have left
		}
		_ = t.Close()
	case "rdf":
		writeXML(out, all)
	case "jsonld":
		writeJSON(out, all)
	case "trig":
		fmt.Fprintln(out, "<http://graphs.test/one> {")
		for s := range all {
			fmt.Fprintln(out, strings.TrimSuffix(line(s, rdf.Term{}), "\n"))
		}
		fmt.Fprintln(out, "}")
	case "nq":
		for s := range all {
			io.WriteString(out, line(s, rdf.NewIRI("http://graphs.test/one")))
		}
	default:
		for s := range all {
			io.WriteString(out, line(s, rdf.Term{}))
		}
	}
}

// line is a statement of N-Triples or N-Quads.
func line(s rdf.Triple, graph rdf.Term) string {
	var b strings.Builder
	w := nquads.NewWriter(&b)
	_ = w.Write(rdf.Quad{S: s.S, P: s.P, O: s.O, G: graph}) // a Builder never fails
	_ = w.Close()
	return b.String()
}

// writeXML writes RDF/XML.
func writeXML(out io.Writer, all iter.Seq[rdf.Triple]) {
	escaped := func(s string) string {
		var b strings.Builder
		_ = xml.EscapeText(&b, []byte(s))
		return b.String()
	}
	fmt.Fprintln(out, `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">`)
	for s := range all {
		cut := strings.LastIndexAny(s.P.Value, "#/") + 1
		space, name := s.P.Value[:cut], s.P.Value[cut:]
		fmt.Fprintf(out, `<rdf:Description rdf:about="%s"><v:%s xmlns:v="%s"`, escaped(s.S.Value), name, escaped(space))
		if s.O.Kind == rdf.IRI {
			fmt.Fprintf(out, ` rdf:resource="%s"/></rdf:Description>`+"\n", escaped(s.O.Value))
			continue
		}
		fmt.Fprintf(out, `>%s</v:%s></rdf:Description>`+"\n", escaped(s.O.Value), name)
	}
	fmt.Fprintln(out, `</rdf:RDF>`)
}

// writeJSON writes expanded JSON-LD.
func writeJSON(out io.Writer, all iter.Seq[rdf.Triple]) {
	list := []any{}
	for s := range all {
		object := map[string]any{"@value": s.O.Value}
		if s.O.Kind == rdf.IRI {
			object = map[string]any{"@id": s.O.Value}
		}
		list = append(list, map[string]any{"@id": s.S.Value, s.P.Value: []any{object}})
	}
	_ = json.NewEncoder(out).Encode(list) // the client may have left
}

// markup is a page that holds statements about one resource within its HTML.
func markup(kind, title string, all []rdf.Triple, links string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<!DOCTYPE html><html><title>%s</title><h1>%s</h1>\n", title, title)
	switch kind {
	case "rdfa":
		for _, s := range all {
			if s.O.Kind == rdf.IRI {
				fmt.Fprintf(&b, "<div about=%q><a property=%q href=%q>related</a></div>\n", s.S.Value, s.P.Value, html.EscapeString(s.O.Value))
				continue
			}
			fmt.Fprintf(&b, "<div about=%q><span property=%q>%s</span></div>\n", s.S.Value, s.P.Value, html.EscapeString(s.O.Value))
		}
	case "microdata":
		for _, s := range all {
			fmt.Fprintf(&b, "<div itemscope itemid=%q itemtype=\"%sThing\">", s.S.Value, words)
			if s.O.Kind == rdf.IRI {
				fmt.Fprintf(&b, "<a itemprop=%q href=%q>related</a></div>\n", s.P.Value, html.EscapeString(s.O.Value))
				continue
			}
			fmt.Fprintf(&b, "<span itemprop=%q>%s</span></div>\n", s.P.Value, html.EscapeString(s.O.Value))
		}
	case "jsonld":
		b.WriteString(`<script type="application/ld+json">`)
		writeJSON(&b, func(yield func(rdf.Triple) bool) {
			for _, s := range all {
				if !yield(s) {
					return
				}
			}
		})
		b.WriteString("</script>")
	}
	b.WriteString(links)
	return b.String()
}
