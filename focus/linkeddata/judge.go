package linkeddata

import (
	"context"

	"orbweaver"
)

// The rules of pages.
const (
	RuleMediaType = "media-type" // what the page is, by bytes and header
	RuleLinksRDF  = "links-rdf"  // HTML with a link to a document of RDF that was found before
	RuleEmbedded  = "embedded"   // HTML with data in it that is not of its layout
)

// Judge classifies a page as R, HR, H or N. HR is provisional for a page of HTML: a link to RDF may be found later.
// Accepted are R, and HTML with data in it, which is HR too unless Options.HR asks for a link.
func (f *Focus) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := f.findings(p)
	class := found.class
	linked, links := f.leads(found)
	if links || f.holds(found) {
		class = ClassHR
	}
	base := scoreOf(found.class)
	j := orbweaver.Judgement{Score: scoreOf(class), Class: class, Accepted: class == ClassR || found.data != ""}
	rest := j.Score - base
	j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleMediaType, Evidence: p.MediaType, Weight: base})
	if links {
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleLinksRDF, Evidence: linked, Weight: rest})
		rest = 0
	}
	if found.data != "" {
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: RuleEmbedded, Evidence: found.data, Weight: rest})
	}
	return j, nil
}

// holds reports whether data in a page of HTML makes it HR.
func (f *Focus) holds(found *findings) bool { return f.opts.HR == LeadEmbedded && found.data != "" }

// leads returns the first link of an HTML page that is to a document of RDF, as far as is known.
// Vocabularies are no evidence.
func (f *Focus) leads(found *findings) (url string, ok bool) {
	if found.class != ClassH {
		return "", false
	}
	for _, t := range found.targets {
		if !t.vocabulary && f.documents.has(t.hash) {
			return t.link.To, true
		}
	}
	return "", false
}
