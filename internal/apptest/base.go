package apptest

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/store"
)

// Ask runs a SPARQL query on a crawl folder and returns the result as CSV.
func Ask(t *testing.T, dir, query string) string {
	t.Helper()
	var out bytes.Buffer
	err := store.Query(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, store.QueryOptions{Text: "PREFIX ow: <http://orbweaver.example/terms#>\n" + query, Format: "csv", Data: store.QueryData{Crawl: dir}})
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	return strings.ReplaceAll(out.String(), "\r\n", "\n")
}
