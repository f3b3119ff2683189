package catalog_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/kb/catalog"
)

// TestMerge checks which datasets are merged and which are not.
func TestMerge(t *testing.T) {
	ds := func(name string, change func(*catalog.Dataset)) catalog.Dataset {
		d := catalog.Dataset{Name: name, Sources: []string{"of " + name}}
		change(&d)
		return d
	}
	endpoint := func(address string, graphs ...string) func(*catalog.Dataset) {
		return func(d *catalog.Dataset) { d.Endpoints, d.Graphs = []string{address}, graphs }
	}
	same := func(iris ...string) func(*catalog.Dataset) {
		return func(d *catalog.Dataset) { d.Same = iris }
	}
	home := func(address, endpoint string) func(*catalog.Dataset) {
		return func(d *catalog.Dataset) {
			d.Homepage = address
			if endpoint != "" {
				d.Endpoints = []string{endpoint}
			}
		}
	}
	dump := func(source string) func(*catalog.Dataset) {
		return func(d *catalog.Dataset) {
			d.Dumps, d.Sources = []catalog.Dump{{URL: "http://a.test/d.nt"}}, []string{source}
		}
	}
	for _, tc := range []struct {
		name      string
		given     []catalog.Dataset
		want      string // names and aliases of the result
		conflicts int
	}{
		{"one endpoint", []catalog.Dataset{ds("bb", endpoint("http://a.test/sparql")), ds("a", endpoint("https://a.test/sparql/"))}, "a[bb]", 0},
		{"one endpoint, the same graphs in another order", []catalog.Dataset{ds("a", endpoint("http://e/", "g", "h")), ds("b", endpoint("http://e/", "h", "g"))}, "a[b]", 0},
		{"one endpoint, different graphs", []catalog.Dataset{ds("a", endpoint("http://e/", "g")), ds("b", endpoint("http://e/", "h"))}, "a b", 0},
		{"one endpoint, a graph of it and the whole", []catalog.Dataset{ds("a", endpoint("http://e/", "g")), ds("b", endpoint("http://e/"))}, "a b", 0},
		{"different graphs, called the same", []catalog.Dataset{
			ds("a", func(d *catalog.Dataset) { endpoint("http://e/", "g")(d); same("urn:x")(d) }),
			ds("b", func(d *catalog.Dataset) { endpoint("http://e/", "h")(d); same("urn:x")(d) }),
		}, "a b", 1},
		{"one says that it is the other", []catalog.Dataset{ds("a", same("http://a/1", "http://b/2")), ds("b", same("http://b/2"))}, "a[b]", 0},
		{"the Data Hub's name in all its forms", []catalog.Dataset{
			ds("aa", same("https://lod-cloud.net/dataset/DBpedia")), ds("b", home("http://thedatahub.org/dataset/dbpedia", "")), ds("c", same("http://ckan.net/package/dbpedia")), ds("d", same("https://old.datahub.io/dataset/dbpedia/")),
			ds("e", same("https://datahub.io/dataset/dbpedia-2")),
		}, "b[aa,c,d] e", 0},
		{"a homepage", []catalog.Dataset{ds("a", home("http://h/", "")), ds("b", home("http://h/", "http://e/"))}, "a[b]", 0},
		{"a homepage, but an endpoint each", []catalog.Dataset{ds("a", home("http://h/", "http://f/")), ds("b", home("http://h/", "http://e/"))}, "a b", 0},
		{"no homepage is none in common", []catalog.Dataset{ds("a", home("", "")), ds("b", home("", ""))}, "a b", 0},
		{"a dump", []catalog.Dataset{ds("a", dump("x")), ds("b", dump("x")), ds("c", dump("y"))}, "a[b,c]", 0},
		{"a dump that is everybody's", []catalog.Dataset{ds("a", dump("x")), ds("b", dump("x")), ds("c", dump("x")), ds("d", dump("y"))}, "a b c d", 0},
		{"a chain", []catalog.Dataset{ds("a", same("urn:1")), ds("b", same("urn:1", "urn:2")), ds("c", same("urn:2", "urn:3")), ds("d", same("urn:3"))}, "a[b,c,d]", 0},
		{"the name by hand stands", []catalog.Dataset{ds("a", endpoint("http://e/")), ds("longer", func(d *catalog.Dataset) { endpoint("http://e/")(d); d.ByHand = true })}, "longer[a]", 0},
		{"one name, different things", []catalog.Dataset{ds("a", endpoint("http://e/")), ds("a", endpoint("http://f/")), ds("a", endpoint("http://g/")), ds("a-2", endpoint("http://h/"))}, "a a-2 a-3 a-4", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			random := rand.New(rand.NewPCG(1, 2))
			for range 20 {
				merged, conflicts := catalog.Merge(tc.given...)
				var got []string
				for _, d := range merged {
					name := d.Name
					if len(d.Aliases) > 0 {
						name += fmt.Sprintf("[%s]", strings.Join(d.Aliases, ","))
					}
					got = append(got, name)
				}
				if strings.Join(got, " ") != tc.want || len(conflicts) != tc.conflicts {
					t.Fatalf("%v, %v; want %s", got, conflicts, tc.want)
				}
				random.Shuffle(len(tc.given), func(i, j int) { tc.given[i], tc.given[j] = tc.given[j], tc.given[i] })
			}
		})
	}
}

