//go:build e2e

package crawls_test

import (
	"archive/tar"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// aircraft is the namespace of the example's ontology.
const aircraft = "http://orbweaver.example/aircraft#"

// quiet is an HTML page whose words name nothing.
func quiet(head, body string) string {
	return "<!DOCTYPE html><title>Entry</title>" + head + "<body>" + body + "<p>Seen last in spring.</p></body>"
}

// dataWeb is an archive of four pages of nothing but data about an airplane, and one whose data is of something else.
func dataWeb(t *testing.T) (seeds []string, archive string) {
	answers := []toy.Answer{
		{URL: "http://d.test/jsonld.html", Body: quiet(`<script type="application/ld+json">
			{"@context": {"av": "http:\/\/orbweaver.example\/aircraft#"}, "@id": "#it", "@type": "av:Airplane"}</script>`, "")},
		{URL: "http://d.test/microdata.html", Body: quiet("", `<div itemscope itemid="#it" itemtype="`+aircraft+`Airplane"></div>`)},
		{URL: "http://d.test/rdfa.html", Body: quiet("", `<div prefix="av: `+aircraft+`" resource="#it" typeof="av:Airplane"></div>`)},
		{URL: "http://d.test/it.ttl", Kind: "text/turtle", Body: "@prefix av: <" + aircraft + "> .\n<#it> a av:Airplane .\n"},
		{URL: "http://d.test/other.html", Body: quiet("", `<div itemscope itemid="#it" itemtype="http://schema.org/Book"></div>`)},
	}
	for _, a := range answers {
		seeds = append(seeds, a.URL)
	}
	return seeds, toy.WebOf(t, answers)
}

// crawlData crawls an archive by an ontology, and returns the lines by URL.
func crawlData(t *testing.T, seeds []string, archive, focus string, keys ...string) (lines map[string]ledger.Line, journal []byte) {
	t.Helper()
	folder := t.TempDir()
	_, journal = apptest.CrawlIn(t, folder, "seeds: ["+strings.Join(seeds, ", ")+"]\nweb: {archive: "+archive+"}\nfocus: {ontology: {"+focus+"}}\n"+strings.Join(keys, ""))
	lines = map[string]ledger.Line{}
	for _, l := range toy.LinesOf(t, filepath.Join(folder, "crawl")) {
		lines[l.URL] = l
	}
	return lines, journal
}

// byRule returns the evidence of a line's reason of a rule; empty: none.
func byRule(l ledger.Line, rule string) string {
	for _, r := range l.Reasons {
		if r.Rule == rule {
			return r.Evidence
		}
	}
	return ""
}

// TestDataNamesEntities: pages that only their data tells to be about the target score and are accepted, in each syntax,
// by the statement that says so. With data: off they score 0, as the page about something else does in both.
func TestDataNamesEntities(t *testing.T) {
	seeds, archive := dataWeb(t)
	airplane := "files: " + filepath.Join(realdata.Root(t), "examples/aircraft.ttl") + ", target: '" + aircraft + "Airplane'"
	for _, data := range []string{"", "data: met", "data: on", "data: off"} {
		lines, _ := crawlData(t, seeds, archive, strings.TrimSuffix(airplane+", "+data, ", "))
		for _, url := range seeds {
			l, wanted := lines[url], data != "data: off" && !strings.HasSuffix(url, "other.html")
			if l.Accepted != wanted || (l.Score > 0) != wanted {
				t.Errorf("%q: %s: score %v, accepted %v: %v", data, url, l.Score, l.Accepted, l.Reasons)
			}
			if got := byRule(l, "data"); wanted && got != "airplane: <"+url+"#it> a <"+aircraft+"Airplane>" {
				t.Errorf("%q: %s: by %q", data, url, got)
			}
		}
	}
	_, one := crawlData(t, seeds, archive, airplane, "workers: 1\n")
	_, eight := crawlData(t, seeds, archive, airplane, "workers: 8\n")
	if string(one) != string(eight) {
		t.Errorf("with 1 worker:\n%s\nwith 8:\n%s", one, eight)
	}
}

// TestDataOfTheDemoWeb: the demo web describes airplanes by a vocabulary of its own, in Turtle and RDF/XML.
// A file that states which class of it is the ontology's lets the crawl know them by that.
func TestDataOfTheDemoWeb(t *testing.T) {
	folder := t.TempDir()
	same := toy.Put(t, folder, "same.ttl", "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"+
		"<"+aircraft+"Airplane> owl:equivalentClass <http://skylines.example/vocabulary#Airplane> .\n")
	focus := fmt.Sprintf("files: [%s, %s], target: '%sAirplane'", filepath.Join(realdata.Root(t), "examples/aircraft.ttl"), same, aircraft)
	archive := filepath.Join(realdata.Root(t), "examples/demo.warc.gz")
	seeds := []string{"http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/", "http://skylines.example/"}
	with, _ := crawlData(t, seeds, archive, focus)
	without, _ := crawlData(t, seeds, archive, focus+", data: off")
	var more, named int
	for url, l := range with {
		if byRule(l, "data") == "" {
			continue
		}
		if named++; !l.Accepted {
			t.Errorf("%s scores %v and is not accepted: %v", url, l.Score, l.Reasons)
		}
		if w, ok := without[url]; ok && l.Score > w.Score {
			more++
		}
		t.Logf("%s: %.3f, without data %.3f", url, l.Score, without[url].Score)
	}
	if named != 10 || more != 10 {
		t.Errorf("the data of %d pages names the target, %d score more by it; want 10 and 10", named, more)
	}
}

// food is an ontology with labels in German, mapped to schema.org.
const food = `@prefix : <http://food.test/terms#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix schema: <https://schema.org/> .
:Gericht a owl:Class ; rdfs:label "Gericht"@de .
:Kochrezept a owl:Class ; rdfs:label "Kochrezept"@de ; rdfs:subClassOf :Gericht ; owl:equivalentClass schema:Recipe .
:Zutat a owl:ObjectProperty ; rdfs:label "Zutat"@de ; rdfs:domain :Kochrezept ; owl:equivalentProperty schema:recipeIngredient .
:Anleitung a owl:ObjectProperty ; rdfs:label "Kochanleitung"@de ; rdfs:domain :Kochrezept ; owl:equivalentProperty schema:recipeInstructions .
schema:Recipe rdfs:label "Kochrezept"@de .
schema:recipeIngredient rdfs:label "Zutat"@de .
schema:recipeInstructions rdfs:label "Kochanleitung"@de .
`

// ofRecipe is what a page with a recipe in its data holds: the truth, found without reading the data.
var ofRecipe = regexp.MustCompile(`"@type"\s*:\s*(\[[^\]]*)?"Recipe"|(?i:itemtype=["']?https?://(www\.)?schema\.org/Recipe)`)

// samplePages returns the pages of a tar file of the data as answers.
func samplePages(t *testing.T, name string) (answers []toy.Answer) {
	f, err := os.Open(realdata.File(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			return answers
		}
		if err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, "html") {
			continue
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, toy.Answer{URL: fmt.Sprintf("http://p%d.test/", len(answers)), Body: string(body)})
	}
}

