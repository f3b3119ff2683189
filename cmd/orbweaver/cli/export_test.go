package cli

import (
	"os"
	"strings"
	"testing"
)

// TestExportMisused: what is said of one format alone is no word for another.
func TestExportMisused(t *testing.T) {
	for args, want := range map[string]string{
		"export x --format csv --distinct": "--distinct is for --format nquads and trig",
		"export x --format rdf":            "nquads, trig, not \"rdf\"",
		"export --format trig":             "one crawl folder",

		"export x --format csv --construct standard": "--construct, --key, --class-limit, --shapes, --report and --sources are for --format nquads",
		"export x --format trig --sources entities":  "--sources is for --format ntriples and turtle",
		"export x --format trig --plain":             "--plain is for --format csv and jsonl",
		"rdf rules nothing":                          "no rule set \"nothing\", there are schema.org, dcat",
		"rdf rules foaf dcat":                        "one name at most",
	} {
		status, _, stderr := execute(t, strings.Fields(args)...)
		if status != exitInput || !strings.Contains(stderr, want) {
			t.Errorf("%s: status %d, %s", args, status, stderr)
		}
	}
}

// TestExportOfGraph: shapes that the graph violates have an exit status of their own, and the output is there.
func TestExportOfGraph(t *testing.T) {
	project(t)
	crawl := "seeds: [http://skylines.example/data/concorde.ttl]\nweb: {archive: examples/demo.warc.gz}\nfocus: {breadth_first: {}}\nlimits: {requests: 1}\n"
	if err := os.WriteFile("one.yaml", []byte(crawl), 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := execute(t, "crawl", "one.yaml"); status != exitDone {
		t.Fatal(stderr)
	}
	shapes := "@prefix sh: <http://www.w3.org/ns/shacl#> . [] a sh:NodeShape ; sh:targetSubjectsOf <http://schema.org/subjectOf> ; sh:nodeKind sh:Literal ."
	if err := os.WriteFile("s.ttl", []byte(shapes), 0o666); err != nil {
		t.Fatal(err)
	}
	status, _, stderr := execute(t, "export", "crawls/one", "--format", "turtle", "--construct", "standard", "--shapes", "s.ttl", "-o", "g.ttl")
	if status != exitViolations || !strings.Contains(stderr, "orbweaver: the graph violates the shapes: violations 1\n") {
		t.Errorf("status %d, %s", status, stderr)
	}
	if text, err := os.ReadFile("g.ttl"); err != nil || !strings.Contains(string(text), "schema:subjectOf") {
		t.Errorf("%v: %s", err, text)
	}
	if status, stdout, _ := execute(t, "rdf", "rules"); status != exitDone || !strings.Contains(stdout, "\nstandard ") {
		t.Errorf("status %d, %s", status, stdout)
	}
}

// TestExportOfGraphLeavesOut: answers of a metadata crawl that no archive has are left out of one graph, and the rest is there.
func TestExportOfGraphLeavesOut(t *testing.T) {
	project(t)
	if status, _, stderr := execute(t, "crawl", "examples/harbour.yaml"); status != exitDone {
		t.Fatal(stderr)
	}
	status, stdout, stderr := execute(t, "export", "crawls/harbour", "--format", "turtle", "--construct", "as-is")
	if status != exitDone || !strings.Contains(stderr, "left out: ") || !strings.Contains(stdout, "harbour.example/terms#") {
		t.Errorf("status %d, %s\n%s", status, stdout, stderr)
	}
}
