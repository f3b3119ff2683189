package sparql_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/guard"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/step"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/sparql/results"
)

// A web carries requests to a server in process.
type web struct{ handler http.Handler }

func (w web) do(r *http.Request, asked orbweaver.Request) (*step.Response, error) {
	r.Header.Set("Accept", asked.Accept)
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r)
	answer := recorder.Result()
	return &step.Response{
		Request: asked, Status: answer.StatusCode, Header: answer.Header, Body: answer.Body,
		Redirect: answer.Header.Get("Location"),
	}, nil
}

func (w web) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	return w.do(httptest.NewRequestWithContext(ctx, "GET", r.URL, nil), r)
}

// A postWeb can post, too.
type postWeb struct{ web }

func (w postWeb) Post(ctx context.Context, r orbweaver.Request, mediaType string, body []byte) (*step.Response, error) {
	request := httptest.NewRequestWithContext(ctx, "POST", r.URL, bytes.NewReader(body))
	request.Header.Set("Content-Type", mediaType)
	return w.do(request, r)
}

// says returns a web with one answer to everything.
func says(status int, contentType, body string, headers ...string) web {
	return web{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header()["Content-Type"] = []string{contentType}
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.WriteHeader(status)
		io.WriteString(w, body)
	})}
}

func query(t testing.TB, text string) sparql.Query {
	t.Helper()
	q, err := sparql.ReadQuery(text)
	if err != nil {
		t.Fatal(err)
	}
	return q
}

const (
	selects   = "SELECT ?x WHERE {?x ?p ?o}"
	asks      = "ASK {?x ?p ?o}"
	describes = "DESCRIBE <http://example.org/a>"
	url0      = "http://example.org/sparql"

	xmlRows = `<?xml version="1.0"?><sparql xmlns="http://www.w3.org/2005/sparql-results#"><head><variable name="x"/></head>` +
		`<results><result><binding name="x"><uri>http://example.org/a</uri></binding></result></results></sparql>`
	jsonRows = `{"head":{"vars":["x"]},"results":{"bindings":[{"x":{"type":"uri","value":"http://example.org/a"}}]}}`
	form     = `<!DOCTYPE html><html><head><title>Virtuoso SPARQL Query Editor</title></head><body><form>` +
		`<textarea name="query"></textarea>Execution timeout: <input name="timeout"></form></body></html>`
)

// outcome is what an answer comes to: a count, a truth or a class, with the cut.
func outcome(t *testing.T, f sparql.Fetcher, text string, limits sparql.Limits) string {
	t.Helper()
	c := &sparql.Client{Fetcher: f, Limits: limits}
	a, err := c.Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, text))
	n := 0
	if err == nil {
		switch {
		case a.Boolean != nil:
			return strconv.FormatBool(*a.Boolean)
		case a.Quads != nil:
			for _, err = range a.Quads {
				n++
			}
		default:
			for _, err = range a.Rows {
				n++
			}
		}
	}
	var failed *sparql.Error
	if errors.As(err, &failed) {
		again := ""
		if failed.Again() {
			again = ", again"
		}
		return fmt.Sprintf("%s (%s)%s", failed.Class, orbweaver.FailureOf(err), again)
	}
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(fmt.Sprint(n, " ", a.Cut()))
}

