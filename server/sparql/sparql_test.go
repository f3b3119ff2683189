package sparql_test

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/eval"
	rdfsyntax "orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
	"orbweaver/rdf/syntax/rdfxml"
	"orbweaver/server/sparql"
)

// add adds a quad.
func add(t *testing.T, m *quads.Memory, q rdf.Quad) {
	t.Helper()
	if _, err := m.Add(q, "d"); err != nil {
		t.Fatal(err)
	}
}

// sample returns a small store.
func sample(t *testing.T) *quads.Memory {
	t.Helper()
	m := quads.NewMemory()
	for q, err := range nquads.Read(strings.NewReader(`<u:a> <u:p> "x" .
<u:a> <u:knows> _:b .
_:b <u:name> "Bob"@en .
<u:c> <u:p> "5"^^<http://www.w3.org/2001/XMLSchema#integer> <u:g> .
`), rdfsyntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		add(t, m, q)
	}
	return m
}

// changeable returns a handler of an updatable store.
func changeable(m *quads.Memory, o sparql.Options) *sparql.Handler {
	store := sparql.NewMemory(m)
	o.Updates = store
	return sparql.New(store, o)
}

// request returns a request from this machine.
func request(method, target, contentType, body string) *http.Request {
	r := httptest.NewRequest(method, "http://localhost"+target, strings.NewReader(body))
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	return r
}

// send returns the response of a handler.
func send(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

// packed sets the content coding and body of a request.
func packed(coding string, r *http.Request, body string) *http.Request {
	r.Header.Set("Content-Encoding", coding)
	r.Body = io.NopCloser(strings.NewReader(body))
	return r
}

// zipped returns a text compressed with gzip.
func zipped(text string) string {
	var b strings.Builder
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, text) // a Builder takes all
	_ = z.Close()
	return b.String()
}

// text returns the body of a response.
func text(t *testing.T, res *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

const (
	formType   = "application/x-www-form-urlencoded"
	queryType  = "application/sparql-query"
	updateType = "application/sparql-update"
)

// ask returns a query by GET.
func ask(query string, more ...string) *http.Request {
	r := request("GET", "/sparql?query="+url.QueryEscape(query), "", "")
	for i := 0; i+1 < len(more); i += 2 {
		r.Header.Set(more[i], more[i+1])
	}
	return r
}

func TestAnswers(t *testing.T) {
	h := changeable(sample(t), sparql.Options{})
	const construct = "CONSTRUCT { ?s <u:q> ?o } { ?s <u:p> ?o }"
	for _, tc := range []struct {
		name string
		req  *http.Request
		code int
		kind string // media type
		body string // part of it
	}{
		{"JSON is the default", ask("SELECT ?o { <u:a> <u:p> ?o }"), 200, "application/sparql-results+json", `"value":"x"`},
		{"XML", ask("SELECT ?o { <u:a> <u:p> ?o }", "Accept", "application/sparql-results+xml"), 200, "application/sparql-results+xml", "<literal>x</literal>"},
		{"CSV", ask("SELECT ?o { <u:a> <u:p> ?o }", "Accept", "text/csv"), 200, "text/csv; charset=utf-8", "o\r\nx\r\n"},
		{"TSV", ask("SELECT ?o { <u:a> <u:p> ?o }", "Accept", "text/tab-separated-values"), 200, "text/tab-separated-values; charset=utf-8", "?o\n\"x\"\n"},
		{"ASK", ask("ASK { <u:a> <u:p> 'x' }"), 200, "application/sparql-results+json", "true"},
		{"Turtle is the default", ask(construct), 200, "text/turtle; charset=utf-8", `<u:a> <u:q> "x" .`},
		{"N-Triples", ask(construct, "Accept", "application/n-triples"), 200, "application/n-triples", "<u:a> <u:q> \"x\" .\n"},
		{"N-Quads", ask(construct, "Accept", "text/turtle;q=0.5, application/n-quads"), 200, "application/n-quads", "<u:a> <u:q> \"x\" .\n"},
		{"TriG", ask(construct, "Accept", "application/trig"), 200, "application/trig", `<u:a> <u:q> "x" .`},
		{"RDF/XML", ask(construct, "Accept", "application/rdf+xml"), 200, "application/rdf+xml", ">x</p:q>"},
		{"no rows as such", ask("ASK {}", "Accept", "image/png"), 406, "text/plain; charset=utf-8", "written as"},
		{"no graph as such", ask(construct, "Accept", "text/csv"), 406, "text/plain; charset=utf-8", "written as"},
		{"a named graph as the default", request("GET", "/sparql?default-graph-uri=u:g&query="+url.QueryEscape("ASK { <u:c> <u:p> 5 }"), "", ""), 200, "application/sparql-results+json", "true"},
		{"that of the request goes first", request("GET", "/sparql?default-graph-uri=u:none&query="+url.QueryEscape("ASK FROM <u:g> { <u:c> <u:p> 5 }"), "", ""), 200, "application/sparql-results+json", "false"},
		{"a form", request("POST", "/sparql", formType, "query="+url.QueryEscape("ASK {}")), 200, "application/sparql-results+json", "true"},
		{"a body", request("POST", "/sparql", queryType+"; charset=UTF-8", "ASK {}"), 200, "application/sparql-results+json", "true"},
		{"HEAD", request("HEAD", "/sparql?query="+url.QueryEscape("ASK {}"), "", ""), 200, "application/sparql-results+json", ""},
		{"what is here", request("GET", "/", "", ""), 200, "text/plain; charset=utf-8", "http://localhost/graphs"},
		{"VoID", request("GET", "/.well-known/void", "", ""), 200, "text/turtle; charset=utf-8", "void:triples 4"},
		{"the default graph", request("GET", "/graphs?default", "", ""), 200, "text/turtle; charset=utf-8", `[ <u:name> "Bob"@en ]`},
		{"a named graph", request("GET", "/graphs?graph=u:g", "", ""), 200, "text/turtle; charset=utf-8", "<u:c> <u:p> 5 ."},
		{"HEAD of a graph", request("HEAD", "/graphs?graph=u:g", "", ""), 200, "text/turtle; charset=utf-8", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res := send(h, tc.req)
			body := text(t, res)
			if res.StatusCode != tc.code || res.Header.Get("Content-Type") != tc.kind || !strings.Contains(body, tc.body) {
				t.Errorf("%s %q\n%s", res.Status, res.Header.Get("Content-Type"), body)
			}
			if tc.req.Method == "HEAD" && body != "" {
				t.Errorf("a body: %s", body)
			}
		})
	}
}

