//go:build e2e

package program_test

import (
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/endpointtest/live"
	"orbweaver/internal/findings"
	"orbweaver/kb/terms"
)

// Music is what servers hold: instances by class, and what leads from class to class.
const musicNS = "http://music.example.org/"

// musicInstances is how many each class has. Of tracks there are more than Virtuoso sorts, or answers with.
func musicInstances() map[string]int64 {
	return map[string]int64{"Record": 230, "Album": 40, "Artist": 12, "Track": 10_500, "Label": 0}
}

// music is N-Triples. Records that are albums are both; a track has a title that looks like a query.
func music() []byte {
	const rdfs, owl = "http://www.w3.org/2000/01/rdf-schema#", "http://www.w3.org/2002/07/owl#"
	var b strings.Builder
	add := func(s, p, o string) { fmt.Fprintf(&b, "<%s> <%s> <%s> .\n", s, p, o) }
	for class, n := range musicInstances() {
		for i := range n {
			of := class
			if class == "Album" {
				of = "Record"
			}
			add(fmt.Sprintf("%s%s/%05d", musicNS, strings.ToLower(of), i), "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", musicNS+class)
		}
	}
	fmt.Fprintf(&b, "<%strack/00000> <%slabel> \"} UNION {?s ?p ?o\"@en .\n", musicNS, rdfs)
	add(musicNS+"Album", rdfs+"subClassOf", musicNS+"Record")
	add(musicNS+"Single", rdfs+"subClassOf", musicNS+"Record")
	add(musicNS+"Record", rdfs+"subClassOf", musicNS+"Work")
	add(musicNS+"Record", owl+"sameAs", "http://other.example.org/Release")
	add("http://third.example.org/Disc", owl+"sameAs", musicNS+"Record")
	add("http://third.example.org/Disc", owl+"equivalentClass", musicNS+"Record")
	add("http://third.example.org/Vinyl", rdfs+"subClassOf", "http://third.example.org/Disc")
	add(musicNS+"Artist", owl+"equivalentClass", "http://other.example.org/Agent")
	fmt.Fprintf(&b, "_:union <%ssubClassOf> <%sRecord> .\n", rdfs, musicNS)
	return []byte(b.String())
}

// musicFound are the classes that the search of the paper finds from Record, Artist, Track and Label.
func musicFound() []string {
	return []string{
		musicNS + "Album", musicNS + "Artist", musicNS + "Record", musicNS + "Single", "http://other.example.org/Agent",
		"http://other.example.org/Release", "http://third.example.org/Disc", "http://third.example.org/Vinyl",
	}
}

// TestServers crawls the same data held by Virtuoso, Oxigraph and our own server, each alone and all of them
// together, with and without COUNT: what is found, by which paths, and how many instances there are, is the same
// and true.
func TestServers(t *testing.T) {
	data, there := music(), []live.Kind{}
	var first []terms.Term
	for _, kind := range live.Kinds() {
		t.Run(string(kind), func(t *testing.T) {
			e := live.Start(t, kind, data)
			there = append(there, kind)
			for name, endpoint := range map[string]string{string(kind): e.URL, string(kind) + "-1.0": uncounting(t, e.URL)} {
				found := crawlMusic(t, fmt.Sprintf("{name: %s, endpoint: %q}", name, endpoint))
				checkMusic(t, found, 1)
				same := anonymous(found.Terms)
				if first == nil {
					first = same
				}
				if !reflect.DeepEqual(same, first) {
					t.Errorf("%s: other terms or paths:\n%+v\nnot\n%+v", name, same, first)
				}
			}
		})
	}
	t.Run("together", func(t *testing.T) {
		var datasets []string
		for _, kind := range there {
			datasets = append(datasets, fmt.Sprintf("{name: %s, endpoint: %q}", kind, live.Start(t, kind, data).URL))
		}
		t.Logf("servers: %v", there)
		checkMusic(t, crawlMusic(t, datasets...), len(there))
	})
}

// uncounting is an endpoint in front of another that refuses COUNT, as those of SPARQL 1.0 do.
func uncounting(t *testing.T, endpoint string) string {
	at, err := url.Parse(endpoint)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: at.Scheme, Host: at.Host})
	proxy.ErrorLog = log.New(io.Discard, "", 0) // of crawls that are killed
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Query().Get("query"), "COUNT(") {
			http.Error(w, "syntax error at 'COUNT'", http.StatusBadRequest)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	return server.URL + at.Path
}

// crawlMusic crawls datasets that hold music.
func crawlMusic(t *testing.T, datasets ...string) findings.Findings {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "empty.nt"), "<http://example.org/> <http://example.org/p> <http://example.org/> .\n")
	write(t, filepath.Join(folder, "f.yaml"), fmt.Sprintf(`prefixes: {m: %q}
focus:
  metadata:
    terms: [m:Record, m:Artist, m:Track, m:Label]
    datasets: [%s]
documents: {%q: empty.nt, 'http://other.example.org/': empty.nt, 'http://third.example.org/': empty.nt}
allow_private: [127.0.0.0/8]
politeness: {delay: 0s, contact: me@example.org}
output: crawl
`, musicNS, strings.Join(datasets, ", "), musicNS))
	crawlOn(t, folder)
	found, err := findings.Read(filepath.Join(folder, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// checkMusic compares findings of so many datasets with the truth.
func checkMusic(t *testing.T, found findings.Findings, datasets int) {
	t.Helper()
	var classes []string
	for _, one := range found.Terms {
		if one.Found {
			classes = append(classes, one.IRI)
		}
		if want := musicInstances()[strings.TrimPrefix(one.IRI, musicNS)] * int64(datasets); one.Processed && one.Instances != want {
			t.Errorf("%s: %d instances, not %d", one.IRI, one.Instances, want)
		}
	}
	if slices.Sort(classes); !slices.Equal(classes, musicFound()) {
		t.Errorf("found %q, not %q", classes, musicFound())
	}
	if len(found.Datasets) != datasets {
		t.Errorf("%d datasets, not %d", len(found.Datasets), datasets)
	}
	for _, d := range found.Datasets {
		how := terms.Counted
		if strings.HasSuffix(d.Name, "-1.0") {
			how = terms.Paged
		}
		for _, c := range d.Instances {
			if want := musicInstances()[strings.TrimPrefix(c.Class, musicNS)]; c.N != want || c.How != how || c.AtLeast {
				t.Errorf("%s: %+v, not %d", d.Name, c, want)
			}
		}
		if d.Reason != "" || d.Partial || len(d.Instances) < len(musicInstances()) {
			t.Errorf("%+v", d)
		}
	}
}

// anonymous are terms by paths that do not tell which dataset stated a step.
func anonymous(all []terms.Term) []terms.Term {
	for _, one := range all {
		for _, path := range one.Paths {
			for i := range path {
				path[i].Dataset = ""
			}
		}
		for _, fact := range one.Deduced {
			for i := range fact.Premises {
				fact.Premises[i].Dataset = ""
			}
		}
	}
	return all
}
