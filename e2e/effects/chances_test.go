//go:build e2e

package effects_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/eval"
	"orbweaver/focus/chance"
	"orbweaver/internal/apptest"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
)

// A chanceWeb is a web on which chances of links are measured.
type chanceWeb struct {
	name     string
	head     string // lines of the crawl file
	archive  string
	ontology string // file
	target   string
	terms    string
	item     string // of crossref
	focuses  []string
}

// Ontologies of a few words each, written from general knowledge.
const (
	privacyOntology = `@prefix : <http://example.org/t#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:T a owl:Class ; rdfs:label "privacy"@en, "data protection"@en . :Data a owl:Class ; rdfs:label "personal data"@en ; rdfs:subClassOf :T .
:Consent a owl:Class ; rdfs:label "consent"@en ; rdfs:subClassOf :T . :Law a owl:Class ; rdfs:label "data protection law"@en, "GDPR"@en ; rdfs:subClassOf :T .
`
	domainOntology = `@prefix : <http://example.org/t#> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:T a owl:Class ; rdfs:label "domain name"@en, "domain"@en . :Root a owl:Class ; rdfs:label "root zone"@en, "root server"@en ; rdfs:subClassOf :T .
:TLD a owl:Class ; rdfs:label "top-level domain"@en, "TLD"@en ; rdfs:subClassOf :T .
`
)

// chanceWebs returns the webs of docs/explanation/measurements.md, or the two quickest.
func chanceWebs(t *testing.T) []chanceWeb {
	data, examples := realdata.Folder(t, "linked-data-sites.warc.gz"), filepath.Join(realdata.Root(t), "examples")
	folder := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	web := func(name, archive, seeds, more string) chanceWeb {
		return chanceWeb{name: name, archive: archive, head: fmt.Sprintf("seeds: [%s]\nweb: {archive: %s}\n%s", seeds, archive, more),
			focuses: []string{"ontology", "keyword", "best_first", "crossref", "linked_data", "krs"}}
	}
	demo := web("demo web", filepath.Join(examples, "demo.warc.gz"), `"http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/"`, "")
	demo.ontology, demo.target = filepath.Join(examples, "aircraft.ttl"), "http://orbweaver.example/aircraft#Airplane"
	demo.terms, demo.item = "[airplane, aeroplane, plane, aircraft]", "http://skylines.example/types/a320.html"
	sites := web("linked-data sites", filepath.Join(data, "linked-data-sites.warc.gz"),
		`"https://w3id.org/dpv/", "https://schema.org/docs/", "https://schema.org/docs/documents.html", "https://schema.org/docs/developers.html", "https://json-ld.org/spec/", "https://json-ld.org/primer/latest/", "https://json-ld.org/test-suite/", "https://json-ld.org/playground/"`,
		"scope: {hosts: [w3id.org, schema.org, json-ld.org]}\nlimits: {requests: 2800}\n")
	sites.ontology, sites.target = write("privacy.ttl", privacyOntology), "http://example.org/t#T"
	sites.terms, sites.item = "[privacy, data protection, personal data]", "https://w3id.org/dpv/"
	if !everything() {
		demo.focuses, sites.focuses = []string{"ontology", "keyword", "best_first"}, []string{"linked_data"}
		return []chanceWeb{demo, sites}
	}
	campus := web("campus", filepath.Join(examples, "campus.warc.gz"), "http://larkfield.example/", "scope: {hosts: [larkfield.example]}\n")
	campus.ontology, campus.target = filepath.Join(examples, "university.ttl"), "http://orbweaver.example/university#TFL"
	campus.terms, campus.item = "[text finding laboratory, TFL, text finding]", "http://larkfield.example/"
	iana := web("iana.org", realdata.File(t, "iana.warc.gz"), `"http://www.iana.org/"`, "")
	iana.ontology, iana.target = write("domains.ttl", domainOntology), "http://example.org/t#T"
	iana.terms, iana.item = "[domain, domain name, root zone]", "http://www.iana.org/domains"
	webs := []chanceWeb{demo, sites, campus, iana}
	for _, topic := range []struct{ name, class, terms, item string }{
		{"politics", "Politics", "[politics, political, government]", "Democracy"}, {"physics", "Physics", "[physics, physical]", "Quantum_mechanics"},
	} {
		w := web("wikispeedia, "+topic.name, realdata.File(t, "wikispeedia.warc.gz"), starts, "limits: {requests: 2200}\n")
		w.ontology, w.target = filepath.Join(examples, "wikispeedia", topic.name+".ttl"), "http://example.org/"+topic.name+"#"+topic.class
		w.terms, w.item = topic.terms, "http://wikispeedia.test/wiki/"+topic.item+".html"
		w.focuses = []string{"ontology", "keyword", "best_first", "crossref", "krs"} // it has no RDF
		webs = append(webs, w)
	}
	return webs
}

