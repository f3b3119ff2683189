package editing_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/kb/editing"
	"orbweaver/rdf"
	"orbweaver/rdf/rdftest"
	"orbweaver/rdf/syntax/turtle/edit"
)

// says checks that a file says what its draft says.
func says(t *testing.T, f *editing.File, path string) {
	t.Helper()
	is, err := edit.Read(path, []byte(text(t, path)))
	if err != nil {
		t.Fatal(err)
	}
	var all []rdf.Triple
	f.Look(func(d *editing.Draft) { all = slices.Collect(d.Statements()) })
	if !rdftest.Isomorphic(all, is) {
		t.Fatalf("the draft has %d statements, and the file says others, %d:\n%s", len(all), len(is), text(t, path)[:min(4000, len(text(t, path)))])
	}
}

// TestForeignFiles: after any edits of files that nobody here wrote a file says what its draft says, whenever it is saved; all undone, it is
// to the byte what it was.
func TestForeignFiles(t *testing.T) {
	files, most := 0, 12
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		most = 1 << 20
	}
	random := rand.New(rand.NewPCG(7, 8))
	for name, content := range foreign(t) {
		if most < 1<<20 && random.IntN(12) > 0 || len(content) > 30_000 || bytes.Count(content, []byte("[")) > 60 {
			continue // graphs with many blank nodes that are alike take long to compare
		}
		if files == most {
			break
		}
		if all, err := edit.Read(name, content); err != nil || len(all) < 20 {
			continue // malformed files are in the archive too
		}
		files++
		path := filepath.Join(t.TempDir(), "o.ttl")
		put(t, path, string(content))
		edited(t, path, random)
		if got := text(t, path); got != string(content) {
			t.Fatalf("%s is not what it was", name)
		}
	}
	if files < 10 {
		t.Errorf("%d files", files)
	}
}

// edited does edits of a file, with savings between, and undoes them all.
func edited(t *testing.T, path string, random *rand.Rand) {
	t.Helper()
	f := opened(t, path)
	for range 12 {
		var e editing.Edit
		f.Look(func(d *editing.Draft) { e = anyEdit(d, random) })
		_, _ = f.Do(e, "", time.Time{}) // many are refused
		switch random.IntN(4) {
		case 0:
			save(t, f)
			says(t, f, path)
		case 1:
			_, _, _ = f.Undo()
		case 2:
			f = opened(t, path)
		}
	}
	save(t, f)
	says(t, f, path)
	for {
		if _, more, err := f.Undo(); err != nil {
			t.Fatal(err)
		} else if !more {
			break
		}
	}
	save(t, f)
	says(t, f, path)
}

// foreign yields the files of an archive of vocabularies.
func foreign(t *testing.T) func(func(string, []byte) bool) {
	t.Helper()
	folder := realdata.Folder(t, "vocabularies-2018.tar.gz")
	return func(yield func(string, []byte) bool) {
		packed, err := os.ReadFile(filepath.Join(folder, "vocabularies-2018.tar.gz"))
		if err != nil {
			t.Fatal(err)
		}
		unzipped, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		for r := tar.NewReader(unzipped); ; {
			h, err := r.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			content, err := io.ReadAll(r)
			if err != nil {
				t.Fatal(err)
			}
			if h.Typeflag == tar.TypeReg && !yield(h.Name, content) {
				return
			}
		}
	}
}

// TestBlankNodesAfterSaving: what is saved of restrictions is what the draft says, though blank nodes have other labels in the new text.
func TestBlankNodesAfterSaving(t *testing.T) {
	const text = "@prefix e: <http://e.org/a#> .\n@prefix r: <http://www.w3.org/2000/01/rdf-schema#> .\n@prefix o: <http://www.w3.org/2002/07/owl#> .\n" +
		"e:A a o:Class ; r:subClassOf [ a o:Restriction ; o:onProperty e:p ; o:someValuesFrom e:D ] .\n" +
		"e:B a o:Class ; r:subClassOf [ a o:Restriction ; o:onProperty e:p ; o:someValuesFrom e:E ] .\n" +
		"e:C a o:Class ; r:subClassOf [ a o:Restriction ; o:onProperty e:p ; o:someValuesFrom e:F ] .\n"
	path := filepath.Join(t.TempDir(), "o.ttl")
	put(t, path, text)
	f := opened(t, path)
	for _, name := range []string{"A", "B"} {
		doIn(t, f, editing.Edit{Do: editing.DoDelete, Entity: e(name)})
		save(t, f)
		says(t, f, path)
	}
	f.Undo()
	save(t, f)
	says(t, f, path)
	f.Undo()
	save(t, f)
	says(t, f, path)
}

// TestStepsInPlaceOfUndone: a content that was saved after steps that were then undone does not come back in the place of others.
func TestStepsInPlaceOfUndone(t *testing.T) {
	path := planesFile(t)
	f := opened(t, path)
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Jet"), Text: "jet plane"})
	save(t, f)
	f.Undo()
	save(t, f)
	doIn(t, f, editing.Edit{Do: editing.DoLabel, Entity: e("Wing"), Text: "airfoil"})
	f = opened(t, path) // another process
	save(t, f)
	says(t, f, path)
	if got := text(t, path); !strings.Contains(got, "airfoil") || strings.Contains(got, "jet plane") {
		t.Error(got)
	}

	for _, name := range []string{"one", "two", "three", "four"} {
		doIn(t, f, editing.Edit{Do: editing.DoComment, Entity: e("Wing"), Text: name})
	}
	save(t, f)
	f.Undo()
	save(t, f)
	f.Undo()
	doIn(t, f, editing.Edit{Do: editing.DoComment, Entity: e("Comet"), Text: "new"}) // what undid the third became a step
	f.Undo()
	save(t, f)
	says(t, f, path)
	if got := text(t, path); strings.Contains(got, "four") || strings.Contains(got, "three") || f.Standing().Undo != 5 {
		t.Errorf("%d steps, and %s", f.Standing().Undo, got)
	}
}
