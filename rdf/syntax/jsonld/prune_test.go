package jsonld_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/jsonld"
)

// manyTerms is a context whose terms depend on each other in all possible ways.
const manyTerms = `{"@context": {
	"@vocab": "ex:terms/", "@language": "en",
	"id": "@id", "kind": "@type", "graph": "@graph",
	"ex": "http://a.test/", "far": "ex:far/", "xsd": "http://www.w3.org/2001/XMLSchema#",
	"Thing": "far:Thing", "colour": {"@id": "far:colour", "@type": "@vocab"}, "red": "far:red", "green": "ex:green",
	"born": {"@id": "ex:born", "@type": "day"}, "day": "xsd:date",
	"of": {"@reverse": "ex:has"}, "more": "@nest", "inside": {"@id": "ex:inside", "@nest": "more"},
	"label": {"@id": "far:label", "@container": "@language"}, "list": {"@id": "ex:list", "@container": "@list"},
	"by": {"@id": "ex:by", "@container": "@index", "@index": "index"}, "index": "far:index",
	"link": {"@id": "ex:link", "@type": "@id"}, "plain": {"@id": "ex:plain", "@language": null}%s}}`

// TestUnusedTerms: the quads of a document do not depend on unused terms of a remote context.
func TestUnusedTerms(t *testing.T) {
	const document = `{"@context": ["http://c.test/", {"own": "far:own", "later": {"@id": "own:x", "@type": "day"}}],
		"id": "ex:1", "kind": ["Thing", "far:Other", "None"], "colour": ["red", "green", "blue"], "born": "2020-01-01",
		"of": {"id": "far:2", "label": {"de": "zwei"}}, "more": {"inside": "x"}, "list": ["a", "b"],
		"by": {"one": {"id": "ex:3"}}, "link": "far:4", "plain": "p", "own": "o", "later": "2020-01-02", "unknown": 3,
		"graph": [{"id": "ex:5", "http://b.test/p": {"@value": "v", "@type": "day"}}]}`
	read := func(padding string) (all []string) {
		opts := jsonld.Options{Options: syntax.Options{Name: "d", Base: "http://b.test/"}}
		opts.Load = func(_ context.Context, url string) (io.ReadCloser, string, string, error) {
			return io.NopCloser(strings.NewReader(fmt.Sprintf(manyTerms, padding))), "application/ld+json", url, nil
		}
		for q, err := range jsonld.Read(strings.NewReader(document), opts) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, fmt.Sprint(q))
		}
		return all
	}
	var padding strings.Builder
	for i := range 500 {
		fmt.Fprintf(&padding, `, "unused%d": {"@id": "far:unused%d", "@type": "@id"}`, i, i)
	}
	few, many := read(""), read(padding.String())
	if len(few) < 20 || strings.Join(few, "\n") != strings.Join(many, "\n") {
		t.Errorf("%d and %d statements:\n%s\n\n%s", len(few), len(many), strings.Join(few, "\n"), strings.Join(many, "\n"))
	}
}

// BenchmarkLargeContext reads a short document with a context of thousands of terms.
func BenchmarkLargeContext(b *testing.B) {
	var padding strings.Builder
	for i := range 2700 {
		fmt.Fprintf(&padding, `, "unused%d": {"@id": "far:unused%d"}`, i, i)
	}
	large := fmt.Sprintf(manyTerms, padding.String())
	document := []byte(`{"@context": "http://c.test/", "kind": "Thing", "colour": "red", "list": ["a", "b"], "born": "2020-01-01"}`)
	opts := jsonld.Options{Options: syntax.Options{Name: "d", Base: "http://b.test/"}, Contexts: jsonld.NewContexts(8 << 20)}
	opts.Load = func(_ context.Context, url string) (io.ReadCloser, string, string, error) {
		return io.NopCloser(strings.NewReader(large)), "application/ld+json", url, nil
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, err := range jsonld.ReadScript(document, opts) {
			if err != nil {
				b.Fatal(err)
			}
		}
	}
}

// TestSharedWork: the total work of reads that share a budget is bounded.
func TestSharedWork(t *testing.T) {
	var terms strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&terms, `"t%d": "ex:%d", `, i, i)
	}
	nested := `{"@context": {` + terms.String() + `"p": "ex:p"}, "p": [` + strings.Repeat(`{"@context": {"q": "ex:q"}, "q": 1}, `, 500) + `1]}`
	left, read := jsonld.MaxWork/10, 0
	for range 40 {
		opts := jsonld.Options{Options: syntax.Options{Name: "d", Base: "http://b.test/"}, Work: &left}
		for _, err := range jsonld.ReadScript([]byte(nested), opts) {
			if err != nil {
				if left < 0 || read == 0 {
					t.Fatalf("%v after %d documents, %d left", err, read, left)
				}
				return
			}
		}
		read++
	}
	t.Errorf("40 documents were read, and %d is left", left)
}
