//go:build e2e

package crawls_test

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/realdata"
)

// copied copies files of examples into a folder, as text with replacements.
func copied(t *testing.T, folder string, names []string, replace ...string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
		if err != nil {
			t.Fatal(err)
		}
		toy.Put(t, folder, name, strings.NewReplacer(replace...).Replace(string(text)))
	}
}

// TestKnowledgeFlows: a metadata crawl's vocabulary becomes an ontology whose crawl file runs as it is; the crawl's classes
// become suggestions for another ontology, of which one without a place needs an entity, one keeps its IRI, and one that
// was rejected does not come back.
func TestKnowledgeFlows(t *testing.T) {
	folder := t.TempDir()
	copied(t, folder, []string{"harbour.yaml", "harbour.ttl", "fleet.ttl", "register.ttl"}, "../crawls/harbour", "harbour")
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := verbs.Crawl(t.Context(), a, filepath.Join(folder, "harbour.yaml")); err != nil {
		t.Fatal(err)
	}
	h := &inspect.Handle{Job: a, Dir: filepath.Join(folder, "harbour")}
	if _, err := h.Recommended(t.Context(), "http://nowhere.example/", ""); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "http://harbour.example/terms#") {
		t.Errorf("%v", err)
	}
	r, err := h.Recommended(t.Context(), "", filepath.Join(folder, "ships.ttl"))
	if err != nil {
		t.Fatal(err)
	}
	if r.Target != "http://harbour.example/terms#Ship" || len(r.Covers) != 4 || r.Of != 6 || r.Statements != 29 {
		t.Errorf("%+v", r)
	}
	toy.Put(t, folder, "ships.ttl", r.Turtle)
	toy.Put(t, folder, "ships.yaml", strings.Replace(r.CrawlFile, "limits: {requests: 500}", "limits: {requests: 2}\nweb: {archive: harbour/archive}", 1))
	if err := verbs.Crawl(t.Context(), a, filepath.Join(folder, "ships.yaml")); err != nil {
		t.Fatal(err)
	}
	toy.Put(t, folder, "boats.ttl", `@prefix : <http://boats.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Boat a owl:Class ; rdfs:label "boat", "ship" .
`)
	toy.Put(t, folder, "boats.yaml", strings.NewReplacer("ships.ttl", "boats.ttl", "<"+r.Target+">", "<http://boats.example/Boat>", "ships-pages", "boats-pages",
		"limits: {requests: 500}", "limits: {requests: 2}\nweb: {archive: harbour/archive}").Replace(r.CrawlFile))
	if err := verbs.Crawl(t.Context(), a, filepath.Join(folder, "boats.yaml")); err != nil {
		t.Fatal(err)
	}
	decideBorrowed(t, &inspect.Handle{Job: a, Dir: filepath.Join(folder, "crawls/boats-pages")}, h.Dir, filepath.Join(folder, "boats.ttl"))
}

// decideBorrowed decides suggestions from the findings of the harbour.
func decideBorrowed(t *testing.T, h *inspect.Handle, from, file string) {
	t.Helper()
	ask := func() map[string]orbweaver.Suggestion {
		list, err := h.SuggestionsFrom(t.Context(), from)
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]orbweaver.Suggestion{}
		for _, s := range list {
			all[s.Text] = s
		}
		return all
	}
	all := ask()
	sailing, harbour, vessel := all["sailing ship"], all["harbour"], all["vessel"]
	if sailing.As != orbweaver.AsSubclass || sailing.Entity != "http://boats.example/Boat" || sailing.IRI != "http://harbour.example/terms#SailingShip" || harbour.Entity != "" {
		t.Errorf("%+v", all)
	}
	if vessel.As != orbweaver.AsEntry || vessel.Entity != sailing.Entity {
		t.Errorf("%+v", vessel)
	}
	if _, known := all["ship"]; known {
		t.Error("the ontology has ships")
	}
	if _, err := h.Decide(t.Context(), kind.Verdict{ID: harbour.ID, Accepted: true}); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "--entity") {
		t.Errorf("%v", err)
	}
	if _, err := h.Decide(t.Context(), kind.Verdict{ID: harbour.ID}); err != nil {
		t.Error(err)
	}
	d, err := h.Decide(t.Context(), kind.Verdict{ID: sailing.ID, Accepted: true})
	if err != nil || d.Written != 3 || d.Decision.Added[0].S.Value != sailing.IRI {
		t.Errorf("%+v %v", d, err)
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "<http://harbour.example/terms#SailingShip>") {
		t.Errorf("%s %v", text, err)
	}
	if all = ask(); all["harbour"].ID != "" || all["sailing ship"].ID != "" || all["vessel"].ID == "" {
		t.Errorf("%+v", all)
	}
}
