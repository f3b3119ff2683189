package ledger

import (
	"orbweaver"
	"orbweaver/internal/step"
)

// Ways in which a page is found.
const (
	BySeed      = "seed"
	ByLink      = "link"       // of a page, or of an item of a feed
	ByHead      = "typed-link" // <link> of a page's head
	ByHeader    = "header"     // the HTTP header Link
	ByFrame     = "frame"
	ByIRI       = "iri"        // of a triple, or of a class or predicate
	ByDump      = "dump"       // stated to be a file of a dataset: void:dataDump, dcat:downloadURL, in a sitemap
	ByExample   = "example"    // stated to be an example of a dataset
	ByNext      = "next-page"  // of a list
	BySitemap   = "sitemap"    // an entry of one
	ByWellKnown = "well-known" // asked for without a link: the description of a host's datasets
	ByEndpoint  = "endpoint"   // a question to a SPARQL endpoint, or its own description
	ByCatalogue = "catalogue"  // named by the API of a catalogue
	BySearch    = "search"     // a search, an engine or a link graph
	ByOther     = "other"
)

// waysByRule are the ways of requests that no link leads to, by the rules of their reasons (docs/reference/reasons.md).
var waysByRule = map[string]string{
	"well-known": ByWellKnown, "endpoint": ByEndpoint, "harvest": ByEndpoint, "harvest-guess": ByEndpoint, "harvest-graph": ByEndpoint,
	"graphs": ByEndpoint, "smaller-page": ByEndpoint, "ckan-search": ByCatalogue, "ckan-resource": ByCatalogue,
} // read-only

// foundBy returns the way in which a page was found: that of the link by which it was requested first, through redirects.
func foundBy(o orbweaver.Outcome) string {
	r := o.Request
	if r.Purpose == orbweaver.ForQuery {
		return ByEndpoint
	}
	for _, reason := range o.Predicted.Reasons {
		if way, ok := waysByRule[reason.Rule]; ok {
			return way
		}
	}
	if r.Via == nil {
		return BySeed
	}
	switch stated := statedBy(r.Via.Rel); {
	case stated != "" && (r.Via.Origin == orbweaver.FromTriple || r.Via.Origin == orbweaver.FromSitemap):
		return stated
	case step.IsNextPage(r.Via.Rel):
		return ByNext
	}
	ways := map[orbweaver.Origin]string{
		orbweaver.FromSeed: BySeed, orbweaver.FromAnchor: ByLink, orbweaver.FromFeed: ByLink, orbweaver.FromHead: ByHead, orbweaver.FromHeader: ByHeader,
		orbweaver.FromFrame: ByFrame, orbweaver.FromTriple: ByIRI, orbweaver.FromSitemap: BySitemap, orbweaver.FromSearch: BySearch, orbweaver.FromBacklink: BySearch,
	}
	if way, ok := ways[r.Via.Origin]; ok {
		return way
	}
	return ByOther
}

// statedBy returns what a relation states of its target; empty: nothing.
func statedBy(rel string) string {
	const void, dcat = "http://rdfs.org/ns/void#", "http://www.w3.org/ns/dcat#"
	switch rel {
	case void + "dataDump", dcat + "downloadURL", "sc:datadump":
		return ByDump
	case void + "exampleResource", "sc:sampleuri", "sc:dataseturi":
		return ByExample
	case void + "sparqlEndpoint", dcat + "endpointURL", "sc:sparqlendpoint":
		return ByEndpoint
	}
	return ""
}
