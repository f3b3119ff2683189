package vocabulary

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/findings"
	"orbweaver/internal/gate"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/step"
	"orbweaver/kb/terms"
	"orbweaver/ledger"
	"orbweaver/rdf"
)

const (
	namespace = "http://birds.test/ns#"
	document  = "http://birds.test/ns"
	ontology  = `@prefix : <http://birds.test/ns#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
:Bird a owl:Class . :Heron rdfs:subClassOf :Bird, [ owl:onProperty :eats ] . :Crane rdfs:subClassOf :Bird .
`
)

// found are two classes of the namespace and one of another, with a dataset.
func found(dump string) findings.Findings {
	return findings.Findings{
		Terms: []terms.Term{
			{IRI: namespace + "Heron", Found: true, Document: document},
			{IRI: namespace + "Crane", Found: true, Document: document},
			{IRI: "http://other.test/Boat", Document: "http://other.test/Boat"},
		},
		Datasets: []terms.Dataset{
			{Name: "boats", Dump: "/boats.nt", Terms: []string{"http://other.test/Boat"}},
			{Name: "web", Dump: "http://birds.test/all.nt", Terms: []string{namespace + "Heron"}},
			{Name: "birds", Dump: dump, Terms: []string{namespace + "Heron"}},
		},
	}
}

// crawled is a crawl at rest over an archive, whose ledger is empty. birds.test is its scope.
func crawled(t *testing.T, answers ...toy.Answer) *assembly.Crawl {
	t.Helper()
	folder := toy.WebOf(t, append(answers, toy.Answer{URL: "http://birds.test/robots.txt", Kind: "text/plain", Body: ""}))
	web, err := archive.OpenWeb([]string{folder}, archive.WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	l, err := ledger.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(web.Close(), l.Close()); err != nil {
			t.Error(err)
		}
	})
	g, err := gate.New(crawlfile.Scope{Hosts: []string{"birds.test"}}, web, true, "orbweaver")
	if err != nil {
		t.Fatal(err)
	}
	schema := kind.Registry{kindtest.Kind{}}.Schema()
	file := &crawlfile.Crawl{Focus: schema.Focus("sightings", nil), Output: "crawls/birds", Web: &crawlfile.Web{Archive: []string{folder}},
		Limits: crawlfile.Limits{Body: 1 << 20, Redirects: 2}}
	return &assembly.Crawl{File: file, Web: web, Gate: g, Ledger: l}
}

// collected is what Collect makes of the namespace.
func collected(t *testing.T, c *assembly.Crawl, dump string) (*Recommended, error) {
	t.Helper()
	return Collect(t.Context(), c, found(dump), namespace, "")
}

// TestChoose: the first vocabulary, or the one that is named; one that is not recommended is told with those that are.
func TestChoose(t *testing.T) {
	several := findings.Findings{}
	for i := range 7 {
		several.Terms = append(several.Terms, terms.Term{IRI: fmt.Sprintf("http://v%d.test/X", i)})
	}
	for _, tc := range []struct {
		name, vocabulary, want, problem string
		found                           findings.Findings
	}{
		{"the first", "", "http://v0.test/", "", several},
		{"a later one", "http://v6.test/", "http://v6.test/", "", several},
		{"none of them", "http://w.test/", "", "it recommends http://v0.test/, http://v1.test/, http://v2.test/, http://v3.test/, http://v4.test/ (", several},
		{"of nothing", "http://w.test/", "", "found no vocabulary", findings.Findings{}},
	} {
		got, err := Choose(tc.found, tc.vocabulary)
		if got != tc.want || (err != nil) != (tc.problem != "") || err != nil && (!errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.problem)) {
			t.Errorf("%s: %q, %v", tc.name, got, err)
		}
	}
}

// TestCollection: classes are those of the namespace, documents theirs and that of the namespace, each once; a dump counts if
// it is on this machine and states something of them; seeds are the documents of all classes.
func TestCollection(t *testing.T) {
	o := newCollection(nil, found("/birds.nt"), namespace)
	for _, tc := range []struct {
		name      string
		got, want []string
	}{
		{"classes", o.classes, []string{namespace + "Heron", namespace + "Crane"}},
		{"documents", o.documents, []string{document}},
		{"seeds", o.seeds, []string{document, "http://other.test/Boat"}},
		{"dumps", o.dumps, []string{"/birds.nt"}},
		{"documents of slashes", newCollection(nil, found(""), "http://other.test/").documents, []string{"http://other.test/Boat", "http://other.test/"}},
	} {
		if !slices.Equal(tc.got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, tc.got, tc.want)
		}
	}
}

