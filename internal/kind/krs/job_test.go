package krs

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/realdata"
)

// put writes a file and returns its path.
func put(t testing.TB, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKRSOfNothing: what cannot be learned from is told, and nothing is left behind.
func TestKRSOfNothing(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"numbers.txt": "17 4 23 !!! 42", "greek.txt": "Ο χαρταετός πετά στον άνεμο με μια μακριά ουρά και ένα σχοινί."} {
		corpus := filepath.Join(folder, name+".d")
		if err := os.Mkdir(corpus, 0o777); err != nil {
			t.Fatal(err)
		}
		put(t, corpus, name, text)
		dir := filepath.Join(folder, name+".krs")
		var told bytes.Buffer
		err := (&Jobs{Console: console.Console{Out: &told, Err: &told}}).Build(t.Context(), Job{Dir: dir, Topic: "x", Corpus: []string{corpus}})
		if name == "numbers.txt" && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v, %s", name, err, &told)
		}
		if left, _ := filepath.Glob(filepath.Join(folder, "*.part")); err != nil && len(left) > 0 {
			t.Errorf("%s: left behind: %v", name, left)
		}
	}
	empty := filepath.Join(folder, "empty")
	if err := os.Mkdir(empty, 0o777); err != nil {
		t.Fatal(err)
	}
	a := &Jobs{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := a.Build(t.Context(), Job{Dir: filepath.Join(folder, "e.krs"), Topic: "x", Corpus: []string{empty}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("an empty corpus: %v", err)
	}
	if err := a.Show(filepath.Join(folder, "none.krs"), 1, 0, false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("none: %v", err)
	}
	if err := a.Build(t.Context(), Job{Dir: filepath.Join(folder, "f.krs"), Topic: "x", Corpus: []string{realdata.Root(t) + "/README.md"}, Gazetteer: realdata.Root(t) + "/README.md"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a gazetteer that is none: %v", err)
	}
}

// TestGazetteer: labels of all kinds are names, redirects too.
func TestGazetteer(t *testing.T) {
	folder := t.TempDir()
	file := put(t, folder, "l.nt", `<http://v/Kite> <http://www.w3.org/2000/01/rdf-schema#label> "Kite"@en .
<http://v/Kite> <http://www.w3.org/2000/01/rdf-schema#label> "Drachen"@de .
<http://v/Kite> <http://www.w3.org/2004/02/skos/core#altLabel> "Flying toy"@en .
<http://v/r/Paper_kite> <http://dbpedia.org/ontology/wikiPageRedirects> <http://v/Kite> .
<http://v/Kite> <http://v/other> "nothing" .
<http://v/Kite> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://v/Thing> .
<http://v/Fano> <http://www.w3.org/2000/01/rdf-schema#label> "Fano"@en .
<http://v/Fano> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <http://schema.org/Place> .
`)
	var told bytes.Buffer
	out := filepath.Join(folder, "g")
	if err := (&Jobs{Console: console.Console{Out: &told, Err: io.Discard}}).Gazetteer(t.Context(), GazetteerJob{Files: []string{file}, Langs: []string{"en"}, Out: out}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(told.String(), "4 names of 2 entities") {
		t.Errorf("%s", &told)
	}
	if _, err := loadGazetteer(out); err != nil {
		t.Error(err)
	}
	corpus := put(t, folder, "c.txt", "Wind\n\nA kite flies on Fano.\n")
	dir := filepath.Join(folder, "k.krs")
	if err := (&Jobs{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Build(t.Context(), Job{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Gazetteer: out}); err != nil {
		t.Fatal(err)
	}
	told.Reset()
	if err := (&Jobs{Console: console.Console{Out: &told, Err: io.Discard}}).Export(t.Context(), dir); err != nil || !strings.Contains(told.String(), `neTag> "LOC"`) || !strings.Contains(told.String(), "taIdentRef> <http://v/Fano>") {
		t.Errorf("%v, %s", err, &told)
	}
	none := put(t, folder, "n.nt", "<u:a> <u:b> <u:c> .\n")
	if err := (&Jobs{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Gazetteer(t.Context(), GazetteerJob{Files: []string{none}, Out: out + "2"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no labels: %v", err)
	}
}
