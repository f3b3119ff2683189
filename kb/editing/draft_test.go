package editing_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/kb/editing"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
)

const planes = `@prefix : <http://e.org/a#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Aircraft a owl:Class ; rdfs:label "aircraft"@en, "Flugzeug"@de .
:Jet a owl:Class ; rdfs:subClassOf :Aircraft ; rdfs:label "jet"@en .
:Glider a owl:Class ; rdfs:subClassOf :Aircraft , [ a owl:Restriction ; owl:onProperty :hasWing ; owl:someValuesFrom :Wing ] ; rdfs:label "glider"@en .
:Wing a owl:Class ; rdfs:label "wing" .
:hasWing a owl:ObjectProperty ; rdfs:domain :Aircraft ; rdfs:range :Wing ; rdfs:label "has wing" .
:Comet a :Jet ; rdfs:label "Comet"@en ; :hasWing :CometWing .
:CometWing a :Wing .
`

func e(name string) string { return "http://e.org/a#" + name }

func read(t testing.TB, text string) []rdf.Triple {
	t.Helper()
	return rdftest.Collect(t, turtle.Read(strings.NewReader(text), syntax.Options{}))
}

func sorted(d *editing.Draft) []string {
	var all []string
	for t := range d.Statements() {
		all = append(all, t.S.Value+" "+t.P.Value+" "+t.O.Value+"@"+t.O.Lang+string(rune('0'+t.O.Kind)))
	}
	slices.Sort(all)
	return all
}

func do(t testing.TB, d *editing.Draft, edit editing.Edit) editing.Step {
	t.Helper()
	s, err := d.Do(edit, "", time.Time{})
	if err != nil {
		t.Fatalf("%+v: %v", edit, err)
	}
	return s
}

func names(items []editing.Item) string {
	var all []string
	for _, i := range items {
		all = append(all, i.Name)
	}
	return strings.Join(all, ", ")
}

// TestTree: roots, children, paths and searches follow the edits.
func TestTree(t *testing.T) {
	d := editing.New(read(t, planes))
	roots, n := d.Roots(editing.Class, 0, 10)
	if n != 2 || names(roots) != "aircraft, wing" || roots[0].Below != 2 {
		t.Errorf("%d roots: %v", n, roots)
	}
	do(t, d, editing.Edit{Do: editing.DoCreate, Text: "jump jet", Language: "en", Under: e("Jet")})
	do(t, d, editing.Edit{Do: editing.DoMove, Entity: e("Wing"), To: e("JumpJet")})
	if got := names(d.Path(e("Wing"))); got != "aircraft, jet, jump jet, wing" {
		t.Error(got)
	}
	if found := d.Search("JET", 10); len(found) != 2 || found[0].Name != "jet" || found[1].Name != "jump jet" {
		t.Errorf("%+v", found)
	}
	if found := d.Search("flugzeug", 10); len(found) != 1 || found[0].IRI != e("Aircraft") {
		t.Errorf("%+v", found)
	}
	if _, err := d.Do(editing.Edit{Do: editing.DoMove, Entity: e("Aircraft"), To: e("Wing")}, "", time.Time{}); !errors.Is(err, editing.ErrCycle) {
		t.Errorf("a cycle: %v", err)
	}
}

// TestForm: a form has what the file says, and each edit does what it says.
func TestForm(t *testing.T) {
	d := editing.New(read(t, planes))
	f, err := d.Form(e("Aircraft"))
	if err != nil || len(f.Labels) != 2 || names(f.Under) != "glider, jet" || names(f.Properties) != "has wing" {
		t.Errorf("%+v, %v", f, err)
	}
	if f, _ := d.Form(e("Glider")); len(f.Anonymous) != 1 || f.Anonymous[0].Text != "has wing some wing" {
		t.Errorf("%+v", f.Anonymous)
	}
	do(t, d, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "wing"})
	if f, _ := d.Form(e("Jet")); len(f.Labels) != 2 || !slices.Contains(append(f.Labels[0].Also, f.Labels[1].Also...), e("Wing")) {
		t.Errorf("a label of two: %+v", f.Labels)
	}
	do(t, d, editing.Edit{Do: editing.DoRename, Entity: e("Jet"), Text: "jet plane", IRI: e("JetPlane")})
	if f, err := d.Form(e("JetPlane")); err != nil || f.Name != "jet plane" || names(f.Instances) != "Comet" {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := d.Form(e("Jet")); !errors.Is(err, ontology.ErrUnknownEntity) {
		t.Errorf("the old IRI: %v", err)
	}
	do(t, d, editing.Edit{Do: editing.DoMerge, Entity: e("Glider"), To: e("JetPlane")})
	if f, _ := d.Form(e("JetPlane")); len(f.Labels) != 3 || len(f.Anonymous) != 1 {
		t.Errorf("merged: %+v", f)
	}
	dependents, err := d.Dependents(e("Wing"))
	if err != nil || names(dependents.Instances) != "Comet Wing" || names(dependents.Properties) != "has wing" {
		t.Errorf("%+v, %v", dependents, err)
	}
	do(t, d, editing.Edit{Do: editing.DoDelete, Entity: e("Wing")})
	if f, _ := d.Form(e("JetPlane")); len(f.Anonymous) != 0 {
		t.Errorf("a restriction of what was deleted: %+v", f.Anonymous)
	}
}

