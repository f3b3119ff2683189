package describe_test

import (
	"errors"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

// documents are outcomes of every kind, with all that can be said of them.
func documents() []describe.Document {
	request := orbweaver.Request{URL: "http://a.test/x|y", Parent: "http://a.test/", Depth: 2, Via: &orbweaver.Link{Anchor: "an anchor"}}
	page := orbweaver.Outcome{
		N: 1, Request: request, Status: 200, At: time.Date(2026, 11, 22, 1, 2, 3, 4567890, time.UTC),
		Predicted: orbweaver.Judgement{Score: 1. / 3, Chance: 1. / 8, Class: "HR"},
		Actual: orbweaver.Judgement{Score: 0.5, Chance: 0.75, Accepted: true, Class: "R", Reasons: []orbweaver.Reason{
			{Rule: "entity", Evidence: "a word", Weight: 0.25}, {Rule: "other", Weight: -0.0000001},
		}},
		Page:      &orbweaver.Page{Title: "A title\xff", Lang: "en", MediaType: "text/html", Canonical: "http://a.test/c", Size: 17, Digest: "sha1:X"},
		Duplicate: orbweaver.Duplicate{URL: "http://a.test/twin"},
	}
	near := page
	near.Duplicate.Near = true
	links := func(yield func(string) bool) { _ = yield("http://b.test/") && yield("http://c.test/a b") }
	crawl := rdf.NewIRI("urn:uuid:1")
	return []describe.Document{
		{Outcome: page, Links: links, Crawl: crawl, Graph: rdf.NewIRI("http://a.test/g"), Triples: 3},
		{Outcome: near},
		{Outcome: orbweaver.Outcome{N: 2, Request: request, Status: 301, Redirect: "http://d.test/"}},
		{Outcome: orbweaver.Outcome{N: 3, Request: request, Status: 404, Err: errors.Join(orbweaver.ErrStatus)}},
	}
}

// TestVocabulary: every term of ours that is used is in docs/reference/vocabulary.ttl, and the other way round.
func TestVocabulary(t *testing.T) {
	used, known := map[string]bool{}, map[string]bool{}
	for _, term := range []string{"Reason", "nameMatches", "textMatches", "relevance"} { // of no document
		used[describe.NS+term] = true
	}
	for _, d := range documents() {
		for q := range d.Quads() {
			used[q.P.Value], used[q.O.Value] = true, true
		}
	}
	for _, q := range (describe.Activity{Node: rdf.NewIRI("urn:x"), Name: "x", Software: "y"}).Quads() {
		used[q.O.Value] = true
	}
	file, err := os.Open("../../docs/reference/vocabulary.ttl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for triple, err := range turtle.Read(file, syntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		known[triple.S.Value] = true
	}
	known[describe.NS[:len(describe.NS)-1]] = false
	for _, term := range slices.Sorted(maps.Keys(used)) {
		if strings.HasPrefix(term, describe.NS) && !known[term] {
			t.Errorf("%s is used and not in the vocabulary", term)
		}
	}
	for term, is := range known {
		if is && strings.HasPrefix(term, describe.NS) && !used[term] {
			t.Errorf("%s is in the vocabulary and never used", term)
		}
	}
}

// TestOfDocuments: what is said of a document can be found again, to be taken back.
func TestOfDocuments(t *testing.T) {
	of, classes := describe.OfDocuments(), describe.Classes()
	for _, d := range documents() {
		node := describe.Node(d.Outcome.Request)
		for q := range d.Quads() {
			if q.S == node && !slices.Contains(of, q.P.Value) || q.P.Value == describe.Type && !slices.Contains(classes, q.O.Value) {
				t.Errorf("%v is not among what is taken back", q)
			}
		}
	}
}

func TestQuads(t *testing.T) {
	var got []string
	for q := range documents()[0].Quads() {
		got = append(got, strings.TrimPrefix(q.P.Value, describe.NS)+" "+q.O.Value)
	}
	for _, want := range []string{
		"score 0.5", "predictedScore 0.333333", "chance 0.75", "predictedChance 0.125", "weight 0.25", "weight 0", "accepted true", "hasOutlink http://c.test/a%20b", "hasInlink http://a.test/x%7Cy",
		"http://purl.org/dc/terms/title A title\uFFFD", "http://www.w3.org/ns/prov#generatedAtTime 2026-11-22T01:02:03.004Z", "duplicateOf http://a.test/twin",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("%q is missing in %q", want, got)
		}
	}
	if all := slices.Collect(documents()[0].Quads()); len(all) != len(got) {
		t.Error("a second time it says something else")
	}
	for range documents()[0].Quads() {
		break
	}
}
