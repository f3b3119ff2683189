package findings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/kb/catalog"
	"orbweaver/kb/terms"
)

// port is a catalogue of which the dataset "one" of the example has instances of a class found, and links to harbours.
const port = `{"terms": [], "datasets": [{"name": "one", "known": {"name": "one", "links": ["harbours"], "sources": []}}, {"name": "two"}],
"unasked": [{"name": "songs", "keywords": ["music"], "links": ["words", "people"], "sources": []}, {"name": "dances", "keywords": ["music"], "links": ["words", "people"], "sources": []}]}`

// linked is the example in a folder, with the catalogue.
func linked(t *testing.T, asked string) Findings {
	t.Helper()
	dir := t.TempDir()
	if err := example().Write(dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, AskedFile), []byte(asked), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func named(all []terms.Ranked) (names []string) {
	for _, one := range all {
		names = append(names, one.Name)
	}
	return names
}

// TestByLinks: what a dataset with instances of the terms links to comes first, though others are linked to more often, and datasets that
// nothing is known of but links are among the targets; without links the ranking is by instances, as it is if that is asked for.
func TestByLinks(t *testing.T) {
	f := linked(t, port)
	r := f.Ranked(nil, catalog.Dataset{})
	if got := strings.Join(named(r.Datasets), " "); got != "harbours people words one" || r.DatasetsBy != terms.ByLinks || len(r.ByInstances) != 1 {
		t.Errorf("%s, %+v", got, r)
	}
	if first := r.Datasets[0]; first.Score != .4 || len(first.Reasons) != 2 || first.Reasons[1] != "of them nearest to the terms: one" {
		t.Errorf("%+v", first)
	}
	if one := r.Datasets[3]; one.Instances != 7 || one.Reasons[1] != "7 instances of http://c#Z" {
		t.Errorf("%+v", one)
	}
	musical := f.Ranked(nil, catalog.Dataset{Name: "mine", Keywords: []string{"music"}})
	if got := named(musical.Datasets); got[0] != "people" || got[1] != "words" {
		t.Errorf("of a dataset about music: %v", got)
	}
	report := f.Report()
	if !report.ByLinks || len(report.Datasets) != 4 || report.Datasets[0].Name != "harbours" || report.Datasets[3].Instances != 7 {
		t.Errorf("%+v", report.Datasets)
	}
	var byLinks, byInstances, before strings.Builder
	f.Rejected = nil
	for out, o := range map[*strings.Builder]Options{&byLinks: {Format: Text}, &byInstances: {Format: Text, By: terms.ByInstances}} {
		if err := Recommend(out, f, o); err != nil {
			t.Fatal(err)
		}
	}
	if err := Recommend(&before, example(), Options{Format: Text}); err != nil || before.String() != byInstances.String() {
		t.Errorf("%v: %s\n%s", err, before.String(), byInstances.String())
	}
	if !strings.Contains(byLinks.String(), "harbours\n            datasets of the catalogue that link to it: 1\n") {
		t.Error(byLinks.String())
	}
	for _, o := range []Options{{By: terms.ByLinks}, {Own: catalog.Dataset{Name: "mine"}}} {
		if err := Recommend(&before, example(), o); err == nil || !strings.Contains(err.Error(), "which datasets link to which") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestLinkedKept: entries that are not asked are kept if there are links, without what the ranking does not need.
func TestLinkedKept(t *testing.T) {
	asked := func(name string) bool { return name == "a" }
	all := []catalog.Dataset{{Name: "a", Links: []string{"b"}}, {Name: "c", Description: "long", Keywords: []string{"k"}}}
	if got := Linked(all, asked); len(got) != 1 || got[0].Name != "c" || got[0].Description != "" || got[0].Keywords[0] != "k" {
		t.Errorf("%+v", got)
	}
	if got := Linked(all[1:], asked); got != nil {
		t.Errorf("without links: %+v", got)
	}
	if _, err := Catalogue(t.TempDir()); err != nil {
		t.Error(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, AskedFile), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Catalogue(dir); err == nil || !strings.Contains(err.Error(), AskedFile) {
		t.Errorf("%v", err)
	}
}
