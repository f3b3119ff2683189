package linkeddata

import (
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/rdf"
)

// steps formats proposals: the question in short, or the path, with rule and score.
func steps(plan []orbweaver.Proposal) string {
	var all []string
	for _, p := range plan {
		if strings.Contains(p.URL, "/.well-known/") {
			continue
		}
		s := strings.TrimPrefix(p.URL, "http://a.test")
		if q, ours := queryOf(p.URL); ours {
			s = fmt.Sprintf("%s[%s %d %d]", strings.TrimPrefix(q.endpoint, "http://a.test"), q.graph, q.limit, q.offset)
			if q.graphs {
				s = fmt.Sprintf("%s[graphs %v]", strings.TrimPrefix(q.endpoint, "http://a.test"), q.plain)
			}
		}
		all = append(all, fmt.Sprintf("%s:%s:%.2f", s, p.Reasons[len(p.Reasons)-1].Rule, p.Score))
	}
	return strings.Join(all, " ")
}

// many are statements of a document.
func many(n int) iter.Seq2[rdf.Quad, error] {
	return func(yield func(rdf.Quad, error) bool) {
		for i := range n {
			if !yield(rdf.Quad{S: rdf.NewIRI("http://a.test/data#s"), P: rdf.NewIRI(label), O: rdf.NewString(fmt.Sprint(i))}, nil) {
				return
			}
		}
	}
}

// document is a page of RDF.
func document(url string, quads iter.Seq2[rdf.Quad, error]) *orbweaver.Page {
	return &orbweaver.Page{Request: orbweaver.Request{URL: url}, URL: url, Status: 200, MediaType: "text/turtle", Quads: quads, Digest: url}
}

// TestQuestions: the URL of a question is all of its state.
func TestQuestions(t *testing.T) {
	for _, q := range []query{
		{endpoint: "http://a.test/sparql", limit: 10_000},
		{endpoint: "http://a.test/sparql?default-graph-uri=http%3A%2F%2Fg.test%2F", limit: 100, offset: 999_999},
		{endpoint: "http://a.test/sparql", graph: "http://g.test/?a=b&query=c#d", limit: 1000, offset: 7},
		{endpoint: "http://a.test/sparql", graph: "urn:x", limit: 1000},
		{endpoint: "http://a.test/sparql", graphs: true},
		{endpoint: "http://a.test/sparql", graphs: true, plain: true},
	} {
		if again, ok := queryOf(q.url()); !ok || again != q {
			t.Errorf("%+v: %+v, %v from %s", q, again, ok, q.url())
		}
	}
	for _, not := range []string{
		"http://a.test/sparql", "http://a.test/sparql?query=ASK+%7B%7D", "http://a.test/?myquery=" + "x", "query=", "http://a.test/?query=%zz",
		query{endpoint: "http://a.test/", graph: "http://g.test/> } } #", limit: 1}.url(),
	} {
		if q, ok := queryOf(not); ok {
			t.Errorf("%s: %+v", not, q)
		}
	}
}

// FuzzQuestions: whatever a URL says, a question read from it is put by a URL that reads the same.
func FuzzQuestions(f *testing.F) {
	f.Add(query{endpoint: "http://a.test/sparql", graph: "http://g.test/", limit: 10, offset: 20}.url())
	f.Add("http://a.test/?query=CONSTRUCT+%7B+%3Fs+%3Fp+%3Fo+%7D")
	f.Fuzz(func(t *testing.T, address string) {
		q, ok := queryOf(address)
		if !ok {
			return
		}
		to := q.url()
		if to == "" {
			return
		}
		again, ok := queryOf(to)
		if again.endpoint, q.endpoint = "", ""; !ok || again != q {
			t.Errorf("%q: %+v, %v, want %+v", address, again, ok, q)
		}
	})
}

