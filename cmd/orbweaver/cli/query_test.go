package cli

import (
	"os"
	"strings"
	"testing"
)

// TestQuery: exit statuses, and where the words go.
func TestQuery(t *testing.T) {
	project(t)
	write(t, "a.ttl", "<u:a> <u:p> \"x\" ; <u:q> [ <u:p> 5 ] .\n")
	write(t, "b.nq", "<u:b> <u:p> \"y\" <u:g> .\n_:b <u:p> \"z\" .\n")
	write(t, "bad.ttl", "<u:a> <u:p> .\n")
	write(t, "two.rq", "SELECT *\nWHERE { ?s ?p }\n")
	write(t, "o.rq", "SELECT ?o { <u:a> <u:p> ?o }")
	const all = "SELECT ?o { ?s <u:p> ?o } ORDER BY ?o"
	for _, tc := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // stand in it; empty: there is nothing
	}{
		{"a table", []string{"--data", "a.ttl", all}, exitDone, "?o\n───\n5\n\"x\"\n", ""},
		{"two files", []string{"--data", "a.ttl", "--data", "b.nq", "--format", "csv", all}, exitDone, "o\r\n5\r\nx\r\nz\r\n", ""},
		{"the query in a file", []string{"--data", "a.ttl", "--query", "o.rq", "--format", "tsv"}, exitDone, "?o\n\"x\"\n", ""},
		{"a named graph of a file", []string{"--data", "b.nq", "ASK { GRAPH <u:g> { <u:b> ?p 'y' } }"}, exitDone, "true\n", ""},
		{"a file as a graph", []string{"--named", "a.ttl", "ASK { GRAPH <a.ttl> { <u:a> ?p 'x' } FILTER NOT EXISTS { ?s ?p ?o } }"}, exitDone, "true\n", ""},
		{"by a name of its own", []string{"--named", "http://e/?a=b=a.ttl", "ASK { GRAPH <http://e/?a=b> { <u:a> ?p 'x' } }"}, exitDone, "true\n", ""},
		{"ASK as JSON", []string{"--data", "a.ttl", "--format", "json", "ASK {}"}, exitDone, `"boolean":true`, ""},
		{"Turtle", []string{"--data", "a.ttl", "CONSTRUCT WHERE { ?s <u:q> ?o }"}, exitDone, "<u:a> <u:q> [] .\n", ""},
		{"N-Triples", []string{"--data", "a.ttl", "--format", "ntriples", "DESCRIBE <u:a>"}, exitDone, "<u:a> <u:p> \"x\" .\n", ""},
		{"the plan", []string{"--data", "a.ttl", "--explain", all}, exitDone, "answer: rows: 2, ", ""},
		{"the plan of triples", []string{"--data", "a.ttl", "--explain", "CONSTRUCT WHERE { ?s <u:q> ?o }"}, exitDone, "answer: triples: 1, ", ""},
		{"a mistake", []string{"--data", "a.ttl", "--query", "two.rq"}, exitInput, "", "orbweaver: two.rq:2:15: "},
		{"its place", []string{"--data", "a.ttl", "--query", "two.rq"}, exitInput, "", "orbweaver:   WHERE { ?s ?p }\norbweaver:                 ^\n"},
		{"a mistake in a file", []string{"--data", "bad.ttl", all}, exitInput, "", "bad.ttl:1:13: "},
		{"no such file", []string{"--data", "none.ttl", all}, exitInput, "", "none.ttl: no such file"},
		{"no such query", []string{"--data", "a.ttl", "--query", "none.rq"}, exitInput, "", "none.rq: no such file"},
		{"a format of triples", []string{"--data", "a.ttl", "--format", "turtle", all}, exitInput, "", "rows: it is written as table, json"},
		{"a format of rows", []string{"--data", "a.ttl", "--format", "csv", "DESCRIBE <u:a>"}, exitInput, "", "triples: it is written as turtle"},
		{"no such format", []string{"--data", "a.ttl", "--format", "xls", all}, exitInput, "", "--format is one of"},
		{"no such syntax", []string{"--data", "a.ttl", "--from", "xls", all}, exitInput, "", "--from is one of"},
		{"too many rows", []string{"--data", "a.ttl", "--max-rows", "1", "--format", "csv", all}, exitFailed, "", "too many rows: more than 1"},
		{"no time", []string{"--data", "a.ttl", "--timeout", "-1s", all}, exitInput, "", "must not be negative"},
		{"a service", []string{"--data", "a.ttl", "--format", "csv", "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }"}, exitFailed, "", "private"},
		{"an update", []string{"--data", "b.nq", "--update", "DELETE WHERE { ?s <u:p> 'z' } ; INSERT DATA { <u:a> <u:p> 1 }"}, exitDone, "<u:b> <u:p> \"y\" <u:g> .\n<u:a> <u:p> \"1\"^^<http://www.w3.org/2001/XMLSchema#integer> .\n", ""},
		{"an update as TriG", []string{"--data", "b.nq", "--format", "trig", "--update", "CLEAR DEFAULT"}, exitDone, "<u:g> {\n    <u:b> <u:p> \"y\" .\n}\n", ""},
		{"a mistake in an update", []string{"--data", "b.nq", "--update", "CLEAR"}, exitInput, "", "update:1:6: "},
		{"an update that fails", []string{"--data", "b.nq", "--update", "INSERT DATA { <u:a> <u:p> 1 } ; LOAD <u:x>"}, exitFailed, "", "operation 2 (line 1): load <u:x>: "},
		{"a format of rows for an update", []string{"--data", "b.nq", "--format", "csv", "--update", "CLEAR ALL"}, exitInput, "", "--format of --update is nquads or trig"},
		{"the plan of an update", []string{"--data", "b.nq", "--explain", "--update", "CLEAR ALL"}, exitInput, "", "exclude each other"},
		{"no query", []string{"--data", "a.ttl"}, exitInput, "", "want one query, have 0"},
		{"no data", []string{all}, exitInput, "", "want --data FILE or a crawl folder"},
		{"neither", []string{"--query", "o.rq"}, exitInput, "", "want --data FILE or one crawl folder"},
		{"a folder and files", []string{"--data", "a.ttl", "crawls/x", all}, exitInput, "", "want one query, have 2"},
		{"no folder", []string{"crawls/none", all}, exitInput, "", "crawls/none"},
		{"no crawl's folder", []string{"examples", all}, exitInput, "", "examples"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := execute(t, append([]string{"query"}, tc.args...)...)
			if status != tc.status || !strings.Contains(stdout, tc.stdout) || !strings.Contains(stderr, tc.stderr) {
				t.Errorf("status %d\n%s%s", status, stdout, stderr)
			}
			if (stdout == "") != (tc.stdout == "") || (stderr == "") != (tc.stderr == "") {
				t.Errorf("words in the wrong place:\n%s---\n%s", stdout, stderr)
			}
		})
	}
}

