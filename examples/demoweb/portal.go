package main

import (
	"fmt"
	"strings"
)

// writePort writes the files of the portal and their descriptions.
func (w *web) writePort() {
	const host = "http://dataport.example"
	var pages, dumps []string
	var everything []statement
	datasets := ""
	for _, p := range w.setOf["datasets"].pages {
		url, mediaType := host+p.fact["file"], p.fact["type"]
		w.writeFile(p, url, mediaType)
		pages = append(pages, p.url)
		all := w.statements(p, p.set.terms)
		everything = append(everything, all...)
		if mediaType == "text/csv" || strings.HasSuffix(url, ".xls") {
			continue
		}
		dumps = append(dumps, url)
		datasets += fmt.Sprintf("<sc:dataset><sc:datasetLabel>%s</sc:datasetLabel><sc:dataDumpLocation>%s</sc:dataDumpLocation></sc:dataset>\n",
			escape(p.fact["name"]), url)
	}
	w.addRDF(host+"/all", turtleType, asTurtle(everything))
	w.compress(host + "/all")
	w.addRDF(host+"/.well-known/void", turtleType, void(host+"/#data", append(dumps, host+"/all"), []string{"http://herbarium.example/id/birch"}))
	w.addRDF(host+"/sitemap.xml", "application/xml", sitemap(datasets, pages))
	w.addRDF(host+"/files/archive-1998.ttl", "text/turtle", []byte("@prefix t: <http://terms.example/things/>\n"+
		"<#one> t:name \"Minutes of 1998\n<#two> a t:Dataset, ;; <#one .\nt:name t:name name .\n\"\n"))
}

// writeFile writes a dataset: rows about its things, generated from its address.
func (w *web) writeFile(p *page, url, mediaType string) {
	space, dice := p.set.terms, diceFor(url)
	var all []statement
	var rows strings.Builder
	rows.WriteString("number,kind,year\n")
	for i := range 20 {
		thing := fmt.Sprintf("%s#item-%d", thingOf(p), i+1)
		class := [...]string{"Vessel", "Tool", "Thing"}[dice.roll(3)]
		year := fmt.Sprint(1900 + dice.roll(120))
		all = append(all, statement{thing, rdfType, space + class, false}, statement{thing, space + "dateCreated", year, true},
			statement{thing, space + "partOf", thingOf(p), false})
		fmt.Fprintf(&rows, "%d,%s,%s\n", i+1, class, year)
	}
	switch mediaType {
	case "text/turtle":
		w.addRDF(url, turtleType, asTurtle(all))
	case "application/n-triples":
		w.addRDF(url, mediaType, asNTriples(all, ""))
	case "application/n-quads":
		w.addRDF(url, mediaType, asNTriples(all, url))
	case "application/rdf+xml":
		w.addRDF(url, mediaType, asRDFXML(all))
	case "application/ld+json":
		w.addRDF(url, mediaType, asJSONLD(all))
	case "application/trig":
		w.addRDF(url, mediaType, asTriG([]string{url}, [][]statement{all}))
	default:
		w.addRDF(url, mediaType, []byte(rows.String()))
	}
}

// writeTerms writes the vocabularies: terms for plants are parts of one document; each term for things
// redirects to the common document.
func (w *web) writeTerms() {
	const plant, things, schema = "http://terms.example/plant", "http://terms.example/things/", "http://terms.example/things/schema"
	w.addForm(plant, acceptRDF, turtleType, asTurtle(words(plant+"#", []string{"Plant", "name", "family", "height", "collectedBy", "collectedIn", "growsBeside"})))
	w.addForm(plant, acceptHTML, "text/html; charset=utf-8", []byte(w.dress(sheet{url: plant, title: "Words for plants", lang: "en", blocks: []string{
		"<p>Seven words are enough: Plant, name, family, height, collectedBy, collectedIn and growsBeside. The last is the only one about which there was a quarrel.</p>",
		"<p>They are used by the <a href=\"http://herbarium.example/\">herbarium</a>. Who wants to use them too may do so without asking.</p>",
	}})))
	w.addForm(things, acceptHTML, "text/html; charset=utf-8", []byte(w.dress(sheet{url: things, title: "Words for things", lang: "en", blocks: []string{
		"<p>What the museum and the town have to tell of things is told with these words: Vessel, Tool, Thing and Dataset, and what one says of them: name, description, material, dateCreated, partOf.</p>",
		"<p>A boat is a Vessel, and so is a cup. The museum insists.</p>",
	}})))
	w.seeOther(things, acceptRDF, schema)
	all := []string{"Vessel", "Tool", "Thing", "Dataset", "name", "description", "material", "dateCreated", "isRelatedTo", "subjectOf", "partOf"}
	for _, word := range all {
		w.add(document{url: things + word, status: 303, header: [][2]string{{"Location", "/things/schema"}}})
	}
	w.addRDF(schema, turtleType, asTurtle(words(things, all)))
}

// words returns the statements of a vocabulary: classes start with a capital, properties do not.
func words(space string, names []string) []statement {
	const rdf, rdfs = "http://www.w3.org/1999/02/22-rdf-syntax-ns#", "http://www.w3.org/2000/01/rdf-schema#"
	var all []statement
	for _, name := range names {
		class := rdf + "Property"
		if name[0] <= 'Z' {
			class = rdfs + "Class"
		}
		all = append(all, statement{space + name, rdfType, class, false}, statement{space + name, rdfLabel, name, true})
	}
	return all
}

// writeContext writes the part of the schema.org context that the island's data need.
func (w *web) writeContext() {
	const host = "https://schema.org/"
	w.add(document{url: "http://schema.org/", status: 301, header: [][2]string{{"Location", host}}})
	w.add(document{url: host, status: 200, body: []byte("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>A stand-in</title></head>\n" +
		"<body><p>This page stands where a large vocabulary stands on the Web, so that a crawl of the demo needs no other. It has no words of its own; " +
		"what the words mean that the pages of the library, the museum and the paper use stands in the document to which its header leads.</p></body></html>\n"),
		header: [][2]string{{"Content-Type", "text/html; charset=utf-8"},
			{"Link", "</docs/jsonldcontext.jsonld>; rel=\"alternate\"; type=\"application/ld+json\""}}})
	w.addRDF(host+"docs/jsonldcontext.jsonld", "application/ld+json", []byte(`{"@context": {
"@vocab": "https://schema.org/",
"isRelatedTo": {"@type": "@id"},
"isSimilarTo": {"@type": "@id"},
"exampleOfWork": {"@type": "@id"},
"subjectOf": {"@type": "@id"}
}}
`))
}
