package linkeddata

import (
	"strings"

	"orbweaver"
)

// The rules of links whose source states what they lead to: a triple that describes a data set, or a sitemap.
// Such a statement has precedence over the URL's form.
const (
	RuleVoidDump       = "void-dump"       // R: object of void:dataDump
	RuleVoidExample    = "void-example"    // R: object of void:exampleResource
	RuleDownload       = "dcat-download"   // R: object of dcat:downloadURL
	RuleSitemapDump    = "sitemap-dump"    // R: sc:dataDumpLocation of a sitemap
	RuleSitemapSample  = "sitemap-sample"  // R: sc:sampleURI of a sitemap
	RuleSitemapDataset = "sitemap-dataset" // R: sc:datasetURI of a sitemap
	RuleEndpoint       = "endpoint"        // N: a SPARQL endpoint, which answers queries and is not a document
	RuleWellKnown      = "well-known"      // R, with the score of HR: where a host may describe its data sets
)

const (
	void = "http://rdfs.org/ns/void#"
	dcat = "http://www.w3.org/ns/dcat#"
	sd   = "http://www.w3.org/ns/sparql-service-description#"
)

// statedBy returns the rule that follows from a link's Rel, the predicate of a triple or the element of a
// sitemap. It is empty for most links.
func statedBy(link *orbweaver.Link) (rule string) {
	switch link.Origin {
	case orbweaver.FromTriple:
		switch link.Rel {
		case void + "dataDump":
			return RuleVoidDump
		case void + "exampleResource":
			return RuleVoidExample
		case dcat + "downloadURL":
			return RuleDownload
		case void + "sparqlEndpoint", dcat + "endpointURL", sd + "endpoint":
			return RuleEndpoint
		}
	case orbweaver.FromSitemap:
		switch link.Rel {
		case "sc:datadump":
			return RuleSitemapDump
		case "sc:sampleuri":
			return RuleSitemapSample
		case "sc:dataseturi":
			return RuleSitemapDataset
		case "sc:sparqlendpoint":
			return RuleEndpoint
		}
	case orbweaver.FromSeed:
		return RuleWellKnown // the only link that the focus itself constructs
	}
	return ""
}

// wellKnown is the path where a host may describe its data sets (VoID, section 7.2).
const wellKnown = "/.well-known/void"

// maxHosts bounds the hosts whose wellKnown is requested; others are not asked.
const maxHosts = 1 << 17

// hostOf returns the host of a location, with its port.
func hostOf(at location) string {
	return at.folders[:strings.IndexByte(at.folders, '/')]
}

// statedBy is statedBy where such statements count.
func (r *reader) statedBy(link *orbweaver.Link) (rule string) {
	if !r.beyond.Stated && link.Origin != orbweaver.FromSeed {
		return ""
	}
	return statedBy(link)
}

// description returns the URL where the host of a page may describe its data, for the first page of a host.
// It is no evidence of HR, and as a guess it goes after explicit links.
func (f *Focus) description(p *orbweaver.Page) (target, bool) {
	to, ok := describedAt(p.URL)
	if !ok || !f.opts.Beyond.WellKnown || len(f.hosts.list) == maxHosts || f.hosts.has(hash(hostOf(locate(p.URL)))) {
		return target{}, false
	}
	link := &orbweaver.Link{To: to, Origin: orbweaver.FromSeed}
	r := f.reader()
	defer f.readers.Put(r)
	return target{link: link, hash: hash(to), vocabulary: true, verdict: r.relevancy(link, true, false)}, true
}

// describedAt returns the URL where the host of a URL may describe its data.
func describedAt(url string) (to string, ok bool) {
	scheme, _, ok := strings.Cut(url, "://")
	host := hostOf(locate(url))
	return scheme + "://" + host + wellKnown, ok && host != ""
}
