package linkeddata

import (
	"context"

	"orbweaver"
)

// findings is the result of Prepare: the class and targets of a page, as far as they depend on the page
// alone.
type findings struct {
	class    string   // R, H or N
	data     string   // predicate or type of the first quad in HTML that is not layout; empty if none
	terms    []string // the terms that an RDF document defines, as canonical URLs
	targets  []target // targets of links first, then vocabularies
	followed bool
	lang     string // of the text of links, of HTML

	statements int64 // of an RDF document, at most maxQuads and one
}

// A target is the target of a page's links, with the best of them.
type target struct {
	link       *orbweaver.Link
	hash       uint64
	mute       bool     // no link to it may be followed
	vocabulary bool     // the document of a predicate, a class or another term
	harvested  bool     // a request to an interface, and no link: see harvest.go
	features   []uint32 // with Online
	words      []string // keys of learned terms
	verdict
}

// Prepare determines the class of a page and, by Relevancy_R, those of its links.
func (f *Focus) Prepare(_ context.Context, p *orbweaver.Page) (any, error) { return f.prepare(p), nil }

func (f *Focus) prepare(p *orbweaver.Page) *findings {
	r := f.reader()
	defer f.readers.Put(r)
	found, v := r.classOf(p)
	if found.followed = found.class != ClassN || p.Request.Purpose == orbweaver.ForSitemap; !found.followed {
		if f.opts.Beyond.Harvest {
			r.harvest(found, p, v.interfaces)
		}
		return found
	}
	seen := make(map[string]int, len(p.Links)+len(v.documents))
	documents, html := v.documents, found.class == ClassH
	for i := range p.Links {
		l := &p.Links[i]
		if l.To == "" || l.To == p.URL || !r.takes(l) {
			continue
		}
		if by, term := v.terms.in[l.To]; term && f.opts.Beyond.Described && l.Origin == orbweaver.FromTriple && r.statedBy(l) == "" {
			documents = append(documents, by)
			continue
		}
		r.meet(found, seen, l, p.NoFollow || l.NoFollow())
	}
	for _, to := range documents {
		if _, met := seen[to]; !met && to != p.URL {
			seen[to] = len(found.targets)
			l := &orbweaver.Link{To: to, Origin: orbweaver.FromTriple}
			apart := f.opts.Readings.Vocabularies == VocabularyDocuments
			found.targets = append(found.targets, target{link: l, hash: hash(to), mute: p.NoFollow, vocabulary: apart, verdict: r.relevancy(l, apart, html)})
		}
	}
	if f.opts.Beyond.Harvest {
		r.harvest(found, p, v.interfaces)
	}
	f.see(found)
	if found.lang = languageOf(p.Lang); f.learnsTerms() && html {
		for i := range found.targets {
			if t := &found.targets[i]; !t.mute && !t.vocabulary {
				t.words = r.keysOf(t.link, found.lang)
			}
		}
	}
	return found
}

// takes reports whether the crawl follows links of an origin.
func (r *reader) takes(l *orbweaver.Link) bool {
	switch l.Origin {
	case orbweaver.FromHeader:
		return r.beyond.LinkHeaders
	case orbweaver.FromFrame:
		return r.beyond.Frames
	}
	return true
}

// see computes the features of targets.
func (f *Focus) see(found *findings) {
	if f.model == nil {
		return
	}
	for i := range found.targets {
		if t := &found.targets[i]; !t.mute && !t.hopeless() && !t.harvested {
			t.features = f.model.Features(nil, t.sight(t.link, f.noteOf(found, t.vocabulary)))
		}
	}
}

// noteOf returns the note of requests for a page's targets.
func (f *Focus) noteOf(found *findings, vocabulary bool) note {
	html := found.class == ClassH && !vocabulary
	n := note{fromHTML: html, vocabulary: vocabulary, data: html && found.data != ""}
	if f.learnsTerms() && html {
		n.lang = found.lang
	}
	return n
}

// reader returns a reader from the pool.
func (f *Focus) reader() *reader {
	if r, ok := f.readers.Get().(*reader); ok {
		return r
	}
	return &reader{lists: f.lists, beyond: f.opts.Beyond, readings: f.opts.Readings}
}

// findings returns the result of Prepare. A page that arrives without it is prepared now, and once.
func (f *Focus) findings(p *orbweaver.Page) *findings {
	if found, ok := p.Findings.(*findings); ok {
		return found
	}
	if f.redone.page != p {
		f.redone = redone{p, f.prepare(p)}
	}
	return f.redone.found
}

// meet evaluates a link. Among links to one target the best counts, the first of equals; a link that may be
// followed precedes any that may not.
func (r *reader) meet(found *findings, seen map[string]int, l *orbweaver.Link, mute bool) {
	i, again := seen[l.To]
	if again && mute && !found.targets[i].mute {
		return
	}
	v := r.relevancy(l, false, found.class == ClassH)
	switch {
	case !again:
		seen[l.To] = len(found.targets)
		found.targets = append(found.targets, target{link: l, hash: hash(l.To), mute: mute, verdict: v})
	case found.targets[i].mute && !mute || v.over(found.targets[i].verdict):
		found.targets[i].link, found.targets[i].mute, found.targets[i].verdict = l, mute, v
	}
}

// classOf classifies a page as R, H or N by bytes and header. It also returns the vocabularies that its quads
// use and the terms they define.
//
// A page with an RDF media type that is not empty and has no readable statement is not RDF.
func (r *reader) classOf(p *orbweaver.Page) (found *findings, v vocabulary) {
	statements := 0
	found, v.lists, v.of = &findings{class: ClassN}, r.lists, r.readings.Vocabularies
	switch {
	case p.MediaType == "text/html" || p.MediaType == "application/xhtml+xml":
		found.class = ClassH
	case !r.lists.documents[p.MediaType]:
		return found, v
	}
	html := found.class == ClassH
	defer func() { found.statements = int64(statements) }()
	if p.Quads == nil {
		if !html {
			found.class = ClassR // RDF in a syntax that is not parsed
		}
		return found, v
	}
	mistakes := 0
	for q, err := range p.Quads {
		if err != nil {
			mistakes++
		} else {
			statements++
			v.read(q)
			v.interfaces.read(q)
		}
		if statements+mistakes == maxQuads {
			break
		}
	}
	if html {
		found.data = v.data
	} else if statements > 0 || mistakes == 0 {
		found.class, found.terms = ClassR, v.terms.list
	}
	return found, v
}
