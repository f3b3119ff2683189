package sparql_test

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
)

// phrases are the words of statuses, as servers say them.
var phrases = []struct {
	phrase string
	status int
}{
	{"Bad Request", 400}, {"Petición incorrecta", 400}, {"Authorization Required", 401}, {"Forbidden", 403},
	{"Not Found", 404}, {"Not Acceptable", 406}, {"Moved Permanently", 301}, {"Moved Temporarily", 302},
	{"Internal Server Error", 500}, {"Error Interno del Servidor", 500}, {"Bad Gateway", 502}, {"Proxy Error", 502},
	{"Service Temporarily Unavailable", 503}, {"Service Unavailable", 503}, {"Gateway Timeout", 504},
}

// down is a Fetcher that gets no answer.
type down struct{ reason orbweaver.Failure }

func (d down) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	return nil, fmt.Errorf("fetch %s: %w: no", r.URL, d.reason)
}

// replay returns what answers as an error of the survey says that an endpoint did. What it says of an
// answer is the type alone: of XML, JSON and text good bytes are made, of HTML a page.
func replay(t *testing.T, text string) sparql.Fetcher {
	kind, text, _ := strings.Cut(text, ":")
	switch {
	case strings.Contains(text, "UnknownHostException"):
		return down{orbweaver.ErrNoHost}
	case strings.Contains(text, "SocketTimeoutException"):
		return down{orbweaver.ErrTimeout}
	case strings.Contains(text, "NoRouteToHost"), strings.HasPrefix(text, "Failed to connect"):
		return down{orbweaver.ErrConnect}
	case kind == "ResultSetException", strings.Contains(text, "Content-Type: text/html"):
		return says(200, "text/html", form)
	case kind == "QueryException":
		return says(200, strings.Fields(text)[3], xmlRows)
	case kind == "IllegalArgumentException":
		return says(400, "text/plain", text)
	case kind != "QueryExceptionHTTP":
		t.Fatalf("%s: %s", kind, text)
	}
	for _, p := range phrases {
		if body, ok := strings.CutPrefix(text, p.phrase); ok {
			return says(p.status, "text/html", body)
		}
	}
	return says(500, "text/plain", text)
}

// TestFaults2013: each of the errors that a survey of 446 endpoints met has a class.
func TestFaults2013(t *testing.T) {
	file, err := os.Open(realdata.File(t, "sparql-endpoints-2013.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := csv.NewReader(file)
	lines.Comma, lines.LazyQuotes, lines.FieldsPerRecord = '\t', true, -1
	all, err := lines.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, row := range all[1:] {
		if len(row) < 11 || row[10] == "" {
			count["none"]++
			continue
		}
		a, err := (&sparql.Client{Fetcher: replay(t, row[10])}).Ask(t.Context(), sparql.Endpoint{URL: url0}, query(t, selects))
		var failed *sparql.Error
		switch {
		case err == nil:
			count["answered"]++
			a.Close()
		case !errors.As(err, &failed):
			t.Errorf("%s: %v", row[0], err)
		default:
			count[fmt.Sprintf("%s, again: %t", failed.Class, failed.Again())]++
		}
	}
	want := map[string]int{
		"none": 106, "answered": 8, "unreached, again: false": 30, "unreached, again: true": 16,
		"no-endpoint, again: false": 81, "query-timeout, again: true": 53, "query-timeout, again: false": 7,
		"unavailable, again: true": 45, "query-refused, again: false": 42, "forbidden, again: false": 40,
		"endpoint-error, again: false": 10, "moved, again: false": 6, "no-format, again: false": 2,
	}
	if !maps.Equal(count, want) {
		t.Errorf("%v", count)
	}
}