func TestRefusals(t *testing.T) {
	limited := sparql.Options{MaxRows: 2, MaxBody: 1000, MaxBytes: 100_000}
	readable := sparql.New(sparql.NewMemory(sample(t)), limited)
	writable := changeable(sample(t), limited)
	long, pairs := strings.Repeat("#", 2000), strings.Repeat("(1 2) ", 100)
	for _, tc := range []struct {
		name string
		h    http.Handler
		req  *http.Request
		code int
		body string // part of it
	}{
		{"a mistake", readable, ask("SELECT *\n{ ?s ?p }"), 400, "query:2:9: expected"},
		{"its place", readable, ask("SELECT *\n{ ?s ?p }"), 400, "\n  { ?s ?p }\n          ^\n"},
		{"a mistake in an update", writable, request("POST", "/sparql", updateType, "INSERT DAT {}"), 400, "update:1:8: "},
		{"too many rows", readable, ask("SELECT * { ?s ?p ?o }"), 422, "too many rows: more than 2"},
		{"too much memory", readable, ask("SELECT * { VALUES (?k ?l) {" + pairs + "} VALUES (?m ?n) {" + pairs + "} } ORDER BY ?k"), 422, "too much memory"},
		{"a service", readable, ask("SELECT * { SERVICE <http://x.test/> { ?s ?p ?o } }"), 403, "SERVICE is not configured"},
		{"a document", writable, request("POST", "/sparql", updateType, "LOAD <file:///etc/passwd>"), 403, "LOAD is not configured"},
		{"a graph that is not there", writable, request("POST", "/sparql", updateType, "MOVE <u:none> TO <u:g>"), 409, "no such graph"},
		{"a graph that is there", writable, request("POST", "/sparql", updateType, "CREATE GRAPH <u:g>"), 409, "the graph exists already"},
		{"an update where there are none", readable, request("POST", "/sparql", updateType, "CLEAR ALL"), 403, "read-only"},
		{"PUT where there is none", readable, request("PUT", "/graphs?default", "text/turtle", ""), 403, "read-only"},
		{"DELETE where there is none", readable, request("DELETE", "/graphs?default", "", ""), 403, "read-only"},
		{"an update by GET", writable, request("GET", "/sparql?update=CLEAR+ALL", "", ""), 405, "takes POST"},
		{"PUT of a query", readable, request("PUT", "/sparql", queryType, "ASK {}"), 405, "not PUT"},
		{"PATCH", writable, request("PATCH", "/graphs?default", "text/turtle", ""), 405, "not take PATCH"},
		{"POST of a description", writable, request("POST", "/.well-known/void", "text/turtle", ""), 405, "takes GET, not POST"},
		{"POST of nothing", writable, request("POST", "/", "text/turtle", ""), 405, "takes GET, not POST"},
		{"neither", readable, request("POST", "/sparql", formType, "a=b"), 400, "neither"},
		{"both", writable, request("POST", "/sparql", formType, "query=ASK+{}&update=CLEAR+ALL"), 400, "exclude"},
		{"two", readable, request("POST", "/sparql?query=ASK+{}", formType, "query=ASK+{}"), 400, "2 times"},
		{"no UTF-8", readable, request("GET", "/sparql?query=ASK+%FF", "", ""), 400, "not UTF-8"},
		{"a broken URL", readable, request("GET", "/sparql?query=%41%zz", "", ""), 400, "URL"},
		{"a broken form", readable, request("POST", "/sparql", formType, "query=%zz"), 400, "form"},
		{"a relative graph", readable, request("GET", "/sparql?query=ASK+{}&named-graph-uri=a", "", ""), 400, `graph "a"`},
		{"a body packed by what is not read", readable, packed("br", request("POST", "/sparql", queryType, ""), "ASK {}"), 415, "Content-Encoding is gzip"},
		{"by two", writable, packed("gzip, gzip", request("PUT", "/graphs?default", "text/turtle", ""), ""), 415, "Content-Encoding is gzip"},
		{"a body that is not packed", readable, packed("gzip", request("POST", "/sparql", queryType, ""), "ASK {}"), 400, "the body: "},
		{"none", writable, packed("gzip", request("PUT", "/graphs?default", "text/turtle", ""), ""), 400, "the body: unexpected EOF"},
		{"half of one", writable, packed("gzip", request("PUT", "/graphs?default", "text/turtle", ""), zipped("<u:a> <u:b> <u:c> .")[:20]), 400, "the body: unexpected EOF"},
		{"one that grows", writable, packed("gzip", request("PUT", "/graphs?default", "text/turtle", ""), zipped(long)), 413, "more than 1000 bytes"},
		{"a query that grows", readable, packed("gzip", request("POST", "/sparql", queryType, ""), zipped("ASK {}"+long)), 413, "more than 1000 bytes"},
		{"a long body", readable, request("POST", "/sparql", queryType, "ASK {}"+long), 413, "more than 1000 bytes"},
		{"a long graph", writable, request("PUT", "/graphs?default", "text/turtle", long), 413, "more than 1000 bytes"},
		{"no graph", readable, request("GET", "/graphs", "", ""), 400, "name a graph"},
		{"two graphs", readable, request("GET", "/graphs?default&graph=u:a", "", ""), 400, "name one graph"},
		{"a path and a parameter", readable, request("GET", "/graphs/a?graph=u:a", "", ""), 400, "name one graph"},
		{"an empty name", readable, request("GET", "/graphs?graph=", "", ""), 400, "graph \"\""},
		{"a graph that nobody has", readable, request("GET", "/graphs?graph=u:none", "", ""), 404, "no graph <u:none>"},
		{"DELETE of none", writable, request("DELETE", "/graphs?graph=u:none", "", ""), 404, "no graph"},
		{"a mistake in a graph", writable, request("PUT", "/graphs?default", "text/turtle", "<u:a>\n<u:b> ."), 400, "body:2:7: "},
		{"a graph of no type", writable, request("PUT", "/graphs?default", "", "<u:a> <u:b> <u:c> ."), 415, "Content-Type"},
		{"HTML", writable, request("PUT", "/graphs?default", "text/html", "<p property='u:p'>x"), 415, "application/ld+json"},
		{"a dataset as a graph", writable, request("PUT", "/graphs?graph=u:g", "application/trig", "<u:a> <u:b> <u:c> . <u:g> { <u:a> <u:b> <u:c> }"), 400, "body: a statement of the graph <u:g>: "},
		{"one of lines", writable, request("PUT", "/graphs?default", "application/n-quads", "<u:a> <u:b> <u:c> _:g ."), 400, "a statement of the graph"},
		{"one of JSON", writable, request("PUT", "/graphs?default", "application/ld+json", `{"@id": "u:g", "@graph": {"@id": "u:a", "u:b": 1}}`), 400, "a statement of the graph <u:g>"},
		{"a remote context", writable, request("PUT", "/graphs?default", "application/ld+json", `{"@context": "https://schema.org", "name": "x"}`), 400, "https://schema.org"},
		{"its reason", writable, request("PUT", "/graphs?default", "application/ld+json", `{"@context": "http://127.0.0.1/c", "name": "x"}`), 400, "remote contexts are not loaded: the context has to be in the document"},
		{"a graph of too much memory", changeable(sample(t), sparql.Options{MaxBytes: 2000}), request("PUT", "/graphs?default", "text/turtle", "<u:a> <u:b> 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ."), 422, "too much memory: more than 2000 bytes"},
		{"a mistake in JSON", writable, request("PUT", "/graphs?default", "application/ld+json", "{\n]"), 400, "body:2:1: "},
		{"no such place", readable, request("GET", "/etc/passwd", "", ""), 404, "not found"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			res := send(tc.h, tc.req)
			if body := text(t, res); res.StatusCode != tc.code || !strings.Contains(body, tc.body) {
				t.Errorf("%s\n%s", res.Status, body)
			}
			if res.StatusCode == 405 && res.Header.Get("Allow") == "" {
				t.Error("no Allow")
			}
		})
	}
}

