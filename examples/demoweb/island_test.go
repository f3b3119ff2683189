package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	rdfdocument "orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/jsonld"
	"orbweaver/rdf/syntax/microdata"
	"orbweaver/rdf/syntax/rdfa"
)

// island is the island as the program makes it.
func island(t *testing.T) []document {
	t.Helper()
	documents, err := makeIsland()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

func (d document) mediaType() string {
	for _, h := range d.header {
		if h[0] == "Content-Type" {
			media, _, _ := strings.Cut(h[1], ";")
			return media
		}
	}
	return ""
}

func hostOf(t *testing.T, d document) string {
	t.Helper()
	u, err := url.Parse(d.url)
	if err != nil {
		t.Fatal(err)
	}
	return u.Host
}

// No crawl gets from the rest of the Web to the island, or back.
func TestTheIslandIsOne(t *testing.T) {
	mainland, beyond := made(t), island(t)
	for _, pair := range [][2][]document{{mainland, beyond}, {beyond, mainland}} {
		hosts := map[string]bool{}
		for _, d := range pair[1] {
			hosts[hostOf(t, d)] = true
		}
		for _, d := range pair[0] {
			if hosts[hostOf(t, d)] {
				t.Errorf("%s is on both", d.url)
			}
			for host := range hosts {
				if bytes.Contains(d.body, []byte("://"+host)) || strings.Contains(fmt.Sprint(d.header), "://"+host) {
					t.Errorf("%s leads to %s", d.url, host)
				}
			}
		}
	}
}

// Each document of the island is named by another one, but for those that are looked for unasked.
func TestTheIslandIsConnected(t *testing.T) {
	documents := island(t)
	for _, d := range documents {
		path := strings.TrimPrefix(d.url, "http://"+hostOf(t, d))
		if strings.HasPrefix(path, "/.well-known/") || path == "/robots.txt" || strings.HasPrefix(d.url, "http://schema.org/") {
			continue
		}
		names := func(e document) bool {
			if e.url == d.url {
				return false
			}
			text := string(e.body) + fmt.Sprint(e.header)
			local := hostOf(t, e) == hostOf(t, d) && (strings.Contains(text, `"`+path+`"`) || strings.Contains(text, "Location "+path+"]"))
			return local || strings.Contains(text, d.url) || strings.HasPrefix(d.url, "https://schema.org/docs/")
		}
		if !slices.ContainsFunc(documents, names) {
			t.Errorf("nothing names %s", d.url)
		}
	}
}

func TestIslandCounts(t *testing.T) {
	documents := island(t)
	hosts, kinds, statuses, markups := map[string]bool{}, map[string]int{}, map[int]int{}, map[string]int{}
	for _, d := range documents {
		hosts[hostOf(t, d)] = true
		statuses[d.status]++
		kinds[d.mediaType()]++
		if d.mediaType() != "text/html" {
			continue
		}
		for _, sign := range []string{"typeof=", "itemscope", "application/ld+json", "og:title", "h-entry", `rel="alternate" type="text/turtle"`} {
			markups[sign] += bytes.Count(d.body, []byte(sign))
		}
		if strings.HasSuffix(d.url, ".rdf") {
			kinds[fmt.Sprintf(".rdf that is HTML, %d", d.status)]++
		}
		for _, h := range d.header {
			if h[0] == "Link" {
				markups[h[0]]++
			}
		}
	}
	for _, c := range []struct {
		what             string
		count, low, high int
	}{
		{"responses", len(documents), 200, 280},
		{"hosts", len(hosts), 7, 7},
		{"redirects (303)", statuses[303], 30, 50},
		{"HTML", kinds["text/html"], 120, 170},
		{"Turtle", kinds["text/turtle"], 30, 50},
		{"RDF/XML", kinds["application/rdf+xml"], 5, 12},
		{"N-Triples", kinds["application/n-triples"], 2, 5},
		{"N-Quads", kinds["application/n-quads"], 2, 5},
		{"TriG", kinds["application/trig"], 2, 5},
		{"JSON-LD", kinds["application/ld+json"], 4, 8},
		{"packed", kinds["application/gzip"], 1, 1},
		{".rdf that is none", kinds[".rdf that is HTML, 200"], 3, 3},
		{".rdf that is gone", kinds[".rdf that is HTML, 404"], 3, 3},
		{"RDFa", markups["typeof="], 5, 20},
		{"microdata", markups["itemscope"], 5, 20},
		{"JSON-LD in pages", markups["application/ld+json"], 10, 20},
		{"Open Graph", markups["og:title"], 8, 20},
		{"microformats", markups["h-entry"], 5, 20},
		{"alternates", markups[`rel="alternate" type="text/turtle"`], 5, 10},
		{"header Link", markups["Link"], 4, 8},
	} {
		if c.count < c.low || c.count > c.high {
			t.Errorf("%s: %d, want %d to %d", c.what, c.count, c.low, c.high)
		}
	}
}

// The data of the island must be what they say they are, but for one file that is broken.
func TestIslandDataCanBeRead(t *testing.T) {
	const broken = "http://dataport.example/files/archive-1998.ttl"
	formats := map[string]syntax.Format{
		"text/turtle": syntax.Turtle, "application/n-triples": syntax.NTriples, "application/n-quads": syntax.NQuads,
		"application/trig": syntax.TriG, "application/rdf+xml": syntax.RDFXML,
	}
	for _, d := range island(t) {
		format, ok := formats[d.mediaType()]
		isJSON := d.mediaType() == "application/ld+json" && !strings.HasPrefix(d.url, "https://schema.org/")
		if !ok && !isJSON {
			continue
		}
		opts := syntax.Options{Name: d.url, Base: d.url}
		quads := rdfdocument.Quads(strings.NewReader(plain(t, d)), format, opts)
		if isJSON {
			quads = jsonld.Read(bytes.NewReader(d.body), jsonld.Options{Options: opts})
		}
		n, wrong := 0, error(nil)
		for _, err := range quads {
			if n++; err != nil {
				wrong = err
				break
			}
		}
		if (wrong != nil) != (d.url == broken) || wrong == nil && n < 3 {
			t.Errorf("%s: %d statements, %v", d.url, n, wrong)
		}
	}
}

// What is in pages says the same as the documents beside them; two blocks of JSON-LD are broken.
func TestIslandMarkup(t *testing.T) {
	count := map[string]int{}
	for _, d := range island(t) {
		if d.mediaType() != "text/html" {
			continue
		}
		opts := syntax.Options{Name: d.url, Base: d.url}
		for triple, err := range rdfa.Read(bytes.NewReader(d.body), rdfa.Options{Options: opts}) {
			count["rdfa"] += named(t, triple, err)
		}
		for triple, err := range microdata.Read(bytes.NewReader(d.body), microdata.Options{Options: opts}) {
			count["microdata"] += named(t, triple, err)
		}
		_, script, ok := strings.Cut(string(d.body), "<script type=\"application/ld+json\">")
		if !ok {
			continue
		}
		script, _, _ = strings.Cut(script, "</script>")
		if json.Valid([]byte(script)) {
			count["jsonld"]++
		} else {
			count["broken"]++
		}
	}
	for _, kind := range []string{"rdfa", "microdata", "jsonld"} {
		if count[kind] < 5 {
			t.Errorf("%s: %d", kind, count[kind])
		}
	}
	if count["broken"] != 2 {
		t.Errorf("%d broken blocks", count["broken"])
	}
}

// named is 1 for a triple that tells a name.
func named(t *testing.T, triple rdf.Triple, err error) int {
	t.Helper()
	if err != nil {
		t.Error(err)
	}
	if strings.HasSuffix(triple.P.Value, "/name") || strings.HasSuffix(triple.P.Value, "#name") {
		return 1
	}
	return 0
}

// What has several forms is answered by Accept.
func TestIslandNegotiates(t *testing.T) {
	var packed bytes.Buffer
	if err := writeWARC(&packed, island(t)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "island.warc.gz")
	if err := os.WriteFile(path, packed.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	web, err := archive.OpenWeb([]string{path}, archive.WebOptions{})
	if err != nil || len(web.Warnings()) > 0 {
		t.Fatal(err, web.Warnings())
	}
	defer web.Close()
	for _, tc := range []struct{ url, usual, rdf string }{
		{"http://herbarium.example/id/birch", "303 http://herbarium.example/page/birch", "303 http://herbarium.example/data/birch.ttl"},
		{"http://stacks.example/work/owl-hours", "200 text/html", "200 text/turtle"},
		{"http://terms.example/things/", "200 text/html", "303 http://terms.example/things/schema"},
		{"http://terms.example/things/Vessel", "303 http://terms.example/things/schema", "303 http://terms.example/things/schema"},
		{"http://stacks.example/", "200 text/html", "200 text/html"},
	} {
		for accept, want := range map[string]string{"": tc.usual, "text/turtle, */*;q=0.1": tc.rdf} {
			resp, err := web.Fetch(context.Background(), orbweaver.Request{URL: tc.url, Accept: accept})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := io.Copy(io.Discard, resp.Body); err != nil {
				t.Fatal(err)
			}
			resp.Body.Close()
			media, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";")
			if got := fmt.Sprintf("%d %s%s", resp.Status, media, resp.Redirect); got != want {
				t.Errorf("%s for %q: %s, want %s", tc.url, accept, got, want)
			}
		}
	}
}