// TestManners: what endpoints answer, and what it is taken for.
func TestManners(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		answer      web
		want        string
	}{
		{"XML", selects, says(200, "application/sparql-results+xml", xmlRows), "1"},
		{"JSON", selects, says(200, "application/sparql-results+json; charset=utf-8", jsonRows), "1"},
		{"CSV", selects, says(200, "text/csv", "x\r\nhttp://example.org/a\r\n"), "1"},
		{"TSV", selects, says(200, "text/tab-separated-values", "?x\n<http://example.org/a>\n"), "1"},
		{"XML called HTML", selects, says(200, "text/html", xmlRows), "1"},
		{"XML called binary", selects, says(200, "application/octet-stream", xmlRows), "1"},
		{"JSON called XML", selects, says(200, "application/xml", jsonRows), "1"},
		{"XML called text", selects, says(200, "text/plain", xmlRows), "1"},
		{"JSON called nothing", selects, says(200, "", jsonRows), "1"},
		{"a form", selects, says(200, "text/html", form), "no-endpoint (no-endpoint)"},
		{"a form called XML", selects, says(200, "application/sparql-results+xml", form), "no-endpoint (no-endpoint)"},
		{"XHTML", selects, says(200, "text/xml", `<?xml version="1.0"?><!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Strict//EN" "x"><html/>`), "no-endpoint (no-endpoint)"},
		{"a table for people", selects, says(200, "text/html", `<html><table class="sparql" border="1"></table></html>`), "no-format (broken-answer)"},
		{"a login", selects, says(200, "text/html", `<html><form><input name="user"><input type="password"></form></html>`), "forbidden (forbidden)"},
		{"maintenance", selects, says(200, "text/html", `<html><h1>Site Under Maintenance</h1></html>`), "unavailable (endpoint-error), again"},
		{"an error in success", selects, says(200, "text/plain", "Virtuoso 37000 Error SP030: SPARQL compiler, line 3: syntax error"), "query-refused (query-refused)"},
		{"an error in XML", selects, says(200, "application/sparql-results+xml", "Virtuoso 37000 Error SP030: SPARQL compiler, line 3"), "query-refused (query-refused)"},
		{"an error in CSV", selects, says(200, "text/csv", "Virtuoso S1T00 Error SR171: Transaction timed out"), "query-timeout (timeout)"},
		{"an error in JSON", selects, says(200, "application/json", `{"error":"Too many requests"}`), "unavailable (endpoint-error), again"},
		{"some JSON", selects, says(200, "application/json", `{"a":1}`), "no-format (broken-answer)"},
		{"nothing", selects, says(200, "application/sparql-results+xml", " "), "no-format (broken-answer)"},
		{"no content", selects, says(204, "", ""), "no-format (broken-answer)"},
		{"a boolean for rows", selects, says(200, "application/json", `{"head":{},"boolean":true}`), "other-shape (broken-answer)"},
		{"cut in a row", selects, says(200, "application/json", jsonRows[:len(jsonRows)-20]), "broken-answer (broken-answer), again"},
		{"cut behind a row", selects, says(200, "application/sparql-results+xml", strings.TrimSuffix(xmlRows, "</results></sparql>")), "broken-answer (broken-answer), again"},
		{"nonsense in a row", selects, says(200, "application/json", strings.Replace(jsonRows, "uri", "url", 1)), "broken-answer (broken-answer)"},
		{"broken off by time", selects, says(200, "text/tab-separated-values", "?x\n<http://example.org/a>\n##  Query cancelled due to timeout during execution   ##\n"), "query-timeout (timeout)"},

		{"ASK", asks, says(200, "application/sparql-results+xml", `<sparql><head/><boolean>true</boolean></sparql>`), "true"},
		{"ASK by a word", asks, says(200, "text/boolean", "false"), "false"},
		{"ASK by CSV", asks, says(200, "text/csv", "true\r\n"), "true"},
		{"ASK by a table", asks, says(200, "application/json", `{"head":{"vars":["__ask_retval"]},"results":{"bindings":[{"__ask_retval":{"type":"typed-literal","value":"1"}}]}}`), "true"},
		{"ASK by a table, no", asks, says(200, "application/json", `{"head":{"vars":["__ask_retval"]},"results":{"bindings":[{"__ask_retval":{"type":"typed-literal","value":"0"}}]}}`), "false"},
		{"ASK by an empty table", asks, says(200, "application/json", `{"head":{"vars":[]},"results":{"bindings":[]}}`), "false"},
		{"ASK by solutions", asks, says(200, "application/sparql-results+xml", xmlRows), "true"},

		{"Turtle", describes, says(200, "text/turtle", "<a> <b> <c>, <d> ."), "2"},
		{"empty Turtle", describes, says(200, "text/turtle", "# Empty TURTLE\n"), "0"},
		{"Turtle called text", describes, says(200, "text/plain", "@prefix e: <http://e.org/> .\ne:a e:b e:c ."), "1"},
		{"RDF/XML called HTML", describes, says(200, "text/html", `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://e.org/a"><rdf:type rdf:resource="http://e.org/b"/></rdf:Description></rdf:RDF>`), "1"},
		{"a graph as a table", describes, says(200, "application/json", `{"head":{"vars":["s","p","o"]},"results":{"bindings":[{"s":{"type":"uri","value":"a:a"},"p":{"type":"uri","value":"a:b"},"o":{"type":"literal","value":"c"}}]}}`), "1"},
		{"a statement that makes no sense", describes, says(200, "text/turtle", "<a> <b> <c> . <a> 1 <b> . <a> <b> <d> ."), "2"},
		{"the last makes no sense", describes, says(200, "application/n-triples", "<a:a> <a:b> <a:c> .\n<a:a> 1 <a:c> .\n"), "1"},
		{"cut in a statement", describes, says(200, "text/turtle", "<a> <b> <c> . <a> <b"), "broken-answer (broken-answer), again"},
		{"cut in RDF/XML", describes, says(200, "application/rdf+xml", `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="a:a"><rdf:type rdf:resource="a:b"/>`), "broken-answer (broken-answer), again"},
		{"rows for a graph", describes, says(200, "application/json", jsonRows), "other-shape (broken-answer)"},
		{"a form for a graph", describes, says(200, "text/turtle", form), "no-endpoint (no-endpoint)"},

		{"bad query", selects, says(400, "text/plain", "MALFORMED QUERY: Encountered \"(\""), "query-refused (query-refused)"},
		{"bad query in 500", selects, says(500, "text/plain", "QueryParseException: Lexical error"), "query-refused (query-refused)"},
		{"timed out in 503", selects, says(503, "text/plain", "Error 503: The query timed out (restricted to 30000,120000 ms)"), "query-timeout (timeout)"},
		{"gateway", selects, says(504, "text/html", ""), "query-timeout (timeout), again"},
		{"too costly", selects, says(500, "text/plain", "Virtuoso 42000 Error The estimated execution time 5000 (sec) exceeds the limit of 400 (sec)."), "too-much (endpoint-error)"},
		{"sorted too much", selects, says(500, "text/plain", "Virtuoso 22023 Error SR353: Sorted TOP clause specifies more then 10100 rows to sort."), "too-much (endpoint-error)"},
		{"too many branches", selects, says(400, "text/plain", "Virtuoso 37000 Error SP031: SPARQL: Internal error: The length of generated SQL text has exceeded 10000 lines of code"), "too-much (endpoint-error)"},
		{"far too many branches", selects, says(500, "text/plain", "Virtuoso 42000 Error SQ200: Stack Overflow"), "too-much (endpoint-error)"},
		{"forbidden", selects, says(403, "text/html", "<h1>403 Forbidden</h1> malformed query, timeout"), "forbidden (forbidden)"},
		{"login", selects, says(401, "", ""), "forbidden (forbidden)"},
		{"overloaded", selects, says(429, "", ""), "unavailable (endpoint-error), again"},
		{"no database", selects, says(500, "text/html", "<html><h3>Error 08001</h3><pre>HT016: Cannot connect to 1111</pre></html>"), "unavailable (endpoint-error), again"},
		{"failed", selects, says(500, "text/plain", "java.lang.NullPointerException"), "endpoint-error (endpoint-error)"},
		{"not there", selects, says(404, "text/html", "timeout"), "no-endpoint (no-endpoint)"},
		{"not acceptable", selects, says(406, "", ""), "no-format (broken-answer)"},
		{"moved", selects, says(301, "", "", "Location", "https://example.org/sparql?query=x"), "moved (bad-redirect)"},
		{"URL too long", selects, says(414, "", ""), "too-much (endpoint-error)"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := outcome(t, tc.answer, tc.query, sparql.Limits{}); got != tc.want {
				t.Errorf("%s, not %s", got, tc.want)
			}
		})
	}
}

