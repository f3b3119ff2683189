//go:build e2e

package crawls_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/store"
	"orbweaver/ledger/describe"
)

// sorted returns the URLs of hits, sorted.
func sorted(f store.Found) []string {
	urls := urls(f)
	slices.Sort(urls)
	return urls
}

// TestSearchByEntity: exactly the pages that state something with an entity, link to it or are judged by
// it are found.
func TestSearchByEntity(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	pages := func(query string) []string {
		t.Helper()
		all := apptest.Rows(t, dir, query)
		slices.Sort(all)
		return slices.Compact(all)
	}
	const thing, page = "<http://skylines.example/types/a340.html#it>", "<http://skylines.example/types/a340.html>"
	stated := pages("SELECT DISTINCT ?p { GRAPH ?g { { " + thing + " ?a ?b } UNION { ?a ?b " + thing + " } } ?p ow:graph ?g }")
	linked := pages("SELECT DISTINCT ?p { { ?p ow:hasOutlink " + page + " } UNION { GRAPH ?g { { " + page + " ?a ?b } UNION { ?a ?b " + page + " } } ?p ow:graph ?g } UNION { BIND (" + page + " AS ?p) ?p a ow:Page } }")
	if len(stated) < 2 || len(linked) < 5 {
		t.Fatalf("nothing to find: %q, %q", stated, linked)
	}
	byIRI := storeFound(t, dir, store.SearchJob{Entity: strings.Trim(thing, "<>")})
	if got := sorted(byIRI); !slices.Equal(got, stated) || byIRI.Total != len(stated) || byIRI.Hits[0].Score < 2 {
		t.Errorf("by IRI %q, not %q", got, stated)
	}
	if got := sorted(storeFound(t, dir, store.SearchJob{Entity: strings.Trim(page, "<>")})); !slices.Equal(got, linked) {
		t.Errorf("those that link to it are %q, not %q", got, linked)
	}

	var judged []string
	for _, l := range toy.LinesOf(t, dir) {
		if slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return strings.HasPrefix(r.Evidence, "undercarriage: ") }) {
			judged = append(judged, describe.Node(orbweaver.Request{URL: l.URL}).Value)
		}
	}
	slices.Sort(judged)
	if got := sorted(storeFound(t, dir, store.SearchJob{Entity: " Undercarriage "})); len(judged) < 5 || !slices.Equal(got, judged) {
		t.Errorf("judged by it are %q, not %q", got, judged)
	}

	byName, words := storeFound(t, dir, store.SearchJob{Entity: "airbus a340"}), storeFound(t, dir, store.SearchJob{Words: "engines"})
	both := storeFound(t, dir, store.SearchJob{Words: "engines", Entity: "airbus a340"})
	want := slices.DeleteFunc(sorted(byName), func(url string) bool { return !slices.Contains(urls(words), url) })
	if got := sorted(both); len(want) == 0 || len(want) == len(words.Hits) || !slices.Equal(got, want) || both.Total != len(want) {
		t.Errorf("words and an entity: %q, not %q", got, want)
	}
	for _, url := range stated {
		if !slices.Contains(urls(byName), url) {
			t.Errorf("by name %q is not found: %q", url, urls(byName))
		}
	}
	for _, none := range []string{"http://nowhere.example/", "nothing of this name", "?"} {
		if got := storeFound(t, dir, store.SearchJob{Entity: none, Top: 5}); len(got.Hits) > 0 {
			t.Errorf("%s: %+v", none, got)
		}
	}
}

// TestEntityThatWordsName: a page with an entity named in the query ranks higher; words in another order
// do not name it.
func TestEntityThatWordsName(t *testing.T) {
	dir := apptest.CrawledFor(t, "")
	scores := func(words string) map[string]float64 {
		all := map[string]float64{}
		for _, h := range storeFound(t, dir, store.SearchJob{Words: words}).Hits {
			all[h.URL] = h.Score
		}
		return all
	}
	have := map[string]bool{}
	for _, page := range apptest.Rows(t, dir, "SELECT DISTINCT ?p { GRAPH ?any { ?thing rdfs:label ?name FILTER (lcase(str(?name)) IN ('airbus a340', 'airbus', 'a340')) } { GRAPH ?g { { ?thing ?a ?b } UNION { ?a ?b ?thing } } ?p ow:graph ?g } UNION { ?p ow:hasOutlink ?thing } }") {
		have[page] = true
	}
	named, plain := scores("Airbus A340"), scores("A340 Airbus")
	raised := 0
	for url, score := range named {
		want := plain[url]
		if have[url] {
			want *= 1 + store.EntityWeight
			raised++
		}
		if math.Abs(score-want) > 1e-9 {
			t.Errorf("%s: %.4f, not %.4f (%.4f by words only)", url, score, want, plain[url])
		}
	}
	if raised == 0 || raised == len(named) || len(named) != len(plain) {
		t.Errorf("%d of %d raised", raised, len(named))
	}
}