// TestCollect: statements come from what the crawl stored, else from a dump, else from the Web.
func TestCollect(t *testing.T) {
	dump := toy.Put(t, t.TempDir(), "birds.ttl", ontology)
	web := toy.Answer{URL: document, Kind: "text/turtle", Body: ontology}
	stored := func(c *assembly.Crawl) {
		var facts []rdf.Quad
		for _, class := range []string{"Heron", "Crane"} {
			facts = append(facts, rdf.Quad{S: rdf.NewIRI(namespace + class), P: rdf.NewIRI("http://www.w3.org/2000/01/rdf-schema#subClassOf"),
				O: rdf.NewIRI(namespace + "Bird"), G: rdf.NewIRI(document)})
		}
		if err := c.Ledger.Commit(step.Batch{Facts: facts}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		name       string
		answers    []toy.Answer
		stored     bool
		dump       string
		documents  []string
		statements int
	}{
		{"stored", nil, true, filepath.Join(t.TempDir(), "not read.nt"), []string{document}, 2},
		{"a dump", nil, false, dump, []string{console.Relative(dump)}, 5},
		{"the Web", []toy.Answer{web}, false, "", []string{document}, 5},
		{"moved", []toy.Answer{{URL: document, Status: 301, Location: document + ".ttl"}, {URL: document + ".ttl", Kind: "text/turtle", Body: ontology}},
			false, "", []string{document + ".ttl"}, 5},
		{"linked", []toy.Answer{{URL: document, Body: "<a href=/x.html>no</a><a href=/birds.ttl?v=2>yes</a><a href=/none.ttl>none</a>"},
			{URL: "http://birds.test/birds.ttl?v=2", Kind: "text/turtle", Body: ontology}}, false, "", []string{"http://birds.test/birds.ttl?v=2"}, 5},
	} {
		c := crawled(t, tc.answers...)
		if tc.stored {
			stored(c)
		}
		r, err := collected(t, c, tc.dump)
		if err != nil {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		if !slices.Equal(r.Documents, tc.documents) || r.Statements != tc.statements || r.Target != namespace+"Bird" || r.Of != 2 || len(r.Covers) != 2 || r.Name != "ns" {
			t.Errorf("%s: %+v", tc.name, r)
		}
		if !strings.Contains(r.Turtle, ":Heron") || !strings.Contains(r.CrawlFile, `files: "ns.ttl"`) {
			t.Errorf("%s:\n%s\n%s", tc.name, r.Turtle, r.CrawlFile)
		}
	}
}

// TestCollectErrors: what could not be had is told, at most three documents of it; an end by the user is an interruption.
func TestCollectErrors(t *testing.T) {
	broken := toy.Put(t, t.TempDir(), "broken.ttl", ontology+"<")
	for _, tc := range []struct {
		name    string
		answers []toy.Answer
		dump    string
		want    []string
	}{
		{"absent", nil, "", []string{"none of its documents, of which 1 were requested", namespace + "Heron first", "not read: "}},
		{"a status", []toy.Answer{{URL: document, Status: 404}}, "", []string{orbweaver.ErrStatus.Error()}},
		{"out of scope", []toy.Answer{{URL: document, Status: 301, Location: "http://out.test/ns"}}, "", []string{orbweaver.ErrScope.Error()}},
		{"three redirects", []toy.Answer{{URL: document, Status: 301, Location: document + "1"}, {URL: document + "1", Status: 301, Location: document + "2"},
			{URL: document + "2", Status: 301, Location: document + "3"}, {URL: document + "3", Kind: "text/turtle", Body: ontology}}, "",
			[]string{"of which 3 were requested", orbweaver.ErrRedirects.Error()}},
		{"a broken dump", nil, broken, []string{"broken.ttl: "}},
	} {
		_, err := collected(t, crawled(t, tc.answers...), tc.dump)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", tc.name, err)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v lacks %q", tc.name, err, want)
			}
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := Collect(ended, crawled(t), found(""), namespace, ""); !errors.Is(err, console.ErrInterrupted) {
		t.Errorf("interrupted: %v", err)
	}
	o := &collection{problems: []string{"a", "b", "c", "d"}}
	if got := o.failed(); got != "; not read: a; b; c" {
		t.Errorf("%q", got)
	}
}

// TestMaxDocuments: a chain of documents is followed for as many as are allowed, and no document twice.
func TestMaxDocuments(t *testing.T) {
	chain := func(n int) (all []toy.Answer) {
		for i := range n {
			all = append(all, toy.Answer{URL: fmt.Sprintf("http://birds.test/%d.ttl", i), Body: fmt.Sprintf("<a href=/%d.ttl>on</a><a href=/%d.ttl>back</a>", i+1, i)})
		}
		return append(all, toy.Answer{URL: document, Body: "<a href=/0.ttl>on</a>"},
			toy.Answer{URL: fmt.Sprintf("http://birds.test/%d.ttl", n), Kind: "text/turtle", Body: ontology})
	}
	if r, err := collected(t, crawled(t, chain(maxDocuments-2)...), ""); err != nil || len(r.Documents) != 1 {
		t.Errorf("%v: %+v", err, r)
	}
	if _, err := collected(t, crawled(t, chain(maxDocuments-1)...), ""); err == nil || !strings.Contains(err.Error(), "of which 8 were requested") {
		t.Errorf("%v", err)
	}
}

// TestAdd: blank nodes of two documents are two, also within triple terms; more statements than allowed are an error.
func TestAdd(t *testing.T) {
	o := newCollection(nil, findings.Findings{}, namespace)
	q := rdf.Quad{S: rdf.NewBlank("b"), P: rdf.NewIRI("u:p"), O: rdf.NewBlank("c")}
	for range 2 {
		before := len(o.statements)
		if err := o.add(q); err != nil {
			t.Fatal(err)
		}
		o.note("u:doc", before)
	}
	o.note("u:empty", len(o.statements))
	if a, b := o.statements[0], o.statements[1]; a.S == b.S || a.O == b.O || a.S == a.O || len(o.used) != 2 {
		t.Errorf("%v and %v of %v", a, b, o.used)
	}
	o.most = 3
	if err := o.add(q); err != nil {
		t.Error(err)
	}
	if err := o.add(q); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "more than 3 statements") {
		t.Errorf("a fourth of 3: %v", err)
	}
	if most := newCollection(nil, findings.Findings{}, namespace).most; most != maxStatements {
		t.Errorf("of %d statements at most", most)
	}
}

