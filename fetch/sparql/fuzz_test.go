package sparql_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"testing"

	"orbweaver"
	"orbweaver/fetch/sparql"
	"orbweaver/internal/step"
)

// FuzzRead: whatever is answered, reading ends within the limits, with an answer to what was asked or
// an error of ours.
func FuzzRead(f *testing.F) {
	for _, body := range []string{
		xmlRows, jsonRows, form, "?x\n<a:a>\n", "x\r\n1\r\n", "true", "<a:a> <a:b> <a:c> .", `{"boolean":true}`,
		`{"head":{"vars":["s","p","o"]},"results":{"bindings":[{"s":{"type":"uri","value":"a:a"}}]}}`,
		"Virtuoso 37000 Error SP030", "# Empty TURTLE\n", "<sparql><head/><boolean>1</boolean></sparql>",
	} {
		for kind := range byte(3) {
			f.Add(200, "text/html", "", kind, []byte(body))
			f.Add(500, "application/sparql-results+xml", "gzip", kind, []byte(body))
		}
	}
	f.Add(200, "text/turtle", "deflate", byte(2), []byte("\x78\x9c\x03\x00"))
	f.Add(200, "text/csv", "br, zstd", byte(0), []byte("\x28\xb5\x2f\xfd"))
	f.Fuzz(func(t *testing.T, status int, mediaType, coding string, kind byte, body []byte) {
		q := query(t, []string{selects, asks, describes}[kind%3])
		limits := sparql.Limits{Rows: 100, Bytes: 1 << 16, Token: 1 << 12}
		header := http.Header{"Content-Type": {mediaType}, "Content-Encoding": {coding}}
		r := &step.Response{Status: status, Header: header, Body: io.NopCloser(bytes.NewReader(body))}
		a, err := (&sparql.Client{Fetcher: given{r}, Limits: limits}).Ask(context.Background(), sparql.Endpoint{URL: url0}, q)
		n := 0
		if err == nil {
			if (a.Boolean != nil) != (q.Form == sparql.Ask) || (a.Rows != nil) != (q.Form == sparql.Select) || (a.Quads != nil) != (q.Form == sparql.Graph) {
				t.Fatalf("another answer than was asked for: %+v", a)
			}
			if a.Rows != nil {
				for row, broken := range a.Rows {
					if err = broken; err == nil && len(row) != len(a.Vars) {
						t.Errorf("%d values, %d columns", len(row), len(a.Vars))
					}
					n++
				}
			}
			if a.Quads != nil {
				for _, err = range a.Quads {
					n++
				}
			}
			a.Close()
		}
		var failed *sparql.Error
		if err != nil && (!errors.As(err, &failed) || failed.Class == "" || len(failed.Message) > 310) {
			t.Errorf("%T %v", err, err)
		}
		if n > limits.Rows+1 {
			t.Errorf("%d rows", n)
		}
		(sparql.Dialect{}).Learn(a, err)
	})
}

// FuzzReadQuery: any text is read, and what is said of it is within it.
func FuzzReadQuery(f *testing.F) {
	for _, text := range []string{selects, asks, describes, "SELECT (1 AS ?x) {} VALUES ?x {'''a\\'''' <b>}", "# \n@en:a <a<b>?"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := sparql.ReadQuery(text)
		if err != nil && !errors.Is(err, orbweaver.ErrInput) || q.Text != text || q.Limit < sparql.NoLimit {
			t.Errorf("%+v, %v", q, err)
		}
	})
}