// TestQueryFromStandardInput: data that is piped in is asked.
func TestQueryFromStandardInput(t *testing.T) {
	folder := project(t)
	write(t, "a.ttl", "<u:a> <u:p> \"x\" .\n")
	file, err := os.Open("a.ttl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	c := program(t, folder, "query", "--data", "-", "--from", "turtle", "--format", "csv", "SELECT ?o { ?s ?p ?o }")
	c.Stdin = file
	if out, err := c.Output(); err != nil || string(out) != "o\r\nx\r\n" {
		t.Errorf("%q, %v", out, err)
	}
}

// TestQueryOfACrawl: what a crawl found is asked, each document a graph, and where it is from.
func TestQueryOfACrawl(t *testing.T) {
	project(t)
	if status, _, stderr := execute(t, "crawl", "examples/linked-data.yaml"); status != exitDone {
		t.Fatalf("status %d\n%s", status, stderr)
	}
	const query = "PREFIX prov: <http://www.w3.org/ns/prov#> PREFIX void: <http://rdfs.org/ns/void#> " +
		"SELECT ?d ?n (COUNT(*) AS ?found) { ?d prov:wasDerivedFrom [] ; void:triples ?n . GRAPH ?d { ?s ?p ?o } } GROUP BY ?d ?n ORDER BY DESC(?n) ?d LIMIT 1"
	status, stdout, stderr := execute(t, "query", "crawls/linked-data", "--format", "csv", query)
	if status != exitDone || stderr != "" || stdout != "d,n,found\r\nhttp://stacks.example/dump/catalogue.nt.gz,128,128\r\n" {
		t.Errorf("status %d\n%s%s", status, stdout, stderr)
	}
}

// TestServeMisused: what cannot be served is told before anything is.
func TestServeMisused(t *testing.T) {
	project(t)
	write(t, "bad.ttl", "<u:a> <u:p> .\n")
	for _, tc := range []struct{ args, stderr string }{
		{"serve", "want --data FILE or a crawl folder"},
		{"serve a b", "want --data FILE or one crawl folder"},
		{"serve --data bad.ttl x", "want --data FILE or one crawl folder"},
		{"serve --data bad.ttl --listen 127.0.0.1:0", "bad.ttl:1:13: "},
		{"serve --update --listen nowhere", "--listen nowhere: "},
		{"serve --update --timeout 0s", "above 0"},
		{"serve --data bad.ttl --from xls", "--from is one of"},
	} {
		if status, stdout, stderr := execute(t, strings.Fields(tc.args)...); status != exitInput || stdout != "" || !strings.Contains(stderr, tc.stderr) {
			t.Errorf("%s: status %d\n%s%s", tc.args, status, stdout, stderr)
		}
	}
}
