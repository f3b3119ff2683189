package sparql_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/rdf/quads"
	"orbweaver/server/sparql"
)

// TestGraphSyntaxes: each readable syntax, compressed or not, gives the same graph.
func TestGraphSyntaxes(t *testing.T) {
	for _, tc := range []struct{ kind, body string }{
		{"text/turtle", "<#a> <u:p> [ <u:q> 'x'@EN ] ."},
		{"application/n-triples", "<u:g#a> <u:p> _:b .\n_:b <u:q> \"x\"@en .\n"},
		{"application/rdf+xml", `<r:RDF xmlns:r="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:u="u:"><r:Description r:about="#a"><u:p r:parseType="Resource"><u:q xml:lang="en">x</u:q></u:p></r:Description></r:RDF>`},
		{"application/ld+json; charset=utf-8", `{"@context": {"q": {"@id": "u:q", "@language": "en"}}, "@id": "#a", "u:p": {"q": "x"}}`},
		{"application/ld+json", `{"@graph": [{"@id": "u:g#a", "u:p": {"@id": "_:b"}}, {"@id": "_:b", "u:q": {"@value": "x", "@language": "en"}}]}`},
		{"application/trig", "{ <#a> <u:p> _:b } _:b <u:q> 'x'@en ."},
		{"application/n-quads", "<u:g#a> <u:p> _:b .\n_:b <u:q> \"x\"@en .\n"},
	} {
		for _, zip := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s zipped %v", tc.kind, zip), func(t *testing.T) {
				h := changeable(quads.NewMemory(), sparql.Options{})
				put := request("PUT", "/graphs?graph=u:g", tc.kind, tc.body)
				if zip {
					put = packed("GZIP", put, zipped(tc.body))
				}
				if res := send(h, put); res.StatusCode != 201 {
					t.Fatal(res.Status, text(t, res))
				}
				count := text(t, send(h, ask("SELECT (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } }", "Accept", "text/csv")))
				whole := text(t, send(h, ask("ASK { GRAPH <u:g> { <u:g#a> <u:p> ?b . ?b <u:q> 'x'@en } FILTER(isBlank(?b)) FILTER NOT EXISTS { ?s ?p ?o } }")))
				if count != "n\r\n2\r\n" || !strings.Contains(whole, "true") {
					t.Errorf("%q, %s", count, whole)
				}
			})
		}
	}
}

// TestPackedOperations: queries, updates and forms may be compressed; parts may have any syntax.
func TestPackedOperations(t *testing.T) {
	h := changeable(sample(t), sparql.Options{})
	form := "--b\r\nContent-Type: application/ld+json\r\n\r\n{\"@id\": \"u:j\", \"u:p\": 1}\r\n--b\r\nContent-Type: application/trig\r\n\r\n{ <u:t> <u:p> 1 }\r\n--b--"
	for _, tc := range []struct {
		name string
		req  *http.Request
		code int
	}{
		{"an update", packed("gzip", request("POST", "/sparql", updateType, ""), zipped("INSERT DATA { <u:z> <u:p> 1 }")), 204},
		{"a form", packed("x-gzip", request("POST", "/graphs?graph=u:new", "multipart/form-data; boundary=b", ""), zipped(form)), 201},
		{"a query", packed("gzip", request("POST", "/sparql", formType, ""), zipped("query="+url.QueryEscape("ASK { <u:z> <u:p> 1 GRAPH <u:new> { <u:j> <u:p> 1 . <u:t> <u:p> 1 } }"))), 200},
	} {
		res := send(h, tc.req)
		if body := text(t, res); res.StatusCode != tc.code || tc.code == 200 && !strings.Contains(body, "true") {
			t.Errorf("%s: %s %s", tc.name, res.Status, body)
		}
	}
	for update, want := range map[string]bool{"yes": true, "no": false} {
		h := sparql.New(sparql.NewMemory(sample(t)), sparql.Options{})
		if want {
			h = changeable(sample(t), sparql.Options{})
		}
		if got := text(t, send(h, request("GET", "/sparql", "", ""))); strings.Contains(got, "sd:inputFormat formats:Turtle, ") != want || strings.Contains(got, "JSON-LD") != want {
			t.Errorf("updates: %s\n%s", update, got)
		}
	}
}