// rows returns n rows in TSV.
func rows(n int) string { return "?x\n" + strings.Repeat("1\n", n) }

// TestCut: answers that are not whole are told from those that are.
func TestCut(t *testing.T) {
	for _, tc := range []struct {
		name, query, want string
		rows              int
		headers           []string
	}{
		{"as many as there are", selects, "999", 999, nil},
		{"a round number", selects, "1000 round", 1000, nil},
		{"another", selects, "50000 round", 50_000, nil},
		{"not so round", selects, "1500", 1500, nil},
		{"round, and our own", selects + " LIMIT 1000", "1000", 1000, nil},
		{"round, below our own", selects + " LIMIT 5000", "1000 round", 1000, nil},
		{"as told", selects, "1234 max-rows", 1234, []string{"X-SPARQL-MaxRows", "1234"}},
		{"fewer than told", selects, "1000", 1000, []string{"X-SPARQL-MaxRows", "10000"}},
		{"out of time", selects, "7 time", 7, []string{"X-SQL-State", "S1TAT"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			answer := says(200, "text/tab-separated-values", rows(tc.rows), tc.headers...)
			if got := outcome(t, answer, tc.query, sparql.Limits{}); got != tc.want {
				t.Errorf("%s, not %s", got, tc.want)
			}
		})
	}
}

