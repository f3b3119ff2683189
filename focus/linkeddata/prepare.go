package linkeddata

import (
	"context"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/weburl"
)

// findings are what a page is and leads to, as far as that depends on the page alone.
type findings struct {
	class    string // R, H or N
	data     string // the predicate, or type, of a quad in HTML that is not layout; empty: there is none
	targets  []target
	linked   int // of targets, those that links lead to; the others are vocabularies
	followed bool
}

// A target is where links of a page lead, by the best of them.
type target struct {
	link *orbweaver.Link
	hash uint64
	mute bool // no link to it is to be followed
	verdict
}

// Prepare finds the class of a page and, by Relevancy_R, those of its links.
func (f *Focus) Prepare(_ context.Context, p *orbweaver.Page) (any, error) { return f.prepare(p), nil }

func (f *Focus) prepare(p *orbweaver.Page) *findings {
	r := f.reader()
	defer f.readers.Put(r)
	found, vocabularies := r.classOf(p)
	if found.followed = found.class != ClassN || p.Request.Purpose == orbweaver.ForSitemap; !found.followed {
		return found
	}
	seen := make(map[string]int, len(p.Links)+len(vocabularies))
	for i := range p.Links {
		l := &p.Links[i]
		if l.To != "" && l.To != p.URL {
			r.meet(found, seen, l, p.NoFollow || l.NoFollow())
		}
	}
	found.linked = len(found.targets)
	for _, to := range vocabularies {
		if _, met := seen[to]; !met && to != p.URL {
			l := &orbweaver.Link{To: to, Origin: orbweaver.FromTriple}
			found.targets = append(found.targets, target{l, hash(to), p.NoFollow, r.relevancy(l, true)})
		}
	}
	return found
}

// reader returns one that is to be put back.
func (f *Focus) reader() *reader {
	if r, ok := f.readers.Get().(*reader); ok {
		return r
	}
	return &reader{lists: f.lists}
}

// findings returns what Prepare found. A page that comes without is prepared now, and once.
func (f *Focus) findings(p *orbweaver.Page) *findings {
	if found, ok := p.Findings.(*findings); ok {
		return found
	}
	if f.redone.page != p {
		f.redone = redone{p, f.prepare(p)}
	}
	return f.redone.found
}

// meet weighs a link. Of several to one target the best stands, the first of equal ones; one to be
// followed is better than any that is not.
func (r *reader) meet(found *findings, seen map[string]int, l *orbweaver.Link, mute bool) {
	i, again := seen[l.To]
	if again && mute && !found.targets[i].mute {
		return
	}
	v := r.relevancy(l, false)
	switch {
	case !again:
		seen[l.To] = len(found.targets)
		found.targets = append(found.targets, target{l, hash(l.To), mute, v})
	case found.targets[i].mute && !mute || scoreOf(v.class) > scoreOf(found.targets[i].class):
		found.targets[i].link, found.targets[i].mute, found.targets[i].verdict = l, mute, v
	}
}

// The bounds of what is read of a page's quads to find vocabularies, and data that is not layout.
const maxQuads, maxVocabularies = 20_000, 64

// classOf says what a page is by bytes and header: R, H or N. It also returns the documents of the
// vocabularies that its quads use, canonical URLs in the order met.
//
// A page of RDF's media type of which no statement can be read, and which is not empty, is no RDF.
func (r *reader) classOf(p *orbweaver.Page) (found *findings, vocabularies []string) {
	found = &findings{class: ClassN}
	switch {
	case p.MediaType == "text/html" || p.MediaType == "application/xhtml+xml":
		found.class = ClassH
	case !r.lists.documents[p.MediaType]:
		return found, nil
	}
	html := found.class == ClassH
	if p.Quads == nil {
		if !html {
			found.class = ClassR // of a syntax that nobody read
		}
		return found, nil
	}
	v := vocabulary{lists: r.lists}
	statements, mistakes := 0, 0
	for q, err := range p.Quads {
		if err != nil {
			mistakes++
		} else {
			statements++
			v.read(q)
		}
		if statements+mistakes == maxQuads {
			break
		}
	}
	if html {
		found.data = v.data
	} else if statements > 0 || mistakes == 0 {
		found.class = ClassR
	}
	return found, v.documents
}

// A vocabulary gathers what the predicates and types of quads are of.
type vocabulary struct {
	lists     *lists
	data      string // the first that is not layout
	documents []string
	known     map[string]bool // namespaces
	last      string          // the predicate before
}

const rdfType = "http://www.w3.org/1999/02/22-rdf-syntax-ns#type"

// read takes the term that says what a quad is about: the predicate, or the class of rdf:type.
func (v *vocabulary) read(q rdf.Quad) {
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

// namespace is the address of the document that a term is taken to stand in: what is before "#", or up
// to the last slash of the path. So a vocabulary is asked for once, and not once a term. It is empty
// for what is not on the Web.
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