// TestUndo: any edits, undone, give the statements as they were; done again, as they were before.
func TestUndo(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		d := editing.New(read(t, planes))
		before := sorted(d)
		for range 30 {
			_, _ = d.Do(anyEdit(d, random), "", time.Time{}) // many are refused
		}
		after := sorted(d)
		done, _ := d.Steps()
		n := len(done)
		if n == 0 {
			t.Fatal("no edit was done")
		}
		for range done {
			d.Undo()
		}
		if got := sorted(d); !slices.Equal(got, before) {
			t.Fatalf("round %d: undone\n%s\nwant\n%s", round, strings.Join(got, "\n"), strings.Join(before, "\n"))
		}
		for range n {
			d.Redo()
		}
		if got := sorted(d); !slices.Equal(got, after) {
			t.Fatalf("round %d: done again\n%s\nwant\n%s", round, strings.Join(got, "\n"), strings.Join(after, "\n"))
		}
		if same := editing.New(slices.Collect(d.Statements())); names(first(same.Roots(editing.Class, 0, 99))) != names(first(d.Roots(editing.Class, 0, 99))) {
			t.Fatalf("round %d: the tree is not that of the statements", round)
		}
	}
}

func first(items []editing.Item, _ int) []editing.Item { return items }

// anyEdit is an edit of entities of a draft, drawn at random.
func anyEdit(d *editing.Draft, random *rand.Rand) editing.Edit {
	var all []string
	for _, k := range editing.Kinds() {
		roots, _ := d.Roots(k, 0, 99)
		for _, r := range roots {
			all = append(all, r.IRI)
			below, _ := d.Children(r.IRI, 0, 99)
			for _, b := range below {
				all = append(all, b.IRI)
			}
		}
	}
	slices.Sort(all)
	one := func() string {
		if len(all) == 0 {
			return ""
		}
		return all[random.IntN(len(all))]
	}
	kinds := []string{editing.DoCreate, editing.DoLabel, editing.DoComment, editing.DoRelate, editing.DoUnrelate, editing.DoMove, editing.DoRename, editing.DoMerge, editing.DoDelete}
	edit := editing.Edit{Do: kinds[random.IntN(len(kinds))], Entity: one(), To: one(), Text: "word " + string(rune('a'+random.IntN(26))), Lift: random.IntN(2) == 0}
	switch edit.Do {
	case editing.DoCreate:
		edit.Under, edit.To = one(), ""
	case editing.DoRename:
		edit.To = ""
		if random.IntN(2) == 0 {
			edit.IRI = e("n" + string(rune('a'+random.IntN(26))))
		}
	case editing.DoRelate:
		edit.As = []string{"", "disjoint with", e("hasWing"), "instance of", "domain"}[random.IntN(5)]
	}
	return edit
}

// TestNear: the neighbourhood of a class has what is above and below it, its properties as edges and restrictions as nothing.
func TestNear(t *testing.T) {
	d := editing.New(read(t, planes))
	p := d.Near(50, e("Aircraft"))
	var nodes, edges []string
	for _, n := range p.Nodes {
		nodes = append(nodes, n.Kind+" "+n.Name)
	}
	for _, x := range p.Edges {
		edges = append(edges, strings.TrimPrefix(x.From, e(""))+" "+x.Kind+" "+x.Label+" "+strings.TrimPrefix(x.To, e("")))
	}
	if got := strings.Join(nodes, "; "); got != "class aircraft; class glider; class jet; class wing" {
		t.Error(got)
	}
	if got := strings.Join(edges, "; "); got != "Aircraft property has wing Wing; Glider above subclass of Aircraft; Jet above subclass of Aircraft" {
		t.Error(got)
	}
	if p := d.Near(1, e("Aircraft")); len(p.Nodes) != 2 || p.More != 2 {
		t.Errorf("%d nodes, %d left out", len(p.Nodes), p.More)
	}
}

// TestRelevance: weights and paths of the relevance set.
func TestRelevance(t *testing.T) {
	d := editing.New(read(t, planes))
	all, total, err := d.Relevance(e("Jet"), editing.Counting{}, 100)
	if err != nil || total != len(all) {
		t.Fatal(total, err)
	}
	for _, c := range all {
		if c.IRI == e("Glider") && (c.Distance != 2 || c.Weight != .25 || names(c.Path) != "aircraft") {
			t.Errorf("%+v", c)
		}
	}
}
