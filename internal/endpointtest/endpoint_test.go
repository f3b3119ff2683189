package endpointtest_test

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver/fetch/sparql"
	"orbweaver/internal/endpointtest"
	"orbweaver/rdf"
)

// row returns a row that is up and supports everything, on a line.
func row(line int) endpointtest.Row {
	return endpointtest.Row{
		Line: line, Endpoint: "http://example.org/sparql", Up: true, Uptime: 1,
		Union: endpointtest.Able, Distinct: endpointtest.Able, Count: endpointtest.Able,
	}
}

// albums returns contents with n instances.
func albums(n int) func(endpointtest.Profile) []rdf.Quad {
	return func(endpointtest.Profile) (quads []rdf.Quad) {
		for i := range n {
			quads = append(quads, rdf.Quad{
				S: rdf.NewIRI(fmt.Sprintf("http://example.org/i%05d", i)),
				P: rdf.NewIRI("http://www.w3.org/1999/02/22-rdf-syntax-ns#type"), O: rdf.NewIRI(album),
			})
		}
		return quads
	}
}

// TestFaults: the exception of a row determines the fault of an endpoint that is down, or its refusal of
// unsupported features.
func TestFaults(t *testing.T) {
	for _, tc := range []struct {
		line      int
		exception string
		up        bool
		always    endpointtest.Kind
		refusal   endpointtest.Kind
		status    int
		mediaType string
	}{
		{line: 2, always: endpointtest.Down},
		{line: 2, up: true, refusal: endpointtest.Status, status: 400},
		{line: 2, exception: "QueryExceptionHTTP:java.net.UnknownHostException: x.org", always: endpointtest.Down},
		{line: 2, exception: "QueryExceptionHTTP:Failed to connect to remote server", up: true, refusal: endpointtest.HangUp},
		{line: 2, exception: "QueryExceptionHTTP:java.net.SocketTimeoutException: Read timed out", up: true, refusal: endpointtest.Silent},
		{line: 2, exception: "QueryExceptionHTTP:Forbidden <html>", always: endpointtest.Status, status: 403},
		{line: 2, exception: "QueryExceptionHTTP:The query timed out. Error 408: x", up: true, refusal: endpointtest.Status, status: 408},
		{line: 2, exception: "QueryExceptionHTTP:The query timed out", up: true, refusal: endpointtest.Status, status: 503},
		{line: 2, exception: "QueryExceptionHTTP:Moved Permanently", always: endpointtest.Moved, refusal: endpointtest.Status, status: 400},
		{line: 3, exception: "ResultSetException:Failed when initializing the StAX parsing engine", up: true, refusal: endpointtest.Empty},
		{line: 4, exception: "ResultSetException:Failed when initializing the StAX parsing engine", up: true, refusal: endpointtest.Message},
		{line: 5, exception: "ResultSetException:Failed when initializing the StAX parsing engine", up: true, refusal: endpointtest.Cut},
		{line: 2, exception: "QueryException:Endpoint returned Content-Type: text/html which is not", always: endpointtest.Page},
		{line: 2, exception: "QueryException:Endpoint returned Content-Type: text/plain which is not", refusal: endpointtest.Status, status: 400, mediaType: endpointtest.Unsaid},
		{line: 3, exception: "QueryException:Endpoint returned Content-Type: text/plain which is not", refusal: endpointtest.Status, status: 400, mediaType: "text/plain"},
	} {
		r := row(tc.line)
		r.Up, r.Exception = tc.up, tc.exception
		p, err := endpointtest.ProfileOf(r)
		fault := p.Refusal
		if p.Always.Kind == endpointtest.Status {
			fault = p.Always
		}
		if err != nil || p.Always.Kind != tc.always || tc.refusal != "" && p.Refusal.Kind != tc.refusal ||
			tc.status != 0 && fault.Status != tc.status || p.MediaType != tc.mediaType {
			t.Errorf("line %d, up %v, %q: %+v, %v", tc.line, tc.up, tc.exception, p, err)
		}
	}
	r := row(7)
	r.Exception = "QueryExceptionHTTP:I'm a teapot"
	if _, err := endpointtest.ProfileOf(r); err == nil || !strings.Contains(err.Error(), "line 7, http://example.org/sparql: ") {
		t.Errorf("unknown exception: %v", err)
	}
}