// TestSlowGraph: a slow upload blocks other updates until its time limit, but no query.
func TestSlowGraph(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h := changeable(sample(t), sparql.Options{Time: 5 * time.Second, AtOnce: 1})
		body, end := io.Pipe()
		first, second := make(chan *http.Response), make(chan *http.Response)
		put := request("PUT", "/graphs?graph=u:h", "text/turtle", "")
		put.Body = body
		go func() { first <- send(h, put) }()
		synctest.Wait()
		<-time.After(time.Second)
		go func() { second <- send(h, request("PUT", "/graphs?graph=u:i", "text/turtle", "<u:n> <u:n> 1 .")) }()
		synctest.Wait()
		if res := send(h, ask("ASK {}")); res.StatusCode != 200 {
			t.Errorf("query: %s", res.Status)
		}
		if _, err := io.WriteString(end, "<u:n> <u:n> 1 ."); err != nil {
			t.Error(err)
		}
		<-time.After(3 * time.Second)
		if err := end.Close(); err != nil {
			t.Error(err)
		}
		for i, answer := range []chan *http.Response{first, second} {
			if res := <-answer; res.StatusCode != 201 {
				t.Errorf("graph %d: %s", i+1, res.Status)
			}
		}
		body, end = io.Pipe()
		defer end.Close()
		put.Body = body
		go func() { first <- send(h, put) }()
		synctest.Wait()
		if res := send(h, request("PUT", "/graphs?graph=u:i", "text/turtle", "")); res.StatusCode != 503 {
			t.Errorf("a graph with no place in time: %s", res.Status)
		}
		end.Close()
		<-first
	})
}

// TestFullStore: a request that exceeds the limit of quads is rolled back; existing quads may be added again.
func TestFullStore(t *testing.T) {
	m := sample(t) // of four
	h := changeable(m, sparql.Options{MaxQuads: 6})
	update := func(text string) *http.Request { return request("POST", "/sparql", updateType, text) }
	for _, tc := range []struct {
		name string
		req  *http.Request
		code int
		n    int64 // quads afterwards
	}{
		{"two fit", update("INSERT DATA { <u:n> <u:n> 1, 2 }"), 204, 6},
		{"they are there", update("INSERT DATA { <u:n> <u:n> 1, 2 }"), 204, 6},
		{"one more does not", update("INSERT DATA { <u:n> <u:n> 3 }"), 507, 6},
		{"nor a graph", request("PUT", "/graphs?graph=u:h", "text/turtle", "<u:n> <u:n> 1, 2 ."), 507, 6},
		{"one for another", update("DELETE DATA { <u:n> <u:n> 1 } ; INSERT DATA { <u:n> <u:n> 3 }"), 204, 6},
		{"two for one, and something before", update("CLEAR GRAPH <u:g> ; INSERT DATA { <u:n> <u:n> 4, 5 }"), 507, 6},
		{"a copy", update("COPY DEFAULT TO <u:h>"), 507, 6},
		{"half of it", update("DELETE WHERE { <u:n> ?p ?o } ; INSERT DATA { <u:n> <u:n> 1 }"), 204, 5},
		{"a graph that fits", request("PUT", "/graphs?graph=u:h", "text/turtle", "<u:n> <u:n> 1 ."), 201, 6},
	} {
		res := send(h, tc.req)
		body := text(t, res)
		n, err := m.Snapshot().Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any})
		if res.StatusCode != tc.code || n != tc.n || err != nil || tc.code == 507 && !strings.Contains(body, "the store is full: it takes at most 6 statements") {
			t.Errorf("%s: %s %s, %d quads, %v", tc.name, res.Status, body, n, err)
		}
	}
}

// TestManyClients: two hundred concurrent clients insert and delete pairs; no reader sees half a pair.
func TestManyClients(t *testing.T) {
	const clients = 200
	m := quads.NewMemory()
	s := httptest.NewUnstartedServer(nil)
	s.Config.Handler = changeable(m, sparql.Options{})
	s.Start()
	defer s.Close()
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, MaxIdleConnsPerHost: clients}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	post := func(t *testing.T, kind, body string) (string, int) {
		res, err := client.Post(s.URL+"/sparql", kind, strings.NewReader(body))
		if err != nil {
			t.Error(err)
			return "", 0
		}
		defer res.Body.Close()
		return text(t, res), res.StatusCode
	}
	const alone = "ASK { { ?s <u:left> ?o FILTER NOT EXISTS { ?s <u:right> ?o } } UNION { GRAPH ?g { ?s <u:right> ?o } } UNION { ?s <u:left> ?o . GRAPH ?g { ?s <u:half> ?o } } }"
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			var between strings.Builder
			for n := range 30 {
				fmt.Fprintf(&between, "<u:c%d> <u:n> %d . ", i, n)
			}
			pair := fmt.Sprintf("{ <u:s%d> <u:left> %d . %s <u:s%d> <u:right> %d }", i%50, i, &between, i%50, i)
			for _, step := range []struct {
				kind, body string
				code       int
			}{
				{updateType, "INSERT DATA " + pair, 204},
				{queryType, alone, 200},
				{updateType, "INSERT DATA { GRAPH <u:g> { <u:x> <u:right> 1 } } ; CREATE GRAPH <u:g>", 409}, // undone
				{queryType, alone, 200},
				{updateType, "DELETE DATA " + pair, 204},
			} {
				if got, code := post(t, step.kind, step.body); code != step.code || step.code == 200 && !strings.Contains(got, "false") {
					t.Errorf("client %d: %s: %d %s", i, step.body, code, got)
				}
			}
		})
	}
	all.Wait()
	if n, err := m.Snapshot().Count(quads.Pattern{S: quads.Any, P: quads.Any, O: quads.Any, G: quads.Any}); n != 0 || err != nil {
		t.Errorf("%d quads are left, %v", n, err)
	}
}