// TestLimits: no answer is read further than allowed.
func TestLimits(t *testing.T) {
	const above = "above-limit (too-large)"
	deep := `{"head":{"vars":["x"],"link":` + strings.Repeat("[", 100_000) + `}`
	var bomb bytes.Buffer
	z := gzip.NewWriter(&bomb)
	z.Write(make([]byte, 4<<20))
	z.Close()
	triples := strings.Repeat("<a:a> <a:b> <a:c> .\n", 100)
	for _, tc := range []struct {
		name, query string
		answer      web
		limits      sparql.Limits
		want        string
	}{
		{"rows", selects, says(200, "text/tab-separated-values", rows(11)), sparql.Limits{Rows: 10}, above},
		{"rows that fit", selects, says(200, "text/tab-separated-values", rows(10)), sparql.Limits{Rows: 10}, "10"},
		{"bytes", selects, says(200, "application/json", jsonRows), sparql.Limits{Bytes: int64(len(jsonRows)) - 1}, above},
		{"bytes that fit", selects, says(200, "application/json", jsonRows), sparql.Limits{Bytes: int64(len(jsonRows))}, "1"},
		{"depth", selects, says(200, "application/json", deep), sparql.Limits{}, above},
		{"triples", describes, says(200, "application/n-triples", triples), sparql.Limits{Rows: 99}, above},
		{"triples' bytes", describes, says(200, "application/n-triples", triples), sparql.Limits{Bytes: 500}, above},
		{"a bomb", selects, says(200, "text/csv", bomb.String(), "Content-Encoding", "gzip"), sparql.Limits{Bytes: 1 << 20}, above},
		{"codings", selects, says(200, "text/csv", "x\n", "Content-Encoding", "gzip, gzip, gzip, gzip, gzip"), sparql.Limits{}, "broken-answer (broken-answer)"},
		{"no gzip", selects, says(200, "application/json", jsonRows, "Content-Encoding", "gzip"), sparql.Limits{}, "1"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if got := outcome(t, tc.answer, tc.query, tc.limits); got != tc.want {
				t.Errorf("%s, not %s", got, tc.want)
			}
		})
	}
}