func TestNeedsOf(t *testing.T) {
	for _, tc := range []struct {
		query string
		want  endpointtest.Needs
	}{
		{plain, endpointtest.Needs{}},
		{distinct, endpointtest.Needs{Distinct: true}},
		{union, endpointtest.Needs{Union: true}},
		{count, endpointtest.Needs{Distinct: true, Modern: true}},
		{"SELECT ?x {{SELECT ?x {?x ?p ?o}}}", endpointtest.Needs{Modern: true}},
		{"select ?x {?x ?p ?o filter(?x in (1))}", endpointtest.Needs{Modern: true}},
		{"PREFIX union: <http://e.org/#distinct> SELECT ?count {?count union:union 'distinct' # UNION\n}", endpointtest.Needs{}},
		{`SELECT ?x {?x ?p "a \" UNION", """ " UNION """, 'UNION' @as}`, endpointtest.Needs{}},
		{"SELECT ?x {?x ?p ?o FILTER(?x<?p && ?o>2)} # <UNION", endpointtest.Needs{}},
		{"SELECT * {{?x a ?y}union{?y a ?x}}", endpointtest.Needs{Union: true}},
	} {
		if got := endpointtest.NeedsOf(tc.query); got != tc.want {
			t.Errorf("%s: %+v, not %+v", tc.query, got, tc.want)
		}
	}
}

// TestCuts: answers stop at the row limit, reported or not, and pages together give all rows.
func TestCuts(t *testing.T) {
	rows := []endpointtest.Row{row(5), row(6), row(7)}
	all := endpointtest.Start(t, rows, endpointtest.Options{Contents: albums(2500)})
	c := asking(t, time.Minute)
	for i, want := range []struct {
		rows int
		cut  sparql.Cut
	}{{1000, sparql.CutTold}, {1000, sparql.CutRound}, {2500, ""}} {
		got, cut, err := ask(t.Context(), c, all[i].URL, plain)
		if len(got) != want.rows || cut != want.cut || err != nil {
			t.Errorf("line %d: %d rows, cut %q, %v", rows[i].Line, len(got), cut, err)
		}
		if got, cut, err = ask(t.Context(), c, all[i].URL, plain+" LIMIT 999"); len(got) != 999 || cut != "" || err != nil {
			t.Errorf("line %d, limited: %d rows, cut %q, %v", rows[i].Line, len(got), cut, err)
		}
		if n, err := paged(t, c, all[i]); n != all[i].Instances(album) || n != 2500 || err != nil {
			t.Errorf("line %d: %d rows in pages, %v", rows[i].Line, n, err)
		}
	}
}

// paged counts instances page by page.
func paged(t *testing.T, c *sparql.Client, e *endpointtest.Endpoint) (n int, err error) {
	for {
		page, _, err := ask(t.Context(), c, e.URL, fmt.Sprintf("%s ORDER BY ?i LIMIT 1000 OFFSET %d", distinct, n))
		if n += len(page); err != nil || len(page) == 0 {
			return n, err
		}
	}
}

// TestSorts: an endpoint with a sort limit refuses later pages, like Virtuoso.
func TestSorts(t *testing.T) {
	rows := []endpointtest.Row{row(5), row(6)}
	all := endpointtest.Start(t, rows, endpointtest.Options{Contents: albums(2500), Sorts: 2000})
	c := asking(t, time.Minute)
	if n, err := paged(t, c, all[0]); n != 2000 || !errors.Is(err, sparql.ErrTooMuch) {
		t.Errorf("%d rows, %v", n, err)
	}
	if n, err := paged(t, c, all[1]); n != 2500 || err != nil { // it does not identify itself as Virtuoso
		t.Errorf("%d rows, %v", n, err)
	}
}

// TestForms: ASK and CONSTRUCT are answered; malformed queries and other paths are not.
func TestForms(t *testing.T) {
	e := endpointtest.Start(t, []endpointtest.Row{row(7)}, endpointtest.Options{Contents: albums(1)})[0]
	for _, tc := range []struct {
		to, accept string
		status     int
		body       string
	}{
		{"?query=ASK{?s+?p+?o}", "text/csv", 200, "true\r\n"},
		{"?query=CONSTRUCT+WHERE{?s+?p+?o}", "*/*", 200, "<http://example.org/i00000> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <" + album + "> .\n"},
		{"?query=SELECT+?s+{?s+?p+?o}", "text/csv", 200, "s\r\nhttp://example.org/i00000\r\n"},
		{"?query=SELECT+?s+{?s+?p+?o}", "image/png", 200, "<?xml"},
		{"?query=SELECT", "", 400, "Virtuoso 37000 Error SP030"},
		{"", "", 400, "no query parameter"},
		{"/../robots.txt", "", 404, ""},
	} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", e.URL+tc.to, nil)
		r.Header.Set("Accept", tc.accept)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(answer.Body)
		answer.Body.Close()
		if answer.StatusCode != tc.status || !strings.HasPrefix(string(body), tc.body) || err != nil {
			t.Errorf("%s: %d, %q, %v", tc.to, answer.StatusCode, body, err)
		}
	}
	if f := e.Figures(); f.Requests != 7 || f.Queries != 5 || f.Concurrent != 1 {
		t.Errorf("%+v", f)
	}
	if first := "ASK{?s ?p ?o}"; e.Queries()[0] != first {
		t.Errorf("%q, not %s", e.Queries(), first)
	}
}

