package ledger

import (
	"reflect"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
)

// TestFound: pages with data say how they were found; the ledger keeps what was counted.
func TestFound(t *testing.T) {
	data := []rdf.Count{{In: "jsonld", Triples: 3}, {In: rdf.InArchive, Documents: 2, Triples: 1 << 40}}
	via := func(origin orbweaver.Origin, rel string) *orbweaver.Link {
		return &orbweaver.Link{Origin: origin, Rel: rel}
	}
	for _, tc := range []struct {
		want string
		via  *orbweaver.Link
		rule string
	}{
		{BySeed, nil, ""}, {BySeed, via(orbweaver.FromSeed, ""), "seed"}, {ByLink, via(orbweaver.FromAnchor, ""), "extension"}, {ByLink, via(orbweaver.FromFeed, ""), ""},
		{ByHead, via(orbweaver.FromHead, "alternate"), ""}, {ByHeader, via(orbweaver.FromHeader, "describedby"), ""}, {ByFrame, via(orbweaver.FromFrame, ""), ""},
		{ByIRI, via(orbweaver.FromTriple, "http://v.test/p"), "rdf-link"}, {ByDump, via(orbweaver.FromTriple, "http://rdfs.org/ns/void#dataDump"), ""},
		{ByDump, via(orbweaver.FromSitemap, "sc:datadump"), ""}, {ByExample, via(orbweaver.FromTriple, "http://rdfs.org/ns/void#exampleResource"), ""},
		{ByNext, via(orbweaver.FromTriple, "http://www.w3.org/ns/hydra/core#next"), ""}, {BySitemap, via(orbweaver.FromSitemap, "sitemap"), ""},
		{ByWellKnown, via(orbweaver.FromSeed, ""), "well-known"}, {ByEndpoint, via(orbweaver.FromSeed, "http://www.w3.org/ns/hydra/core#next"), "harvest"},
		{ByEndpoint, via(orbweaver.FromTriple, "http://rdfs.org/ns/void#sparqlEndpoint"), "endpoint"}, {ByCatalogue, via(orbweaver.FromSeed, ""), "ckan-resource"},
		{BySearch, via(orbweaver.FromBacklink, ""), ""}, {ByOther, via("elsewhere", ""), ""},
		{ByLink, via(orbweaver.FromAnchor, "http://rdfs.org/ns/void#dataDump"), ""}, // an attribute states nothing
	} {
		o := orbweaver.Outcome{N: 1, Request: orbweaver.Request{URL: "http://a.test/", Via: tc.via}, Status: 200, Page: &orbweaver.Page{URL: "http://a.test/", Data: data}}
		if tc.rule != "" {
			o.Predicted.Reasons = []orbweaver.Reason{{Rule: tc.rule, Weight: 1}}
		}
		d := decoding(appendOutcome(nil, &o))
		kept, err := done(&d, "outcome", d.outcome())
		if line := LineOf(kept); err != nil || line.Found != tc.want || !reflect.DeepEqual(line.Data, data) {
			t.Errorf("%+v %s: %v, found by %q with %v, want %q", tc.via, tc.rule, err, line.Found, line.Data, tc.want)
		}
	}
	if line := LineOf(orbweaver.Outcome{Page: &orbweaver.Page{}}); line.Found != "" || line.Data != nil {
		t.Errorf("no data: %+v", line)
	}
}
