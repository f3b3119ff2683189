package page

import (
	"bytes"
	"iter"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	rdfdoc "orbweaver/rdf/syntax/document"
	"orbweaver/weburl"
)

// Predicates with a meaning for a page of RDF.
const (
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
	rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"
	dcTitle   = "http://purl.org/dc/terms/title"
	dcTitle11 = "http://purl.org/dc/elements/1.1/title"
	skosLabel = "http://www.w3.org/2004/02/skos/core#prefLabel"
)

// A graph is the result of one pass over the quads of a document, or of the data in a page.
type graph struct {
	page   *orbweaver.Page
	opts   Options
	text   []byte
	failed int               // IRIs that are no URL
	last   string            // the previous subject
	links  map[string]int    // canonical URL to index of page.Links
	labels map[string]string // canonical URL to label
	titles [3]string         // of the document itself, any title, any label
	langs  map[string]int    // language to literals in it
}

// newGraph returns an empty graph.
func newGraph(page *orbweaver.Page, opts Options) *graph {
	return &graph{page: page, opts: opts, links: make(map[string]int), labels: make(map[string]string), langs: make(map[string]int)}
}

// readRDF fills a page from an RDF document: Quads, which parses it on each iteration, the literals as text,
// and as links the subjects and objects of all graphs. It skips syntax errors.
func readRDF(page *orbweaver.Page, format syntax.Format, opts Options) {
	body, read := page.Body, syntax.Options{Name: page.URL, Base: iri.Encode(page.URL), Lenient: true}
	page.Quads = opts.told(read, func(o syntax.Options) iter.Seq2[rdf.Quad, error] {
		return rdfdoc.Quads(bytes.NewReader(body), format, o)
	})
	g := newGraph(page, opts)
	n, mistakes := int64(0), 0
	read.OnError = func(error) { mistakes++ }
	for q, err := range rdfdoc.Quads(bytes.NewReader(body), format, read) {
		if err != nil {
			mistakes++
			continue // Quads reports it
		}
		g.add(q)
		n++
	}
	flawed(page, flawRDF, mistakes)
	g.finish()
	page.Data = inDocument(n)
}

// told returns what a lenient reader yields, with the mistakes that it skips if they are to be told.
func (o Options) told(opts syntax.Options, read func(syntax.Options) iter.Seq2[rdf.Quad, error]) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		opts, ended := opts, false
		if o.Mistakes {
			opts.OnError = func(err error) { ended = ended || !yield(rdf.Quad{}, err) }
		}
		for q, err := range read(opts) {
			if ended || !yield(q, err) {
				return
			}
		}
	}
}

// inDocument is the count of a document of RDF with n statements.
func inDocument(n int64) []rdf.Count {
	if n == 0 {
		return nil
	}
	return []rdf.Count{{In: rdf.InDocument, Triples: n}}
}

// formatOf is the RDF format of a media type; Unknown for others.
func formatOf(mediaType string) syntax.Format {
	switch mediaType {
	case typeTurtle:
		return syntax.Turtle
	case typeNTriples:
		return syntax.NTriples
	case typeRDFXML:
		return syntax.RDFXML
	case typeNQuads:
		return syntax.NQuads
	case typeTriG:
		return syntax.TriG
	}
	return syntax.Unknown
}

// add collects text, labels and links of a quad of a document.
func (g *graph) add(q rdf.Quad) {
	g.relate(q)
	if q.O.Kind == rdf.Literal {
		g.literal(q)
	}
}

// relate collects the links of a quad.
func (g *graph) relate(q rdf.Quad) {
	if q.S.Value != g.last || q.S.Kind != rdf.IRI {
		g.link(q.S, "")
		g.last = q.S.Value
	}
	if q.P.Value != rdfType {
		g.link(q.O, q.P.Value)
	}
}

// link keeps an IRI once, with the most specific predicate.
func (g *graph) link(term rdf.Term, predicate string) {
	toData := leadsToData(predicate)
	full := len(g.page.Links) >= g.opts.MaxLinks
	if term.Kind != rdf.IRI || !strings.HasPrefix(term.Value, "http") || full && !toData || g.failed >= g.opts.MaxLinks {
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
	if len(predicate) > maxValue {
		predicate = ""
	}
	if i, known := g.links[to]; known {
		if l := &g.page.Links[i]; l.Rel == "" || toData && !leadsToData(l.Rel) {
			l.Rel = predicate
		}
		return
	}
	if !full {
		g.links[to] = len(g.page.Links)
		g.page.Links = append(g.page.Links, orbweaver.Link{To: to, Rel: predicate, Origin: orbweaver.FromTriple})
	}
}

// leadsToData reports whether the objects of a predicate are data themselves: dumps, endpoints, example
// resources of a data set, and the next page of one.
func leadsToData(predicate string) bool {
	const void, dcat = "http://rdfs.org/ns/void#", "http://www.w3.org/ns/dcat#"
	switch predicate {
	case void + "dataDump", void + "exampleResource", void + "sparqlEndpoint", dcat + "downloadURL", dcat + "endpointURL":
		return true
	}
	return step.IsNextPage(predicate)
}

// literal keeps a plain string or one in a language.
func (g *graph) literal(t rdf.Quad) {
	if t.O.Datatype != rdf.XSDString && t.O.Datatype != rdf.LangString && t.O.Datatype != rdf.DirLangString {
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
	if names(t.P.Value) {
		g.label(t, g.text[start:])
	}
}

// names reports whether a predicate is a label.
func names(predicate string) bool {
	return predicate == rdfsLabel || predicate == skosLabel || isTitle(predicate)
}

// isTitle reports whether a predicate is a title.
func isTitle(predicate string) bool { return predicate == dcTitle || predicate == dcTitle11 }

// label keeps the label of a subject.
func (g *graph) label(t rdf.Quad, text []byte) {
	name := string(composed(cut(text, maxValue)))
	if t.S.Kind == rdf.IRI && g.failed < g.opts.MaxLinks {
		g.labelIRI(t.S.Value, name)
	}
	if isTitle(t.P.Value) {
		g.title(1, name)
		return
	}
	g.title(2, name)
}

// called keeps the label that a quad of embedded data gives to a subject.
func (g *graph) called(q rdf.Quad) {
	if q.O.Kind == rdf.Literal && q.S.Kind == rdf.IRI && names(q.P.Value) && g.failed < g.opts.MaxLinks {
		if name := appendFields(nil, cut(q.O.Value, maxValue)); len(name) > 0 {
			g.labelIRI(q.S.Value, string(composed(name)))
		}
	}
}

// labelIRI keeps a label for the links to an IRI, and for the page if it is the page's.
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

// anchors sets the labels of links.
func (g *graph) anchors() {
	for i := range g.page.Links {
		if l := &g.page.Links[i]; l.Origin == orbweaver.FromTriple {
			l.Anchor = g.labels[l.To]
		}
	}
}

// finish sets the labels of links and the title of the page.
func (g *graph) finish() {
	g.anchors()
	for _, title := range g.titles {
		if title != "" {
			g.page.Title = title
			break
		}
	}
	g.page.Text = string(composed(g.text))
}