// TestMessage: what the endpoint says is passed on, as text of one line.
func TestMessage(t *testing.T) {
	answer := says(400, "text/html", "<html><style>h1 {color: red}</style><h1>Bad\n Request</h1><p>Line 3: &lt;AS&gt;\x1b[2J "+strings.Repeat("é", 1000))
	_, err := (&sparql.Client{Fetcher: answer}).Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, selects))
	var failed *sparql.Error
	if !errors.As(err, &failed) || !errors.Is(err, sparql.ErrParse) || !errors.Is(err, orbweaver.ErrQuery) {
		t.Fatal(err)
	}
	if !strings.HasPrefix(failed.Message, "Bad Request Line 3: <AS> [2J é") || len(failed.Message) > 310 {
		t.Errorf("%q", failed.Message)
	}
	if want := "sparql " + url0 + ": query-refused: 400: Bad Request"; !strings.HasPrefix(err.Error(), want) {
		t.Error(err)
	}
}

// TestMoved: a redirect names the endpoint, without what was asked of it.
func TestMoved(t *testing.T) {
	answer := says(302, "", "", "Location", "https://example.org/new?db=a&query=ASK&timeout=5")
	_, err := (&sparql.Client{Fetcher: answer}).Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, selects))
	var failed *sparql.Error
	if !errors.As(err, &failed) || failed.To != "https://example.org/new?db=a" {
		t.Errorf("%v: %+v", err, failed)
	}
}

// TestCancelled: an answer without end ends with the context.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in, out := io.Pipe()
	go func() {
		for {
			if _, err := io.WriteString(out, "1\n"); err != nil {
				return
			}
		}
	}()
	r := &step.Response{Status: 200, Header: http.Header{"Content-Type": {"text/tab-separated-values"}}, Body: struct {
		io.Reader
		io.Closer
	}{io.MultiReader(strings.NewReader("?x\n"), in), in}}
	a, err := (&sparql.Client{Fetcher: given{r}}).Ask(ctx, sparql.Endpoint{URL: url0}, query(t, selects))
	if err != nil {
		t.Fatal(err)
	}
	for _, err = range a.Rows {
		cancel()
	}
	if !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := in.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("the body is left open: %v", err)
	}
}

// TestRequest: what goes over HTTP, by the query's length and what is known of the endpoint.
func TestRequest(t *testing.T) {
	long := selects + " # " + strings.Repeat("x", 3000)
	for _, tc := range []struct {
		name, query, method string
		dialect             sparql.Dialect
		posts               bool
		timeout             string
	}{
		{"short", selects, "GET", sparql.Dialect{}, true, ""},
		{"long", long, "POST", sparql.Dialect{}, true, ""},
		{"long, without POST", long, "GET", sparql.Dialect{}, false, ""},
		{"long, forms refused", long, "GET", sparql.Dialect{Form: sparql.No}, true, ""},
		{"short, GET refused", selects, "POST", sparql.Dialect{Get: sparql.No}, true, ""},
		{"Virtuoso", selects, "GET", sparql.Dialect{Server: sparql.Virtuoso}, true, "1500"},
		{"Fuseki", long, "POST", sparql.Dialect{Server: sparql.Fuseki}, true, "1.5"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			handler := web{http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if r.Method != tc.method {
					t.Errorf("asked by %s", r.Method)
				}
				r.ParseForm()
				want := url.Values{"db": {"a"}, "default-graph-uri": {"http://e.org/?a=b&c", "urn:g"}, "query": {tc.query}}
				if tc.timeout != "" {
					want.Set("timeout", tc.timeout)
				}
				if !reflect.DeepEqual(r.Form, want) {
					t.Errorf("%v", r.Form)
				}
				if r.Method == "POST" && (r.URL.RawQuery != "db=a" || r.PostForm.Get("query") == "") {
					t.Errorf("%s: %v", r.URL, r.PostForm)
				}
				if accept := r.Header.Get("Accept"); accept != results.Accept() {
					t.Error(accept)
				}
				io.WriteString(w, jsonRows)
			})}
			c := &sparql.Client{Fetcher: handler, Timeout: 1500e6}
			if tc.posts {
				c.Fetcher = postWeb{handler}
			}
			e := sparql.Endpoint{URL: url0 + "?db=a", Graphs: []string{"http://e.org/?a=b&c", "urn:g"}, Dialect: tc.dialect}
			a, err := c.Ask(t.Context(), e, query(t, tc.query))
			if err != nil {
				t.Fatal(err)
			}
			a.Close()
		})
	}
	r := sparql.Endpoint{URL: url0}.Request(query(t, describes), 0)
	if r.Purpose != orbweaver.ForQuery || r.Query != describes || r.URL != url0 || !strings.Contains(r.Accept, "text/turtle") {
		t.Errorf("%+v", r)
	}
}

