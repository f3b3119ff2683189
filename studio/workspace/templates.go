package workspace

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"orbweaver"
	"orbweaver/crawl"
)

// A Template is what a new ontology begins as.
type Template struct{ Name, Label, Says string }

// Templates lists the templates of ontologies.
func Templates() []Template {
	return []Template{
		{"classes", "Classes", "Kinds of things, and kinds of these (OWL): a topic with an example of each kind of entity. The usual choice."},
		{"concepts", "Concepts", "A thesaurus (SKOS): concepts, broader and narrower, with names in several languages."},
		{"empty", "Empty", "Nothing but the prefixes."},
	}
}

// prefixes begin every template.
const prefixes = `@prefix : <%s> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
`

// templateTexts are the statements of templates.
var templateTexts = map[string]string{
	"empty": "",
	"classes": `
:Topic a owl:Class ;
    rdfs:label "topic"@en ;
    rdfs:comment "What the crawl looks for. Name it anew."@en .

:KindOfTopic a owl:Class ;
    rdfs:subClassOf :Topic ;
    rdfs:label "kind of topic"@en .

:Part a owl:Class ;
    rdfs:label "part"@en .

:hasPart a owl:ObjectProperty ;
    rdfs:domain :Topic ;
    rdfs:range :Part ;
    rdfs:label "has part"@en .
`,
	"concepts": `
:Topic a skos:Concept ;
    skos:prefLabel "topic"@en ;
    skos:definition "What the crawl looks for. Name it anew."@en .

:KindOfTopic a skos:Concept ;
    skos:broader :Topic ;
    skos:prefLabel "kind of topic"@en .
`,
}

// NewOntology makes an ontology file of a template in the folder ontologies. space is the namespace of its entities; empty: one is made of the
// name. The error wraps orbweaver.ErrInput or orbweaver.ErrForeign.
func (w *Workspace) NewOntology(name, template, space string) (File, error) {
	name = strings.TrimSuffix(strings.TrimSpace(name), ".ttl")
	if err := checkName(name); err != nil {
		return File{}, err
	}
	body, ok := templateTexts[template]
	if !ok {
		return File{}, fmt.Errorf("%.40q is no template: see the list of templates (%w)", template, orbweaver.ErrInput)
	}
	if space = strings.TrimSpace(space); space == "" {
		space = "http://example.org/" + name + "#"
	}
	if u, err := url.Parse(space); err != nil || u.Host == "" || strings.ContainsAny(space, "<>\"{}|\\^` \t\n") || !strings.HasSuffix(space, "#") && !strings.HasSuffix(space, "/") {
		return File{}, fmt.Errorf("%.100q is no namespace: it is an address that ends in # or /, as http://example.org/kites# (%w)", space, orbweaver.ErrInput)
	}
	return w.Put("ontologies/"+name+".ttl", []byte(fmt.Sprintf(prefixes, space)+body))
}

// LearnedOntology makes an ontology file in the folder ontologies of what a crawl of the workspace, or a topic or label model in it, has
// learned: the vocabulary that a metadata crawl recommends, labels, or nouns. from is the id of a crawl, or a folder of the workspace.
func (w *Workspace) LearnedOntology(ctx context.Context, name, from string) (File, error) {
	if err := checkName(name); err != nil {
		return File{}, err
	}
	to := "ontologies/" + name + ".ttl"
	folder, text := "", []byte(nil)
	err := w.Use(ctx, from, func(c *crawl.Crawl) error {
		folder = c.Folder()
		r, err := c.RecommendOntology(ctx, "", to)
		if err == nil {
			text = []byte(r.Turtle)
		}
		return nil // it is no metadata crawl
	})
	if errors.Is(err, ErrUnknown) {
		folder, err = w.inside(from)
	}
	if err == nil && text == nil {
		text, err = crawl.LearnedOntology(ctx, folder, name, "http://example.org/"+name+"#", crawl.On(w.quietly()))
	}
	if err != nil {
		return File{}, err
	}
	return w.Put(to, text)
}
