package metadata

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver/internal/crawlfile"
)

// A metadata crawl needs no seeds, its names are spelled out, and printed it is the same again.
func TestMetadata(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	write("a.ttl", "")
	write("list.yaml", "")
	path := write("music.yaml", `
prefixes: {mo: "http://purl.org/ontology/mo/"}
focus:
  metadata:
    terms: [mo:MusicArtist, "http://x.test/A", " music  album "]
    properties: [~owl:sameAs, ^rdfs:subClassOf, mo:like]
    datasets:
      - {name: a, dump: a.ttl}
      - {name: b, endpoint: "http://X.test/sparql", void: "http://x.test/void", dump: "http://x.test/b.nt.gz"}
    catalogues: [list.yaml, "https://data.test"]
`)
	c, err := crawlfile.Schema{Kind{}}.Load(path)
	if err != nil {
		t.Fatal(err)
	}
	m := c.Focus.Section().(*section)
	if want := []string{"http://purl.org/ontology/mo/MusicArtist", "http://x.test/A", "music album"}; !reflect.DeepEqual(m.Terms, want) {
		t.Errorf("terms %q", m.Terms)
	}
	if want := []string{"~http://www.w3.org/2002/07/owl#sameAs", "^http://www.w3.org/2000/01/rdf-schema#subClassOf", "http://purl.org/ontology/mo/like"}; !reflect.DeepEqual(m.Properties, want) {
		t.Errorf("properties %q", m.Properties)
	}
	if m.Limits != (termLimits{2, 40, 20, 10}) || m.Expand != "paper" || m.Breaker != 3 || m.Store != filepath.Join(dir, "crawls", "datasets") {
		t.Errorf("%+v", m)
	}
	want := []datasetEntry{
		{Name: "a", Dump: filepath.Join(dir, "a.ttl")},
		{Name: "b", Endpoint: "http://x.test/sparql", Void: "http://x.test/void", Dump: "http://x.test/b.nt.gz"},
	}
	if !reflect.DeepEqual(m.Datasets, want) || !reflect.DeepEqual(m.Catalogues, []string{filepath.Join(dir, "list.yaml"), "https://data.test/"}) {
		t.Errorf("%+v, %q", m.Datasets, m.Catalogues)
	}
	printed, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(c.Output, "crawl.yaml")
	if err := os.WriteFile(again, printed, 0o666); err != nil {
		t.Fatal(err)
	}
	back, err := crawlfile.Schema{Kind{}}.Load(again)
	if err != nil {
		t.Fatalf("%v in\n%s", err, printed)
	}
	if !reflect.DeepEqual(back.Focus, c.Focus) {
		t.Errorf("printed and read again:\n%+v\nnot\n%+v", back.Focus.Section(), m)
	}
}

// All that is wrong is told, with its line.
func TestBadMetadata(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f.yaml")
	err := os.WriteFile(path, []byte(`focus:
  metadata:
    terms: [nope:A]
    expand: wide
    properties: [^http://x y]
    datasets:
      - {name: a}
      - {name: a, endpoint: "no url"}
      - {name: c, dump: gone.ttl}
    limits: {levels: 0}
`), 0o666)
	if err != nil {
		t.Fatal(err)
	}
	_, err = crawlfile.Schema{Kind{}}.Load(path)
	if err == nil {
		t.Fatal("taken")
	}
	for _, want := range []string{
		`:3: focus.metadata.terms[1]: prefix "nope" is not defined`, ":4: focus.metadata.expand", ":5: focus.metadata.properties[1]",
		":7: focus.metadata.datasets[1]: has neither endpoint nor dump", `:8: focus.metadata.datasets[2].name: "a" is taken`,
		":8: focus.metadata.datasets[2].endpoint", ":9: focus.metadata.datasets[3].dump: no such file", ":10: focus.metadata.limits.levels",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("nothing of %q in\n%v", want, err)
		}
	}
}

// mode: paper sets its keys, and a key that contradicts it is an error that names both.
func TestPaperMode(t *testing.T) {
	for _, tc := range []struct{ section, want string }{
		{"mode: paper", ""},
		{"mode: paper, order: prepended, batch: term, void: off, expand: paper", ""},
		{"mode: paper, processors: [instances, property, dereference]", ""},
		{"mode: paper, properties: [~owl:sameAs, ~owl:equivalentClass, ^rdfs:subClassOf]", ""},
		{"mode: paper, properties: [~owl:sameAs, ~owl:equivalentClass, ~rdfs:subClassOf]", ""},
		{"order: prepended", ""},
		{"mode: paper, properties: [~owl:sameAs]", "focus.metadata.properties: "},
		{"mode: paper, processors: [matches]", "focus.metadata.processors: matches contradicts mode: paper, which has processors: dereference, property, instances"},
		{"mode: paper, order: sorted", "focus.metadata.order: sorted contradicts mode: paper, which has order: prepended"},
		{"mode: paper, batch: stage", "focus.metadata.batch: stage contradicts"},
		{"mode: paper, void: named", "focus.metadata.void: named contradicts"},
		{"mode: paper, expand: judged", "focus.metadata.expand: judged contradicts"},
		{"order: prepended, expand: judged", "focus.metadata.order: prepended is for expand: paper"},
	} {
		path := filepath.Join(t.TempDir(), "f.yaml")
		text := "focus: {metadata: {terms: ['http://x.test/A'], datasets: [{name: a, endpoint: 'http://a.test/sparql'}], " + tc.section + "}}\n"
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		c, err := crawlfile.Schema{Kind{}}.Load(path)
		if tc.want != "" {
			if err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v, want %s", tc.section, err, tc.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", tc.section, err)
			continue
		}
		if m := c.Focus.Section().(*section); m.Mode == modePaper && (m.Order != "prepended" || m.Batch != "term" || m.Void != "off" || len(m.Processors) != 3) {
			t.Errorf("%s: %+v", tc.section, m)
		}
	}
}