// TestMediaType: an answer with the declared media type of the row, or none, is still complete.
func TestMediaType(t *testing.T) {
	for _, tc := range []struct {
		line  int
		said  string
		wants []string
	}{
		{2, "application/xml", []string{"application/xml"}},
		{3, "text/plain", []string{"text/plain"}},
		{4, "text/plain", nil},
	} {
		r := row(tc.line)
		r.Up, r.Exception = false, "QueryException:Endpoint returned Content-Type: "+tc.said+" which is not currently supported"
		e := endpointtest.New(t, r, endpointtest.Options{Contents: albums(3)})
		w := httptest.NewRecorder()
		e.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/sparql?query="+url.QueryEscape(plain), nil))
		if got := w.Header()["Content-Type"]; w.Code != 200 || !slices.Equal(got, tc.wants) || strings.Count(w.Body.String(), `"uri"`) != 3 {
			t.Errorf("line %d: %d, %q, %s", tc.line, w.Code, got, w.Body)
		}
	}
}

// TestPosted: a query may be posted as a form.
func TestPosted(t *testing.T) {
	e := endpointtest.Start(t, []endpointtest.Row{row(7)}, endpointtest.Options{})[0]
	answer, err := http.PostForm(e.URL, url.Values{"query": {"ASK{}"}})
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || !strings.Contains(string(body), `"boolean":true`) {
		t.Errorf("%s, %v", body, err)
	}
}

// TestDown: the port of an endpoint that is down is never reused.
func TestDown(t *testing.T) {
	r := row(7)
	r.Up = false
	e := endpointtest.Start(t, []endpointtest.Row{r}, endpointtest.Options{})[0]
	u, err := url.Parse(e.URL)
	if err != nil {
		t.Fatal(err)
	}
	if l, err := net.Listen("tcp4", u.Host); err == nil {
		l.Close()
		t.Error("somebody else listens at the port")
	}
	if c, err := net.Dial("tcp4", u.Host); err == nil {
		c.Close()
		t.Error("the port takes connections")
	}
}

// TestFigures: a second's gap between two pairs of requests, the second pair at once and slow.
func TestFigures(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := row(7)
		quick := endpointtest.New(t, r, endpointtest.Options{Delay: time.Minute})
		r.Uptime = 0.5
		e := endpointtest.New(t, r, endpointtest.Options{Delay: time.Minute})
		began := time.Now()
		quick.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/sparql?query=ASK{}", nil))
		if took := time.Since(began); took != 0 {
			t.Errorf("an answer takes %v", took)
		}
		asks := func() {
			e.Handler().ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/sparql?query=ASK{}", nil))
		}
		asks()
		if took := time.Since(began); took != time.Minute {
			t.Errorf("a slow answer takes %v", took)
		}
		asks()
		done := make(chan bool)
		for range 2 {
			go func() { asks(); done <- true }()
			<-time.After(400 * time.Millisecond)
		}
		<-done
		<-done
		want := endpointtest.Figures{Requests: 4, Queries: 4, Concurrent: 2, PerSecond: 2, MinGap: 400 * time.Millisecond}
		if f := e.Figures(); f != want {
			t.Errorf("%+v, not %+v", f, want)
		}
	})
}

// TestSample: contents are reproducible, differ between endpoints, and agree with query results.
func TestSample(t *testing.T) {
	contents := endpointtest.Sample([]string{album, artist}, 50)
	rows := []endpointtest.Row{row(7), row(8)}
	rows[1].Endpoint = "http://example.net/sparql"
	a, _ := endpointtest.ProfileOf(rows[0])
	b, _ := endpointtest.ProfileOf(rows[1])
	if !slices.Equal(contents(a), contents(a)) || slices.Equal(contents(a), contents(b)) {
		t.Error("contents are not the endpoint's own")
	}
	for _, e := range endpointtest.Start(t, rows, endpointtest.Options{Contents: contents}) {
		for _, class := range []string{album, artist} {
			q := "PREFIX owl: <http://www.w3.org/2002/07/owl#> SELECT DISTINCT ?x {"
			for _, p := range []string{"owl:sameAs", "owl:equivalentClass"} {
				q += "{<" + class + "> " + p + " ?x} UNION {?x " + p + " <" + class + ">} UNION "
			}
			q += "{?x <http://www.w3.org/2000/01/rdf-schema#subClassOf> <" + class + ">}} ORDER BY ?x"
			rows, _, err := ask(t.Context(), asking(t, time.Minute), e.URL, q)
			var found []string
			for _, row := range rows {
				found = append(found, row[0].Value)
			}
			if want := e.Related(class); !slices.Equal(found, want) || err != nil {
				t.Errorf("line %d, %s: %q, not %q, %v", e.Profile.Row.Line, class, found, want, err)
			}
		}
	}
}
