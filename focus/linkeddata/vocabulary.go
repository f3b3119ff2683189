package linkeddata

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// RuleDescribed is why a term of a vocabulary is not asked for: the document of its namespace was, and
// defines it.
const RuleDescribed = "described"

// The bounds of what is read of a page's quads to find vocabularies, and data that is not layout.
const maxQuads, maxVocabularies = 20_000, 64

// A vocabulary gathers what the predicates and types of quads are of, and the terms that quads define.
type vocabulary struct {
	lists     *lists
	data      string // the first that is not layout
	documents []string
	known     map[string]bool // namespaces
	last      string          // the predicate before
	terms     terms
}

// terms are those that one document defines and that have an address of their own: their canonical
// URLs, in the order met, and the document that stands for each. Terms with a # have none: they are
// their document.
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

// read takes the term that says what a quad is about: the predicate, or the class of rdf:type.
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
	space := namespace(term.Value)
	if space == "" || v.known[space] || len(v.documents) == maxVocabularies {
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

// read takes a quad that makes its subject a term: one of a class of terms, which stands in the document
// of its namespace, or one that says where it is defined, which counts more.
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

// isTerms reports whether a class is one of terms: properties, classes, data types.
func isTerms(class string) bool {
	switch class {
	case rdfNS + "Property", rdfsNS + "Class", rdfsNS + "Datatype", owlNS + "Class":
		return true
	}
	return strings.HasPrefix(class, owlNS) && strings.HasSuffix(class, "Property")
}

// define learns what a document of RDF defines, found at a URL. A term is described once the document of
// its namespace led there: only that is believed, for anybody may say that an address is a term. The
// keys of requests that are needless by it are stale.
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

// namespace is the presumed address of a term's document: up to "#", or up to the last slash of the path, so that a
// vocabulary is requested once rather than per term. It is empty for a term outside the Web.
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
