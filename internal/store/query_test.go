package store

import (
	"bytes"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestQueryUnion: with Union a query without FROM covers all graphs together, each triple once.
func TestQueryUnion(t *testing.T) {
	const data = "<u:a> <u:p> \"1\" <u:g> .\n<u:a> <u:p> \"1\" <u:h> .\n<u:a> <u:p> \"2\" .\n"
	for _, tc := range []struct {
		union bool
		want  string
	}{{false, "o\r\n2\r\n"}, {true, "o\r\n1\r\n2\r\n"}} {
		var out, messages bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: &messages, In: strings.NewReader(data)}}
		opts := QueryOptions{Text: "SELECT ?o { ?s ?p ?o } ORDER BY ?o", Format: "csv", Union: tc.union}
		opts.Data.Files, opts.Data.From = []string{"-"}, "nquads"
		if err := Query(t.Context(), a, opts); err != nil || out.String() != tc.want {
			t.Errorf("union %v: %v, %q", tc.union, err, &out)
		}
	}
}