// focus returns the line of the crawl file for a focus.
func (w *chanceWeb) focus(name, topic string) string {
	switch name {
	case "ontology":
		return fmt.Sprintf("focus: {ontology: {files: %s, target: %q}}\n", w.ontology, w.target)
	case "crossref":
		return fmt.Sprintf("focus: {crossref: {item: %q}}\n", w.item)
	case "linked_data":
		return "focus: {linked_data: {}}\n"
	case "krs":
		return fmt.Sprintf("focus: {krs: {file: %s}}\n", topic)
	}
	return fmt.Sprintf("focus: {%s: {terms: %s}}\n", name, w.terms)
}

// TestChances: predicted chances of links are better than the running base rate (Brier skill above 0) wherever there is
// something to predict, and calibrated within 0.05 after 2 000 outcomes; at any one moment they rank links as the raw scores
// do. ORBWEAVER_EFFECT=all measures all focuses that rank links on five webs: see docs/explanation/measurements.md.
func TestChances(t *testing.T) {
	for _, w := range chanceWebs(t) {
		topic := ""
		for _, name := range w.focuses {
			if name == "krs" && topic == "" {
				t.Logf("%-20s %-12s its ontology accepts no pages to learn from", w.name, name)
				continue
			}
			folder := t.TempDir()
			apptest.CrawlIn(t, folder, w.head+w.focus(name, topic))
			measureChances(t, w.name, name, filepath.Join(folder, "crawl"))
			if name == "ontology" && everything() { // what it accepted is the corpus of the KRS
				topic = filepath.Join(folder, "topic.krs")
				none := 0.0
				jobs := &krs.Jobs{Console: (&job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Console}
				if err := jobs.Build(t.Context(), krs.Job{Dir: topic, Topic: "topic", Corpus: []string{filepath.Join(folder, "crawl")},
					Background: []string{w.archive}, Sample: 300, Seed: 1, DropBelow: &none}); err != nil {
					topic = ""
				}
			}
		}
	}
}

// measureChances logs the figures of a crawl, and checks them.
func measureChances(t *testing.T, web, focus, folder string) {
	t.Helper()
	lines := ledger.Lines(filepath.Join(folder, ledger.JournalFile))
	curve, err := eval.ReadCurve(lines, nil, 0, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	f := curve.Chances()
	if f == nil {
		t.Errorf("%s, %s: no link was followed", web, focus)
		return
	}
	t.Logf("%-20s %-12s %5d links, %4d led; skill %6.3f, ECE %.3f, AUC by score %.3f, by chance %.3f", web, focus, f.Links, f.Led, f.Skill(), f.ECE, f.AUCScore, f.AUCChance)
	if few := min(f.Led, f.Links-f.Led) < 5; f.Skill() <= 0 && !few {
		t.Errorf("%s, %s: skill %v", web, focus, f.Skill())
	}
	if f.Links >= 2000 && f.ECE > 0.05 {
		t.Errorf("%s, %s: calibration error %v", web, focus, f.ECE)
	}
	book, err := ledger.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	b, err := book.Chances()
	if err != nil {
		t.Fatal(err)
	}
	evidence, err := chance.ReadBoth(b)
	if err != nil {
		t.Fatal(err)
	}
	if now := rankedBy(t, folder, evidence.Links.Chance); f.Ranked() && now < f.AUCScore-1e-6 {
		t.Errorf("%s, %s: AUC by the chances at the end %v, by raw score %v", web, focus, now, f.AUCScore)
	}
}

// rankedBy is the AUC of links by the chances that they have under the same evidence.
func rankedBy(t *testing.T, folder string, of func(score float64) float64) float64 {
	t.Helper()
	var tally eval.ChanceTally
	for l, err := range ledger.Lines(filepath.Join(folder, ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		if l.Predicted != nil && l.Predicted.Chance > 0 {
			l.Predicted.Chance = of(l.Predicted.Score)
		}
		tally.Add(&l)
	}
	return tally.Figures().AUCChance
}
