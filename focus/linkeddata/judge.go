package linkeddata

import (
	"context"

	"orbweaver"
)

// The rules of page judgements.
const (
	RuleMediaType = "media-type" // the class of the page, by bytes and header
	RuleLinksRDF  = "links-rdf"  // HTML with a link to an RDF document found before
	RuleEmbedded  = "embedded"   // HTML with embedded data that is not layout
)

// Judge classifies a page as R, HR, H or N. HR is provisional for an HTML page: a link to RDF may be found
// later. It accepts R, and HTML with embedded data, which is also HR unless Options.HR requires a link.
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

// holds reports whether embedded data makes an HTML page HR.
func (f *Focus) holds(found *findings) bool { return f.opts.HR == LeadEmbedded && found.data != "" }

// leads returns the first link of an HTML page to a known RDF document. Vocabularies do not count.
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