// TestWhoMayAsk: pages of other origins get no answer, under any host name.
func TestWhoMayAsk(t *testing.T) {
	store := sparql.NewMemory(sample(t))
	for _, tc := range []struct {
		host, origin string
		code         int
	}{
		{"localhost:7878", "", 200}, {"127.0.0.1:7878", "", 200}, {"[::1]:7878", "", 200}, {"10.1.2.3", "", 200}, {"data.example", "", 200}, {"DATA.example:80", "", 200},
		{"evil.example", "", 421}, {"", "", 421}, {"localhost.evil.example", "", 421},
		{"localhost", "http://localhost:3000", 200}, {"localhost", "http://127.0.0.1", 200}, {"localhost", "https://app.example", 200}, {"data.example", "http://data.example", 200},
		{"localhost", "http://evil.example", 403}, {"localhost", "null", 403}, {"localhost", "https://app.example.evil", 403}, {"localhost", "http://localhost.evil", 403}, {"localhost", "://", 403},
	} {
		h := sparql.New(store, sparql.Options{Hosts: []string{"data.example"}, Origins: []string{"https://app.example"}})
		r := ask("ASK {}", "Origin", tc.origin)
		r.Host = tc.host
		if tc.origin == "" {
			r.Header.Del("Origin")
		}
		res := send(h, r)
		if res.StatusCode != tc.code || (res.Header.Get("Access-Control-Allow-Origin") == tc.origin) != (tc.code == 200 || tc.origin == "") {
			t.Errorf("%s for %q: %s %q", tc.host, tc.origin, res.Status, res.Header.Get("Access-Control-Allow-Origin"))
		}
	}
	any := sparql.New(store, sparql.Options{Origins: []string{"*"}})
	if res := send(any, ask("ASK {}", "Origin", "http://x.example")); res.StatusCode != 200 {
		t.Error(res.Status)
	}
	preflight := request("OPTIONS", "/sparql", "", "")
	preflight.Header.Set("Origin", "http://localhost:1")
	if res := send(any, preflight); res.StatusCode != 204 || !strings.Contains(res.Header.Get("Access-Control-Allow-Methods"), "PUT") {
		t.Error(res.Status, res.Header)
	}
}

