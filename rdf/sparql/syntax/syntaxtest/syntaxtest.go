// Package syntaxtest supports tests of SPARQL parsers: it finds the queries and updates in the W3C test suites.
// Only tests use it.
//
// This package is not part of the stable API.
package syntaxtest

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const (
	site     = "https://w3c.github.io/rdf-tests/"
	rdfNS    = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
	manifest = "http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#"
	query    = "http://www.w3.org/2001/sw/DataAccess/tests/test-query#query"
	request  = "http://www.w3.org/2009/sparql/tests/test-update#request"
)

// A Case is a text of a suite.
type Case struct {
	Name     string // the file's in the archive
	Base     string // IRI of the text
	Text     string
	Update   bool // an update, not a query
	Negative bool // has to be refused
}

// Cases returns the texts of all suites below a folder such as "sparql/sparql11", in the order of
// their names: those of syntax tests and those that evaluation tests put.
func Cases(t testing.TB, below string) (cases []Case) {
	t.Helper()
	files := map[string][]byte{}
	var names []string
	for _, f := range rdftest.Archive(t, "w3c-rdf-tests.tar.gz", below+"/") {
		files[f.Name] = f.Data
		if strings.HasSuffix(f.Name, "manifest.ttl") {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		cases = append(cases, ofManifest(t, files, name)...)
	}
	return cases
}

// ofManifest returns the texts of a manifest, in the order of its entries.
func ofManifest(t testing.TB, files map[string][]byte, name string) (cases []Case) {
	t.Helper()
	type property struct {
		subject   rdf.Term
		predicate string
	}
	graph := map[property]rdf.Term{} // what is examined has one value each
	var entries rdf.Term
	for _, triple := range rdftest.Collect(t, turtle.Read(bytes.NewReader(files[name]), syntax.Options{Base: site + name})) {
		graph[property{triple.S, triple.P.Value}] = triple.O
		if triple.P.Value == manifest+"entries" {
			entries = triple.O
		}
	}
	for {
		entry, ok := graph[property{entries, rdfNS + "first"}]
		if !ok {
			return cases
		}
		entries = graph[property{entries, rdfNS + "rest"}]
		kind := graph[property{entry, rdfNS + "type"}].Value
		if !strings.Contains(kind, "Syntax") && !strings.Contains(kind, "Evaluation") && !strings.Contains(kind, "CSV") {
			continue // of protocols
		}
		text := graph[property{entry, manifest + "action"}]
		for _, p := range []string{query, request} {
			if inner, ok := graph[property{text, p}]; ok {
				text = inner
			}
		}
		file := strings.TrimPrefix(text.Value, site)
		data, ok := files[file]
		if !ok {
			t.Fatalf("%s: %v has no file %s", name, entry, file)
		}
		cases = append(cases, Case{
			Name: file,
			Base: text.Value, Text: string(data),
			Update: strings.Contains(kind, "Update"), Negative: strings.Contains(kind, "Negative"),
		})
	}
}