// TestHarvestOfEndpoints: which questions a page and an answer lead to.
func TestHarvestOfEndpoints(t *testing.T) {
	first := query{endpoint: "http://a.test/e", limit: firstPage}
	second, inGraph := first, first
	second.offset = 300
	inGraph.graph = "http://g.test/1"
	names := func(yield func(rdf.Quad, error) bool) {
		yield(rdf.Quad{S: rdf.NewBlank("b"), P: rdf.NewIRI(sd + "name"), O: rdf.NewIRI("http://g.test/1")}, nil)
	}
	itself := func(yield func(rdf.Quad, error) bool) {
		yield(rdf.Quad{S: rdf.NewBlank("b"), P: rdf.NewIRI(sd + "endpoint"), O: rdf.NewIRI("http://a.test/e")}, nil)
	}
	for _, tc := range []struct {
		name string
		page *orbweaver.Page
		want string
	}{
		{"first page", document(first.url(), many(300)), "/e[graphs false]:graphs:0.67 /e[ 10000 300]:harvest:0.67"},
		{"second page", document(second.url(), many(300)), "/e[ 10000 600]:harvest:0.67"},
		{"a last, empty page", document(second.url(), many(0)), ""},
		{"an endpoint that heeds no limit", document(second.url(), many(firstPage+1)), ""},
		{"an error in HTML", &orbweaver.Page{URL: first.url(), MediaType: "text/html"}, ""},
		{"a page of a graph", document(inGraph.url(), many(2)), "/e[http://g.test/1 10000 2]:harvest:0.67"},
		{"names of graphs", document(query{endpoint: "http://a.test/e", graphs: true}.url(), names), "/e[http://g.test/1 10000 0]:harvest-graph:0.67"},
		{"a description of itself", document("http://a.test/e", itself), "/e[ 10000 0]:harvest:0.67 /e[graphs false]:graphs:0.67"},
	} {
		_, plan := decide(t, newFocus(t, nil), tc.page)
		plan = slices.DeleteFunc(plan, func(p orbweaver.Proposal) bool { return !strings.HasPrefix(p.URL, "http://a.test/e") })
		if got := steps(plan); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// TestHarvestEnds: an endpoint that repeats itself, and one that has had its share, are asked no more.
func TestHarvestEnds(t *testing.T) {
	opts := DefaultOptions()
	opts.HarvestMost = 700
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	p := document(query{endpoint: "http://a.test/e", limit: firstPage, offset: 300}.url(), many(300))
	_, plan := decide(t, f, p)
	if got := steps(plan); !strings.Contains(got, "[ 10000 600]") {
		t.Fatalf("got %s", got)
	}
	again := document(plan[0].URL, many(300))
	again.Request.Note = plan[0].Note
	again.Digest = p.Digest
	if _, plan := decide(t, f, again); strings.Contains(steps(plan), "harvest") {
		t.Errorf("an endpoint that repeats itself: %s", steps(plan))
	}
	again.Digest = "another"
	if _, plan := decide(t, f, again); strings.Contains(steps(plan), "harvest") {
		t.Errorf("an endpoint beyond its share: %s", steps(plan))
	}
}

// TestHarvestRecovers: what is asked where an endpoint fails.
func TestHarvestRecovers(t *testing.T) {
	sure := orbweaver.Judgement{Score: scoreHR}
	for _, tc := range []struct {
		name   string
		q      query
		status int
		was    orbweaver.Judgement
		want   string
	}{
		{"a large page", query{endpoint: "http://a.test/e", limit: firstPage, offset: 5}, 500, sure, "/e[ 1000 5]:smaller-page:0.67"},
		{"a smaller page", query{endpoint: "http://a.test/e", limit: nextPage}, 0, sure, "/e[ 100 0]:smaller-page:0.67"},
		{"the smallest", query{endpoint: "http://a.test/e", limit: lastPage}, 500, sure, ""},
		{"a guess", query{endpoint: "http://a.test/e", limit: firstPage}, 500, orbweaver.Judgement{Score: scoreH}, ""},
		{"a locked door", query{endpoint: "http://a.test/e", limit: firstPage}, 403, sure, ""},
		{"names of graphs", query{endpoint: "http://a.test/e", graphs: true}, 400, sure, "/e[graphs true]:smaller-page:0.67"},
		{"names of graphs, in plain words", query{endpoint: "http://a.test/e", graphs: true, plain: true}, 400, sure, ""},
	} {
		o := orbweaver.Outcome{
			Request: orbweaver.Request{URL: tc.q.url(), Via: &orbweaver.Link{}}, Status: tc.status, Err: orbweaver.ErrStatus, Predicted: tc.was,
		}
		plan, err := newFocus(t, nil).Recover(t.Context(), o)
		if got := steps(plan); err != nil || got != tc.want {
			t.Errorf("%s: %v\n got %s\nwant %s", tc.name, err, got, tc.want)
		}
	}
	opts := DefaultOptions()
	opts.Beyond.Harvest = false
	f, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	o := orbweaver.Outcome{Request: orbweaver.Request{URL: query{endpoint: "http://a.test/e", limit: firstPage}.url()}, Err: orbweaver.ErrStatus}
	if plan, err := f.Recover(t.Context(), o); len(plan) > 0 || err != nil {
		t.Errorf("without harvest: %v, %v", plan, err)
	}
}

// TestHarvestOfCatalogues: which requests the pages and answers of CKAN lead to.
func TestHarvestOfCatalogues(t *testing.T) {
	answer := func(url, body string) *orbweaver.Page {
		return &orbweaver.Page{Request: orbweaver.Request{URL: url}, URL: url, Status: 200, MediaType: "application/json", Body: []byte(body)}
	}
	const search = "http://a.test/data/api/3/action/package_search?rows=100&start="
	for _, tc := range []struct {
		name string
		page *orbweaver.Page
		want string
	}{
		{"a page of the site", page("http://a.test/data/about", "http://a.test/data/dataset/", "http://a.test/data/group", "http://a.test/data/organization"),
			"/data/api/3/action/package_search?rows=100&start=0:ckan-search:0.67"},
		{"a page with two of three", page("http://a.test/", "http://a.test/dataset", "http://a.test/group", "http://b.test/organization"), ""},
		{"a page with the API", page("http://a.test/", "http://a.test/api/3"), "/api/3/action/package_search?rows=100&start=0:ckan-search:0.67"},
		{"the API of another host", page("http://a.test/", "http://docs.test/api/3"), ""},
		{"a list", answer(search+"0", `{"success":true,"result":{"count":250,"results":[
			{"resources":[{"url":"http://a.test/1.csv","format":"CSV"},{"url":"http://a.test/get/1","format":"Turtle"},{"url":"two.zip","format":"gzip::nquads"}]},
			{"resources":[{"url":"http://a.test/q","format":"api/sparql"},{"url":"ftp://a.test/x.ttl","format":"RDF"},{"url":"http://a.test/3.nt.gz","format":""}]}]}}`),
			"/get/1:ckan-resource:1.00 /data/api/3/action/two.zip:ckan-resource:1.00 /q[ 10000 0]:harvest:0.67 /q[graphs false]:graphs:0.67 /3.nt.gz:ckan-resource:1.00 /data/api/3/action/package_search?rows=100&start=2:ckan-search:0.67"},
		{"the last page of a list", answer(search+"249", `{"success":true,"result":{"count":250,"results":[{"resources":[]}]}}`), ""},
		{"one dataset", answer("http://a.test/api/3/action/package_show?id=x", `{"success":true,"result":{"resources":[{"url":"/x.rdf"}]}}`), "/x.rdf:ckan-resource:1.00"},
		{"names", answer("http://a.test/api/3/action/package_list", `{"success":true,"result":["x"]}`), "/api/3/action/package_search?rows=100&start=0:ckan-search:0.67"},
		{"an error", answer(search+"0", `{"success":false,"result":{"resources":[{"url":"/x.rdf"}]}}`), ""},
		{"no JSON", answer(search+"0", `{"success":`), ""},
		{"JSON of another kind", answer("http://a.test/x.json", `{"success":true,"result":{"resources":[{"url":"/x.rdf"}]}}`), ""},
	} {
		_, plan := decide(t, newFocus(t, nil), tc.page)
		plan = slices.DeleteFunc(plan, func(p orbweaver.Proposal) bool { return p.Via.Origin != orbweaver.FromSeed })
		if got := steps(plan); got != tc.want {
			t.Errorf("%s:\n got %s\nwant %s", tc.name, got, tc.want)
		}
	}
}

// FuzzCatalogues: no answer of a catalogue breaks the focus, or leads out of the Web.
func FuzzCatalogues(f *testing.F) {
	f.Add(`{"success":true,"result":{"count":3,"results":[{"resources":[{"url":"http://a.test/x","format":"RDF"}]}]}}`)
	f.Fuzz(func(t *testing.T, body string) {
		focus, err := New(DefaultOptions())
		if err != nil {
			t.Fatal(err)
		}
		p := &orbweaver.Page{URL: "http://a.test/api/3/action/package_search", MediaType: "application/json", Body: []byte(body)}
		plan, err := focus.Plan(t.Context(), p, orbweaver.Judgement{})
		for _, one := range plan {
			if !strings.HasPrefix(one.URL, "http://") && !strings.HasPrefix(one.URL, "https://") {
				t.Errorf("%q", one.URL)
			}
		}
		if err != nil {
			t.Error(err)
		}
	})
}
