package sparql_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// whole reads an answer that somebody has in memory.
func whole(t *testing.T, query, mediaType, body string, limits sparql.Limits, headers ...string) (*sparql.Whole, error) {
	r := &step.Response{
		Request: orbweaver.Request{URL: url0, Query: query}, Status: 200, Header: http.Header{"Content-Type": {mediaType}},
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return sparql.ReadWhole(t.Context(), r, []byte(body), limits)
}

// TestReadWhole: rows, truths and graphs come as a whole, with how they were cut.
func TestReadWhole(t *testing.T) {
	w, err := whole(t, selects, "application/json", jsonRows, sparql.Limits{})
	if err != nil || len(w.Results.Rows) != 1 || w.Results.Rows[0][0] != rdf.NewIRI("http://example.org/a") || w.Results.Vars[0] != "x" ||
		w.Media != "application/sparql-results+json" || w.Results.Cut != "" || w.Graph != nil {
		t.Errorf("%+v, %v", w, err)
	}
	w, err = whole(t, selects, "text/tab-separated-values", rows(7), sparql.Limits{}, "X-SPARQL-MaxRows", "7")
	if err != nil || len(w.Results.Rows) != 7 || w.Results.Cut != "max-rows" {
		t.Errorf("%+v, %v", w, err)
	}
	if d := (sparql.Dialect{}).Learn(w.Answer, nil); d.Limit != 7 || d.Get != sparql.Yes {
		t.Errorf("%+v", d)
	}
	w, err = whole(t, selects, "text/tab-separated-values", rows(7), sparql.Limits{}, "X-SQL-State", "S1TAT")
	if err != nil || w.Results.Cut != "time" {
		t.Errorf("%+v, %v", w, err)
	}
	w, err = whole(t, asks, "text/plain", "false", sparql.Limits{})
	if err != nil || *w.Results.Boolean || w.Results.Rows != nil {
		t.Errorf("%+v, %v", w, err)
	}
	w, err = whole(t, describes, "text/turtle", "# Empty TURTLE\n", sparql.Limits{})
	if err != nil || w.Graph == nil || len(w.Graph) != 0 || w.Results != nil {
		t.Errorf("%+v, %v", w, err)
	}
}

// TestReadWholeFails: half an answer is none, and an answer to no query neither.
func TestReadWholeFails(t *testing.T) {
	for _, tc := range []struct {
		name, query, mediaType, body string
		limits                       sparql.Limits
		class                        sparql.Class
		failure                      orbweaver.Failure
	}{
		{"cut in a row", selects, "application/json", jsonRows[:len(jsonRows)-20], sparql.Limits{}, sparql.ErrBroken, orbweaver.ErrAnswer},
		{"too many rows", selects, "text/tab-separated-values", rows(11), sparql.Limits{Rows: 10}, sparql.ErrAboveLimit, orbweaver.ErrTooLarge},
		{"too many triples", describes, "text/turtle", "<a:a> <a:b> 1, 2, 3 .", sparql.Limits{Rows: 2}, sparql.ErrAboveLimit, orbweaver.ErrTooLarge},
		{"too many bytes", selects, "application/json", jsonRows, sparql.Limits{Bytes: 10}, sparql.ErrAboveLimit, orbweaver.ErrTooLarge},
		{"no query", "hello", "application/json", jsonRows, sparql.Limits{}, sparql.ErrParse, orbweaver.ErrQuery},
		{"a form", selects, "text/html", form, sparql.Limits{}, sparql.ErrNoEndpoint, orbweaver.ErrNoEndpoint},
		{"a table for a graph", describes, "application/json", jsonRows, sparql.Limits{}, sparql.ErrShape, orbweaver.ErrAnswer},
	} {
		w, err := whole(t, tc.query, tc.mediaType, tc.body, tc.limits)
		if w != nil || !errors.Is(err, tc.class) || orbweaver.FailureOf(err) != tc.failure || !strings.Contains(err.Error(), url0) {
			t.Errorf("%s: %+v, %v", tc.name, w, err)
		}
	}
}

// TestFailuresAreTold: each class is a failure of the crawl, but what has that of the network.
func TestFailuresAreTold(t *testing.T) {
	for class, want := range map[sparql.Class]orbweaver.Failure{
		sparql.ErrParse: orbweaver.ErrQuery, sparql.ErrTimedOut: orbweaver.ErrTimeout, sparql.ErrForbidden: orbweaver.ErrForbidden,
		sparql.ErrUnavailable: orbweaver.ErrEndpoint, sparql.ErrTooMuch: orbweaver.ErrEndpoint, sparql.ErrInternal: orbweaver.ErrEndpoint,
		sparql.ErrNoEndpoint: orbweaver.ErrNoEndpoint, sparql.ErrMoved: orbweaver.ErrBadTarget, sparql.ErrFormat: orbweaver.ErrAnswer,
		sparql.ErrShape: orbweaver.ErrAnswer, sparql.ErrBroken: orbweaver.ErrAnswer, sparql.ErrPartial: orbweaver.ErrAnswer,
		sparql.ErrAboveLimit: orbweaver.ErrTooLarge, sparql.ErrUnreached: "error",
	} {
		if got := orbweaver.FailureOf(class); got != want {
			t.Errorf("%s is %s, not %s", class, got, want)
		}
	}
	_, err := (&sparql.Client{Fetcher: down{orbweaver.ErrNoHost}}).Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, selects))
	if orbweaver.FailureOf(err) != orbweaver.ErrNoHost {
		t.Error(err)
	}
}
