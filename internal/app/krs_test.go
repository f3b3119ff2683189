package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/app/console"
	"orbweaver/internal/realdata"
)

// kites is a small corpus about kites, in a folder, and another about soup.
func kites(t *testing.T) (corpus, other string) {
	t.Helper()
	folder := t.TempDir()
	corpus, other = filepath.Join(folder, "kites"), filepath.Join(folder, "soup")
	for _, dir := range []string{corpus, other} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 12 {
		put(t, corpus, fmt.Sprintf("k%d.txt", i), fmt.Sprintf("Kite %d\n\nA kite flies on a line in the wind. The tail of the kite number %d is long. The bridle and the spar hold the sail.\n", i, i))
		put(t, other, fmt.Sprintf("s%d.txt", i), fmt.Sprintf("Soup %d\n\nA soup cooks in a pot on the stove. The onion and the carrot of soup number %d are cut. Salt makes the broth.\n", i, i))
	}
	return corpus, other
}

// TestKRS: a topic is learned, shown, grown and judged by.
func TestKRS(t *testing.T) {
	corpus, other := kites(t)
	folder := t.TempDir()
	dir := filepath.Join(folder, "kites.krs")
	var told bytes.Buffer
	a := &App{Console: console.Console{Out: &told, Err: &told}}
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Background: []string{other}}); err != nil {
		t.Fatal(err, told.String())
	}
	if text := told.String(); !strings.Contains(text, "documents        12") || !strings.Contains(text, "background of 12 documents") || !strings.Contains(text, "kite") {
		t.Errorf("%s", text)
	}
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: dir, Topic: "kites", Corpus: []string{corpus}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("over one that is there: %v", err)
	}
	more := put(t, folder, "more.txt", "Another kite\n\nA kite with two lines.\n")
	told.Reset()
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: dir, Corpus: []string{more}, Add: true}); err != nil || !strings.Contains(told.String(), "documents        13") {
		t.Errorf("added: %v, %s", err, &told)
	}
	told.Reset()
	if err := a.ExportKRS(t.Context(), dir); err != nil || strings.Count(told.String(), "core#Document>") != 13 || !strings.Contains(told.String(), "idfValue") {
		t.Errorf("exported: %v, %.500s", err, &told)
	}
	web := webOf(t, []answer{
		{url: "http://a.test/", body: `<p>Some pages.</p><a href="/kite">a kite on a line</a> <a href="/soup">a soup with an onion</a>`},
		{url: "http://a.test/kite", body: `<title>Kites</title><p>The kite has a tail, a bridle and a spar, and flies on its line when there is wind in the sail.</p>`},
		{url: "http://a.test/soup", body: `<title>Soups</title><p>The soup has an onion and a carrot, and cooks on the stove in a pot with salt and broth.</p>`},
	})
	told.Reset()
	file := put(t, folder, "j.yaml", fmt.Sprintf("seeds: [http://a.test/]\nweb: {archive: %s}\nfocus: {krs: {file: %s}}\n", web, dir))
	if err := a.Judge(t.Context(), file, "http://a.test/kite", JudgeOptions{}); err != nil || !strings.Contains(told.String(), "coverage") || !strings.Contains(told.String(), "bridle") {
		t.Errorf("judged: %v, %s", err, &told)
	}
	crawled := t.TempDir()
	crawlIn(t, crawled, fmt.Sprintf("seeds: [http://a.test/]\nweb: {archive: %s}\nfocus: {krs: {file: %s}}\n", web, dir))
	for _, l := range linesOf(t, filepath.Join(crawled, "crawl")) {
		if want := l.URL == "http://a.test/kite"; l.Accepted != want {
			t.Errorf("%s: accepted %v, %+v", l.URL, l.Accepted, l.Reasons)
		}
		if l.N == 2 && l.URL != "http://a.test/kite" {
			t.Errorf("the second page is %s", l.URL)
		}
	}
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
		err := (&App{Console: console.Console{Out: &told, Err: &told}}).BuildKRS(t.Context(), KRSJob{Dir: dir, Topic: "x", Corpus: []string{corpus}})
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
	a := &App{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: filepath.Join(folder, "e.krs"), Topic: "x", Corpus: []string{empty}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("an empty corpus: %v", err)
	}
	if err := a.ShowKRS(filepath.Join(folder, "none.krs"), 1, false); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("none: %v", err)
	}
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: filepath.Join(folder, "f.krs"), Topic: "x", Corpus: []string{realdata.Root(t) + "/README.md"}, Gazetteer: realdata.Root(t) + "/README.md"}); !errors.Is(err, orbweaver.ErrInput) {
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
	if err := (&App{Console: console.Console{Out: &told, Err: io.Discard}}).Gazetteer(t.Context(), GazetteerJob{Files: []string{file}, Langs: []string{"en"}, Out: out}); err != nil {
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
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).BuildKRS(t.Context(), KRSJob{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Gazetteer: out}); err != nil {
		t.Fatal(err)
	}
	told.Reset()
	if err := (&App{Console: console.Console{Out: &told, Err: io.Discard}}).ExportKRS(t.Context(), dir); err != nil || !strings.Contains(told.String(), `neTag> "LOCATION"`) || !strings.Contains(told.String(), "taIdentRef> <http://v/Fano>") {
		t.Errorf("%v, %s", err, &told)
	}
	none := put(t, folder, "n.nt", "<u:a> <u:b> <u:c> .\n")
	if err := (&App{Console: console.Console{Out: io.Discard, Err: io.Discard}}).Gazetteer(t.Context(), GazetteerJob{Files: []string{none}, Out: out + "2"}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no labels: %v", err)
	}
}

// TestKRSWorkers: a crawl by a KRS that learns is the same whatever the number of workers.
func TestKRSWorkers(t *testing.T) {
	corpus, other := kites(t)
	dir := filepath.Join(t.TempDir(), "kites.krs")
	a := &App{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := a.BuildKRS(t.Context(), KRSJob{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Background: []string{other}}); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for _, workers := range []int{1, 8} {
		_, journal := crawlIn(t, t.TempDir(), demoLines(t)+fmt.Sprintf("focus: {krs: {file: %s, learn: true}}\nlimits: {requests: 120}\nworkers: %d\n", dir, workers))
		if first == nil {
			first = journal
		}
		if !bytes.Equal(journal, first) || bytes.Count(journal, []byte("\n")) != 120 {
			t.Errorf("%d workers: %d lines, or others", workers, bytes.Count(journal, []byte("\n")))
		}
	}
}