// TestUpdateIsWhole: a failing update is rolled back, and no reader sees a part of it.
func TestUpdateIsWhole(t *testing.T) {
	h := changeable(sample(t), sparql.Options{})
	all := ask("SELECT * { { ?s ?p ?o } UNION { GRAPH ?g { ?s ?p ?o } } } ORDER BY ?g ?s ?p ?o")
	before := text(t, send(h, all.Clone(t.Context())))
	for _, update := range []string{
		"INSERT DATA { <u:n> <u:n> <u:n> } ; DELETE WHERE { ?s <u:name> ?o } ; CLEAR GRAPH <u:g> ; LOAD <http://x.test/>",
		"CLEAR ALL ; INSERT DATA { <u:n> <u:n> [] . GRAPH <u:g> { <u:c> <u:p> 5 } } ; MOVE <u:none> TO <u:x>",
		"DELETE { ?s ?p ?o } INSERT { ?o ?p ?s } WHERE { ?s ?p ?o FILTER(!isLiteral(?o)) } ; CREATE GRAPH <u:g>",
	} {
		if res := send(h, request("POST", "/sparql", updateType, update)); res.StatusCode < 400 {
			t.Errorf("%s: %s", update, res.Status)
		}
		if after := text(t, send(h, all.Clone(t.Context()))); after != before {
			t.Errorf("%s:\n%s\nwas\n%s", update, after, before)
		}
	}
	if res := send(h, request("POST", "/sparql", formType, "update="+url.QueryEscape("DELETE WHERE { ?s <u:name> ?o } ; INSERT DATA { GRAPH <u:new> { <u:n> <u:n> [] } }"))); res.StatusCode != 204 {
		t.Error(res.Status)
	}
	if got := text(t, send(h, ask("ASK { GRAPH <u:new> { <u:n> <u:n> ?b } FILTER NOT EXISTS { ?s <u:name> ?o } }"))); !strings.Contains(got, "true") {
		t.Error(got)
	}
}

