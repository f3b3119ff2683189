package cli

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/built"
	"orbweaver/internal/job"
)

// TestRDF: exit statuses, and where the words go.
func TestRDF(t *testing.T) {
	project(t)
	write(t, "bad.ttl", "<u:a> <u:p> <u:b> .\nnot so .\n<u:c> <u:p> <u:d> .\n")
	write(t, "graph.nq", "<u:a> <u:p> <u:b> <u:g> .\n")
	write(t, "kite.jsonld", `{"@context": "https://schema.org", "name": "Kite"}`)
	write(t, "schema.jsonld", `{"@context": {"@vocab": "http://schema.org/"}}`)
	write(t, "kite.html", `<p vocab="http://schema.org/" typeof="Product"><b property="name">Kite</b><script type="application/ld+json">{</script>`)
	write(t, "bare.html", "<p>Kite")
	write(t, "remote.html", `<script type="application/ld+json">{"@context": "http://kites.example/c", "name": "Kite"}</script>`)
	convert := func(more string) []string { return strings.Fields("rdf convert " + more) }
	extract := func(more string) []string { return strings.Fields("rdf extract " + more) }
	for _, tc := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // stand in it; empty: there is nothing
	}{
		{"Turtle to N-Quads", convert("--to nquads examples/aircraft.ttl"), exitDone, "<http://orbweaver.example/aircraft#Airplane> <http://www.w3.org/2000/01/rdf-schema#label> \"airplane\"@en .\n", ""},
		{"a mistake", convert("--to ntriples bad.ttl"), exitInput, "<u:a> <u:p> <u:b> .\n", "orbweaver: bad.ttl:2:1: "},
		{"a mistake, leniently", convert("--to ntriples --lenient bad.ttl"), exitDone, "<u:c> <u:p> <u:d> .\n", "bad.ttl:2:1: "},
		{"mistakes are counted", convert("--to ntriples --lenient bad.ttl"), exitDone, "<u:c>", "mistakes: 1, statements written: 2\n"},
		{"a graph", convert("--to turtle graph.nq"), exitInput, "", "--merge leaves their names out"},
		{"a graph, merged", convert("--to turtle --merge graph.nq"), exitDone, "<u:a> <u:p> <u:b> .\n", ""},
		{"a context", convert("--to turtle kite.jsonld"), exitInput, "", "name a local copy with --context https://schema.org=FILE"},
		{"a context from a file", convert("--to ntriples --context http://schema.org/=schema.jsonld kite.jsonld"), exitDone, `<http://schema.org/name> "Kite" .`, ""},
		{"a page", convert("--to turtle kite.html"), exitInput, "", "orbweaver rdf extract FILE all kinds"},
		{"a page, as RDFa", convert("--to ntriples --from rdfa kite.html"), exitDone, `<http://schema.org/name> "Kite" .`, ""},
		{"no syntax", convert("bad.ttl"), exitInput, "", "name a syntax with --to"},
		{"none that is written", convert("--to rdfxml bad.ttl"), exitInput, "", `--to is one of ntriples, nquads, turtle, trig, not "rdfxml"`},
		{"none that is read", convert("--to turtle --from html bad.ttl"), exitInput, "", `not "html"`},
		{"no file", convert("--to turtle"), exitInput, "", "want at least one file"},
		{"no such file", convert("--to turtle none.ttl"), exitInput, "", "none.ttl: no such file"},
		{"data of a page", extract("kite.html --base http://kites.example/"), exitDone, "# RDFa          3 triples\n", "kite.html:1:111: JSON-LD: "},
		{"counts", extract("kite.html --format json"), exitDone, `"syntax": "rdfa"`, ""},
		{"no data", extract("bare.html"), exitDone, "has no embedded data\n", ""},
		{"no page", extract("bad.ttl --format nquads"), exitInput, "", "is Turtle, not a page"},
		{"no such format", extract("kite.html --format csv"), exitInput, "", "--format is turtle, nquads or json"},
		{"counts, by the flag of before", extract("kite.html --json"), exitDone, `"syntax": "rdfa"`, "--json of `orbweaver rdf extract` is now --format json\n"},
		{"of a crawl's web", extract("--crawl examples/aircraft.yaml http://skylines.example/types/a320.html"), exitDone, "# http://skylines.example/types/a320.html has no embedded data\n", ""},
		{"absent from it", extract("--crawl examples/aircraft.yaml http://skylines.example/types/a321.html"), exitInput, "", "absent from the archive; nearest: "},
		{"forbidden there", extract("--crawl examples/aircraft.yaml http://skylines.example/print/a340.html"), exitFailed, "", "robots: Disallow: /print/; --force"},
		{"RDF of it", extract("--crawl examples/aircraft.yaml http://skylines.example/data/concorde.ttl"), exitFailed, "", "text/turtle is not a page"},
		{"private", extract("http://127.0.0.1:9/"), exitFailed, "", "private: it is on a private network; --allow-private permits that"},
		{"private, forced", extract("--force http://127.0.0.1:9/"), exitFailed, "", "--allow-private permits that"},
		{"a context of a file", extract("remote.html"), exitDone, "has no embedded data\n", "name a local copy with --context http://kites.example/c=FILE"},
		{"no verb", []string{"rdf"}, exitInput, "", "want a command: convert, extract"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := execute(t, tc.args...)
			if status != tc.status || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
			if (stdout == "") != (tc.stdout == "") || (stderr == "") != (tc.stderr == "") {
				t.Errorf("words in the wrong place:\n%s---\n%s", stdout, stderr)
			}
			if c, _, err := Root(new(job.Job), built.Build{}).Find(tc.args); err != nil {
				t.Error(err)
			} else {
				for _, flag := range regexp.MustCompile("--([a-z][a-z-]+)").FindAllStringSubmatch(stderr, -1) {
					if c.Flags().Lookup(flag[1]) == nil && flag[1] != "help" {
						t.Errorf("%s has no flag %s: %s", c.CommandPath(), flag[0], stderr)
					}
				}
			}
			if tc.name == "counts" && !json.Valid([]byte(stdout)) {
				t.Errorf("no JSON: %s", stdout)
			}
		})
	}
}

// TestRDFFromStandardInput: the program reads what is piped into it.
func TestRDFFromStandardInput(t *testing.T) {
	folder := project(t)
	file, err := os.Open("examples/aircraft.ttl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := program(t, folder, "rdf", "convert", "--to", "nquads", "-")
	c.Stdin = file
	piped, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	if _, stdout, _ := execute(t, "rdf", "convert", "--to", "nquads", "examples/aircraft.ttl"); string(piped) != stdout || stdout == "" {
		t.Errorf("piped\n%s\nby name\n%s", piped, stdout)
	}
}
