package cli

import (
	"strings"
	"testing"
)

// TestCatalog: exit statuses, and where the words go.
func TestCatalog(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "a.yml", "- {name: a, title: All, endpoint: \"http://127.0.0.1:59999/sparql\"}\n- {name: b, dump: b.nt}\n")
	write(t, "bad.yml", "- {name: a, titel: All}\n- {name: b, dmp: b.nt}\n")
	write(t, "half.json", `{"success":true,"result":[{"name":"a"},5,{"name":"b"}]}`)
	write(t, "page.html", "<!doctype html><title>no</title>")
	for _, tc := range []struct {
		name           string
		args           []string
		status         int
		stdout, stderr string // stand in it; empty: there is nothing
	}{
		{"a table", []string{"list", "a.yml"}, exitDone, "2 datasets: 1 with an endpoint, 1 with dumps, 0 with VoID\n", ""},
		{"JSON", []string{"list", "a.yml", "--with", "dump", "--format", "json"}, exitDone, "[\n{\"name\":\"b\",\"dumps\":[{\"url\":\"b.nt\"", ""},
		{"N-Quads", []string{"list", "a.yml", "--format", "nquads"}, exitDone, "<urn:dataset:a> <http://rdfs.org/ns/void#sparqlEndpoint> <http://127.0.0.1:59999/sparql> .\n", ""},
		{"a description", []string{"describe", "a.yml", "--name", "A"}, exitDone, "a\n  title        All\n  endpoint     http://127.0.0.1:59999/sparql\n  from         a.yml\n", ""},
		{"Turtle", []string{"describe", "a.yml", "--name", "a", "--format", "turtle"}, exitDone, "a void:Dataset", ""},
		{"an entry that makes no sense", []string{"list", "half.json"}, exitDone, "2 datasets", "warning: half.json: entry 2: no package: 5\n"},
		{"a private address", []string{"check", "a.yml"}, exitDone, "no  -       -   -     -     -   private guard: 127.0.0.1 ", ""},
		{"an endpoint that is down", []string{"check", "a.yml", "--allow-private", "--format", "json"}, exitDone, `"up":false,"asked":1,"reason":"connect"`, ""},
		{"unknown keys", []string{"list", "bad.yml"}, exitInput, "", "orbweaver: bad.yml: line 2: dmp: unknown key"},
		{"a page", []string{"list", "page.html"}, exitInput, "", "page.html: a page of HTML, no catalogue: of a CKAN, name its API"},
		{"no such file", []string{"check", "none"}, exitInput, "", "none: no such file"},
		{"no such name", []string{"describe", "a.yml", "--name", "c"}, exitInput, "", `none of 2 datasets is called "c"`},
		{"no file", []string{"list"}, exitInput, "", "catalog list: want at least one catalogue"},
		{"no such format", []string{"list", "a.yml", "--format", "xml"}, exitInput, "", `--format is one of table, json, csv, nquads, not "xml"`},
		{"no such thing to have", []string{"list", "a.yml", "--with", "luck"}, exitInput, "", `--with is one of endpoint, dump, void, not "luck"`},
		{"negative", []string{"check", "a.yml", "--timeout", "-1s"}, exitInput, "", "must not be negative"},
		{"too many rows", []string{"check", "a.yml", "--rows", "-1"}, exitInput, "", "--rows is 0 to 1000000"},
		{"no verb", nil, exitInput, "", "catalog: want a command: check, describe, list"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			status, stdout, stderr := execute(t, append([]string{"catalog"}, tc.args...)...)
			if status != tc.status {
				t.Errorf("status %d, %s", status, stderr)
			}
			for _, told := range [][2]string{{stdout, tc.stdout}, {stderr, tc.stderr}} {
				if tc := told[1]; tc == "" && told[0] != "" || !strings.Contains(told[0], tc) {
					t.Errorf("%q has no %q", told[0], tc)
				}
			}
		})
	}
}
