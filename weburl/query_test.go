package weburl_test

import (
	"strings"
	"testing"

	"orbweaver/weburl"
)

// TestDataset: the addresses of datasets on this machine, and what cannot be their names.
func TestDataset(t *testing.T) {
	for _, name := range []string{"a", "DBpedia-3.9", "music_ontology", strings.Repeat("x", 100)} {
		url, err := weburl.Dataset(name)
		if got, ok := weburl.DatasetName(url); err != nil || url != "dataset:"+name || got != name || !ok || weburl.Host(url) != "" {
			t.Errorf("%s is at %s, which is %s, %t; %v", name, url, got, ok, err)
		}
		if got, ok := weburl.DatasetName(weburl.Queried(url, "ASK {}")); got != name || !ok {
			t.Errorf("with a query %s, %t", got, ok)
		}
	}
	for _, name := range []string{"", "a b", "a/b", "a?b", "ä", "a\n", "a:b", "@", "[", "`", "{", strings.Repeat("x", 101)} {
		if url, err := weburl.Dataset(name); err == nil {
			t.Errorf("%q is at %s", name, url)
		}
	}
	for _, url := range []string{"http://dataset:80/", "Dataset:a", "", "data:a"} {
		if name, ok := weburl.DatasetName(url); ok {
			t.Errorf("%s is %s", url, name)
		}
	}
}

// TestUnqueried: a redirect's target loses the query that was sent along, and nothing else.
func TestUnqueried(t *testing.T) {
	for _, tc := range []struct{ name, address, want string }{
		{"no parameters", "http://a.test/sparql", "http://a.test/sparql"},
		{"the query alone", "http://a.test/sparql?query=ASK+%7B%7D", "http://a.test/sparql"},
		{"among others", "http://a.test/sparql?db=1&query=ASK&default-graph-uri=g:g", "http://a.test/sparql?db=1&default-graph-uri=g:g"},
		{"twice", "http://a.test/sparql?query=a&query=b", "http://a.test/sparql"},
		{"without a value", "http://a.test/sparql?query", "http://a.test/sparql"},
		{"names that begin so", "http://a.test/?queryLn=SPARQL&subquery=1", "http://a.test/?queryLn=SPARQL&subquery=1"},
		{"odd parameters stay", "http://a.test/?&a&&b=", "http://a.test/?&a&&b="},
		{"nothing", "", ""},
	} {
		if got := weburl.Unqueried(tc.address); got != tc.want {
			t.Errorf("%s: %s, not %s", tc.name, got, tc.want)
		}
	}
	for _, endpoint := range []string{"http://a.test/", "http://a.test/?a=b", "http://a.test/?default-graph-uri=g"} {
		if got := weburl.Unqueried(weburl.Queried(endpoint, "ASK {?a ?b \"&=?\"}")); got != endpoint {
			t.Errorf("%s became %s", endpoint, got)
		}
	}
}
