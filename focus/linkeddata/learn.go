package linkeddata

import (
	"context"

	"orbweaver"
)

// Learn adds the HTML pages that led to RDF to S_HR: the page with the link, when an RDF document arrives,
// also through redirects; a page with a link to a document found before; and a page with embedded data, where
// that makes it HR; in the paper the first alone (III.B). It also learns failures, the terms that a document defines, and what hosts and domains
// returned. It returns the keys of requests whose rank changes.
func (f *Focus) Learn(_ context.Context, o orbweaver.Outcome) (orbweaver.Lesson, error) {
	var stale []string
	class := ""
	if f.model != nil {
		var found *findings
		if o.Page != nil && o.Request.Purpose == orbweaver.ForPage {
			found = f.findings(o.Page)
		}
		stale = f.taught(o, found)
	}
	if o.Page != nil {
		f.hosts.add(hash(hostOf(locate(o.Page.URL))), 0)
	}
	switch {
	case o.Page != nil && o.Request.Purpose == orbweaver.ForPage:
		found := f.findings(o.Page)
		if class = found.class; class == ClassR {
			stale = append(stale, f.arrived(o.Request, hash(o.Request.URL))...)
			if f.opts.Beyond.Described {
				stale = append(stale, f.define(found.terms, o.Request.URL)...)
			}
		} else if _, leads := f.leads(found); f.opts.Beyond.Linked && (leads || f.holds(found)) {
			stale = append(stale, f.similar.add(o.Request.URL)...)
			if f.opts.Beyond.Directories {
				stale = append(stale, f.yields.page(o.Request.URL)...)
			}
		}
	case o.Page == nil && o.Redirect != "" && f.documents.has(hash(o.Redirect)):
		stale = append(stale, f.arrived(o.Request, f.documents.to[hash(o.Redirect)])...)
	}
	stale = append(stale, f.teach(o, class)...)
	stale = append(stale, f.answered(o, class)...)
	switch {
	case f.opts.Method == Focused && f.opts.Beyond.PatternRecord:
		stale = append(stale, f.record(o, class)...)
	case f.opts.Method != Focused:
		stale = nil // the classes are reported again with the target's outcome
	}
	if !f.opts.Beyond.Rerank {
		stale = nil
	}
	if o.Request.Purpose != orbweaver.ForPage || o.Page == nil && o.Redirect != "" {
		return orbweaver.Lesson{Stale: stale}, nil
	}
	at := locate(o.Request.URL)
	switch {
	case f.opts.Hosts != HostsFound:
		stale = append(stale, f.tally(at, class == ClassR)...)
	case f.opts.Method == DomainRanking:
		if name := domainAt(at); f.domains.add(name, class == ClassR, domain.share) {
			stale = append(stale, domainKey+name)
		}
	}
	return orbweaver.Lesson{Stale: stale}, nil
}

// arrived records that a request led to RDF, possibly through redirects: all its URLs lead there, and the
// HTML page that links to the first joins S_HR.
func (f *Focus) arrived(r orbweaver.Request, document uint64) (stale []string) {
	f.documents.set(hash(r.URL), document)
	stale = f.inPlace(r.URL)
	for _, hop := range r.Redirects {
		f.documents.set(hash(hop), document)
	}
	if kept, ok := readNote(r.Note); ok && kept.fromHTML && !kept.vocabulary && r.Parent != "" {
		stale = append(stale, f.similar.add(r.Parent)...)
		if f.opts.Beyond.Directories {
			stale = append(stale, f.yields.arrived(r.Parent)...)
		}
	}
	return stale
}