// TestRead: of a document with an error within no statement stays; of others, links to RDF follow, each once.
func TestRead(t *testing.T) {
	q := rdf.Quad{S: rdf.NewIRI("u:s"), P: rdf.NewIRI("u:p"), O: rdf.NewIRI("u:o")}
	quads := func(ends error) iter.Seq2[rdf.Quad, error] {
		return func(yield func(rdf.Quad, error) bool) {
			if yield(q, nil) && ends != nil {
				yield(rdf.Quad{}, ends)
			}
		}
	}
	links := []orbweaver.Link{{To: "u:a.ttl"}, {To: "u:b"}, {To: "u:a.ttl"}}
	o := newCollection(nil, findings.Findings{}, namespace)
	if got, err := o.read(&orbweaver.Page{URL: "u:1", Quads: quads(nil), Links: links}); err != nil || !slices.Equal(got, []string{"u:a.ttl"}) {
		t.Errorf("%v, leads to %v", err, got)
	}
	if _, err := o.read(&orbweaver.Page{URL: "u:2", Quads: quads(orbweaver.ErrDamaged), Links: links}); !errors.Is(err, orbweaver.ErrDamaged) {
		t.Errorf("%v", err)
	}
	if len(o.statements) != 1 || !slices.Equal(o.used, []string{"u:1"}) {
		t.Errorf("%v of %v", o.statements, o.used)
	}
}

