package linkeddata

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
)

// statements returns quads of IRIs, three each.
func statements(iris ...string) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for s := range slices.Chunk(iris, 3) {
			if !yield(rdf.Quad{S: rdf.NewIRI(s[0]), P: rdf.NewIRI(s[1]), O: rdf.NewIRI(s[2])}, nil) {
				return
			}
		}
	}
}

// ofTriples returns an RDF page with links to the IRIs of its triples.
func ofTriples(url string, links []string, iris ...string) *orbweaver.Page {
	p := page(url, links...)
	p.MediaType, p.Quads = "text/turtle", statements(iris...)
	for i := range p.Links {
		p.Links[i].Origin = orbweaver.FromTriple
	}
	return p
}

// TestTermsStandInTheirDocument: for terms that a document defines, that document is requested.
func TestTermsStandInTheirDocument(t *testing.T) {
	const seeAlso = rdfsNS + "seeAlso"
	for _, tc := range []struct {
		name string
		iris []string // each also a link
		want []string
	}{
		{"a class", []string{"http://v.test/v/A", rdfType, rdfsNS + "Class"}, []string{"http://v.test/v/"}},
		{"a class of OWL", []string{"http://v.test/v/A", rdfType, owlNS + "Class"}, []string{"http://v.test/v/"}},
		{"a property", []string{"http://v.test/v/a", rdfType, rdfNS + "Property"}, []string{"http://v.test/v/"}},
		{"a property of OWL", []string{"http://v.test/v/a", rdfType, owlNS + "TransitiveProperty"}, []string{"http://v.test/v/"}},
		{"a data type", []string{"http://v.test/v/D", rdfType, rdfsNS + "Datatype"}, []string{"http://v.test/v/"}},
		{"defined elsewhere", []string{"http://v.test/id/1", isDefinedBy, "http://v.test/doc/1"}, []string{"http://v.test/doc/1"}},
		{"that over the namespace", []string{"http://v.test/v/A", rdfType, rdfsNS + "Class", "http://v.test/v/A", isDefinedBy, "http://v.test/doc#x"}, []string{"http://v.test/doc"}},
		{"in either order", []string{"http://v.test/v/A", isDefinedBy, "http://v.test/doc", "http://v.test/v/A", rdfType, rdfsNS + "Class"}, []string{"http://v.test/doc"}},
		{"two of one vocabulary", []string{"http://v.test/v/A", rdfType, rdfsNS + "Class", "http://v.test/v/B", rdfType, rdfsNS + "Class"}, []string{"http://v.test/v/"}},
		{"defined by itself", []string{"http://v.test/v/A", isDefinedBy, "http://v.test/v/A"}, []string{"http://v.test/v/A"}},
		{"defined by no address", []string{"http://v.test/v/A", isDefinedBy, "urn:x"}, []string{"http://v.test/v/A"}},
		{"a term with #", []string{"http://v.test/v#A", rdfType, rdfsNS + "Class"}, []string{"http://v.test/v"}},
		{"a thing", []string{"http://v.test/v/A", rdfType, "http://v.test/v#Person"}, []string{"http://v.test/v/A", "http://v.test/v"}},
		{"a list of properties", []string{"http://v.test/v/A", rdfType, owlNS + "AllDisjointProperties"}, []string{"http://v.test/v/A"}},
		{"a thing beside", []string{"http://v.test/v/A", rdfType, rdfsNS + "Class", "http://v.test/v/anna", seeAlso, "http://v.test/v/A"}, []string{"http://v.test/v/anna", "http://v.test/v/"}},
	} {
		var links []string
		for s := range slices.Chunk(tc.iris, 3) {
			if to, _, _ := strings.Cut(s[0], "#"); !slices.Contains(links, to) {
				links = append(links, to)
			}
		}
		_, plan := decide(t, newFocus(t, nil), ofTriples("http://a.test/all.ttl", links, tc.iris...))
		var got []string
		for _, q := range plan {
			if space := namespace(q.URL + "#"); space+"#" != rdfsNS && space+"#" != owlNS && space+"#" != rdfNS {
				got = append(got, q.URL)
			}
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

// TestPagesOfTermsStay: an HTML link to a page about a term is an ordinary link.
func TestPagesOfTermsStay(t *testing.T) {
	p := page("http://a.test/v.html", "http://v.test/v/A")
	p.Quads = statements("http://v.test/v/A", rdfType, rdfsNS+"Class")
	if _, plan := decide(t, newFocus(t, nil), p); plan[0].URL != "http://v.test/v/A" {
		t.Errorf("%s", brief(plan))
	}
}

// TestDescribed: once the document of a vocabulary was fetched, through any redirects, none of its terms is
// requested. Claims of other documents have no effect.
func TestDescribed(t *testing.T) {
	const space, term, thing, document = "http://v.test/v/", "http://v.test/v/A", "http://v.test/v/anna", "http://d.test/v.ttl"
	defines := []string{term, rdfType, rdfsNS + "Class", thing, rdfType, term}
	arrive := func(f *Focus, url string, hops ...string) []string {
		o := answer(orbweaver.Request{URL: url, Redirects: hops}, "text/turtle")
		o.Page.Quads = statements(defines...)
		return learn(t, f, o)
	}
	hop := func(f *Focus, url, to string) {
		learn(t, f, orbweaver.Outcome{Request: orbweaver.Request{URL: url}, Status: 303, Redirect: to})
	}
	const key = "pattern:v.test/v/*"
	for _, tc := range []struct {
		name  string
		teach func(*Focus) []string
		want  bool
		stale bool
	}{
		{"the document itself", func(f *Focus) []string { return arrive(f, space) }, true, true},
		{"behind a redirect", func(f *Focus) []string { return arrive(f, document, space) }, true, true},
		{"behind two", func(f *Focus) []string { return arrive(f, document, space, "http://w.test/") }, true, true},
		{"a redirect to what was there", func(f *Focus) []string {
			stale := arrive(f, document)
			hop(f, space, document)
			return stale
		}, true, false},
		{"somebody else's", func(f *Focus) []string { return arrive(f, "http://e.test/") }, false, false},
		{"somebody else's before", func(f *Focus) []string {
			arrive(f, "http://e.test/")
			return arrive(f, space)
		}, true, true},
		{"somebody else's after", func(f *Focus) []string {
			stale := arrive(f, space)
			arrive(f, "http://e.test/")
			return stale
		}, true, true},
		{"a document of the namespace that does not know the term", func(f *Focus) []string {
			return learn(t, f, answer(orbweaver.Request{URL: space}, "text/turtle"))
		}, false, false},
		{"a page", func(f *Focus) []string {
			return learn(t, f, answer(orbweaver.Request{URL: space}, "text/html"))
		}, false, false},
	} {
		f := newFocus(t, nil)
		waiting := follow(t, f, ofTriples("http://a.test/1", []string{term}), term)
		if stale := tc.teach(f); slices.Contains(stale, key) != tc.stale || tc.stale && !slices.Contains(waiting.Keys, key) {
			t.Errorf("%s: stale %v; keys %v", tc.name, stale, waiting.Keys)
		}
		_, plan := decide(t, f, ofTriples("http://a.test/2", []string{term, thing, space}))
		for i, want := range []bool{tc.want, false} {
			if plan[i].Drop != want || want && (plan[i].Reasons[0].Rule != RuleDescribed || plan[i].Reasons[1].Weight != 0) {
				t.Errorf("%s: %s, %v", tc.name, brief(plan), plan[i].Reasons)
			}
		}
		if j := f.Rerank(nil, waiting); (j.Score == 0) != tc.want || j.Class != ClassR {
			t.Errorf("%s: ranked again as %v", tc.name, j)
		}
		if _, plan := decide(t, f, page("http://a.test/3", term)); plan[0].Drop {
			t.Errorf("%s: a link of HTML is dropped", tc.name)
		}
		again := newFocus(t, nil)
		if err := again.Restore(bytes.NewReader(snapshot(t, f))); err != nil || fmt.Sprint(again.Rerank(nil, waiting)) != fmt.Sprint(f.Rerank(nil, waiting)) {
			t.Errorf("%s: restored it says otherwise: %v", tc.name, err)
		}
	}
}
