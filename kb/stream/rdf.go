package stream

import (
	"iter"

	"orbweaver/rdf"
)

// Quads returns the labels and rules in RDF, like labels.Model.Quads, with skos:prefLabel and rdfs:label as
// terms are displayed, and the broad concepts.
func (m *Model) Quads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		for q := range m.Labels.Quads() {
			if q.P.Value == rdfsLabel || q.P.Value == skos+"prefLabel" {
				q.O = rdf.NewString(m.Show(q.O.Value))
			}
			if !yield(q) {
				return
			}
		}
		for q := range m.conceptQuads() {
			if !yield(q) {
				return
			}
		}
	}
}

const (
	rdfsLabel = "http://www.w3.org/2000/01/rdf-schema#label"
	skos      = "http://www.w3.org/2004/02/skos/core#"
	rdfType   = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"
)

// ConceptScheme is the skos:ConceptScheme of all broad concepts.
const ConceptScheme = "urn:semxdm:concepts"

// conceptQuads returns every broad concept as a skos:Concept with the concept above it, and for every label that has one
// its narrowest concept by skos:broadMatch: labels and concepts are two schemes.
func (m *Model) conceptQuads() iter.Seq[rdf.Quad] {
	return func(yield func(rdf.Quad) bool) {
		all, keys := m.Concepts(), map[string]bool{}
		is := func(s, p string, o rdf.Term) bool {
			return yield(rdf.Quad{S: rdf.NewIRI(s), P: rdf.NewIRI(p), O: o})
		}
		if len(all) > 0 && !is(ConceptScheme, rdfType, rdf.NewIRI(skos+"ConceptScheme")) {
			return
		}
		for i, c := range all {
			ok := is(c.IRI(), rdfType, rdf.NewIRI(skos+"Concept")) && is(c.IRI(), skos+"inScheme", rdf.NewIRI(ConceptScheme)) &&
				is(c.IRI(), skos+"prefLabel", rdf.NewString(m.ShowAll(c.Name)))
			if ok && c.Above >= 0 {
				ok = is(c.IRI(), skos+"broader", rdf.NewIRI(all[c.Above].IRI()))
			}
			for _, l := range c.Labels {
				if ok && l.Own && m.Labels.Is(l.Key) && !keys[l.Key] {
					keys[l.Key] = true
					ok = is(labelIRI(l.Key), skos+"broadMatch", rdf.NewIRI(all[i].IRI()))
				}
			}
			if !ok {
				return
			}
		}
	}
}
