package editing_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver/kb/editing"
)

const hostileHead = "@prefix : <http://e.org/a#> .\n@prefix owl: <http://www.w3.org/2002/07/owl#> .\n@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"

// TestHostileExpressions: lists that lead back into themselves, and classes that multiply, are put into few words.
func TestHostileExpressions(t *testing.T) {
	var b strings.Builder
	b.WriteString(hostileHead + ":A a owl:Class ; rdfs:subClassOf _:round , _:many0 , _:self .\n_:round owl:unionOf _:l . _:l rdf:rest _:l .\n_:self owl:complementOf _:self .\n")
	for i := range 8 {
		fmt.Fprintf(&b, "_:many%d owl:unionOf (", i)
		for range 40 {
			fmt.Fprintf(&b, " _:many%d", i+1)
		}
		b.WriteString(" ) .\n")
	}
	d := editing.New(read(t, b.String()))
	f, err := d.Form(e("A"))
	if err != nil || len(f.Anonymous) != 3 {
		t.Fatalf("%+v, %v", f.Anonymous, err)
	}
	for _, a := range f.Anonymous {
		if len(a.Text) > 2000 {
			t.Errorf("%d bytes", len(a.Text))
		}
	}
	if _, err := d.Do(editing.Edit{Do: editing.DoDelete, Entity: e("A")}, "", time.Time{}); err != nil {
		t.Error(err)
	}
}

// TestHostileSizes: a subject of very many statements, very many entities below one, and a very long chain that ends in itself, cost what
// they are.
func TestHostileSizes(t *testing.T) {
	var b strings.Builder
	b.WriteString("@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n" + hostileHead + ":S a skos:ConceptScheme ; skos:hasTopConcept :c0")
	const n, children = 60_000, 3000
	for i := range n {
		fmt.Fprintf(&b, ", :c%d", i)
	}
	b.WriteString(" .\n:Top a owl:Class .\n")
	for i := range children {
		fmt.Fprintf(&b, ":k%d rdfs:subClassOf :Top .\n:x%d rdfs:subClassOf :x%d .\n", i, i, (i+1)%children)
	}
	d := editing.New(read(t, b.String()))
	if below, total := d.Children(e("Top"), children-10, 50); len(below) != 10 || total != children {
		t.Errorf("%d of %d", len(below), total)
	}
	if roots, total := d.Roots(editing.Class, 0, 10); total != 2 || roots[1].IRI != e("x0") {
		t.Errorf("%d roots: %v", total, roots)
	}
	if _, err := d.Do(editing.Edit{Do: editing.DoMove, Entity: e("Top"), To: e("x77")}, "", time.Time{}); err != nil {
		t.Error(err)
	}
	if _, err := d.Do(editing.Edit{Do: editing.DoMove, Entity: e("x77"), To: e("k1")}, "", time.Time{}); !errors.Is(err, editing.ErrCycle) {
		t.Error(err)
	}
	if p := d.Near(500, e("Top")); len(p.Nodes) != 501 || p.More != children-499 {
		t.Errorf("%d nodes, %d more", len(p.Nodes), p.More)
	}
	if _, err := d.Do(editing.Edit{Do: editing.DoDelete, Entity: e("Top"), Lift: true}, "", time.Time{}); err != nil {
		t.Error(err)
	}
}

// TestHostileTexts: texts that no edit would make can be changed and removed: long ones, those of several lines, and those with signs of control.
func TestHostileTexts(t *testing.T) {
	long := strings.Repeat("long ", 20_000)
	for name, tc := range map[string]struct{ text, old string }{
		"long": {long, long}, "lines": {"one\\ntwo", "one\r\ntwo"}, "lines of DOS": {"one\\r\\ntwo", "one\ntwo"}, "control": {"a\\u0007b", "a\ab"}, "direction": {"\u202eabc", "\u202eabc"},
	} {
		path := filepath.Join(t.TempDir(), "o.ttl")
		put(t, path, hostileHead+":A a owl:Class ; rdfs:comment \""+tc.text+"\" ; rdfs:label \""+tc.text+"\" .\n")
		f := opened(t, path)
		doIn(t, f, editing.Edit{Do: editing.DoComment, Entity: e("A"), Old: tc.old, Text: "short\r\nlines"})
		doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("A"), Old: tc.old})
		save(t, f)
		if got := text(t, path); got != hostileHead+":A a owl:Class ; rdfs:comment \"short\\nlines\" .\n" {
			t.Errorf("%s: %q", name, got[len(hostileHead):min(len(got), len(hostileHead)+200)])
		}
	}
}
