package labels

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/nquads"
)

// awkward are terms that have to be escaped in IRIs.
func awkward() []string {
	return []string{"oil price", `say "no"`, "<b>", "a:b/c;#d?e%20", "Žluťoučký кот", "back\\slash", "\x00\x01 line\n", "日本"}
}

// awkwardModel returns a model with labels, an edge and rules of such terms.
func awkwardModel(t *testing.T) *Model {
	t.Helper()
	p := small()
	p.Margin, p.Common, p.Head = 0, Hysteresis{0.9, 0.9}, 6
	m := newModel(t, p)
	for range 3 {
		m.Learn(itemOf(awkward()[:2]))
		m.Learn(itemOf(awkward()[2:]))
		m.Learn(itemOf(awkward()[:1]))
		m.Learn(itemOf(awkward()[:1]))
	}
	return m
}

// TestQuadsAreRDF: the quads can be written and parsed, have valid IRIs only, and are distinct.
func TestQuadsAreRDF(t *testing.T) {
	m := awkwardModel(t)
	quads := slices.Collect(m.Quads())
	quads = append(quads, slices.Collect(m.ItemQuads("http://items.example/1", itemOf(awkward()[2:5]), true))...)
	var b bytes.Buffer
	w := nquads.NewWriter(&b)
	for _, q := range quads {
		if err := w.Write(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	var back []rdf.Quad
	for q, err := range nquads.Read(&b, syntax.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range []rdf.Term{q.S, q.P, q.O} {
			if term.Kind == rdf.IRI && iri.Check(term.Value) != nil {
				t.Errorf("IRI %q: %v", term.Value, iri.Check(term.Value))
			}
		}
		back = append(back, q)
	}
	if len(back) != len(quads) {
		t.Errorf("%d quads, %d read back", len(quads), len(back))
	}
	seen := map[rdf.Quad]bool{}
	for _, q := range quads {
		if seen[q] {
			t.Errorf("twice: %v", q)
		}
		seen[q] = true
	}
	if again := slices.Collect(awkwardModel(t).Quads()); !slices.Equal(again, quads[:len(again)]) {
		t.Error("another time, other quads")
	}
}

// TestHierarchyAsSKOS: concepts are the labels, broader ones the nearest.
func TestHierarchyAsSKOS(t *testing.T) {
	m := awkwardModel(t)
	g := graphOf(m.Quads())
	labels, edges := 0, 0
	for _, l := range m.Labels() {
		concept := rdf.NewIRI(TermIRI(l.Text))
		if !g.is(concept, skos+"Concept") || g.one(concept, skos+"prefLabel") != rdf.NewString(l.Text) {
			t.Errorf("%q: %v", l.Text, g[concept])
		}
		var broader []rdf.Term
		for _, b := range m.Broader(l.Text) {
			broader = append(broader, rdf.NewIRI(TermIRI(b)))
			edges++
		}
		if !slices.Equal(g[concept][skos+"broader"], broader) {
			t.Errorf("%q: %v", l.Text, g[concept][skos+"broader"])
		}
		labels++
	}
	if labels != len(awkward()) || edges == 0 {
		t.Errorf("%d labels, %d edges", labels, edges)
	}
}

// TestQuadsStop: a consumer that stops gets no more quads.
func TestQuadsStop(t *testing.T) {
	m := awkwardModel(t)
	all := len(slices.Collect(m.Quads()))
	for most := range all {
		n := 0
		for range m.Quads() {
			if n++; n > most {
				break
			}
		}
	}
	for range m.ItemQuads("http://items.example/1", itemOf(awkward()), true) {
		break
	}
}

// TestEmptyModel: an empty model only has the definitions of labels.
func TestEmptyModel(t *testing.T) {
	m := newModel(t, Default())
	for q := range m.Quads() {
		if strings.HasPrefix(q.S.Value, "urn:semxdm:term:") {
			t.Errorf("%v", q)
		}
	}
	if m.Learn(Item{}); m.Items() != 1 || len(m.Classify(Item{})) != 0 || m.Labels() != nil {
		t.Error("an item without terms")
	}
}
