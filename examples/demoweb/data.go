package main

import (
	"fmt"
	"strings"
)

// vocabulary is the namespace of the demo's own data.
const vocabulary = "http://skylines.example/vocabulary#"

// hasData reports whether a page's facts are also published as RDF: column "data" of its table says
// "yes" for Turtle, "both" for RDF/XML too. Only the pages that skylines.example keeps have data.
func hasData(p *page) bool { return p.fact["data"] != "" && p.set.host == "skylines.example" }

// hasXML reports whether a page's facts are published as RDF/XML beside Turtle.
func hasXML(p *page) bool { return hasData(p) && p.fact["data"] == "both" }

// dataURLs returns the addresses of a page's facts as Turtle and as RDF/XML.
func dataURLs(p *page) (turtle, xml string) {
	base := "http://" + p.set.host + "/data/" + p.fact["id"]
	return base + ".ttl", base + ".rdf"
}

// writeData writes the RDF documents of all pages that have some.
func (w *web) writeData() {
	for _, s := range w.sets {
		for _, p := range s.pages {
			if !hasData(p) {
				continue
			}
			turtle, xml := dataURLs(p)
			w.addData(turtle, "text/turtle; charset=utf-8", w.turtle(p), p)
			if hasXML(p) {
				w.addData(xml, "application/rdf+xml", w.rdfXML(p), p)
			}
		}
	}
}

// addData adds one RDF document.
func (w *web) addData(url, mediaType, body string, p *page) {
	header := [][2]string{{"Content-Type", mediaType}, {"Link", "<" + p.url + ">; rel=\"describes\""}}
	w.add(document{url: url, status: 200, header: header, body: []byte(body), topics: []string{p.set.topic + ".data"}})
}

// turtle returns the facts of a page in Turtle.
func (w *web) turtle(p *page) string {
	var out strings.Builder
	fmt.Fprintf(&out, "@prefix v: <%s> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"+
		"@prefix foaf: <http://xmlns.com/foaf/0.1/> .\n\n", vocabulary)
	fmt.Fprintf(&out, "<%s#it> a v:Airplane ;\n\trdfs:label %q@en ;\n\trdfs:comment %q@en ;\n", p.url, p.fact["name"], w.comment(p))
	fmt.Fprintf(&out, "\tv:maker %q ;\n\tv:firstFlight %s ;\n", p.fact["maker"], p.fact["year"])
	for _, other := range w.referred(p) {
		fmt.Fprintf(&out, "\tv:%s <%s#it> ;\n", other.fact["_as"], other.url)
	}
	fmt.Fprintf(&out, "\tfoaf:isPrimaryTopicOf <%s> .\n", p.url)
	for _, other := range w.referred(p) {
		fmt.Fprintf(&out, "<%s#it> rdfs:label %q@en .\n", other.url, other.fact["name"])
	}
	return out.String()
}

// rdfXML returns the facts of a page in RDF/XML.
func (w *web) rdfXML(p *page) string {
	var out strings.Builder
	fmt.Fprintf(&out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\"\n"+
		"  xmlns:rdfs=\"http://www.w3.org/2000/01/rdf-schema#\" xmlns:v=\"%s\">\n", vocabulary)
	fmt.Fprintf(&out, "  <v:Airplane rdf:about=\"%s#it\">\n    <rdfs:label xml:lang=\"en\">%s</rdfs:label>\n", p.url, escape(p.fact["name"]))
	fmt.Fprintf(&out, "    <rdfs:comment xml:lang=\"en\">%s</rdfs:comment>\n    <v:maker>%s</v:maker>\n", escape(w.comment(p)), escape(p.fact["maker"]))
	for _, other := range w.referred(p) {
		fmt.Fprintf(&out, "    <v:%s rdf:resource=\"%s#it\"/>\n", other.fact["_as"], other.url)
	}
	out.WriteString("  </v:Airplane>\n</rdf:RDF>\n")
	return out.String()
}

// comment returns one sentence about a page's thing.
func (w *web) comment(p *page) string {
	f := p.fact
	return fmt.Sprintf("The %s is %s %s with %s, built by %s in %s.", f["name"], article(f["role"]), f["role"], f["engines"], f["maker"], f["country"])
}

// referred returns the pages that a page's facts refer to, each with the linking property in the column
// "_as".
func (w *web) referred(p *page) []*page {
	var pages []*page
	for _, column := range []string{"users", "similar"} {
		for ref := range strings.FieldsSeq(p.fact[column]) {
			other := w.pageOf[strings.TrimPrefix(ref, "@")]
			if other == nil {
				continue // writePages already reported it
			}
			property := map[string]string{"users": "ownedBy", "similar": "comparableTo"}[column]
			pages = append(pages, &page{set: other.set, url: other.url, fact: fact{"name": other.fact["name"], "_as": property}})
		}
	}
	return pages
}