// TestMergeKeepsAll: the result contains all descriptions, and the arguments are unchanged.
func TestMergeKeepsAll(t *testing.T) {
	a := catalog.Dataset{Name: "a", Title: "A", Endpoints: []string{"http://e/"}, Dumps: []catalog.Dump{{URL: "http://d/1"}}, Triples: 5, Keywords: []string{"k"}, Sources: []string{"x"},
		Properties: []catalog.Partition{{IRI: "p", Triples: 1}, {IRI: "q", Triples: 1}}}
	b := catalog.Dataset{Name: "b", Title: "B", Homepage: "http://h/", Endpoints: []string{"http://e", "http://f/"}, Dumps: []catalog.Dump{{URL: "http://d/1", MediaType: "x"}, {URL: "http://d/2"}},
		Void: []string{"http://v/"}, Triples: 7, Keywords: []string{"j", "k"}, Sources: []string{"y"}, Properties: []catalog.Partition{{IRI: "p", Triples: 7}}, Complete: true}
	before, _ := json.Marshal([]catalog.Dataset{a, b})
	merged, _ := catalog.Merge(a, b)
	got, _ := json.Marshal(merged)
	want := `[{"name":"a","title":"A","aliases":["B","b"],"homepage":"http://h/","endpoints":["http://e/","http://f/"],"dumps":[{"url":"http://d/1"},{"url":"http://d/2"}],"void":["http://v/"],` +
		`"keywords":["j","k"],"triples":7,"properties":[{"iri":"p","triples":7}],"propertiesComplete":true,"sources":["x","y"]}]`
	if string(got) != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if after, _ := json.Marshal([]catalog.Dataset{a, b}); string(after) != string(before) {
		t.Errorf("changed: %s", after)
	}
}

// TestMergeLODCloud: merging is independent of the order, idempotent and lossless.
func TestMergeLODCloud(t *testing.T) {
	given := readFile(t, realdata.File(t, "lod-cloud-2020.json.gz")).Datasets
	first, conflicts := catalog.Merge(given...)
	if len(first) != 287 || len(conflicts) != 0 {
		t.Errorf("%d datasets of %d, %v", len(first), len(given), conflicts)
	}
	want, _ := json.Marshal(first)
	random := rand.New(rand.NewPCG(3, 4))
	for range 5 {
		random.Shuffle(len(given), func(i, j int) { given[i], given[j] = given[j], given[i] })
		again, _ := catalog.Merge(given...)
		if got, _ := json.Marshal(again); string(got) != string(want) {
			t.Fatal("another order, another result")
		}
	}
	twice, _ := catalog.Merge(first...)
	if got, _ := json.Marshal(twice); string(got) != string(want) {
		t.Errorf("merged again it is another: %d datasets", len(twice))
	}
	for _, d := range given {
		i := slices.IndexFunc(first, func(m catalog.Dataset) bool { return m.Name == d.Name || slices.Contains(m.Aliases, d.Name) })
		if i < 0 {
			t.Errorf("%s is lost", d.Name)
			continue
		}
		for _, e := range d.Endpoints {
			if !slices.Contains(first[i].Endpoints, e) {
				t.Errorf("%s: %s is lost", d.Name, e)
			}
		}
	}
}

// TestMergeMany: many datasets of one endpoint take little time.
func TestMergeMany(t *testing.T) {
	var many []catalog.Dataset
	for i := range 20_000 {
		many = append(many, catalog.Dataset{
			Name: fmt.Sprintf("d%d", i), Endpoints: []string{"http://e.test/"}, Same: []string{fmt.Sprintf("urn:%d", i)}, Dumps: []catalog.Dump{{URL: fmt.Sprintf("http://d.test/%d", i)}}, Sources: []string{"x"},
		})
	}
	merged, _ := catalog.Merge(many...)
	if len(merged) != 1 || len(merged[0].Dumps) != len(many) || len(merged[0].Aliases) != len(many)-1 {
		t.Errorf("%d datasets", len(merged))
	}
	for i := range many {
		many[i].Graphs = []string{fmt.Sprintf("urn:g:%d", i)}
		many[i].Same = []string{"urn:all"}
	}
	if merged, conflicts := catalog.Merge(many...); len(merged) != len(many) || len(conflicts) == 0 {
		t.Errorf("%d datasets, %d conflicts", len(merged), len(conflicts))
	}
}
