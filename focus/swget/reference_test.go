package swget

import (
	"compress/gzip"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// vocabularies are the files of data/ontologies, by namespace: each IRI in it dereferences to the file.
func vocabularies(tb testing.TB) func(url string) ([]rdf.Quad, bool) {
	tb.Helper()
	files := map[string][]rdf.Quad{}
	for namespace, name := range map[string]string{
		"http://dbpedia.org/ontology/": "dbpedia-3.9.owl.gz", "http://purl.org/ontology/mo/": "mo-2013.n3.gz",
		"http://purl.org/vocab/frbr/core": "frbr-2009.n3", "http://xmlns.com/foaf/0.1/": "foaf-2014.n3",
		"http://schema.org/": "schema-2014-02.n3.gz", "http://purl.org/NET/c4dm/event.owl": "event-2007.n3",
		"http://www.aktors.org/ontology/portal": "akt-2003.n3",
	} {
		files[namespace] = vocabulary(tb, name, namespace)
	}
	return func(url string) ([]rdf.Quad, bool) {
		for namespace, quads := range files {
			if strings.HasPrefix(url, namespace) {
				return quads, true
			}
		}
		return nil, false
	}
}

// vocabulary reads a file.
func vocabulary(tb testing.TB, name, base string) (quads []rdf.Quad) {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "ontologies/"+name))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(file); err != nil {
			tb.Fatal(err)
		}
	}
	format := syntax.Turtle
	if strings.Contains(name, ".owl") {
		format = syntax.RDFXML
	}
	for q, err := range document.Quads(r, format, syntax.Options{Name: name, Base: base, Lenient: true}) {
		if err != nil {
			tb.Fatal(err)
		}
		quads = append(quads, q)
	}
	return quads
}

// music has the terms of Table 4, with swget's results for each property there, and mo:Composition, for which
// Appendix 2 states no result although its superclass, event:Event, is found.
func music() []row {
	return []row{
		{"mo:MusicArtist", 6, 0}, {"mo:MusicalWork", 8, 0}, {"mo:Composition", 1, 0}, {"dbo:MusicalWork", 21, 0},
		{"dbo:Song", 7, 1}, {"dbo:Album", 6, 1}, {"dbo:MusicalArtist", 10, 0}, {"dbo:Single", 6, 0},
	}
}

type row struct {
	term                 string
	subclass, equivalent int
}

// template returns the paper's expression for a term and a property.
func template(tb testing.TB, term, property string) *Focus {
	tb.Helper()
	return focus(tb, Options{Expression: "<" + term + "> -p <" + property + "> <2-2>"})
}

// TestReference is the comparison of the paper on CRAWLER-LD (section 6.3, Table 4 and Appendix 2): the terms
// that swget finds from each of the eight of the music domain by one property at a time. Terms of schema.org
// have no RDF here: Appendix 2 has schema:MusicGroup, and not its only superclass within reach.
func TestReference(t *testing.T) {
	documents := vocabularies(t)
	without := func(url string) ([]rdf.Quad, bool) {
		if strings.HasPrefix(url, schemaOrg) {
			return nil, false
		}
		return documents(url)
	}
	found := map[string]bool{}
	for _, row := range music() {
		for property, want := range map[string]int{"rdfs:subClassOf": row.subclass, "owl:sameAs": 0, "owl:equivalentClass": row.equivalent} {
			f := template(t, row.term, property)
			newWeb(without).crawl(t, f)
			got := results(f)
			if s := f.Summary(); len(got) != want || s.Results != want || !s.Over || s.CutShort != nil || s.Late != 0 {
				t.Errorf("%s by %s: %d terms, not %d: %v; %+v", row.term, property, len(got), want, got, s)
			}
			for _, term := range got {
				found[term] = true
			}
		}
	}
	compare(t, found)
}

const schemaOrg = "http://schema.org/"

// TestReferenceTogether: a single search from all terms finds what the separate searches find, including
// terms reached from other terms.
func TestReferenceTogether(t *testing.T) {
	documents := vocabularies(t)
	one := map[string]bool{}
	var terms []string
	for _, row := range music() {
		f := template(t, row.term, "rdfs:subClassOf")
		newWeb(documents).crawl(t, f)
		for _, term := range results(f) {
			one[term] = true
		}
		terms = append(terms, f.from...)
	}
	f := focus(t, Options{Expression: "-p <rdfs:subClassOf> <2-2>", From: terms})
	newWeb(documents).crawl(t, f)
	all := results(f)
	slices.Sort(all)
	if !slices.Equal(all, slices.Sorted(maps.Keys(one))) || !one["http://dbpedia.org/ontology/MusicalWork"] || one["http://dbpedia.org/ontology/MusicalArtist"] {
		t.Errorf("together %v\none by one %v", all, one)
	}
	if !one["http://schema.org/PerformingGroup"] || len(one) != 46+2 { // of the rows all but two are found by subclass
		t.Errorf("%d terms: where schema.org gives RDF, its PerformingGroup is the one more", len(one))
	}
}

// TestReferenceTypes: by rdf:type each term leads to owl:Class. Table 4 has 0 there, although it counts
// owl:Thing as a superclass: no interpretation gives both columns, and this one is not compared.
func TestReferenceTypes(t *testing.T) {
	documents := vocabularies(t)
	for _, row := range music() {
		f := template(t, row.term, "rdf:type")
		newWeb(documents).crawl(t, f)
		if got := results(f); !slices.Equal(got, []string{"http://www.w3.org/2002/07/owl#Class"}) {
			t.Errorf("%s: %v", row.term, got)
		}
	}
}

// compare computes precision, recall and F1 against Appendix 2.
func compare(t *testing.T, found map[string]bool) {
	t.Helper()
	table, err := os.ReadFile(realdata.File(t, "ontologies/appendix2-truth.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	const event = "http://purl.org/NET/c4dm/event.owl#Event"
	var relevant, right, all float64
	rest := maps.Clone(found)
	for line := range strings.Lines(string(table)) {
		row := strings.Split(strings.TrimSpace(line), "\t")
		if row[0] == "n" {
			continue
		}
		if delete(rest, row[1]); !found[row[1]] {
			t.Errorf("row %s, %s, is not found", row[0], row[1])
			continue
		}
		all++
		if row[3] == "Y" {
			relevant++
			right++
		}
	}
	if others := slices.Sorted(maps.Keys(rest)); !slices.Equal(others, []string{event}) {
		t.Errorf("beside the rows: %v", others)
	}
	precision, recall := right/all, right/relevant
	f1 := 2 * precision * recall / (precision + recall)
	if all != 48 || math.Abs(precision-.2917) > 5e-5 || recall != 1 || math.Abs(f1-.4516) > 5e-5 {
		t.Errorf("%v terms, P %.4f, R %.4f, F1 %.4f", all, precision, recall, f1)
	}
}
