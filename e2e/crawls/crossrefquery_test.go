//go:build e2e

package crawls_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/focus/crossref"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/run"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/store"
	"orbweaver/kb/labels"
)

// TestAskWhatWasLearned: SPARQL queries for an item's labels, broader labels, items with a label that link to a layer,
// and a label's rules agree with the model and the web graph.
func TestAskWhatWasLearned(t *testing.T) {
	folder := t.TempDir()
	apptest.CrawlIn(t, folder, toy.DemoLines(t)+"focus: {crossref: {item: '"+toy.A320+"', round: 50}}\nlimits: {requests: 800}\n")
	dir := filepath.Join(folder, "crawl")
	m, _, err := labelmodel.Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	const graph = "GRAPH <" + crossref.Learned + "> "
	if got := apptest.Rows(t, dir, "SELECT ?d { "+graph+"{ ?g semxdm:modelDigest ?d } }"); !slices.Equal(got, []string{m.Digest()}) {
		t.Errorf("made by model %q, want the folder's model %s", got, m.Digest())
	}

	ofA320 := apptest.Rows(t, dir, "SELECT ?l { "+graph+"{ <"+toy.A320+"> semxdm:isClassified/skos:prefLabel ?l } }")
	if !slices.Contains(ofA320, "Airbus") {
		t.Errorf("a320 is about %q", ofA320)
	}

	broader := apptest.Rows(t, dir, "SELECT ?l ?b { "+graph+"{ ?l skos:broader+ ?b FILTER NOT EXISTS { ?l skos:inScheme <urn:semxdm:concepts> } } }")
	slices.Sort(broader)
	if want := ancestors(m.Labels); len(want) < 10 || !slices.Equal(broader, want) {
		t.Errorf("%d broader labels by SPARQL, %d by the model", len(broader), len(want))
	}

	alpha := apptest.Rows(t, dir, `SELECT ?t ?l { `+graph+`{ ?rule a swrl:Imp ; swrl:head/rdf:first ?head ; swrl:body/rdf:rest/rdf:first ?atom .
		?head swrl:propertyPredicate semxdm:isClassified ; swrl:argument2 ?label .
		?atom swrl:propertyPredicate semxdm:hasTerm ; swrl:argument2 ?term . ?term rdfs:label ?t . ?label skos:prefLabel ?l } }`)
	var want []string
	for _, r := range m.Labels.Rules() {
		if r.Alpha {
			want = append(want, m.Show(r.Term)+","+m.Show(r.Label))
		}
	}
	slices.Sort(alpha)
	slices.Sort(want)
	if len(want) < 10 || !slices.Equal(alpha, want) {
		t.Errorf("%d rules by SPARQL, %d by the model", len(alpha), len(want))
	}

	checkLinking(t, dir, graph)
}

// checkLinking compares one query for the items that have a label and link to layer 0 with a query per item.
func checkLinking(t *testing.T, dir, graph string) {
	t.Helper()
	in := apptest.Rows(t, dir, "SELECT ?i { "+graph+"{ ?i semxdm:inLayer/semxdm:number 0 } }")
	of := apptest.Rows(t, dir, "SELECT DISTINCT ?i { "+graph+"{ ?i semxdm:isClassified/skos:prefLabel 'Airbus' } }")
	links := apptest.Rows(t, dir, "SELECT ?i ?to { ?i ow:hasOutlink ?to }")
	want := map[string]bool{}
	for _, l := range links {
		from, to, _ := strings.Cut(l, ",")
		if slices.Contains(of, from) && slices.Contains(in, to) {
			want[from] = true
		}
	}
	got := apptest.Rows(t, dir, "SELECT DISTINCT ?i { "+graph+"{ ?i semxdm:isClassified/skos:prefLabel 'Airbus' . ?to semxdm:inLayer/semxdm:number 0 } ?i ow:hasOutlink ?to } ORDER BY ?i")
	if sorted := slices.Sorted(maps.Keys(want)); len(sorted) < 3 || len(sorted) >= len(of) || !slices.Equal(got, sorted) {
		t.Errorf("of %d items with the label %q, these link to layer 0: %q, want %q", len(of), got, in, sorted)
	}
}

// ancestors returns all pairs of a label and a broader label, as rows.
func ancestors(m *labels.Model) (all []string) {
	up := map[string]map[string]bool{}
	var climb func(of, label string)
	climb = func(of, label string) {
		for _, b := range m.Broader(label) {
			up[of][b] = true
			climb(of, b)
		}
	}
	for _, l := range m.Labels() {
		up[l.Text] = map[string]bool{}
		climb(l.Text, l.Text)
		for b := range up[l.Text] {
			all = append(all, labels.TermIRI(l.Text)+","+labels.TermIRI(b))
		}
	}
	slices.Sort(all)
	return all
}

// TestLearnedAgain: each session replaces the statements of the previous one, also if it is interrupted.
func TestLearnedAgain(t *testing.T) {
	folder := t.TempDir()
	dir := filepath.Join(folder, "crawl")
	items := func() (digest []string, n int) {
		t.Helper()
		digest = apptest.Rows(t, dir, "SELECT ?d { GRAPH ?g { ?g semxdm:modelDigest ?d } }")
		return digest, len(apptest.Rows(t, dir, "SELECT ?i { GRAPH <"+crossref.Learned+"> { ?i a semxdm:Item } }"))
	}
	session := func(requests int) (file string) {
		t.Helper()
		file = toy.Put(t, folder, "f.yaml", toy.DemoLines(t)+"output: crawl\nfocus: {crossref: {item: '"+toy.A320+"', round: 10}}\nlimits: {requests: "+fmt.Sprint(requests)+"}\n")
		if requests > 0 {
			if err := verbs.Crawl(t.Context(), store.NewSilent(), file); err != nil {
				t.Fatal(err)
			}
		}
		return file
	}
	c, err := assembly.Prepare(t.Context(), assembly.FromFile(&job.Job{}, session(0)), wire.Wire{})
	if err == nil {
		err = c.Open()
	}
	if err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, err := run.Steps(ended, store.NewSilent(), c, run.Hooks{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(c.Ledger.Close(), c.Close()); err != nil {
		t.Fatal(err)
	}
	if digest, n := items(); len(digest) != 1 || n != 1 {
		t.Errorf("interrupted at once: %d items by %q, not what is looked for alone", n, digest)
	}
	session(60)
	before, n := items()
	if len(before) != 1 || n < 20 {
		t.Fatalf("%d items by %q", n, before)
	}
	session(60)
	if again, more := items(); !slices.Equal(again, before) || more != n {
		t.Errorf("nothing happened: %d items by %q, before %d by %q", more, again, n, before)
	}
	session(120)
	after, more := items()
	if len(after) != 1 || after[0] == before[0] || more <= n {
		t.Errorf("%d items by %q, before %d by %q", more, after, n, before)
	}
	if got := apptest.Rows(t, dir, "SELECT ?i { GRAPH ?g { ?i semxdm:inLayer ?a, ?b FILTER (?a != ?b) } }"); len(got) > 0 {
		t.Errorf("in two layers: %q", got)
	}
}