// TestCrawlFile: the crawl file loads; names of any text stay within their strings and the comment within its line.
func TestCrawlFile(t *testing.T) {
	c := crawled(t)
	c.File.Output = "crawls/x\nfocus: {}"
	c.File.Documents = map[string]string{"http://z.test/": "z", "http://b.test/\"": "b"}
	c.File.Politeness.Contact = "me@birds.test"
	batch := step.Batch{}
	for _, p := range []struct {
		url, redirect, query string
		status               int
	}{
		{"http://birds.test/ok", "", "", 200}, {"http://birds.test/moved", "http://birds.test/ok", "", 301}, {"http://birds.test/gone", "", "", 404},
		{"file:///x", "", "", 200}, {"http://birds.test/sparql", "", "ASK {}", 200}, {document, "", "", 200},
	} {
		o := &orbweaver.Outcome{Request: orbweaver.Request{URL: p.url, Query: p.query}, Status: p.status, Redirect: p.redirect}
		id, _ := c.Ledger.Offer(o.Request)
		batch = step.Batch{Done: id, Outcome: o, Progress: step.Progress{Requests: batch.Progress.Requests + 1}}
		if err := c.Ledger.Commit(batch); err != nil {
			t.Fatal(err)
		}
	}
	o := newCollection(c, found(""), namespace)
	text, err := o.crawlFile(&Recommended{Target: namespace + "Bird", Covers: []string{"x"}, Of: 2}, "/some/folder/my birds.ttl")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{document, "http://other.test/Boat", "http://birds.test/ok"}; !slices.Equal(o.seeds, want) || strings.Count(text, "\n  - ") != 3 {
		t.Errorf("seeds %v, want %v, in\n%s", o.seeds, want, text)
	}
	for _, want := range []string{"# http://birds.test/ns# as an ontology, recommended by crawls/x", " covers 1 of the 2 classes", "\n    files: \"my birds.ttl\"\n",
		"target: \"<http://birds.test/ns#Bird>\"", "documents:\n  \"http://b.test/\\\"\": \"b\"\n  \"http://z.test/\": \"z\"\n", "contact: \"me@birds.test\"", "output: \"crawls/my birds-pages\""} {
		if !strings.Contains(text, want) {
			t.Errorf("lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "\nfocus: {}") {
		t.Errorf("the name of the crawl is a key:\n%s", text)
	}
	o.seeds = o.seeds[:2]
	for i := range maxSeeds {
		o.seeds = append(o.seeds, fmt.Sprintf("http://birds.test/%d", i))
	}
	text, err = o.crawlFile(&Recommended{}, "x.ttl")
	if n := strings.Count(text, "\n  - "); err != nil || n != maxSeeds || slices.Contains(o.seeds, "http://birds.test/ok") {
		t.Errorf("%v: %d seeds", err, n)
	}
}

// TestNames: short names of namespaces, what can be a seed, and which links say that they lead to RDF.
func TestNames(t *testing.T) {
	for namespace, want := range map[string]string{
		"http://xmlns.com/foaf/0.1/": "foaf", "http://birds.test/ns#": "ns", "http://schema.org/": "org", "urn:x:": "urn", "http://1.2/3/": "http",
		"u:" + strings.Repeat("ab", 30): strings.Repeat("ab", 20), "http://v.test/Bird-Names#": "bird-names", "é:": "vocabulary", "http://v.test/../": "test",
	} {
		if got := shortName(namespace); got != want {
			t.Errorf("%s: %q, want %q", namespace, got, want)
		}
	}
	for url, want := range map[string]bool{"http://a/": true, "https://a/": true, "ftp://a/": false, "http:": false, "/a": false} {
		if isWeb(url) != want {
			t.Errorf("%s may be a seed: %v", url, !want)
		}
	}
	for _, l := range []orbweaver.Link{{To: "http://a/x.ttl"}, {To: "http://a/x.OWL?v=1.html"}, {To: "http://a/x", Type: "text/turtle"}} {
		if !isRDF(l) {
			t.Errorf("%+v is RDF", l)
		}
	}
	for _, l := range []orbweaver.Link{{To: "http://a/x.html?of=x.ttl"}, {To: "http://a/ttl"}, {To: "http://a/x", Type: "text/html"}} {
		if isRDF(l) {
			t.Errorf("%+v is no RDF", l)
		}
	}
}
