package microdata_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/microdata"
)

// expected is an item in the samples' JSON.
type expected struct {
	Type       list
	ID         string
	Properties map[string]list
}

// A list is one value, or several.
type list []json.RawMessage

func (l *list) UnmarshalJSON(data []byte) error {
	if data[0] == '[' {
		return json.Unmarshal(data, (*[]json.RawMessage)(l))
	}
	*l = list{slices.Clone(data)}
	return nil
}

// different lists the samples whose JSON deviates from HTML and the Note, with the reason.
var different = map[string]string{
	"schema.org/CreativeWork.001": "RDF has items of one itemid as one node: 7 items are 4 nodes",
	"schema.org/product-ref":      "the JSON takes over the properties of an item that itemref leads to; HTML stops there",
}

// TestSamples: every item of the samples' expected output is found, with its types, properties and values.
// Values are compared without white space, which their JSON normalizes.
func TestSamples(t *testing.T) {
	files := map[string][]byte{}
	for _, f := range rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/") {
		files[strings.TrimPrefix(f.Name, "extruct/tests/samples/")] = f.Data
	}
	compared := 0
	for _, name := range sorted(files) {
		stem, isJSON := strings.CutSuffix(name, ".json")
		page, ok := files[stem+".html"]
		if !isJSON || !ok || !microdata.Mentions(page) {
			continue
		}
		items := itemsOf(files[name])
		if items == nil {
			continue
		}
		compared++
		t.Run(stem, func(t *testing.T) {
			base := "http://www.example.com/microdata/page"
			if stem == "w3c/microdata.7.1" {
				base = "http://blog.example.com/progress-report"
			}
			opts := microdata.Options{Options: syntax.Options{Base: base}}
			g := graph{base: base, of: map[rdf.Term][]rdf.Triple{}}
			for _, triple := range rdftest.Collect(t, microdata.Read(bytes.NewReader(page), opts)) {
				g.of[triple.S] = append(g.of[triple.S], triple)
			}
			problems := g.compare(items)
			if (len(problems) > 0) != (different[stem] != "") {
				t.Errorf("%q; listed as different: %q", problems, different[stem])
			}
		})
	}
	if compared < 20 {
		t.Errorf("%d samples compared", compared)
	}
}

