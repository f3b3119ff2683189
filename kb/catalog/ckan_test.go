package catalog_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"orbweaver/kb/catalog"
)

// read reads a readable catalogue.
func read(t *testing.T, text string, o catalog.Options) catalog.Catalogue {
	t.Helper()
	c, err := catalog.Read(strings.NewReader(text), o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// problems returns the problems of a catalogue, one per line.
func problems(c catalog.Catalogue) string {
	var lines []string
	for _, p := range c.Problems {
		lines = append(lines, p.Error())
	}
	return strings.Join(lines, "\n")
}

// holds checks that a text contains others, in order.
func holds(t *testing.T, text string, parts ...string) {
	t.Helper()
	rest := text
	for _, part := range parts {
		_, behind, found := strings.Cut(rest, part)
		if !found {
			t.Errorf("no %q in %q", part, text)
			return
		}
		rest = behind
	}
}

const planes = `{"name": "planes", "id": "0a1b2c3d-0000-4000-8000-00000000ABCD", "title": {"de": "Flugzeuge", "en": "Aeroplanes"}, "notes": "All of them",
 "url": "HTTP://Planes.test", "state": "active", "metadata_modified": "2020-05-06T07:08:09.123456",
 "tags": [{"name": "lod"}, {"name": "air"}], "extras": [{"key": "triples", "value": "1,648,890"}, {"key": "namespace", "value": "http://planes.test/id/"}, {"key": "links:x", "value": 3}],
 "resources": [
  {"format": "api/sparql", "url": "http://planes.test/sparql?default-graph-uri=http%3A%2F%2Fplanes.test%2Fg&query="},
  {"format": "application/x-gzip", "url": "http://planes.test/planes.nt.gz", "name": null},
  {"format": "meta/void", "url": "http://planes.test/void.ttl"},
  {"format": "example/rdf+xml", "url": "http://planes.test/1"},
  {"format": "", "mimetype": "text/turtle", "url": "http://planes.test/more"},
  {"format": "RDF", "url": "not a url"},
  {"format": "CSV", "url": "http://planes.test/planes.csv"}]}`

func TestCKANPackage(t *testing.T) {
	for name, text := range map[string]string{
		"package_search":                      `{"help": "?", "success": true, "result": {"count": 7, "sort": "x", "facets": {}, "results": [` + planes + `]}}`,
		"package_show":                        `{"help": "?", "success": true, "result": ` + planes + `}`,
		"current_package_list_with_resources": `{"success": true, "result": [` + planes + `]}`,
		"packages alone":                      ` [` + planes + `]`,
	} {
		t.Run(name, func(t *testing.T) {
			c := read(t, text, catalog.Options{Name: "https://hub.test/api/3/action/x"})
			if c.Kind != catalog.CKAN || len(c.Datasets) != 1 || !slices.Equal(c.Page.Names, []string{"planes"}) {
				t.Fatalf("%+v", c)
			}
			d := c.Datasets[0]
			got := fmt.Sprint(d.Name, d.Title, d.Description, d.Homepage, d.Endpoints, d.Graphs, d.Dumps, d.Void, d.Examples, d.Spaces, d.Keywords, d.Triples, d.Modified.Year(), d.Same)
			want := fmt.Sprint("planes", "Aeroplanes", "All of them", "http://planes.test/", []string{"http://planes.test/sparql"}, []string{"http://planes.test/g"},
				[]catalog.Dump{{URL: "http://planes.test/planes.nt.gz", MediaType: "application/n-triples"}, {URL: "http://planes.test/more", MediaType: "text/turtle"}},
				[]string{"http://planes.test/void.ttl"}, []string{"http://planes.test/1"}, []string{"http://planes.test/id/"}, []string{"air", "lod"}, 1648890, 2020,
				[]string{"https://hub.test/dataset/planes", "urn:uuid:0a1b2c3d-0000-4000-8000-00000000abcd"})
			if got != want {
				t.Errorf("%s\nwant %s", got, want)
			}
			holds(t, problems(c), "https://hub.test/api/3/action/x: planes: dump: ", "not a url")
		})
	}
}

// TestCKANBroken: broken entries are reported by name, and the rest is read.
func TestCKANBroken(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		datasets   string
		problems   []string
	}{
		{"entries of all kinds", `{"success":true,"result":[7,null,{"title":"no name"},{"name":"a","resources":"none","tags":5,"title":[]},{"name":"b","resources":[1,{"url":{"x":1},"format":["y"]}]}]}`,
			"a b", []string{"c: entry 1: no package: 7", "entry 2: no package: null", "entry 3: a package without name", "c: a: 1 resources make no sense", "c: b: 1 resources make no sense"}},
		{"cut off", `{"success":true,"result":{"results":[{"name":"a"},{"name":"b"},{"na`, "a b", []string{"c: at byte ", "it is cut off"}},
		{"a deleted package", `{"success":true,"result":{"results":[{"name":"a","state":"deleted"},{"name":"b","state":"active"}]}}`, "b", nil},
		{"a result that is nothing", `{"success":true,"result":5}`, "", []string{"c: the result is no list and no dataset"}},
		{"results that are no list", `{"success":true,"result":{"results":{}}}`, "", []string{"the results are no list"}},
		{"numbers that are none", `{"result":[{"name":"a","extras":[{"key":"triples","value":"a few"}],"metadata_modified":"soon"}]}`, "a", []string{`c: a: modified: "soon" is no date`, `c: a: triples: "a few" is no number`}},
		{"no JSON behind", `{"result":[{"name":"a"}]} and more`, "a", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := read(t, tc.text, catalog.Options{Name: "c"})
			var names []string
			for _, d := range c.Datasets {
				names = append(names, d.Name)
			}
			if got := strings.Join(names, " "); got != tc.datasets {
				t.Errorf("datasets %s, want %s", got, tc.datasets)
			}
			holds(t, problems(c), tc.problems...)
			if len(tc.problems) == 0 && len(c.Problems) > 0 {
				t.Error(problems(c))
			}
		})
	}
}

