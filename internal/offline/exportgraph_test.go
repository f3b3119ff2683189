package offline

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/offline/graph"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

// graphWeb is a web whose pages say the same of one dataset in three vocabularies.
func graphWeb(t testing.TB) string {
	return toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<a href="/dcat">d</a> <a href="/page">p</a> <a href="/other">o</a>`},
		{URL: "http://a.test/dcat", Kind: "text/turtle", Body: `@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dcterms: <http://purl.org/dc/terms/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
			<#set> a dcat:Dataset ; dcterms:title "Kites" ; dcterms:identifier "k1" ; dcterms:creator [ <http://xmlns.com/foaf/0.1/name> "Ann" ] .`},
		{URL: "http://a.test/page", Body: `<div vocab="https://schema.org/" typeof="Dataset"><b property="name">Kites</b> <i property="identifier">k1</i> <i property="description">All kites</i></div>`},
		{URL: "http://a.test/other", Kind: "text/turtle", Body: `<http://v.test/a> <http://v.test/p> 1 .`},
	})
}

// TestExportOfOneGraph: pages in different vocabularies make one entity, each statement is in the graphs of the pages that say it,
// and the default graph has their provenance and true counts; the same bytes each time.
func TestExportOfOneGraph(t *testing.T) {
	dir := apptest.CrawledWeb(t, graphWeb(t))
	opts := export.Options{Format: export.NQuads, Graph: graph.Options{Rules: []string{graph.Standard}, Keys: []string{"schema:identifier"}}}
	out, log, err := toy.Exported(dir, opts)
	if err != nil || !strings.Contains(log, "the rules make nothing: 1\n") || !strings.Contains(log, "equal entities merged: 2 into 1\n") {
		t.Fatal(err, log)
	}
	for _, want := range []string{
		`<http://a.test/dcat#set> <http://schema.org/name> "Kites" <http://a.test/dcat> .`, `<http://a.test/dcat#set> <http://schema.org/name> "Kites" <http://a.test/page> .`,
		`<http://a.test/dcat#set> <http://schema.org/description> "All kites" <http://a.test/page> .`,
		`<http://a.test/page> <http://www.w3.org/ns/prov#wasDerivedFrom> <http://a.test/> .`,
	} {
		if !strings.Contains(out, want+"\n") {
			t.Errorf("no %s in\n%s", want, out)
		}
	}
	quads := writtenQuads(t, out, syntax.NQuads)
	checkFigures(t, quads)
	if slices.ContainsFunc(quads, func(q rdf.Quad) bool { return !q.G.IsZero() && (q.S.Kind == rdf.Blank || q.O.Kind == rdf.Blank) }) {
		t.Error("blank nodes in", out)
	}
	if again, _, err := toy.Exported(dir, opts); err != nil || again != out {
		t.Errorf("%v: another export differs", err)
	}
	opts.Format = export.TriG
	trig, _, err := toy.Exported(dir, opts)
	if err != nil || canonical(t, writtenQuads(t, trig, syntax.TriG)) != canonical(t, quads) {
		t.Errorf("%v: TriG differs\n%s", err, trig)
	}
}

// TestExportOfTriples: formats of triples have each statement once, and the pages if asked; what violates shapes is written too.
func TestExportOfTriples(t *testing.T) {
	dir, folder := apptest.CrawledWeb(t, graphWeb(t)), t.TempDir()
	shapes, report := filepath.Join(folder, "s.ttl"), filepath.Join(folder, "r.ttl")
	text := `@prefix sh: <http://www.w3.org/ns/shacl#> . @prefix schema: <http://schema.org/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
		schema:identifier a owl:InverseFunctionalProperty . [] a sh:NodeShape ; sh:targetClass schema:Dataset ; sh:property [ sh:path schema:license ; sh:minCount 1 ] .`
	if err := os.WriteFile(shapes, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	opts := export.Options{Format: export.NTriples, Graph: graph.Options{Rules: []string{graph.Standard}, Shapes: []string{shapes}, Report: report, Sources: graph.Entities}}
	out, log, err := toy.Exported(dir, opts)
	if !errors.Is(err, graph.ErrViolations) || !strings.Contains(log, "1 nodes validated by 1 shapes: the data does not conform, results: Violation 1\n") {
		t.Fatal(err, log)
	}
	for want, n := range map[string]int{
		`<http://a.test/dcat#set> <http://schema.org/name> "Kites" .`:                                1,
		`<http://a.test/dcat#set> <http://www.w3.org/ns/prov#wasDerivedFrom> <http://a.test/page> .`: 1,
		"http://v.test/": 0,
	} {
		if got := strings.Count(out, want); got != n {
			t.Errorf("%s: %d times, want %d in\n%s", want, got, n, out)
		}
	}
	if written, err := os.ReadFile(report); err != nil || !strings.Contains(string(written), "sh:focusNode <http://a.test/dcat#set>") {
		t.Errorf("%v: %s", err, written)
	}
	opts.Format, opts.Graph = export.Turtle, graph.Options{}
	if out, _, err := toy.Exported(dir, opts); err != nil || !strings.Contains(out, "<http://v.test/p> 1") {
		t.Errorf("%v: %s", err, out)
	}
	opts.Graph = graph.Options{Rules: []string{"foaf"}}
	other := toy.WebOf(t, []toy.Answer{{URL: "http://a.test/", Kind: "text/turtle", Body: "<http://v.test/a> <http://v.test/p> 1 ."}})
	if _, _, err := toy.Exported(apptest.CrawledWeb(t, other), opts); err == nil || !strings.Contains(err.Error(), "the rules make no statement") {
		t.Errorf("nothing mapped: %v", err)
	}
	opts.Graph = graph.Options{Rules: []string{"s.rq"}, Texts: map[string][]byte{"s.rq": []byte("CONSTRUCT { ?s ?p ?o } WHERE { SERVICE <http://e.test/> { ?s ?p ?o } }")}}
	if _, log, err := toy.Exported(dir, opts); err == nil || !strings.Contains(err.Error(), "leave SERVICE out") || strings.Contains(log, "left out") {
		t.Errorf("a rule that fails on every page: %v, %s", err, log)
	}
	opts.Graph = graph.Options{Shapes: []string{shapes}, Report: filepath.Join(dir, "r.ttl")}
	if _, _, err := toy.Exported(dir, opts); err == nil || !strings.Contains(err.Error(), "in the crawl's folder") {
		t.Errorf("a report in the folder: %v", err)
	}
}
