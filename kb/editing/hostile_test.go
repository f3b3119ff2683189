package editing_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
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

// TestHostileList: the blank nodes of a very long list keep their statements over a save.
func TestHostileList(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o.ttl")
	put(t, path, hostileHead+":A a owl:Class ; rdfs:subClassOf [ owl:unionOf ( :B ) ] .\n:L :of ("+strings.Repeat(" 1", 5_000)+" ) .\n")
	f := opened(t, path)
	doIn(t, f, editing.Edit{Do: editing.DoDelete, Entity: e("A")})
	save(t, f)
	doIn(t, f, editing.Edit{Do: editing.DoCreate, Kind: editing.Class, Text: "new", IRI: e("New")})
	save(t, f)
	f.Look(func(d *editing.Draft) {
		if n := d.Len(); n != 10_003 || !strings.Contains(text(t, path), ":New") {
			t.Errorf("%d statements", n)
		}
	})
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
		f.Look(func(d *editing.Draft) {
			if found := d.Search("a", 1); len(found) != 1 || len(found[0].Name) > 500 {
				t.Errorf("%s: %d found", name, len(found))
			}
		})
		doIn(t, f, editing.Edit{Do: editing.DoComment, Entity: e("A"), Old: tc.old, Text: "short\r\nlines"})
		doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("A"), Old: tc.old})
		save(t, f)
		if got := text(t, path); got != hostileHead+":A a owl:Class ; rdfs:comment \"short\\nlines\" .\n" {
			t.Errorf("%s: %q", name, got[len(hostileHead):min(len(got), len(hostileHead)+200)])
		}
	}
}

// TestTogether: edits come all or none, and what others do at the same time is not undone with them.
func TestTogether(t *testing.T) {
	path := planesFile(t)
	f := opened(t, path)
	var wait sync.WaitGroup
	for i := range 4 {
		wait.Go(func() {
			for k := range 25 {
				name := fmt.Sprintf("name %d of %d", k, i)
				if _, err := f.DoAll("", time.Time{}, nil, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: name}, editing.Edit{Do: editing.DoLabel, Entity: e("Wing"), Text: name}); err != nil {
					t.Error(err)
				}
				_, err := f.DoAll("", time.Time{}, nil, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "never"}, editing.Edit{Do: editing.DoLabel, Entity: e("None"), Text: "x"})
				if !editing.IsUnknown(err) {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	if s := f.Standing(); s.Undo != 200 || s.Unsaved != 200 || s.Redo != 0 {
		t.Errorf("%+v", s)
	}
	f = opened(t, path)
	save(t, f)
	says(t, f, path)
	if got := text(t, path); strings.Contains(got, "never") || strings.Count(got, "name ") != 200 {
		t.Error(got)
	}
	for range 200 {
		f.Undo()
	}
	if save(t, f); text(t, path) != planes {
		t.Error("it is not what it was")
	}
}

// TestFileGone: a file that is read-only is not written, and one that is deleted leaves the draft for when it is back.
func TestFileGone(t *testing.T) {
	path := planesFile(t)
	f := opened(t, path)
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "jet plane"})
	if err := os.Chmod(path, 0o444); err != nil {
		t.Fatal(err)
	}
	if err := f.Save(nil); !errors.Is(err, fs.ErrPermission) || text(t, path) != planes {
		t.Errorf("a read-only file: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Wing"), Text: "airfoil"})
	if err := f.Save(nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is gone: %v", err)
	}
	put(t, path, planes)
	f = opened(t, path)
	save(t, f)
	if got := text(t, path); !strings.Contains(got, "jet plane") || !strings.Contains(got, "airfoil") {
		t.Error(got)
	}
}
