package linkeddata

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// RuleDescribed is the reason for not requesting a vocabulary term: the document of its namespace was fetched
// and defines it.
const RuleDescribed = "described"

// The bounds of what is read of a page's quads to find vocabularies and data that is not layout.
const maxQuads, maxVocabularies, maxVocabularyTerms = 20_000, 64, 1024

// A vocabulary collects the namespaces of a page's predicates and types, and the terms that its quads define.
type vocabulary struct {
	lists     *lists
	of        Vocabularies // what documents has
	data      string       // the first predicate or type that is not layout
	documents []string
	known     map[string]bool // namespaces
	last      string          // the previous predicate
	terms     terms

	interfaces interfaces
}

// terms are the terms that one document defines and that have a URL of their own: their canonical URLs, in
// order of first occurrence, with the document of each. Terms with a # have no URL of their own: they share
// their document's.
type terms struct {
	list []string
	in   map[string]string // term → canonical URL of its document
}

const (
	rdfNS       = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	rdfsNS      = "http://www.w3.org/2000/01/rdf-schema#"
	owlNS       = "http://www.w3.org/2002/07/owl#"
	rdfType     = rdfNS + "type"
	isDefinedBy = rdfsNS + "isDefinedBy"
)

// read processes the term that characterizes a quad: the predicate, or the class of rdf:type.
func (v *vocabulary) read(q rdf.Quad) {
	v.terms.read(q)
	term := q.P
	if q.P.Value == rdfType {
		term = q.O
	}
	if term.Kind != rdf.IRI || term.Value == v.last {
		return
	}
	v.last = term.Value
	for _, layout := range v.lists.layout {
		if strings.HasPrefix(term.Value, layout) {
			return
		}
	}
	if v.data == "" {
		v.data = term.Value
	}
	space, most := namespace(term.Value), maxVocabularies
	if v.of == VocabularyTerms && space != "" {
		space, most = term.Value, maxVocabularyTerms
	}
	if space == "" || v.known[space] || v.of == VocabularyNone || len(v.documents) == most {
		return
	}
	if v.known == nil {
		v.known = map[string]bool{}
	}
	v.known[space] = true
	if to, err := weburl.Canonical(space); err == nil {
		v.documents = append(v.documents, to)
	}
}

// read processes a quad that makes its subject a vocabulary term: by a class of terms, defined in the
// document of its namespace, or by a statement of where it is defined, which has precedence.
func (t *terms) read(q rdf.Quad) {
	if q.S.Kind != rdf.IRI || q.O.Kind != rdf.IRI || strings.IndexByte(q.S.Value, '#') >= 0 {
		return
	}
	by := ""
	switch {
	case q.P.Value == isDefinedBy && namespace(q.O.Value) != "":
		by = q.O.Value
	case q.P.Value == rdfType && isTerms(q.O.Value):
		by = namespace(q.S.Value)
	}
	if by == "" {
		return
	}
	term, err := weburl.Canonical(q.S.Value)
	if err != nil {
		return
	}
	document, err := weburl.Canonical(by)
	if _, known := t.in[term]; err != nil || document == term || known && q.P.Value == rdfType {
		return
	} else if !known {
		t.list = append(t.list, term)
	}
	if t.in == nil {
		t.in = map[string]string{}
	}
	t.in[term] = document
}

// isTerms reports whether a class is a class of terms: properties, classes, data types.
func isTerms(class string) bool {
	switch class {
	case rdfNS + "Property", rdfsNS + "Class", rdfsNS + "Datatype", owlNS + "Class":
		return true
	}
	return strings.HasPrefix(class, owlNS) && strings.HasSuffix(class, "Property")
}

// define learns the terms that an RDF document defines, found at a URL. A term counts as described once the
// document of its namespace led there: any document could claim to define a term, so only that one is
// trusted. It returns the keys of requests that became unnecessary.
func (f *Focus) define(terms []string, url string) (stale []string) {
	in := hash(url)
	for _, term := range terms {
		if at, ok := f.documents.to[hash(namespace(term))]; !ok || at != in {
			f.terms.add(hash(term), in)
			continue
		}
		f.terms.set(hash(term), in)
		stale = append(stale, locate(term).fileKey())
	}
	slices.Sort(stale)
	return slices.Compact(stale)
}

// described reports whether an IRI of a triple is a term that needs no request of its own.
func (f *Focus) described(link *orbweaver.Link) bool {
	if link.Origin != orbweaver.FromTriple {
		return false
	}
	in, term := f.terms.to[hash(link.To)]
	if !term {
		return false
	}
	at, found := f.documents.to[hash(namespace(link.To))]
	return found && at == in
}

// namespace returns the presumed URL of a term's document: up to "#", or up to the last slash of the path, so
// that a vocabulary is requested once rather than per term. It is empty for a term outside the Web.
func namespace(iri string) string {
	scheme, rest, ok := strings.Cut(iri, "://")
	if !ok || !strings.EqualFold(scheme, "http") && !strings.EqualFold(scheme, "https") {
		return ""
	}
	if i := strings.IndexByte(rest, '#'); i >= 0 {
		return iri[:len(iri)-len(rest)+i]
	}
	if i := strings.IndexByte(rest, '?'); i >= 0 {
		rest, iri = rest[:i], iri[:len(iri)-len(rest)+i]
	}
	i := strings.LastIndexByte(rest, '/')
	return iri[:len(iri)-len(rest)+i+1]
}