// TestTooLong: what no server takes by GET is not sent by GET.
func TestTooLong(t *testing.T) {
	q := query(t, selects+" # "+strings.Repeat("x", 10_000))
	if _, err := (&sparql.Client{Fetcher: says(200, "", jsonRows)}).Ask(t.Context(), sparql.Endpoint{URL: url0}, q); !errors.Is(err, sparql.ErrTooMuch) {
		t.Error(err)
	}
}

// TestLearn: a dialect follows what an endpoint shows, and is the same through JSON.
func TestLearn(t *testing.T) {
	modern := "SELECT (COUNT(*) AS ?n) {?s ?p ?o}"
	long := selects + " # " + strings.Repeat("x", 3000)
	e := sparql.Endpoint{URL: url0}
	for _, tc := range []struct {
		name, query string
		answer      web
		want        string
	}{
		{"a form", long, says(200, "text/html", form), `{"form":"no"}`},
		{"rows", selects, says(200, "text/html", jsonRows), `{"get":"yes","form":"no","formats":["JSON"]}`},
		{"refused", modern, says(400, "", "syntax error at 'AS'"), `{"version":"1.0","get":"yes","form":"no","formats":["JSON"]}`},
		{"unavailable", selects, says(503, "", ""), `{"version":"1.0","get":"yes","form":"no","formats":["JSON"]}`},
		{"gone, once", selects, says(404, "", ""), `{"version":"1.0","get":"yes","form":"no","formats":["JSON"]}`},
		{"learnt", modern, says(200, "", xmlRows, "Server", "Virtuoso/07.20.3217 (Linux)"), `{"version":"1.1","get":"yes","form":"no","formats":["JSON","XML"],"server":"virtuoso"}`},
		{"cut", selects, says(200, "text/tab-separated-values", rows(2000)), `{"version":"1.1","get":"yes","form":"no","limit":2000,"formats":["JSON","TSV","XML"],"server":"virtuoso"}`},
	} {
		c := &sparql.Client{Fetcher: postWeb{tc.answer}}
		a, err := c.Ask(t.Context(), e, query(t, tc.query))
		if err == nil {
			if _, err := rdftest.All(a.Rows); err != nil {
				t.Fatal(err)
			}
		}
		e.Dialect = e.Dialect.Learn(a, err)
		text, err := json.Marshal(e.Dialect)
		if err != nil || string(text) != tc.want {
			t.Errorf("%s: %s, %v", tc.name, text, err)
		}
		var back sparql.Dialect
		if err := json.Unmarshal(text, &back); err != nil || !reflect.DeepEqual(back, e.Dialect) {
			t.Errorf("%s: %+v, %v", tc.name, back, err)
		}
	}
}

// A table is an endpoint with rows 1 to its size that stops at a limit and keeps its own mind of some
// words.
type table struct {
	size, limit       int
	noLimit, noOffset bool
	asked             []string
}

func (e *table) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	text := r.FormValue("query")
	e.asked = append(e.asked, text)
	from, n := 0, e.limit
	if m := regexp.MustCompile(`OFFSET (\d+)`).FindStringSubmatch(text); m != nil && !e.noOffset {
		from, _ = strconv.Atoi(m[1])
	}
	if m := regexp.MustCompile(`LIMIT (\d+)`).FindStringSubmatch(text); m != nil && !e.noLimit {
		limit, _ := strconv.Atoi(m[1])
		n = min(n, limit)
	}
	w.Header().Set("Content-Type", "text/csv")
	io.WriteString(w, "x\r\n")
	for i := from; i < min(e.size, from+n); i++ {
		fmt.Fprintf(w, "%d\r\n", i)
	}
}