// TestUpdateThatPanics: a panicking update is rolled back, and the next one succeeds.
func TestUpdateThatPanics(t *testing.T) {
	store := sparql.NewMemory(sample(t))
	h := sparql.New(store, sparql.Options{Updates: store})
	func() {
		defer func() { _ = recover() }()
		_ = store.Update(t.Context(), func(s eval.Store) error {
			if err := errors.Join(s.Clear(rdf.Term{}), s.Add(rdf.Quad{S: rdf.NewIRI("u:x"), P: rdf.NewIRI("u:x"), O: rdf.NewIRI("u:x")})); err != nil {
				t.Error(err)
			}
			if got := text(t, send(h, ask("ASK { <u:a> ?p ?o }"))); !strings.Contains(got, "true") {
				t.Errorf("a part of it is seen: %s", got)
			}
			panic("crash")
		})
	}()
	if err := store.Update(t.Context(), func(eval.Store) error { return nil }); err != nil {
		t.Error(err)
	}
	if got := text(t, send(h, ask("SELECT (COUNT(*) AS ?n) { ?s ?p ?o }", "Accept", "text/csv"))); got != "n\r\n3\r\n" {
		t.Errorf("%q", got)
	}
}

// TestTime: a query over its time limit gets 504; one that gets no slot in time gets 503.
func TestTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &slow{sparql.NewMemory(sample(t))}
		h := sparql.New(store, sparql.Options{Time: time.Second, AtOnce: 1})
		first := make(chan *http.Response)
		go func() { first <- send(h, ask("SELECT * { ?s ?p ?o }")) }()
		synctest.Wait()
		second := send(h, ask("ASK {}"))
		if res := <-first; res.StatusCode != 504 || !strings.Contains(text(t, res), "time limit exceeded") {
			t.Errorf("first: %s", res.Status)
		}
		if second.StatusCode != 503 || second.Header.Get("Retry-After") == "" {
			t.Errorf("second: %s", second.Status)
		}
	})
}

// slow is a store that takes two seconds to open.
type slow struct{ *sparql.Memory }

func (s *slow) Snapshot() (quads.Reader, func() error, error) {
	<-time.After(2 * time.Second)
	return nil, nil, fmt.Errorf("%w: %w", eval.ErrTime, context.DeadlineExceeded)
}

// TestLateError: an error after the start of the answer aborts the connection.
func TestLateError(t *testing.T) {
	m := quads.NewMemory()
	for i := range 1001 {
		add(t, m, rdf.Quad{S: rdf.NewIRI(fmt.Sprintf("u:%d", i)), P: rdf.NewIRI("u:p"), O: rdf.NewString(strings.Repeat("long ", 100))})
	}
	s := httptest.NewServer(sparql.New(sparql.NewMemory(m), sparql.Options{MaxRows: 1000}))
	defer s.Close()
	for _, limit := range []int{1000, 1001} {
		res, err := http.Get(s.URL + "/sparql?query=" + url.QueryEscape(fmt.Sprintf("SELECT * { ?s ?p ?o } LIMIT %d", limit)))
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(res.Body)
		res.Body.Close()
		if res.StatusCode != 200 || (err == nil) != (limit == 1000) {
			t.Errorf("%d: %s, %v", limit, res.Status, err)
		}
	}
}

