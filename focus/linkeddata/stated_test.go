package linkeddata

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// TestStated has a row for each rule of stated links, and for edge cases.
func TestStated(t *testing.T) {
	r := newFocus(t, nil).reader()
	const sitemap, triple, html = orbweaver.FromSitemap, orbweaver.FromTriple, orbweaver.FromAnchor
	for _, tc := range []struct {
		name   string
		origin orbweaver.Origin
		rel    string
		to     string
		want   string // class and rules
	}{
		{"a dump", triple, void + "dataDump", "/all.nt", "R extension(.nt) void-dump"},
		{"a dump, packed", triple, void + "dataDump", "/all.nt.gz", "R extension(.nt) void-dump"},
		{"a dump of who knows what, packed", triple, void + "dataDump", "/all.gz", "R void-dump"},
		{"a dump in a zip", triple, void + "dataDump", "/all.zip", "R void-dump"},
		{"a dump in a tar", triple, void + "dataDump", "/all.tar.bz2", "R void-dump"},
		{"a dump of an extension unheard of", triple, void + "dataDump", "/all.dump", "R void-dump rdf-link"},
		{"a dump that looks like a page", triple, void + "dataDump", "/all.php", "R void-dump"},
		{"no picture, whatever is stated", triple, void + "dataDump", "/all.png", "N other-extension(.png)"},
		{"no table", triple, dcat + "downloadURL", "/all.csv.gz", "N other-extension(.csv)"},
		{"no ftp", triple, void + "dataDump", "ftp:", "N protocol(ftp)"},
		{"an example", triple, void + "exampleResource", "/id/1.x", "R void-example rdf-link"},
		{"an example without extension", triple, void + "exampleResource", "/id/1", "R void-example rdf-link"},
		{"a download", triple, dcat + "downloadURL", "/d.zip", "R dcat-download"},
		{"a dump of a sitemap", sitemap, "sc:datadump", "/all.tgz", "R sitemap-dump"},
		{"a sample of a sitemap", sitemap, "sc:sampleuri", "/id/1", "R sitemap-sample"},
		{"a data set of a sitemap", sitemap, "sc:dataseturi", "/about", "R sitemap-dataset"},
		{"an endpoint of VoID", triple, void + "sparqlEndpoint", "/sparql", "N endpoint"},
		{"an endpoint of DCAT", triple, dcat + "endpointURL", "/q.rdf", "N endpoint"},
		{"an endpoint of a service", triple, sd + "endpoint", "/sparql", "N endpoint"},
		{"an endpoint of a sitemap", sitemap, "sc:sparqlendpoint", "/sparql", "N endpoint"},
		{"another predicate", triple, void + "feature", "/all.zip", "R packed(.zip)"},
		{"any entry of a sitemap", sitemap, "", "/all.zip", "N other-extension(.zip)"},
		{"HTML states nothing", html, void + "dataDump", "/all.zip", "N other-extension(.zip)"},
		{"an archive called a dump", html, "", "/dump.tar.gz", "R packed(.tar)"},
		{"an archive of data", html, "", "/data/1.zip", "R packed(.zip)"},
		{"what is in an archive", html, "", "/1.nt.zip", "R extension(.nt)"},
		{"what is in a compressed archive", html, "", "/1.ttl.tar.xz", "R extension(.ttl)"},
		{"an archive of anything", html, "", "/setup.tgz", "N other-extension(.tgz)"},
		{"nor that", html, "sc:datadump", "/all.zip", "N other-extension(.zip)"},
	} {
		link := orbweaver.Link{To: "http://a.test" + tc.to, Origin: tc.origin, Rel: tc.rel}
		if tc.to == "ftp:" {
			link.To = "ftp://a.test/all.nt"
		}
		v := r.relevancy(&link, false, false)
		if got := v.class + " " + rules(v.reasons); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// TestEndpointsComeFirst: being an endpoint has precedence over every other link of the page. Without harvest it is not
// requested; else for its description, and for its statements and graphs.
func TestEndpointsComeFirst(t *testing.T) {
	endpoint := orbweaver.Link{To: "http://a.test/sparql", Origin: orbweaver.FromTriple, Rel: void + "sparqlEndpoint"}
	html := orbweaver.Link{To: "http://a.test/sparql", Origin: orbweaver.FromAnchor, Anchor: "SPARQL"}
	for _, links := range [][]orbweaver.Link{{endpoint, html}, {html, endpoint}} {
		p := page("http://a.test/p")
		p.Links = links
		const want = "/sparql:endpoint:1.00 /sparql[ 10000 0]:harvest:0.67 /sparql[graphs false]:graphs:0.67"
		if _, plan := decide(t, newFocus(t, nil), p); steps(plan) != want {
			t.Errorf("got %s", steps(plan))
		}
		opts := DefaultOptions()
		opts.Beyond.Harvest = false
		f, err := New(opts)
		if err != nil {
			t.Fatal(err)
		}
		p.Findings = nil
		if _, plan := decide(t, f, p); !strings.HasPrefix(brief(plan), "[/sparql:N:0.00]") {
			t.Errorf("without harvest: %s", brief(plan))
		}
	}
}

// TestWellKnown: a host's description is requested once, when its first page has arrived.
func TestWellKnown(t *testing.T) {
	f, err := New(DefaultOptions())
	if err != nil {
		t.Fatal(err)
	}
	const to = "https://b.test:8443/.well-known/void"
	first := answer(orbweaver.Request{URL: "https://b.test:8443/x/a.pdf"}, "application/pdf", "https://b.test:8443/1")
	_, plan := decide(t, f, first.Page)
	if got := brief(plan); got != to+":R:0.67" || rules(plan[0].Reasons) != "well-known" || plan[0].Reasons[0].Weight != scoreHR {
		t.Fatalf("got %s: %v", got, plan)
	}
	if j := f.Rerank(nil, plan[0]); fmt.Sprint(j) != fmt.Sprint(plan[0].Judgement) {
		t.Errorf("ranked again as %v", j)
	}
	learn(t, f, orbweaver.Outcome{Request: orbweaver.Request{URL: "http://c.test/"}, Err: orbweaver.ErrStatus})
	learn(t, f, first)
	for url, want := range map[string]bool{
		"https://b.test:8443/2": false, "http://b.test:8443/": false, "https://b.test/": true, "http://c.test/": true,
	} {
		_, plan := decide(t, f, page(url))
		if got := len(plan) == 1 && strings.HasSuffix(plan[0].URL, wellKnown); got != want {
			t.Errorf("%s: %s", url, brief(plan))
		}
	}
	found := answer(plan[0].Request, "text/turtle")
	found.Request.Parent = "http://b.test/"
	learn(t, f, found)
	if len(f.similar.files.list) > 0 {
		t.Error("who is only guessed at made a page HR")
	}
	again := newFocus(t, nil)
	if err := again.Restore(strings.NewReader(string(snapshot(t, f)))); err != nil || !slices.Equal(again.hosts.list, f.hosts.list) {
		t.Errorf("restored: %v, %v", err, again.hosts.list)
	}
}