// TestReadQuery: what is known of a query from its words.
func TestReadQuery(t *testing.T) {
	for _, tc := range []struct {
		text   string
		form   sparql.Form
		modern bool
		limit  int64
		vars   []string
	}{
		{"select ?a $b where {?a ?b 'LIMIT 3'} limit 10", sparql.Select, false, 10, []string{"a", "b"}},
		{"SELECT DISTINCT (COUNT(?x) AS ?n) ?y {} GROUP BY ?y", sparql.Select, true, sparql.NoLimit, []string{"n", "y"}},
		{"SELECT * {{SELECT ?x {} LIMIT 5}}", sparql.Select, true, sparql.NoLimit, nil},
		{"PREFIX ask: <http://e.org/ASK#x> PREFIX : <x> SELECT ?x {?x ask:values :as}", sparql.Select, false, sparql.NoLimit, []string{"x"}},
		{"define input:inference \"x\" ask {?a ?b ?c FILTER(?a < 3 && ?b > 4)}", sparql.Ask, false, sparql.NoLimit, nil},
		{"# SELECT\nCONSTRUCT {?a ?b '''it's \"LIMIT\" 4'''} WHERE {?a ?b \"\\\"}\"@en-as} LIMIT 2", sparql.Graph, false, 2, nil},
		{"DESCRIBE ?x {?x ?y ?z}", sparql.Graph, false, sparql.NoLimit, nil},
		{"ASK{?x ?y ?z.FILTER NOT EXISTS{}}", sparql.Ask, true, sparql.NoLimit, nil},
	} {
		q := query(t, tc.text)
		if q.Form != tc.form || q.Modern != tc.modern || q.Limit != tc.limit || !reflect.DeepEqual(q.Vars, tc.vars) {
			t.Errorf("%s: %+v", tc.text, q)
		}
	}
	for _, text := range []string{"", "INSERT DATA {}", "# SELECT", "'SELECT", strings.Repeat("SELECT ", 1<<20)} {
		if _, err := sparql.ReadQuery(text); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%.20s: %v", text, err)
		}
	}
}

// TestOverHTTP: the crawler's own client is a Fetcher; an answer that is packed is unpacked, and a
// host that does not answer is told from one that answers wrongly.
func TestOverHTTP(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.FormValue("query") != selects:
			w.WriteHeader(400)
		case r.URL.Path == "/cut":
			w.Header().Set("Content-Length", "10000")
			io.WriteString(w, jsonRows[:80])
		default:
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			io.WriteString(z, xmlRows)
			z.Close()
		}
	}))
	defer server.Close()
	own := client.New(client.Options{Guard: guard.New(true, nil)})
	defer own.Close()
	c := &sparql.Client{Fetcher: own}
	a, err := c.Ask(t.Context(), sparql.Endpoint{URL: server.URL + "/sparql"}, query(t, selects))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := rdftest.All(a.Rows); err != nil || len(all) != 1 || !reflect.DeepEqual(a.Vars, []string{"x"}) {
		t.Errorf("%v: %v", all, err)
	}
	a, err = c.Ask(t.Context(), sparql.Endpoint{URL: server.URL + "/cut"}, query(t, selects))
	if err == nil {
		_, err = rdftest.All(a.Rows)
	}
	if !errors.Is(err, sparql.ErrBroken) || !errors.Is(err, orbweaver.ErrCut) {
		t.Errorf("cut: %v", err)
	}
	strict := client.New(client.Options{})
	defer strict.Close()
	if _, err = (&sparql.Client{Fetcher: strict}).Ask(t.Context(), sparql.Endpoint{URL: server.URL}, query(t, selects)); !errors.Is(err, orbweaver.ErrPrivate) || !errors.Is(err, sparql.ErrUnreached) {
		t.Errorf("private: %v", err)
	}
}

// given answers every request with one response.
type given struct{ response *step.Response }

func (g given) Fetch(context.Context, orbweaver.Request) (*step.Response, error) {
	return g.response, nil
}
