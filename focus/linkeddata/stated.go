package linkeddata

import (
	"strings"

	"orbweaver"
)

// The rules of links that stand where it is stated what they lead to: a triple that describes a data
// set, or a sitemap. What is stated holds whatever the address looks like.
const (
	RuleVoidDump       = "void-dump"       // R: object of void:dataDump
	RuleVoidExample    = "void-example"    // R: object of void:exampleResource
	RuleDownload       = "dcat-download"   // R: object of dcat:downloadURL
	RuleSitemapDump    = "sitemap-dump"    // R: sc:dataDumpLocation of a sitemap
	RuleSitemapSample  = "sitemap-sample"  // R: sc:sampleURI of a sitemap
	RuleSitemapDataset = "sitemap-dataset" // R: sc:datasetURI of a sitemap
	RuleEndpoint       = "endpoint"        // N: a SPARQL endpoint, which answers queries and is no document
	RuleWellKnown      = "well-known"      // R, with the score of HR: where a host describes its data sets, if it does
)

const (
	void = "http://rdfs.org/ns/void#"
	dcat = "http://www.w3.org/ns/dcat#"
	sd   = "http://www.w3.org/ns/sparql-service-description#"
)

// statedBy is the rule that where a link stands makes hold: by Rel, the predicate of a triple or the
// element of a sitemap. It is empty for most links.
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
		return RuleWellKnown // the one link that the focus itself names
	}
	return ""
}

// wellKnown is where the host of a page describes its data sets (VoID, section 7.2).
const wellKnown = "/.well-known/void"

// maxHosts bounds the hosts that are remembered as asked for wellKnown; of others it is not asked.
const maxHosts = 1 << 17

// hostOf is the host of a location, with its port.
func hostOf(at location) string {
	return at.folders[:strings.IndexByte(at.folders, '/')]
}

// description is where the host of a page may say what data it has, when no page of that host came
// before. It is no evidence of HR, and a guess: it goes behind what a link says.
func (f *Focus) description(p *orbweaver.Page) (target, bool) {
	to, ok := describedAt(p.URL)
	if !ok || len(f.hosts.list) == maxHosts || f.hosts.has(hash(hostOf(locate(p.URL)))) {
		return target{}, false
	}
	link := &orbweaver.Link{To: to, Origin: orbweaver.FromSeed}
	r := f.reader()
	defer f.readers.Put(r)
	return target{link: link, hash: hash(to), vocabulary: true, verdict: r.relevancy(link, true)}, true
}

// describedAt is where the host of a URL may say what data it has.
func describedAt(url string) (to string, ok bool) {
	scheme, _, ok := strings.Cut(url, "://")
	host := hostOf(locate(url))
	return scheme + "://" + host + wellKnown, ok && host != ""
}
