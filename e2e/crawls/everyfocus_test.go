//go:build e2e

package crawls_test

import (
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/krs/krstest"
	"orbweaver/internal/realdata"
)

// An everyCrawl is a small crawl with one kind of focus: the lines of its crawl file except output, and a URL for
// jobs that run beside it.
type everyCrawl struct {
	name string
	file string
	url  string // a URL that the crawl reaches
}

// everyFocus returns a crawl for every kind of focus. Each ends when its frontier is empty.
func everyFocus(t *testing.T) []everyCrawl {
	t.Helper()
	corpus, other := krstest.Kites(t)
	learned := filepath.Join(t.TempDir(), "kites.krs")
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := (&krs.Jobs{Console: a.Console}).Build(t.Context(), krs.Job{Dir: learned, Topic: "kites", Corpus: []string{corpus}, Background: []string{other}}); err != nil {
		t.Fatal(err)
	}
	examples := filepath.Join(realdata.Root(t), "examples")
	demo := toy.DemoLines(t) + "scope: {hosts: [tidings.example, signpost.example]}\n"
	const seed = "http://tidings.example/"
	all := []everyCrawl{
		{"ontology", demo + toy.DemoFocus(t), seed},
		{"ontology, the paper's", demo + strings.Replace(toy.DemoFocus(t), "target:", "mode: paper, links: text, target:", 1), seed},
		{"ontology, layers", demo + strings.Replace(toy.DemoFocus(t), "target:", "layers: on, target:", 1), seed},
		{"keyword", demo + "focus: {keyword: {terms: [airplane, plane, news]}}\n", seed},
		{"linked data", toy.DemoLines(t) + "scope: {hosts: [tidings.example, gazette.example]}\nfocus: {linked_data: {}}\n", seed},
		{"linked data that learns terms", toy.DemoLines(t) + "scope: {hosts: [tidings.example, gazette.example]}\nfocus: {linked_data: {learn_terms: true}}\n", seed},
		{"linked data, mode: paper", toy.DemoLines(t) + "scope: {hosts: [tidings.example, gazette.example]}\nfocus: {linked_data: {mode: paper}}\n", seed},
		{"krs", demo + fmt.Sprintf("focus: {krs: {file: %s}}\n", learned), seed},
		{"krs that learns", demo + fmt.Sprintf("focus: {krs: {file: %s, learn: true}}\n", learned), seed},
		{"crossref", demo + "focus: {crossref: {item: '" + toy.A320 + "', round: 7}}\n", seed},
		// A judge in one line, for which all pages are alike.
		{"external", demo + `focus: {external: {command: [sed, -u, 's/^.*"id":"\([0-9a-f]*\)".*$/{"id":"\1","score":0.5}/']}}` + "\n", seed},
		{"blend", demo + "focus: {blend: {combine: air and (data or near) or not news, parts: [{name: air, weight: 2, keyword: {terms: [airplane]}}, {name: data, linked_data: {}}, " +
			"{name: near, role: guide, crossref: {item: '" + toy.A320 + "', round: 7}}, {name: news, best_first: {terms: [news]}}]}}\n", seed},
		{"best first", demo + "focus: {best_first: {terms: [airplane, aircraft], n: 5}}\n", seed},
		{"breadth first", demo + "focus: {breadth_first: {}}\n", seed},
		{"random", demo + "focus: {random: {seed: 3}}\n", seed},
		{"oracle", demo + fmt.Sprintf("focus: {oracle: {}}\ntruth: {file: %s, topics: [aircraft]}\n", filepath.Join(examples, "demo-truth.tsv")), seed},
	}
	rot := fmt.Sprintf("seeds: [%s]\nweb: {archive: %q}\nscope: {hosts: [tidings.example]}\n", seed, rotten(t, filepath.Join(examples, "demo.warc.gz")))
	all = append(all, everyCrawl{"keyword, dead links", rot + "focus: {keyword: {terms: [airplane, plane, news]}}\n", seed},
		everyCrawl{"ontology, dead links", rot + toy.DemoFocus(t), seed})
	return append(all, dataCrawls(t, examples)...)
}

// dataCrawls returns the crawls for data. Local documents replace the Web, and dumps replace SPARQL endpoints.
func dataCrawls(t *testing.T, examples string) []everyCrawl {
	t.Helper()
	harbour, fleet := filepath.Join(examples, "harbour.ttl"), filepath.Join(examples, "fleet.ttl")
	documents := fmt.Sprintf("documents: {'http://harbour.example/terms': %s, 'http://fleet.example/': %s}\n", harbour, fleet)
	terms := func(expand string) string {
		return fmt.Sprintf("focus: {metadata: {terms: ['http://harbour.example/terms#Ship', 'http://harbour.example/terms#Harbour'], expand: %s, datasets: [{name: harbour, dump: %s}, {name: fleet, dump: %s}, {name: register, dump: %s}]}}\n",
			expand, harbour, fleet, filepath.Join(examples, "register.ttl"))
	}
	const url = "http://harbour.example/terms"
	return []everyCrawl{
		{"metadata", terms("paper") + documents, url},
		{"metadata, mode: paper", terms("paper, mode: paper") + documents, url},
		{"judged metadata", terms("judged") + documents, url},
		{"swget", chain(t, 30), "http://chain.test/3"},
	}
}

// chain returns the lines of a walk along a chain of documents, each of which links to the next.
func chain(t *testing.T, length int) string {
	t.Helper()
	var file strings.Builder
	file.WriteString("focus: {swget: {expression: '<http://chain.test/0> <rdfs:seeAlso>+', depth: 100, save: true}}\ndocuments:\n")
	folder := t.TempDir()
	for i := range length {
		path := toy.Put(t, folder, fmt.Sprintf("%d.ttl", i), fmt.Sprintf("<http://chain.test/%d> <http://www.w3.org/2000/01/rdf-schema#seeAlso> <http://chain.test/%d> .\n", i, i+1))
		fmt.Fprintf(&file, "  'http://chain.test/%d': %s\n", i, path)
	}
	return file.String()
}
