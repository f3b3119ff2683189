package main

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
)

const turtleType = "text/turtle; charset=utf-8"

// writeSpecimens writes the herbarium. The IRI of a specimen names no document; it redirects to a page or to
// data.
func (w *web) writeSpecimens() {
	for _, p := range w.setOf["specimens"].pages {
		w.seeOther(thingOf(p), acceptHTML, p.url)
		w.seeOther(thingOf(p), acceptRDF, dataOf(p))
		all := w.statements(p, p.set.terms)
		all = append(all, statement{thingOf(p), rdfLabel, p.fact["name"], true}, statement{thingOf(p), seeAlso, p.url, false})
		w.addRDF(dataOf(p), turtleType, asTurtle(all))
	}
}

// writeBooks writes the library's data: works, which are HTML or Turtle at one address, cards in RDF/XML, an
// archive of all data, and its description.
func (w *web) writeBooks() {
	var dump []statement
	var listed []string
	for _, p := range w.setOf["books"].pages {
		all := w.statements(p, p.set.terms)
		dump = append(dump, all...)
		listed = append(listed, p.url)
		w.writeCard(p, all)
		if work := p.fact["work"]; work != "" {
			w.writeWork(p, work)
		}
	}
	packed := w.packed(asNTriples(dump, ""))
	w.addRDF("http://stacks.example/dump/catalogue.nt.gz", "application/gzip", packed)
	w.addRDF("http://stacks.example/.well-known/void", turtleType, void("http://stacks.example/#books",
		[]string{"http://stacks.example/dump/catalogue.nt.gz"}, []string{"http://stacks.example/work/owl-hours"}))
	w.addRDF("http://stacks.example/sitemap.xml", "application/xml", sitemap("", listed))
}

// writeWork writes a work in both formats.
func (w *web) writeWork(p *page, work string) {
	a := &author{web: w, url: work, fact: p.fact, dice: diceFor(work)}
	title := escape(p.fact["name"]) + ", the work"
	s := sheet{url: work, title: title, lang: "en", blocks: []string{
		"<p>" + a.expand("{name} by {author} is a work; of its editions the library has [one](@book/"+p.fact["id"]+").") + "</p>",
		"<p>Translations are not known. A play was made of it, and forgotten. " + a.expand("Who likes it likes {similar}.") + "</p>",
	}}
	w.addForm(work, acceptHTML, "text/html; charset=utf-8", []byte(w.dress(s)))
	space := p.set.terms
	all := []statement{
		{work, rdfType, space + "CreativeWork", false}, {work, space + "name", p.fact["name"], true},
		{work, space + "author", p.fact["author"], true}, {work, space + "workExample", thingOf(p), false},
	}
	for _, other := range w.values(p.fact["similar"]) {
		all = append(all, statement{work, space + "isRelatedTo", other.object, false})
	}
	w.addForm(work, acceptRDF, turtleType, asTurtle(all))
}

// writeCard writes a book's card, depending on the column "rdf": RDF/XML, a page without RDF, or nothing.
func (w *web) writeCard(p *page, all []statement) {
	url := p.url + ".rdf"
	switch p.fact["rdf"] {
	case "yes":
		w.addRDF(url, "application/rdf+xml", asRDFXML(all))
	case "html":
		w.addPlain(url, "No card", "The card of this book has been lent out with the book. It will be typed again when somebody has time, "+
			"which was promised last year as well. Until then the <a href=\"/books/\">list of books</a> has to do, and the shelf itself.")
	case "gone":
		w.add(document{url: url, status: 404, header: htmlHeader(""), body: []byte("<!DOCTYPE html>\n<title>Gone</title>\n<p>There is no such card.</p>\n")})
	}
}

// writeMuseum writes the museum's records, at addresses without a file extension, and its yearly export.
func (w *web) writeMuseum() {
	const host = "http://vitrine.example"
	var names []string
	var rooms [][]statement
	var shown []statement
	for _, p := range w.setOf["objects"].pages {
		all := w.statements(p, p.set.terms)
		names, rooms, shown = append(names, thingOf(p)), append(rooms, all), append(shown, all...)
		all = append(all, statement{thingOf(p), rdfLabel, p.fact["name"], true})
		switch record := p.fact["record"]; p.fact["form"] {
		case "turtle":
			w.addRDF(record, turtleType, asTurtle(all))
		case "ntriples":
			w.addRDF(record, "application/n-triples", asNTriples(all, ""))
		case "jsonld":
			w.addRDF(record, "application/ld+json", asJSONLD(all))
		}
	}
	w.addRDF(host+"/export/rooms.trig", "application/trig", asTriG(names, rooms))
	w.addRDF(host+"/export/on-show.jsonld", "application/ld+json", asJSONLD(shown))
	w.addRDF(host+"/export/loans", "application/n-quads", asNTriples(rooms[0], host+"/export/loans"))
	w.addPlain(host+"/catalogue.rdf", "The catalogue has moved", "The catalogue is now printed, and lies at the desk beside the pencil. What was here before "+
		"had been made by a machine for machines, and nobody at the museum could say whether it was right. See the <a href=\"/objects/\">objects</a> instead.")
	w.addPlain(host+"/rdf/room-six", "Room six", "Room six was to be added for the collection of weather vanes. The money went into the roof, on which the "+
		"vanes now stand. They can be seen from the street, and in a storm they can be heard from the <a href=\"/visit\">desk</a>.")
	w.add(document{url: host + "/old/catalogue.rdf", status: 404, header: htmlHeader(""), body: []byte("<!DOCTYPE html>\n<title>Gone</title>\n<p>Gone.</p>\n")})
}

// packed compresses with gzip, in stored blocks: see compress.
func (w *web) packed(body []byte) []byte {
	var coded bytes.Buffer
	z, err := gzip.NewWriterLevel(&coded, gzip.NoCompression)
	if err == nil {
		_, err = z.Write(body)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		w.complain("%w", err)
	}
	return coded.Bytes()
}

// void returns the description of a dataset: its dumps and example resources.
func void(dataset string, dumps, examples []string) []byte {
	const space = "http://rdfs.org/ns/void#"
	all := []statement{{dataset, rdfType, space + "Dataset", false}}
	for _, dump := range dumps {
		all = append(all, statement{dataset, space + "dataDump", dump, false})
	}
	for _, example := range examples {
		all = append(all, statement{dataset, space + "exampleResource", example, false})
	}
	return asTurtle(all)
}

// sitemap returns a sitemap of pages, preceded by its dataset elements.
func sitemap(datasets string, pages []string) []byte {
	var out strings.Builder
	out.WriteString("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\"\n" +
		"  xmlns:sc=\"http://sw.deri.org/2007/07/sitemapextension/scschema.xsd\">\n" + datasets)
	for _, url := range pages {
		fmt.Fprintf(&out, "<url><loc>%s</loc></url>\n", url)
	}
	out.WriteString("</urlset>\n")
	return []byte(out.String())
}
