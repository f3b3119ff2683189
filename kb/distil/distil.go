// Package distil makes an ontology of what the documents of a vocabulary state: the statements that say something about
// its terms in RDFS, OWL, SKOS or OntoLex stay; provenance (PROV), descriptions of datasets (VoID, DCAT), annotations of
// other vocabularies, data and imports that lead nowhere go.
//
// This package is not part of the stable API.
package distil

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/rdf"
)

// The namespaces of what stays, and of what has a reason of its own to go.
const (
	nsRDF     = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	nsRDFS    = "http://www.w3.org/2000/01/rdf-schema#"
	nsOWL     = "http://www.w3.org/2002/07/owl#"
	nsSKOS    = "http://www.w3.org/2004/02/skos/core#"
	nsXSD     = "http://www.w3.org/2001/XMLSchema#"
	nsOntolex = "http://www.w3.org/ns/lemon/ontolex#"
	nsPROV    = "http://www.w3.org/ns/prov#"
	nsVoID    = "http://rdfs.org/ns/void#"
	nsDCAT    = "http://www.w3.org/ns/dcat#"

	rdfType    = nsRDF + "type"
	subClassOf = nsRDFS + "subClassOf"
	broader    = nsSKOS + "broader"
	imports    = nsOWL + "imports"
	ontology   = nsOWL + "Ontology"
)

// Removed counts the statements that go, by reason.
type Removed struct {
	Provenance  int `json:"provenance"`  // of PROV, VoID and DCAT, or about something that they describe
	Annotations int `json:"annotations"` // about terms, by properties of other vocabularies
	Data        int `json:"data"`        // about what is no term: instances, documents, persons
	Imports     int `json:"imports"`     // that lead nowhere
}

// Clean returns the statements of an ontology among those of documents, each once, in a fixed order: the terms of the
// namespace by IRI, then terms of others that these are related to, then blank nodes. A term is a class, a property, a
// concept, or what a statement about a hierarchy, domain or range relates to one. resolves reports whether an imported
// ontology can be had.
func Clean(statements []rdf.Triple, namespace string, resolves func(iri string) bool) (kept []rdf.Triple, removed Removed) {
	c := &cleaner{namespace: namespace, resolves: resolves, terms: map[rdf.Term]bool{}, described: map[rdf.Term]bool{}, lists: map[rdf.Term]bool{}}
	statements = slices.Clone(statements)
	order.By(statements, c.compare)
	statements = slices.Compact(statements)
	c.find(statements)
	for _, t := range statements {
		if to := c.sort(t, &removed); to == nil {
			kept = append(kept, t)
		} else {
			*to++
		}
	}
	return kept, removed
}

// A cleaner decides which statements stay.
type cleaner struct {
	namespace string
	resolves  func(string) bool
	terms     map[rdf.Term]bool
	described map[rdf.Term]bool // things of PROV, VoID and DCAT
	lists     map[rdf.Term]bool // blank nodes that a term is described by
}

// compare orders statements: those about terms of the namespace first, types first of each subject.
func (c *cleaner) compare(a, b rdf.Triple) int {
	return cmp.Or(cmp.Compare(c.group(a.S), c.group(b.S)), compareTerms(a.S, b.S),
		cmp.Compare(rank(a.P.Value), rank(b.P.Value)), compareTerms(a.P, b.P), compareTerms(a.O, b.O))
}

func compareTerms(a, b rdf.Term) int {
	return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Value, b.Value), strings.Compare(a.Lang, b.Lang), strings.Compare(a.Datatype, b.Datatype), cmp.Compare(a.Dir, b.Dir))
}

func (c *cleaner) group(t rdf.Term) int {
	switch {
	case t.Kind != rdf.IRI:
		return 2
	case strings.HasPrefix(t.Value, c.namespace):
		return 0
	}
	return 1
}

// rank orders the predicates of a subject.
func rank(predicate string) int {
	return slices.Index([]string{"", rdfType, subClassOf, broader}, predicate) & 7 // others, -1, come last
}