func TestCKANRefuses(t *testing.T) {
	c := read(t, `{"help":"x","success":false,"error":{"message":"Access denied","__type":"Authorization Error"}}`, catalog.Options{Name: "c"})
	if !errors.Is(c.Page.Refused, catalog.ErrRefused) {
		t.Fatal(c.Page.Refused)
	}
	holds(t, c.Page.Refused.Error(), "c: CKAN refused: Authorization Error: Access denied")
}

// TestDetect checks the kind of a document.
func TestDetect(t *testing.T) {
	for _, tc := range []struct {
		name, mediaType, text string
		kind                  catalog.Kind
		err                   error
	}{
		{"a", "", `{"result":[]}`, catalog.CKAN, nil},
		{"a", "", `["one","two"]`, catalog.CKAN, nil},
		{"a", "", "\xef\xbb\xbf {\"x\":{\"_id\":\"x\"}}", catalog.LODCloud, nil},
		{"a", "", `{"@context":{},"@graph":[]}`, catalog.RDF, nil},
		{"a", "", `[{"@id":"http://a.test/"}]`, catalog.RDF, nil},
		{"a", "", `[{"name":"n","endpoint":"http://a.test/"}]`, catalog.List, nil},
		{"a.ttl", "", "<http://a.test/> a <http://rdfs.org/ns/void#Dataset> .", catalog.RDF, nil},
		{"a", "text/turtle", "[] a <http://rdfs.org/ns/void#Dataset> .", catalog.RDF, nil},
		{"a", "", "@prefix void: <http://rdfs.org/ns/void#> .", catalog.RDF, nil},
		{"a", "text/xml", "<?xml version='1.0'?><rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'/>", catalog.RDF, nil},
		{"a", "", "- name: n\n", catalog.List, nil},
		{"a.yml", "", "# mine\n- name: n\n", catalog.List, nil},
		{"a", "application/yaml", "name: n\n", catalog.List, nil},
		{"a", "application/json", "<!DOCTYPE html><html>", "", catalog.ErrPage},
		{"a.ttl", "text/turtle", "<html><body>no", "", catalog.ErrPage},
		{"a", "", "<?xml version='1.0'?>\n<html xmlns='http://www.w3.org/1999/xhtml'>", "", catalog.ErrPage},
		{"a", "", "Not found", "", catalog.ErrUnknown},
		{"a", "", " \n", "", catalog.ErrUnknown},
	} {
		for _, packed := range []bool{false, true} {
			text := []byte(tc.text)
			if packed {
				var b bytes.Buffer
				z := gzip.NewWriter(&b)
				_, _ = z.Write(text)
				_ = z.Close()
				text = b.Bytes()
			}
			c, err := catalog.Read(bytes.NewReader(text), catalog.Options{Name: tc.name, MediaType: tc.mediaType})
			if c.Kind != tc.kind || !errors.Is(err, tc.err) {
				t.Errorf("%s %s %.40q, packed %v: %q %v, want %q %v", tc.name, tc.mediaType, tc.text, packed, c.Kind, err, tc.kind, tc.err)
			}
		}
	}
}

// TestLimits: nothing grows beyond its limit, and that is reported once.
func TestLimits(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	for range 1 << 10 {
		_, _ = z.Write(bytes.Repeat([]byte(" "), 1<<10))
	}
	_ = z.Close()
	if _, err := catalog.Read(&b, catalog.Options{Name: "bomb", Limits: catalog.Limits{Bytes: 1 << 19}}); !errors.Is(err, catalog.ErrTooLarge) {
		t.Error(err)
	}
	many := `{"result":[` + strings.Repeat(`{"name":"a","tags":[{"name":"1"},{"name":"2"},{"name":"3"},{"name":"4"}]},`, 9) + `{"name":"z"}]}`
	c := read(t, many, catalog.Options{Name: "c", Limits: catalog.Limits{Datasets: 2, Entries: 2}})
	if len(c.Datasets) != 2 || len(c.Datasets[0].Keywords) != 2 || len(c.Problems) != 3 {
		t.Errorf("%d datasets, %v", len(c.Datasets), c.Problems)
	}
	holds(t, problems(c), "c: a: more than 2 of keyword", "c: more than 2 datasets: the others are left out")
	c = read(t, `{"result":[1,2,3,4,5]}`, catalog.Options{Name: "c", Limits: catalog.Limits{Problems: 2}})
	if len(c.Problems) != 2 || c.Dropped != 3 {
		t.Error(c.Problems, c.Dropped)
	}
	c = read(t, `{"result":[`+strings.Repeat(`"x",`, 9)+`"y"]}`, catalog.Options{Name: "c", Limits: catalog.Limits{Datasets: 3}})
	if len(c.Page.Names) != 3 {
		t.Error(c.Page.Names)
	}
	deep := strings.Repeat(`{"a":`, 100_000)
	for _, text := range []string{deep, `{"result":` + deep, `{"result":[{"name":"x","title":` + deep, strings.Repeat("[", 100_000), `[` + deep} {
		if c, err := catalog.Read(strings.NewReader(text), catalog.Options{Name: "deep"}); err == nil && len(c.Problems) == 0 {
			t.Errorf("%.40s: no problem", text)
		}
	}
}
