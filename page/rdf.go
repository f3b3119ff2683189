package page

import (
	"bytes"
	"iter"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/ntriples"
	"orbweaver/rdf/syntax/rdfxml"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/weburl"
)

// The predicates that mean something to a page of RDF.
const (
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"
	dcTitle   = "http://purl.org/dc/terms/title"
	dcTitle11 = "http://purl.org/dc/elements/1.1/title"
	skosLabel = "http://www.w3.org/2004/02/skos/core#prefLabel"
)

// A graph is what one pass over a document's triples gathers.
type graph struct {
	page   *orbweaver.Page
	opts   Options
	text   []byte
	failed int               // IRIs that are no URL
	last   string            // the subject of the triple before
	links  map[string]int    // canonical URL to index of page.Links
	labels map[string]string // canonical URL to label
	titles [3]string         // of the document itself, any title, any label
	langs  map[string]int    // language to literals in it
}

// readRDF fills a page from a document of RDF: quads that are parsed anew each time, the literals as
// text, and as links what stands in subject and object place. What the syntax forbids is skipped.
func readRDF(page *orbweaver.Page, opts Options) {
	read := triples(page.MediaType, page.Body, page.URL)
	page.Quads = func(yield func(rdf.Quad, error) bool) {
		for t, err := range read() {
			if !yield(rdf.Quad{S: t.S, P: t.P, O: t.O}, err) {
				return
			}
		}
	}
	g := graph{
		page: page, opts: opts, links: make(map[string]int), labels: make(map[string]string), langs: make(map[string]int),
	}
	for t, err := range read() {
		if err != nil {
			break // Quads tells it to whoever ranges over them
		}
		g.add(t)
	}
	g.finish()
}

// triples returns a function that starts reading a body.
func triples(mediaType string, body []byte, base string) func() iter.Seq2[rdf.Triple, error] {
	opts := syntax.Options{Name: base, Base: base, Lenient: true}
	return func() iter.Seq2[rdf.Triple, error] {
		r := bytes.NewReader(body)
		switch mediaType {
		case typeNTriples:
			return ntriples.Read(r, opts)
		case typeRDFXML:
			return rdfxml.Read(r, opts)
		}
		return turtle.Read(r, opts)
	}
}

// add takes what a triple has for text, labels and links.
func (g *graph) add(t rdf.Triple) {
	if t.S.Value != g.last || t.S.Kind != rdf.IRI {
		g.link(t.S)
		g.last = t.S.Value
	}
	if t.O.Kind == rdf.Literal {
		g.literal(t)
		return
	}
	if t.P.Value != rdfType {
		g.link(t.O)
	}
}

// link keeps an IRI, once.
func (g *graph) link(term rdf.Term) {
	if term.Kind != rdf.IRI || !strings.HasPrefix(term.Value, "http") || len(g.page.Links) >= g.opts.MaxLinks ||
		g.failed >= g.opts.MaxLinks {
		return
	}
	to, err := weburl.Canonical(term.Value)
	if err != nil {
		g.failed++
		return
	}
	if to == g.page.URL {
		return
	}
	if _, known := g.links[to]; known {
		return
	}
	g.links[to] = len(g.page.Links)
	g.page.Links = append(g.page.Links, orbweaver.Link{To: to, Origin: orbweaver.FromTriple})
}

// literal keeps a plain string or one in a language.
func (g *graph) literal(t rdf.Triple) {
	if t.O.Datatype != rdf.XSDString && t.O.Datatype != rdf.LangString {
		return
	}
	before := len(g.text)
	if before+len(t.O.Value) > g.opts.MaxText {
		return
	}
	if before > 0 {
		g.text = append(g.text, "\n\n"...)
	}
	start := len(g.text)
	if g.text = appendFields(g.text, t.O.Value); len(g.text) == start {
		g.text = g.text[:before]
		return
	}
	if lang := primary(t.O.Lang); lang != "" {
		g.langs[lang]++
		if g.page.Lang == "" || g.langs[lang] > g.langs[g.page.Lang] { // the first of equals
			g.page.Lang = lang
		}
	}
	g.label(t, g.text[start:])
}

// label keeps what names a subject.
func (g *graph) label(t rdf.Triple, text []byte) {
	title := t.P.Value == dcTitle || t.P.Value == dcTitle11
	if !title && t.P.Value != rdfsLabel && t.P.Value != skosLabel {
		return
	}
	name := string(cut(text, maxValue))
	if t.S.Kind == rdf.IRI && g.failed < g.opts.MaxLinks {
		g.labelIRI(t.S.Value, name)
	}
	if title {
		g.title(1, name)
		return
	}
	g.title(2, name)
}

// labelIRI keeps a name for the links to an IRI, and for the page if it is the page.
func (g *graph) labelIRI(iri, name string) {
	to, err := weburl.Canonical(iri)
	if err != nil {
		g.failed++
		return
	}
	if _, known := g.labels[to]; !known && len(g.labels) < g.opts.MaxLinks {
		g.labels[to] = name
	}
	if iri == g.page.URL || iri == g.page.URL+"#" {
		g.title(0, name)
	}
}

// title keeps the first title of a rank.
func (g *graph) title(rank int, text string) {
	if g.titles[rank] == "" {
		g.titles[rank] = text
	}
}

// finish gives links their labels and the page its title.
func (g *graph) finish() {
	for i := range g.page.Links {
		if l := &g.page.Links[i]; l.Origin == orbweaver.FromTriple {
			l.Anchor = g.labels[l.To]
		}
	}
	for _, title := range g.titles {
		if title != "" {
			g.page.Title = title
			break
		}
	}
	g.page.Text = string(g.text)
}