// TestDataOfRecipes: of real pages with a recipe in their data, and words that do not name the target, a crawl without
// data finds none and one with data nearly all, and nothing else.
func TestDataOfRecipes(t *testing.T) {
	answers := slices.Concat(samplePages(t, "recipe-pages.tar.gz"), samplePages(t, "extruct-samples.tar.gz"))
	for i := range answers {
		answers[i].URL = fmt.Sprintf("http://p%03d.test/", i)
	}
	var seeds []string
	for _, a := range answers {
		seeds = append(seeds, a.URL)
	}
	archive, folder := toy.WebOf(t, answers), t.TempDir()
	focus := "files: " + toy.Put(t, folder, "food.ttl", food) + ", target: 'http://food.test/terms#Kochrezept'"
	without, _ := crawlData(t, seeds, archive, focus+", data: off")
	with, _ := crawlData(t, seeds, archive, focus)
	var recipes, hidden, before, named, accepted, wrong int
	for _, a := range answers {
		l := with[a.URL]
		recipes += count(ofRecipe.MatchString(a.Body))
		switch truth := ofRecipe.MatchString(a.Body); {
		case !truth && l.Accepted:
			wrong++
			t.Logf("%s is accepted: %v", a.URL, l.Reasons)
		case truth && byRule(without[a.URL], "entity") == "":
			hidden++
			before += count(without[a.URL].Accepted)
			named += count(byRule(l, "data") != "")
			accepted += count(l.Accepted)
			if !l.Accepted {
				t.Logf("%s: score %v, accepted %v: %v", a.URL, l.Score, l.Accepted, l.Reasons)
			}
		}
	}
	t.Logf("%d pages, %d with a recipe, %d that only their data reveals: without data %d accepted; with data %d named, %d accepted; %d others accepted",
		len(answers), recipes, hidden, before, named, accepted, wrong)
	if hidden < 90 || before != 0 || named*100 < 95*hidden || accepted*100 < 95*hidden || wrong*50 > accepted {
		t.Error("want at least 90 such pages, none of them without data, .95 of them with it, and 2 % of others at most")
	}
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}
