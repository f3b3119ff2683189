package main

import (
	"strings"
	"testing"
)

// TestExportMisused: what is said of one format alone is no word for another.
func TestExportMisused(t *testing.T) {
	for args, want := range map[string]string{
		"export x --format csv --distinct": "--distinct is for --format nquads and trig",
		"export x --format rdf":            "nquads, trig, not \"rdf\"",
		"export --format trig":             "one crawl folder",
	} {
		status, _, stderr := execute(t, strings.Fields(args)...)
		if status != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}