// find finds the terms: those declared, and what statements of a hierarchy, domains and ranges relate, as far as it is in
// the namespace or related to a term there; then the blank nodes that describe them.
func (c *cleaner) find(statements []rdf.Triple) {
	for _, t := range statements {
		switch {
		case t.P.Value == rdfType && within(t.O.Value, nsPROV, nsVoID, nsDCAT) && !within(c.namespace, nsPROV, nsVoID, nsDCAT):
			c.described[t.S] = true
		case t.P.Value == rdfType && isSchema(t.O.Value) && c.group(t.S) == 0:
			c.terms[t.S] = true
		case relates(t.P.Value):
			for _, end := range []rdf.Term{t.S, t.O} {
				if c.group(end) == 0 {
					c.terms[end] = true
				}
			}
		}
	}
	foreign := map[rdf.Term]bool{}
	for _, t := range statements {
		if !relates(t.P.Value) || c.terms[t.S] == c.terms[t.O] {
			continue
		}
		for _, end := range []rdf.Term{t.S, t.O} {
			if c.group(end) == 1 && !within(end.Value, nsRDF, nsRDFS, nsOWL, nsSKOS, nsXSD) {
				foreign[end] = true
			}
		}
	}
	for end := range foreign {
		c.terms[end] = true
	}
	c.follow(statements)
}

// follow finds the blank nodes that terms lead to.
func (c *cleaner) follow(statements []rdf.Triple) {
	about := map[rdf.Term][]rdf.Triple{}
	var next []rdf.Term
	for _, t := range statements {
		switch {
		case t.S.Kind == rdf.Blank:
			about[t.S] = append(about[t.S], t)
		case c.terms[t.S] && t.O.Kind == rdf.Blank && says(t.P.Value):
			next = append(next, t.O)
		}
	}
	for len(next) > 0 {
		node := next[len(next)-1]
		next = next[:len(next)-1]
		if c.lists[node] {
			continue
		}
		c.lists[node] = true
		for _, t := range about[node] {
			if t.O.Kind == rdf.Blank && says(t.P.Value) {
				next = append(next, t.O)
			}
		}
	}
}

// sort returns where a statement is counted; nil: it stays.
func (c *cleaner) sort(t rdf.Triple, n *Removed) *int {
	switch about := c.terms[t.S] || c.lists[t.S]; {
	case t.P.Value == imports:
		if c.resolves(t.O.Value) {
			return nil
		}
		return &n.Imports
	case t.P.Value == rdfType && t.O.Value == ontology:
		return nil
	case !within(c.namespace, nsPROV, nsVoID, nsDCAT) && (c.described[t.S] || within(t.P.Value, nsPROV, nsVoID, nsDCAT)):
		return &n.Provenance
	case !about:
		return &n.Data
	case t.P.Value == rdfType && !isSchema(t.O.Value), !says(t.P.Value):
		return &n.Annotations
	}
	return nil
}

// says reports whether a predicate says what a term is, in the languages of ontologies.
func says(predicate string) bool {
	switch predicate {
	case nsRDFS + "isDefinedBy", nsRDFS + "seeAlso", nsOWL + "versionInfo", nsSKOS + "inScheme", nsSKOS + "topConceptOf",
		nsSKOS + "changeNote", nsSKOS + "editorialNote", nsSKOS + "historyNote":
		return false
	}
	return within(predicate, nsRDF, nsRDFS, nsOWL, nsSKOS, nsOntolex) || isIncludes(predicate)
}

// relates reports whether a predicate relates two terms.
func relates(predicate string) bool {
	switch predicate {
	case subClassOf, nsRDFS + "subPropertyOf", nsRDFS + "domain", nsRDFS + "range", nsOWL + "equivalentClass", nsOWL + "equivalentProperty",
		nsOWL + "inverseOf", nsOWL + "disjointWith", broader, nsSKOS + "narrower", nsSKOS + "related", nsSKOS + "exactMatch",
		nsSKOS + "closeMatch", nsSKOS + "broadMatch", nsSKOS + "narrowMatch", nsSKOS + "relatedMatch":
		return true
	}
	return isIncludes(predicate)
}

// isIncludes reports whether a predicate is schema.org's for domain or range.
func isIncludes(predicate string) bool {
	for _, name := range []string{"domainIncludes", "rangeIncludes"} {
		if predicate == "http://schema.org/"+name || predicate == "https://schema.org/"+name {
			return true
		}
	}
	return false
}

// isSchema reports whether a class is one of terms: classes, properties, concepts.
func isSchema(class string) bool {
	return within(class, nsRDF, nsRDFS, nsOWL, nsSKOS, nsOntolex) && class != nsOWL+"NamedIndividual" && class != nsOWL+"Thing" &&
		class != ontology && class != nsSKOS+"ConceptScheme" && class != nsRDF+"List"
}

// within reports whether an IRI is in one of some namespaces.
func within(iri string, namespaces ...string) bool {
	return slices.ContainsFunc(namespaces, func(ns string) bool { return strings.HasPrefix(iri, ns) })
}
