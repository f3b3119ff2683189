package store

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// TestNamesInMemory: the name index covers files too.
func TestNamesInMemory(t *testing.T) {
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: io.Discard, In: strings.NewReader("<u:a> <http://www.w3.org/2000/01/rdf-schema#label> \"a red kite\"@en, \"ein roter Drachen\"@de .\n<u:b> <u:label> \"kites\" .\n")}}
	opts := QueryOptions{Text: "SELECT ?x { ?x <" + NameMatches + "> 'kites' }", Format: "csv"}
	opts.Data.Files, opts.Data.From = []string{"-"}, "turtle"
	if err := Query(t.Context(), a, opts); err != nil || out.String() != "x\r\nu:a\r\n" {
		t.Errorf("%v, %q", err, &out)
	}
}
