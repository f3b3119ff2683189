package editing_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver/kb/editing"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
)

// opened is a file of a folder with its draft.
func opened(t testing.TB, path string) *editing.File {
	t.Helper()
	f, err := editing.OpenFile(path, filepath.Join(filepath.Dir(path), "draft"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func planesFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "planes.ttl")
	put(t, path, planes)
	return path
}

func put(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func text(t testing.TB, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func doIn(t testing.TB, f *editing.File, e editing.Edit) {
	t.Helper()
	if _, err := f.Do(e, "", time.Time{}); err != nil {
		t.Fatalf("%+v: %v", e, err)
	}
}

// save saves a draft.
func save(t testing.TB, f *editing.File) {
	t.Helper()
	was, _, err := f.Next()
	if err == nil {
		err = f.Save(was)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestSaveIsTheNewLines: the file changes when the draft is saved, by the lines of the edits alone; a draft outlives the process.
func TestSaveIsTheNewLines(t *testing.T) {
	path := planesFile(t)
	f := opened(t, path)
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "jet plane", Language: "en"})
	doIn(t, f, editing.Edit{Do: editing.DoCreate, Text: "jump jet", Language: "en", Under: e("Jet")})
	if text(t, path) != planes {
		t.Fatal("the file changed before it was saved")
	}
	f = opened(t, path)
	if s := f.Standing(); s.Undo != 2 || s.Unsaved != 4 {
		t.Fatalf("another process has %+v", s)
	}
	save(t, f)
	want := strings.Replace(planes, `rdfs:label "jet"@en .`, `rdfs:label "jet"@en, "jet plane"@en .`, 1) +
		"\n:JumpJet a owl:Class ;\n    rdfs:subClassOf :Jet ;\n    rdfs:label \"jump jet\"@en .\n"
	if got := text(t, path); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if s := opened(t, path).Standing(); s.Undo != 2 || s.Unsaved != 0 || s.Changed {
		t.Errorf("%+v", s)
	}
}

// TestUndoneToTheByte: any edits with savings between, undone and saved, give the file as it was to the byte.
func TestUndoneToTheByte(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	for round := range 25 {
		path := planesFile(t)
		f := opened(t, path)
		for range 20 {
			var edit editing.Edit
			f.Look(func(d *editing.Draft) { edit = anyEdit(d, random) })
			_, _ = f.Do(edit, "", time.Time{}) // many are refused
			switch random.IntN(8) {
			case 0:
				save(t, f)
			case 1:
				_, _, _ = f.Undo()
			case 2:
				f = opened(t, path)
			}
		}
		for {
			if _, more, err := f.Undo(); err != nil {
				t.Fatal(err)
			} else if !more {
				break
			}
			if random.IntN(6) == 0 {
				save(t, f)
			}
		}
		save(t, f)
		if got := text(t, path); got != planes {
			t.Fatalf("round %d:\n%s\nwant\n%s", round, got, planes)
		}
	}
}

// TestSomebodyElse: what somebody else writes to the file is taken up, unless both changed the same.
func TestSomebodyElse(t *testing.T) {
	path := planesFile(t)
	f := opened(t, path)
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "jet plane", Old: "jet", OldLanguage: "en", Language: "en"})
	theirs := strings.Replace(planes, `"Comet"@en`, `"DH 106 Comet"@en`, 1) + "# theirs\n"
	put(t, path, theirs)
	f.Look(func(d *editing.Draft) {
		if form, err := d.Form(e("Comet")); err != nil || form.Name != "DH 106 Comet" {
			t.Errorf("%+v, %v", form, err)
		}
		if form, err := d.Form(e("Glider")); err != nil || len(form.Anonymous) != 1 {
			t.Errorf("%+v, %v", form, err)
		}
	})
	save(t, f)
	if got, want := text(t, path), strings.Replace(theirs, `"jet"@en`, `"jet plane"@en`, 1); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	doIn(t, f, editing.Edit{Do: editing.DoRename, Entity: e("Comet"), Text: "Comet 1"})
	put(t, path, strings.Replace(text(t, path), "DH 106 Comet", "Comet 4", 1))
	_, _, err := f.Next()
	if !errors.Is(err, editing.ErrConflict) || !editing.IsForeign(err) || !strings.Contains(err.Error(), "Comet 4") || !f.Standing().Changed {
		t.Errorf("both changed the same: %v", err)
	}
	if err := f.Discard(); err != nil {
		t.Fatal(err)
	}
	doIn(t, f, editing.Edit{Do: editing.DoDelete, Entity: e("Comet")})
	put(t, path, text(t, path)+"\n:Comet rdfs:comment \"old\" .\n")
	if _, _, err := f.Next(); !errors.Is(err, editing.ErrConflict) {
		t.Errorf("changed there, deleted here: %v", err)
	}
}

// TestOtherSyntax: a file that is not Turtle can be looked at, and not edited.
func TestOtherSyntax(t *testing.T) {
	path := filepath.Join(t.TempDir(), "o.rdf")
	put(t, path, `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="http://e.org/a#Jet"><rdf:type rdf:resource="http://www.w3.org/2002/07/owl#Class"/></rdf:Description></rdf:RDF>`)
	f := opened(t, path)
	f.Look(func(d *editing.Draft) {
		if form, err := d.Form(e("Jet")); err != nil || form.Kind != editing.Class {
			t.Errorf("%+v, %v", form, err)
		}
	})
	if _, err := f.Do(editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "jet"}, "", time.Time{}); !errors.Is(err, editing.ErrSyntax) {
		t.Error(err)
	}
}

// TestPart: a module has what is below its root, its instances and its own properties, and what these lead to.
func TestPart(t *testing.T) {
	d := editing.New(read(t, planes))
	part := editing.New(d.Part(e("Aircraft")))
	counts := part.Counts()
	if counts[editing.Class] != 4 || counts[editing.Individual] != 1 || counts[editing.Property] != 1 { // Wing is named by the property
		t.Errorf("%v", counts)
	}
	if f, err := part.Form(e("Glider")); err != nil || len(f.Anonymous) != 1 {
		t.Errorf("%+v, %v", f, err)
	}
	if _, err := part.Form(e("CometWing")); err == nil {
		t.Error("an instance of another class came too")
	} else if !errors.Is(err, ontology.ErrUnknownEntity) {
		t.Error(err)
	}
	if n := len(d.Part()); n != d.Len() {
		t.Errorf("%d of %d statements", n, d.Len())
	}
	for _, s := range editing.Apart(d.Part(), "x") {
		if s.S.Kind == rdf.Blank && !strings.HasPrefix(s.S.Value, "x") {
			t.Errorf("%v", s)
		}
	}
}