func TestGzip(t *testing.T) {
	m := quads.NewMemory()
	for i := range 2000 {
		add(t, m, rdf.Quad{S: rdf.NewIRI(fmt.Sprintf("u:%d", i)), P: rdf.NewIRI("u:p"), O: rdf.NewString("x")})
	}
	h := sparql.New(sparql.NewMemory(m), sparql.Options{})
	plain := text(t, send(h, ask("SELECT * { ?s ?p ?o }")))
	for accept, packed := range map[string]bool{"gzip": true, "br, GZIP;q=0.5": true, "gzip;q=0": false, "br": false, "": false} {
		res := send(h, ask("SELECT * { ?s ?p ?o }", "Accept-Encoding", accept))
		var body io.Reader = res.Body
		if (res.Header.Get("Content-Encoding") == "gzip") != packed {
			t.Errorf("%q: %v", accept, res.Header)
		}
		if packed {
			z, err := gzip.NewReader(res.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = z
		}
		if got, err := io.ReadAll(body); err != nil || string(got) != plain {
			t.Errorf("%q: %d bytes, %v; %d are it", accept, len(got), err, len(plain))
		}
	}
	if res := send(h, ask("ASK {}", "Accept-Encoding", "gzip")); res.Header.Get("Content-Encoding") != "" {
		t.Error("a short answer is packed")
	}
}

// TestRDFXML: RDF/XML output reads back as the same graph; an inexpressible graph is an error.
func TestRDFXML(t *testing.T) {
	m := quads.NewMemory()
	want := []rdf.Triple{
		{S: rdf.NewIRI("http://e/a?x&y"), P: rdf.NewIRI("http://e/p.1"), O: rdf.NewString("<a> & \"b\"\r\n\t ü ]]>")},
		{S: rdf.NewIRI("http://e/a?x&y"), P: rdf.NewIRI("http://e/straße"), O: rdf.NewBlank("b1")},
		{S: rdf.NewBlank("b1"), P: rdf.NewIRI(rdfNS + "type"), O: rdf.NewIRI("http://e/C")},
		{S: rdf.NewBlank("b1"), P: rdf.NewIRI(rdfNS + "_1"), O: rdf.NewLang("", "en-GB")},
		{S: rdf.NewBlank("b1"), P: rdf.NewIRI("urn:p"), O: rdf.NewTyped("5", rdf.XSDInteger)},
		{S: rdf.NewBlank("b1"), P: rdf.NewIRI("urn:p"), O: rdf.NewDirLang("<5>", "ar", rdf.RTL)},
		{S: rdf.NewIRI("urn:r"), P: rdf.NewIRI(rdf.Reifies), O: rdf.NewTripleTerm(rdf.Triple{
			S: rdf.NewBlank("b1"), P: rdf.NewIRI("urn:p"), O: rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI("urn:s"), P: rdf.NewIRI(rdfNS + "type"), O: rdf.NewDirLang("&", "en", rdf.LTR)}),
		})},
	}
	for _, s := range want {
		add(t, m, rdf.Quad{S: s.S, P: s.P, O: s.O})
	}
	h := sparql.New(sparql.NewMemory(m), sparql.Options{})
	get := request("GET", "/graphs?default", "", "")
	get.Header.Set("Accept", "application/rdf+xml")
	if got := rdftest.Collect(t, rdfxml.Read(send(h, get).Body, rdfsyntax.Options{Base: "http://e/"})); !rdftest.Isomorphic(got, want) {
		t.Errorf("%v", got)
	}
	for _, triple := range []string{"<u:s> <http://e/1> 1", "<u:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#li> 1", `<u:s> <u:p> "\\u0001"`,
		"<u:s> <u:p> <<( <u:s> <http://e/1> 1 )>>", "<u:s> <http://www.w3.org/1999/02/22-rdf-syntax-ns#version> 1"} {
		res := send(h, ask("CONSTRUCT { "+strings.ReplaceAll(triple, `\\`, `\`)+" } {}", "Accept", "application/rdf+xml"))
		if res.StatusCode != 406 {
			t.Errorf("%s: %s", triple, res.Status)
		}
	}
}

// TestServe: the server answers until its context ends, then stops.
func TestServe(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- sparql.New(sparql.NewMemory(sample(t)), sparql.Options{}).Serve(ctx, l) }()
	res, err := http.Post("http://"+l.Addr().String()+"/sparql", queryType, strings.NewReader("ASK { <u:a> ?p ?o }"))
	if err != nil {
		t.Fatal(err)
	}
	if body := text(t, res); !strings.Contains(body, "true") {
		t.Error(body)
	}
	res.Body.Close()
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