func sorted[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// itemsOf returns the items of a JSON file: it may be a list of them, or hold one as "microdata". It
// returns nil for the output of other syntaxes.
func itemsOf(data []byte) []expected {
	var all struct{ Microdata []expected }
	if json.Unmarshal(data, &all) == nil && all.Microdata != nil {
		return all.Microdata
	}
	var items []expected
	if json.Unmarshal(data, &items) != nil || len(items) == 0 || items[0].Properties == nil {
		return nil
	}
	return items
}

// graph is a page's triples by subject.
type graph struct {
	base string
	of   map[rdf.Term][]rdf.Triple
}

// compare returns the differences between the items and the graph.
func (g graph) compare(items []expected) (problems []string) {
	used := map[rdf.Term]bool{}
	for i, item := range items {
		subject, ok := g.find(item, used)
		if !ok {
			problems = append(problems, fmt.Sprintf("item %d, a %s, is missing", i, item.Type))
			continue
		}
		g.use(subject, used)
	}
	for subject := range g.of {
		if !used[subject] {
			problems = append(problems, "beyond what is expected: "+fmt.Sprint(g.of[subject]))
		}
	}
	return problems
}

// find returns the subject of an item.
func (g graph) find(item expected, used map[rdf.Term]bool) (rdf.Term, bool) {
	for subject := range g.of {
		if !used[subject] && g.matches(subject, item) {
			return subject, true
		}
	}
	return rdf.Term{}, false
}

// use marks a subject, and the items among its values.
func (g graph) use(subject rdf.Term, used map[rdf.Term]bool) {
	if used[subject] || g.of[subject] == nil {
		return
	}
	used[subject] = true
	for _, triple := range g.of[subject] {
		g.use(triple.O, used)
	}
}

// matches reports whether a subject has exactly the types, properties and values of an item.
func (g graph) matches(subject rdf.Term, item expected) bool {
	types, values := map[string]bool{}, map[string][]rdf.Term{}
	for _, triple := range g.of[subject] {
		if triple.P.Value == rdfType {
			types[triple.O.Value] = true
			continue
		}
		name := triple.P.Value[strings.LastIndexAny(triple.P.Value, "/#")+1:]
		values[name] = append(values[name], triple.O)
	}
	if len(types) != len(item.Type) || len(values) != len(item.Properties) {
		return false
	}
	for _, typ := range item.Type {
		if !types[text(typ)] {
			return false
		}
	}
	for name, wants := range item.Properties {
		if !g.allMatch(values[name], wants) {
			return false
		}
	}
	return true
}

// allMatch reports whether values and wanted values match one to one. RDF has equal values once.
func (g graph) allMatch(values []rdf.Term, wants list) bool {
	for _, want := range wants {
		i := slices.IndexFunc(values, func(v rdf.Term) bool { return g.same(v, want) })
		if i < 0 {
			return false
		}
		values = slices.Delete(slices.Clone(values), i, i+1)
	}
	return len(values) == 0
}

// same compares a value with one of the JSON, whose URLs may be relative.
func (g graph) same(value rdf.Term, want json.RawMessage) bool {
	var item expected
	if want[0] == '{' && json.Unmarshal(want, &item) == nil {
		return g.matches(value, item)
	}
	got, wanted := squeeze(value.Value), squeeze(text(want))
	return got == wanted || value.Kind == rdf.IRI && strings.HasSuffix(got, "/"+strings.TrimPrefix(wanted, "/"))
}

func text(raw json.RawMessage) (s string) {
	if json.Unmarshal(raw, &s) != nil {
		return string(raw)
	}
	return s
}

// squeeze removes all space.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

// TestPages: on every page of the samples and recipes, the number of items equals an independent count: one
// for each itemscope at the top level or within another item.
func TestPages(t *testing.T) {
	files := rdftest.Archive(t, "extruct-samples.tar.gz", "extruct/")
	files = append(files, rdftest.Archive(t, "recipe-pages.tar.gz", "")...)
	slices.SortFunc(files, func(a, b rdftest.File) int { return cmp.Compare(a.Name, b.Name) })
	pages, items := 0, 0
	for _, f := range files {
		stem := strings.TrimSuffix(strings.TrimPrefix(f.Name, "extruct/tests/samples/"), ".html")
		if !strings.HasSuffix(f.Name, "html") || !microdata.Mentions(f.Data) || different[stem] != "" {
			continue
		}
		var mistakes []error
		opts := microdata.Options{Options: syntax.Options{
			Base: "http://e.org/", Lenient: true, OnError: func(err error) { mistakes = append(mistakes, err) },
		}}
		subjects := map[rdf.Term]bool{}
		for _, triple := range rdftest.Collect(t, microdata.Read(bytes.NewReader(f.Data), opts)) {
			subjects[triple.S] = true
		}
		want, orphans := scopes(t, f.Data)
		if len(subjects) != want {
			t.Errorf("%s: %d items, want %d (%d orphans, %v)", f.Name, len(subjects), want, orphans, mistakes)
		}
		if want > 0 {
			pages++
			items += len(subjects)
		}
	}
	if pages < 60 || items < 200 {
		t.Errorf("%d items on %d pages", items, pages)
	}
}

// scopes counts the items of a page in HTML's own tree: those that are read, and those without a property.
func scopes(t *testing.T, page []byte) (read, orphans int) {
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n *html.Node, inside bool)
	walk = func(n *html.Node, inside bool) {
		scope, prop := false, false
		for _, a := range n.Attr {
			scope = scope || a.Key == "itemscope"
			prop = prop || a.Key == "itemprop"
		}
		if scope {
			if prop && !inside {
				orphans++
			} else {
				read++
				inside = true
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c, inside)
		}
	}
	walk(root, false)
	return read, orphans
}
