package catalog_test

import (
	"strings"
	"testing"

	"orbweaver/kb/catalog"
)

// without reports whether a catalogue lacks one of the datasets around a flaw.
func without(c catalog.Catalogue, names ...string) (all string, lacks bool) {
	for _, d := range c.Datasets {
		all += d.Name + " "
	}
	for _, name := range names {
		lacks = lacks || !strings.Contains(all, name)
	}
	return all, lacks
}

// TestFlawsInCKAN: a flaw in the middle of an answer loses no package before or after it; where the JSON cannot be mended,
// none before it.
func TestFlawsInCKAN(t *testing.T) {
	for _, tc := range []struct {
		name, flaw string
		ends       bool // the JSON behind it cannot be read
	}{
		{"a number", `7`, false},
		{"null", `null`, false},
		{"no name", `{"title":"m"}`, false},
		{"a name that is a number", `{"name":7}`, false},
		{"an empty package", `{}`, false},
		{"a list", `[{"name":"m"}]`, false},
		{"resources that are none", `{"name":"m","resources":"none"}`, false},
		{"a resource that is none", `{"name":"m","resources":[null,5,{"url":7}]}`, false},
		{"an address that is none", `{"name":"m","url":"http://[a","resources":[{"format":"RDF","url":"see below"}]}`, false},
		{"tags that are none", `{"name":"m","tags":[5,{"x":1}],"extras":7}`, false},
		{"a title in languages", `{"name":"m","title":{"de":7}}`, false},
		{"a date that is none", `{"name":"m","metadata_modified":"soon"}`, false},
		{"a name twice", `{"name":"m","name":"n"}`, false},
		{"an escape of Python", `{"name":"m","title":"\U0001F600\x41"}`, false},
		{"a quote escaped in vain", `{"name":"m","title":"it\'s"}`, false},
		{"a raw tab", "{\"name\":\"m\",\"title\":\"a\tb\"}", false},
		{"a raw line end", "{\"name\":\"m\",\"title\":\"a\nb\"}", false},
		{"a comma too many", `{"name":"m",}`, false},
		{"bytes that are no UTF-8", "{\"name\":\"m\",\"title\":\"\xe9\"}", false},
		{"half a pair", `{"name":"m","title":"\ud83d"}`, false},
		{"a word of Python", `{"name":"m","private":False}`, true},
		{"single quotes", `{'name':'m'}`, true},
		{"no value", `{"name":}`, true},
	} {
		text := `{"success":true,"result":{"count":4,"results":[{"name":"before"},` + tc.flaw + `,{"name":"after"},{"name":"last"}]}}`
		c := read(t, text, catalog.Options{Name: "c"})
		want := []string{"before", "after", "last"}
		if tc.ends {
			want = want[:1]
		}
		if all, lacks := without(c, want...); lacks || tc.ends && len(c.Problems) == 0 {
			t.Errorf("%s: %s; %s", tc.name, all, problems(c))
		}
	}
}

