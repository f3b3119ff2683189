package catalog_test

import (
	"encoding/json"
	"strings"
	"testing"

	"orbweaver/kb/catalog"
)

func TestList(t *testing.T) {
	c := read(t, `# mine
- name: planes
  title: Aeroplanes of
    the world
  aliases: [aircraft]
  homepage: http://planes.test
  endpoint: [http://planes.test/sparql, "http://mirror.test/sparql"]
  graph: http://planes.test/g
  dump: [data/planes.nt.gz, http://planes.test/d]
  type: turtle
  void: http://planes.test/void.ttl
  example: http://planes.test/1
  vocabulary: http://v.test/ns#
  space: http://planes.test/id/
  same: urn:x:planes
  triples: 1_000
- {endpoint: "http://b.test/sparql"}
`, catalog.Options{Name: "mine.yml"})
	if len(c.Problems) > 0 || len(c.Datasets) != 2 {
		t.Fatal(problems(c), len(c.Datasets))
	}
	got, _ := json.Marshal(c.Datasets)
	want := `[{"name":"planes","title":"Aeroplanes of the world","aliases":["aircraft"],"same":["urn:x:planes"],"homepage":"http://planes.test/","endpoints":["http://planes.test/sparql","http://mirror.test/sparql"],` +
		`"graphs":["http://planes.test/g"],"dumps":[{"url":"data/planes.nt.gz","mediaType":"text/turtle"},{"url":"http://planes.test/d","mediaType":"text/turtle"}],"void":["http://planes.test/void.ttl"],` +
		`"examples":["http://planes.test/1"],"vocabularies":["http://v.test/ns#"],"uriSpaces":["http://planes.test/id/"],"triples":1000,"sources":["mine.yml"],"byHand":true},` +
		`{"name":"b.test","endpoints":["http://b.test/sparql"],"sources":["mine.yml"],"byHand":true}]`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}

// TestListMistakes: each mistake is reported with its line, and none hides others.
func TestListMistakes(t *testing.T) {
	for _, tc := range []struct{ name, text, want string }{
		{"an unknown key", "- name: a\n  titel: x\n- name: b\n  endpont: [y]\n", "m.yml: line 2: titel: unknown key; there are name, title, …m.yml: line 4: endpont: unknown key"},
		{"a key that is there twice", "- name: a\n  name: b\n", "line 2: name: it is there twice"},
		{"an empty value", "- name: a\n  void:\n", "line 2: void: it is empty"},
		{"an address that is none", "- name: a\n  endpoint: nowhere\n", "line 2: endpoint: …nowhere"},
		{"a map as value", "- name: a\n  dump: {url: x}\n", "line 2: dump: a text is wanted"},
		{"a list within a list", "- name: a\n  dump: [[x]]\n", "line 2: dump: a list within a list"},
		{"a name with spaces", "- name: a b\n", `line 1: name: "a b" has other than letters`},
		{"a number that is none", "- {name: a, triples: many}\n", `line 1: triples: "many" is no number`},
		{"an entry that is a text", "- planes\n- name: a\n", "line 1: a dataset has keys: name"},
		{"an entry of nothing", "- {title: ''}\n", "line 1: a dataset without name"},
		{"a text", "--- planes\n", "a list of datasets is wanted"},
		{"an alias", "- &a {name: a}\n- *a\n", "line 1: anchors, aliases and tags"},
		{"too deep", "- " + strings.Repeat("[", 100), "line 1: nested more than 8 deep"},
		{"no YAML", "- name: 'a\n", "m.yml: "},
		{"too many keys", "- {" + strings.Repeat("a: 1, ", 6000) + "}", "more than 5000 keys"},
		{"too large", "- name: a\n" + strings.Repeat("# more\n", 200_000), "larger than 1000000 bytes"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := read(t, tc.text, catalog.Options{Name: "m.yml"})
			holds(t, problems(c), strings.Split(tc.want, "…")...)
		})
	}
}
