package app

import (
	"math"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/focus/krs"
	"orbweaver/focus/ontology"
	"orbweaver/ledger/describe"
)

// sorted are the URLs of hits, in order.
func (f Found) sorted() []string {
	urls := f.urls()
	slices.Sort(urls)
	return urls
}

// TestSearchByEntity: pages are found that state something with a thing, link to it or are judged by it, and no others.
func TestSearchByEntity(t *testing.T) {
	dir := crawledFor(t, "")
	pages := func(query string) []string {
		t.Helper()
		all := rows(t, dir, query)
		slices.Sort(all)
		return slices.Compact(all)
	}
	const thing, page = "<http://skylines.example/types/a340.html#it>", "<http://skylines.example/types/a340.html>"
	stated := pages("SELECT DISTINCT ?p { GRAPH ?g { { " + thing + " ?a ?b } UNION { ?a ?b " + thing + " } } ?p ow:graph ?g }")
	linked := pages("SELECT DISTINCT ?p { { ?p ow:hasOutlink " + page + " } UNION { GRAPH ?g { { " + page + " ?a ?b } UNION { ?a ?b " + page + " } } ?p ow:graph ?g } UNION { BIND (" + page + " AS ?p) ?p a ow:Page } }")
	if len(stated) < 2 || len(linked) < 5 {
		t.Fatalf("nothing to find: %q, %q", stated, linked)
	}
	byIRI := found(t, dir, SearchJob{Entity: strings.Trim(thing, "<>")})
	if got := byIRI.sorted(); !slices.Equal(got, stated) || byIRI.Total != len(stated) || byIRI.Hits[0].Score < 2 {
		t.Errorf("by IRI %q, not %q", got, stated)
	}
	if got := found(t, dir, SearchJob{Entity: strings.Trim(page, "<>")}).sorted(); !slices.Equal(got, linked) {
		t.Errorf("those that link to it are %q, not %q", got, linked)
	}

	var judged []string
	for _, l := range linesOf(t, dir) {
		if slices.ContainsFunc(l.Reasons, func(r orbweaver.Reason) bool { return strings.HasPrefix(r.Evidence, "undercarriage: ") }) {
			judged = append(judged, describe.Node(orbweaver.Request{URL: l.URL}).Value)
		}
	}
	slices.Sort(judged)
	if got := found(t, dir, SearchJob{Entity: " Undercarriage "}).sorted(); len(judged) < 5 || !slices.Equal(got, judged) {
		t.Errorf("judged by it are %q, not %q", got, judged)
	}

	byName, words := found(t, dir, SearchJob{Entity: "airbus a340"}), found(t, dir, SearchJob{Words: "engines"})
	both := found(t, dir, SearchJob{Words: "engines", Entity: "airbus a340"})
	want := slices.DeleteFunc(byName.sorted(), func(url string) bool { return !slices.Contains(words.urls(), url) })
	if got := both.sorted(); len(want) == 0 || len(want) == len(words.Hits) || !slices.Equal(got, want) || both.Total != len(want) {
		t.Errorf("words and an entity: %q, not %q", got, want)
	}
	for _, url := range stated {
		if !slices.Contains(byName.urls(), url) {
			t.Errorf("by name %q is not found: %q", url, byName.urls())
		}
	}
	for _, none := range []string{"http://nowhere.example/", "nothing of this name", "?"} {
		if got := found(t, dir, SearchJob{Entity: none, Top: 5}); len(got.Hits) > 0 {
			t.Errorf("%s: %+v", none, got)
		}
	}
}

// TestEntityThatWordsName: a page that states something with it is worth half more; in another order words do not name it.
func TestEntityThatWordsName(t *testing.T) {
	dir := crawledFor(t, "")
	scores := func(words string) map[string]float64 {
		all := map[string]float64{}
		for _, h := range found(t, dir, SearchJob{Words: words}).Hits {
			all[h.URL] = h.Score
		}
		return all
	}
	have := map[string]bool{}
	for _, page := range rows(t, dir, "SELECT DISTINCT ?p { GRAPH ?any { ?thing rdfs:label ?name FILTER (lcase(str(?name)) IN ('airbus a340', 'airbus', 'a340')) } { GRAPH ?g { { ?thing ?a ?b } UNION { ?a ?b ?thing } } ?p ow:graph ?g } UNION { ?p ow:hasOutlink ?thing } }") {
		have[page] = true
	}
	named, plain := scores("Airbus A340"), scores("A340 Airbus")
	raised := 0
	for url, score := range named {
		want := plain[url]
		if have[url] {
			want *= 1 + entityWeight
			raised++
		}
		if math.Abs(score-want) > 1e-9 {
			t.Errorf("%s: %.4f, not %.4f (%.4f by words alone)", url, score, want, plain[url])
		}
	}
	if raised == 0 || raised == len(named) || len(named) != len(plain) {
		t.Errorf("%d of %d raised", raised, len(named))
	}
}

func TestReasonsAboutAnEntity(t *testing.T) {
	m := &mentions{name: "boeing 737", iris: map[string]bool{"http://e.test/737": true}, pages: map[string]int{"p": 2}}
	for _, tc := range []struct {
		rule, evidence string
		want           bool
	}{
		{ontology.RuleEntity, "Boeing 737: boeing 737 ×2", true},
		{ontology.RuleEntity, "Boeing: boeing 737 ×2", false},
		{"anchor", "Boeing 737: boeing 737 ×2", false},
		{krs.RuleNoun, "boeing-737 ×1, IDF 2.00, share 0.10", true},
		{krs.RuleNoun, "jet ×3 <http://e.test/737>, IDF 2.00, share 0.10", true},
		{krs.RuleOther, "jet ×3 <http://e.test/73>, not in the corpus", false},
		{krs.RuleNoun, "jet", false},
		{krs.RuleNoun, "Boeing 737s ×3 (boeing 737) <http://e.test/x>, IDF 2.00, share 0.10", true},
		{krs.RuleNoun, "Boeing 737s ×3 (boeing 737), not in the corpus", true},
		{krs.RuleNoun, "jets ×3 (jet), not in the corpus", false},
		{ontology.RuleEntity, "Boeing 737: 737s ×2 (737), B737 ×1", true},
	} {
		if got := m.times("other", []orbweaver.Reason{{Rule: tc.rule, Evidence: tc.evidence}}) == 1; got != tc.want {
			t.Errorf("%s %q: %v", tc.rule, tc.evidence, got)
		}
	}
	if n := m.times("p", nil); n != 2 {
		t.Errorf("%d", n)
	}
}