// TestFlawsInDCAT is TestFlawsInCKAN for RDF.
func TestFlawsInDCAT(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"a prefix that is not declared", `<m> a foo:Dataset .`},
		{"a string that does not end", `<m> a dcat:Dataset ; dct:title "m .`},
		{"an IRI that does not end", `<m> a dcat:Dataset ; dcat:landingPage <http://m .`},
		{"a blank in an IRI", `<m> a dcat:Dataset ; dcat:landingPage <http://m/x y> .`},
		{"no object", `<m> a dcat:Dataset ; dct:title .`},
		{"a bracket that does not end", `<m> a dcat:Dataset ; dcat:distribution [ dcat:downloadURL <http://m/x> .`},
		{"an address that is a text", `<m> a dcat:Dataset ; dcat:distribution [ dcat:downloadURL "see below" ] .`},
		{"an address that is none", `<m> a dcat:Dataset ; dcat:distribution [ dcat:downloadURL <http://%5B> ] .`},
		{"a distribution that is a text", `<m> a dcat:Dataset ; dcat:distribution "x" .`},
		{"a title that is an IRI", `<m> a dcat:Dataset ; dct:title <x> .`},
		{"a dataset without a name", `[] a dcat:Dataset .`},
		{"a literal as dataset", `"m" a dcat:Dataset .`},
		{"a count that is a text", `<m> a void:Dataset ; void:triples "many" .`},
		{"a date that is none", `<m> a dcat:Dataset ; dct:modified "soon" .`},
		{"an endpoint that is a text", `<m> a void:Dataset ; void:sparqlEndpoint "x" .`},
		{"a circle", `<m> a dcat:Dataset ; void:subset <m> ; dcat:distribution <m> .`},
		{"bytes that are no UTF-8", "<m> a dcat:Dataset ; dct:title \"\xe9\" ."},
		{"a directive that is none", `@prefixed x: <x> .`},
		{"words", `no more data .`},
		{"a tag of HTML", `<br/> Warning: mysql() .`},
	} {
		dataset := func(name string) string {
			return "<" + name + "> a dcat:Dataset ; dct:title \"" + name + "\" ; dcat:distribution [ dcat:downloadURL <http://a.test/" + name + ".nt> ] .\n"
		}
		text := "@prefix dcat: <http://www.w3.org/ns/dcat#> . @prefix dct: <http://purl.org/dc/terms/> . @prefix void: <http://rdfs.org/ns/void#> .\n" +
			dataset("before") + tc.flaw + "\n" + dataset("after") + dataset("last")
		c := read(t, text, catalog.Options{Name: "http://a.test/c.ttl", MediaType: "text/turtle"})
		if all, lacks := without(c, "before", "after", "last"); lacks {
			t.Errorf("%s: %s; %s", tc.name, all, problems(c))
		}
	}
}

// TestFlawsInLists is TestFlawsInCKAN for lists in YAML that people write.
func TestFlawsInLists(t *testing.T) {
	for _, tc := range []struct{ name, flaw string }{
		{"an unknown key", `{name: m, endpiont: "http://m.test/"}`},
		{"an address that is none", `{name: m, endpoint: "http://[m"}`},
		{"no name", `{endpoint: "http://m.test/sparql"}`},
		{"a text", `see below`},
		{"a number", `5`},
		{"nothing", ``},
		{"a list", `[a, b]`},
		{"a map as value", `{name: m, dump: {x: 1}}`},
		{"a count that is none", `{name: m, endpoint: "http://m.test/sparql", triples: many}`},
		{"a name twice", `{name: before, endpoint: "http://m.test/sparql"}`},
		{"a key twice", `{name: m, name: n, endpoint: "http://m.test/sparql"}`},
		{"an empty map", `{}`},
		{"a name that is a number", `{name: 7, endpoint: "http://m.test/sparql"}`},
		{"an empty name", `{name: "", endpoint: "http://m.test/sparql"}`},
		{"a name with blanks", `{name: "m n", endpoint: "http://m.test/sparql"}`},
		{"null", `~`},
		{"a quoted text", `"m"`},
		{"a document with blanks", `{name: m, void: "see below"}`},
		{"IRIs that are numbers", `{name: m, same: [1, 2], endpoint: "http://m.test/sparql"}`},
		{"a type that is none", `{name: m, dump: "http://m.test/m", type: none}`},
		{"a list of lists", `{name: m, dump: [[a], [b]]}`},
	} {
		text := "- {name: before, endpoint: 'http://b.test/sparql'}\n- " + tc.flaw +
			"\n- {name: after, endpoint: 'http://a.test/sparql'}\n- {name: last, endpoint: 'http://l.test/sparql'}\n"
		c := read(t, text, catalog.Options{Name: "c.yaml"})
		if all, lacks := without(c, "before", "after", "last"); lacks {
			t.Errorf("%s: %s; %s", tc.name, all, problems(c))
		}
	}
}
