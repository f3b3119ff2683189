package rdfa_test

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/rdfa"
)

const rdfNS = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"

const suiteURL = "http://rdfa.info/test-suite/test-cases/"

// A testCase is a test of the manifest.
type testCase struct {
	Num           string   `json:"num"`
	Expected      bool     `json:"expectedResults"`
	HostLanguages []string `json:"hostLanguages"`
	Versions      []string `json:"versions"`
	Param         string   `json:"queryParam"`
}

// hostOf returns the host of a folder of the suite, with the extension of its pages.
func hostOf(folder string) (host rdfa.Host, extension string) {
	switch folder {
	case "html4", "html5", "html5-invalid":
		return rdfa.HTML5, ".html"
	case "xhtml5", "xhtml5-invalid":
		return rdfa.XHTML5, ".xhtml"
	case "xhtml1":
		return rdfa.XHTML1, ".xhtml"
	case "svg":
		return rdfa.SVG, ".svg"
	}
	return rdfa.XML, ".xml"
}

// suite returns the manifest's tests and the archive's files.
func suite(t *testing.T) (cases []testCase, files map[string][]byte) {
	t.Helper()
	files = map[string][]byte{}
	for _, f := range rdftest.Archive(t, "rdfa-test-suite.tar.gz", "") {
		files[strings.TrimPrefix(f.Name, "test-suite/test-cases/")] = f.Data
	}
	var manifest struct {
		Graph []testCase `json:"@graph"`
	}
	if err := json.Unmarshal(files["test-suite/manifest.jsonld"], &manifest); err != nil {
		t.Fatal(err)
	}
	return manifest.Graph, files
}

// TestW3C runs the suite of RDFa 1.1, its Lite, role, processor and vocabulary parts included, in all
// host languages. All pass: there is no list of exceptions.
func TestW3C(t *testing.T) {
	cases, files := suite(t)
	counts := map[string][2]int{}
	for _, c := range cases {
		for _, version := range c.Versions {
			if version == "rdfa1.0" {
				continue
			}
			for _, folder := range c.HostLanguages {
				name := version + "/" + folder + "/" + c.Num
				passed := t.Run(name, func(t *testing.T) { c.run(t, version, folder, files) })
				n := counts[folder]
				if n[1]++; passed {
					n[0]++
				}
				counts[folder] = n
			}
		}
	}
	want := map[string]int{
		"html4": 213, "html5": 237, "html5-invalid": 35, "xhtml5": 246, "xhtml5-invalid": 28,
		"xhtml1": 236, "xml": 173, "svg": 54,
	}
	for folder, n := range counts {
		t.Logf("%s: %d of %d passed", folder, n[0], n[1])
		if n[1] != want[folder] {
			t.Errorf("%s has %d tests, want %d", folder, n[1], want[folder])
		}
	}
}

// run runs a test.
func (c testCase) run(t *testing.T, version, folder string, files map[string][]byte) {
	host, extension := hostOf(folder)
	name := version + "/" + folder + "/" + c.Num
	page, query := files[name+extension], files[name+".sparql"]
	if page == nil || query == nil {
		t.Fatalf("no files of %s", name)
	}
	opts := rdfa.Options{
		Options: syntax.Options{Base: suiteURL + name + extension}, Host: host, Roles: true,
		ReportGraph: c.Param == "rdfagraph=processor",
	}
	if c.Param == "vocab_expansion=true" {
		opts.Vocabularies = func(iri string) []rdf.Triple { return vocabulary(t, iri, files) }
	}
	graph, err := rdftest.All(rdfa.Read(bytes.NewReader(page), opts))
	if err != nil {
		t.Logf("ended with %v", err)
	}
	asked, err := parseAsk(string(query))
	if err != nil {
		t.Fatal(err)
	}
	if asked.holds(graph) != c.Expected {
		t.Errorf("%s\nis not %v of\n%s\nfrom\n%s", query, c.Expected, show(graph), page)
	}
}

// vocabulary returns the triples of the suite's vocabulary, a page with RDFa.
func vocabulary(t *testing.T, iri string, files map[string][]byte) []rdf.Triple {
	name, found := strings.CutPrefix(iri, "http://rdfa.info/")
	name, _, _ = strings.Cut(name, "#")
	page := files[path.Clean(name)+".html"]
	if !found || page == nil {
		t.Logf("no vocabulary %s", iri)
		return nil
	}
	return rdftest.Collect(t, rdfa.Read(bytes.NewReader(page), rdfa.Options{Options: syntax.Options{Base: iri}}))
}

// show returns triples line by line.
func show(graph []rdf.Triple) string {
	var b strings.Builder
	for _, t := range graph {
		for _, term := range []rdf.Term{t.S, t.P, t.O} {
			switch term.Kind {
			case rdf.IRI:
				b.WriteString("<" + term.Value + "> ")
			case rdf.Blank:
				b.WriteString("_:" + term.Value + " ")
			default:
				b.WriteString(`"` + term.Value + `"`)
				switch {
				case term.Lang != "":
					b.WriteString("@" + term.Lang)
				case term.Datatype != rdf.XSDString:
					b.WriteString("^^" + term.Datatype)
				}
				b.WriteString(" ")
			}
		}
		b.WriteString(".\n")
	}
	return b.String()
}

// distinct returns triples, shown and sorted.
func distinct(graph []rdf.Triple) []string {
	lines := strings.Split(strings.TrimSpace(show(graph)), "\n")
	slices.Sort(lines)
	return slices.Compact(lines)
}
