//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/internal/realdata"
	"orbweaver/kb/terms"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// crawlExample crawls an example over the real ontologies, modified by the test, and returns its findings.
func crawlExample(t *testing.T, name string, change func(string) string) findings.Findings {
	t.Helper()
	data := filepath.Dir(realdata.File(t, "ontologies/appendix2-truth.tsv"))
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	content := strings.ReplaceAll(string(text), "../../shared/data/ontologies", data)
	content = regexp.MustCompile(`(?m)^output:.*$`).ReplaceAllString(content, "output: "+filepath.Join(dir, "crawl"))
	if change != nil {
		content = change(content)
	}
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &errs}, Alone: true}
	if err := verbs.Crawl(t.Context(), a, path); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	found, err := findings.Read(filepath.Join(dir, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The music example finds the eleven terms of the paper, through crawl file, engine and ledger.
func TestMusicExample(t *testing.T) {
	dbo, mo, schema := "http://dbpedia.org/ontology/", "http://purl.org/ontology/mo/", "http://schema.org/"
	want := []string{
		dbo + "Album", dbo + "ArtistDiscography", dbo + "EurovisionSongContestEntry", dbo + "Opera", dbo + "Single", dbo + "Song",
		mo + "Movement", mo + "MusicGroup", mo + "SoloMusicArtist", schema + "MusicAlbum", schema + "MusicRecording",
	}
	f := crawlExample(t, "music.yaml", nil)
	if have := toy.Reached(f); !slices.Equal(have, want) {
		t.Errorf("found %v", have)
	}
	// Documents alone or datasets alone suffice.
	documents := crawlExample(t, "music.yaml", func(s string) string {
		return s[:strings.Index(s, "    datasets:")] + "\n" + s[strings.Index(s, "documents:"):]
	})
	if have := toy.Reached(documents); !slices.Equal(have, want) {
		t.Errorf("by documents alone: %v", have)
	}
	datasets := crawlExample(t, "music.yaml", func(s string) string {
		return s[:strings.Index(s, "documents:")] + "\n" + s[strings.Index(s, "output:"):] +
			"\nscope: {include: [nothing.test]}\n"
	})
	if have := toy.Reached(datasets); !slices.Equal(have, want) {
		t.Errorf("by datasets alone: %v", have)
	}
}

// The paper's crawler with its nine terms finds the eleven of Appendix 2 and, of WordNet's, the one that section 6.2
// reports, from which the same link leads back.
func TestMusicPaperExample(t *testing.T) {
	const ninth, theirs = "http://wordnet.rkbexplorer.com/id/synset-music-noun-1", "http://www.w3.org/2006/03/wn/wn20/instances/synset-music-noun-1"
	f := crawlExample(t, "music-paper.yaml", func(s string) string {
		return strings.ReplaceAll(s, " wordnet.ttl", " "+filepath.Join(realdata.Root(t), "examples", "wordnet.ttl"))
	})
	eight := toy.Reached(crawlExample(t, "music.yaml", nil))
	want := append(slices.Clone(eight), theirs, ninth)
	slices.Sort(want)
	if have := toy.Reached(f); len(eight) != 11 || !slices.Equal(have, want) {
		t.Errorf("found %v", have)
	}
	rows := terms.Tables(f.Terms, f.Datasets, f.Spent)
	led := map[string]string{}
	for _, r := range rows {
		var all []string
		for _, related := range r.Related {
			all = append(all, fmt.Sprint(related.Kind, " ", len(related.Classes)))
		}
		led[r.Term] = strings.Join(all, ", ")
		if r.Spent == nil || r.Spent.Queries == 0 || r.Seconds < r.Spent.Seconds {
			t.Errorf("%s: time %+v, %v s in all", r.Term, r.Spent, r.Seconds)
		}
	}
	// Table 2 (a) to (g), and the last term of Stage 1.
	for term, want := range map[string]string{
		"http://purl.org/ontology/mo/MusicArtist": "subclass 2", "http://purl.org/ontology/mo/MusicalWork": "subclass 1",
		"http://dbpedia.org/ontology/MusicalWork": "subclass 5", "http://dbpedia.org/ontology/Song": "equivalentclass 1, subclass 1",
		"http://dbpedia.org/ontology/Album": "equivalentclass 1", "http://dbpedia.org/ontology/MusicalArtist": "", "http://dbpedia.org/ontology/Single": "",
		ninth: "sameas 1",
	} {
		if led[term] != want {
			t.Errorf("%s led to %q, want %q", term, led[term], want)
		}
	}
}

// Instances are counted by dataset, over local dumps, and the time of each term is there (Tables 2 and 3 of the paper).
// A crawl that goes on keeps the times of what it did before.
func TestTablesOfInstances(t *testing.T) {
	dir := t.TempDir()
	instances := func(class string, from, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "<http://i.test/%d> a <http://x.test/%s> .\n", from+i, class)
		}
		return b.String()
	}
	toy.Put(t, dir, "v.ttl", "<http://x.test/Song> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.test/Work> .\n<http://x.test/Work> <http://www.w3.org/2002/07/owl#equivalentClass> <http://y.test/Opus> .\n")
	toy.Put(t, dir, "one.ttl", instances("Work", 0, 3)+instances("Song", 100, 40))
	toy.Put(t, dir, "two.ttl", instances("Work", 0, 5)+"<http://i.test/o> a <http://y.test/Opus> .\n")
	text := `
focus:
  metadata:
    mode: paper
    terms: ["http://x.test/Work", "http://x.test/None"]
    datasets: [{name: v, dump: v.ttl}, {name: one, dump: one.ttl}, {name: two, dump: two.ttl}]
documents: {"http://x.test/": v.ttl, "http://y.test/": v.ttl}
limits: {requests: 20}
output: crawl
`
	crawl := func(text string) findings.Findings {
		t.Helper()
		path := toy.Put(t, dir, "c.yaml", text)
		if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, path); err != nil {
			t.Fatal(err)
		}
		f, err := findings.Read(filepath.Join(dir, "crawl"))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	half := crawl(text)
	f := crawl(strings.Replace(text, "limits: {requests: 20}\n", "", 1))
	var rows []string
	for _, r := range terms.Tables(f.Terms, f.Datasets, f.Spent) {
		rows = append(rows, fmt.Sprint(strings.TrimPrefix(r.Term, "http://"), " ", r.Stage, " ", r.Related, " ", r.Instances, " ", r.Datasets))
		if r.Spent == nil || r.Spent.Seconds <= 0 || r.Spent.Queries != 6 {
			t.Errorf("%s: %+v: each of two processors asks each of three datasets once", r.Term, r.Spent)
		}
	}
	want := []string{
		"x.test/Work 0 [{equivalentclass [http://y.test/Opus]} {subclass [http://x.test/Song]}] 8 [{two 5} {one 3}]",
		"x.test/None 0 [] 0 []",
		"y.test/Opus 1 [] 1 [{two 1}]",
		"x.test/Song 1 [] 40 [{one 40}]",
	}
	slices.Sort(rows)
	slices.Sort(want)
	if !slices.Equal(rows, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(rows, "\n"), strings.Join(want, "\n"))
	}
	for i, before := range half.Spent {
		if f.Spent[i].Term != before.Term || f.Spent[i].Seconds < before.Seconds {
			t.Errorf("%+v became %+v", before, f.Spent[i])
		}
	}
	var table bytes.Buffer
	if err := findings.Tables(&table, f, findings.Options{Format: findings.Text}); err != nil || !strings.Contains(table.String(), "instance         8 in 2 datasets: two 5, one 3") {
		t.Errorf("%v\n%s", err, &table)
	}
}

// The publications example finds the terms that two steps of the paper's relations reach in the files.
func TestPublicationsExample(t *testing.T) {
	ctx := t.Context()
	below := map[string][]string{} // by class: its direct subclasses and equivalent classes
	for _, file := range []string{"schema-2014-02.n3.gz", "akt-2003.n3"} {
		in, err := rdffile.Open(ctx, realdata.File(t, "ontologies/"+file), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		for q, err := range document.Quads(in.Text, syntax.Detect("x.ttl", "", nil), syntax.Options{Base: "http://x.test/"}) {
			if err != nil {
				t.Fatal(err)
			}
			switch q.P.Value {
			case "http://www.w3.org/2000/01/rdf-schema#subClassOf":
				below[q.O.Value] = append(below[q.O.Value], q.S.Value)
			case "http://www.w3.org/2002/07/owl#equivalentClass", "http://www.w3.org/2002/07/owl#sameAs":
				below[q.O.Value] = append(below[q.O.Value], q.S.Value)
				below[q.S.Value] = append(below[q.S.Value], q.O.Value)
			}
		}
	}
	f := crawlExample(t, "publications.yaml", nil)
	var level, want []string
	for _, one := range f.Terms {
		if one.Stage == 0 {
			level = append(level, one.IRI)
		}
	}
	if len(level) != 9 {
		t.Fatalf("%d terms given", len(level))
	}
	for range 2 {
		var next []string
		for _, class := range level {
			for _, other := range below[class] {
				if strings.HasPrefix(other, "http") && !slices.Contains(want, other) {
					want, next = append(want, other), append(next, other)
				}
			}
		}
		level = next
	}
	slices.Sort(want)
	if have := toy.Reached(f); len(want) == 0 || !slices.Equal(have, want) {
		t.Errorf("found %v\nwant %v", have, want)
	}
}

// Words are looked up: the crawl lists candidates and does not begin. With Yes it takes the best candidate. The same
// command finds the same again.
func TestWords(t *testing.T) {
	dir, examples := t.TempDir(), filepath.Join(realdata.Root(t), "examples")
	path := filepath.Join(dir, "words.yaml")
	text := strings.ReplaceAll(`
focus:
  metadata:
    terms: [ship, "Sailing ships"]
    datasets: [{name: harbour, dump: DIR/harbour.ttl}, {name: fleet, dump: DIR/fleet.ttl}]
documents: {"http://harbour.example/terms": DIR/harbour.ttl, "http://fleet.example/": DIR/fleet.ttl}
output: crawl
`, "DIR", examples)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &errs}, Alone: true}
	if err := verbs.Crawl(t.Context(), a, path); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), "--yes") {
		t.Fatalf("%v", err)
	}
	if s := out.String(); !strings.Contains(s, "1.00  http://harbour.example/terms#Ship ") || !strings.Contains(s, "1.00  http://harbour.example/terms#SailingShip ") {
		t.Errorf("offered:\n%s", s)
	}
	if _, err := os.Stat(filepath.Join(dir, "crawl")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder is left: %v", err)
	}
	a.Yes = true
	var before []byte
	for range 2 {
		if err := verbs.Crawl(t.Context(), a, path); err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(filepath.Join(dir, "crawl", findings.TermsFile))
		if err != nil || before != nil && !bytes.Equal(before, after) {
			t.Fatalf("%v: the second time\n%s", err, after)
		}
		before = after
	}
	if found, err := findings.Read(filepath.Join(dir, "crawl")); err != nil || found.Terms[1].IRI != "http://harbour.example/terms#SailingShip" || len(found.Terms) != 7 {
		t.Errorf("%v %+v", err, found.Terms)
	}
}

// A word without a matching term is an error.
func TestUnknownWord(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "words.yaml")
	text := "focus: {metadata: {terms: [quark], datasets: [{name: h, dump: " + filepath.Join(realdata.Root(t), "examples/harbour.ttl") + "}]}}\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true, Yes: true}
	if err := verbs.Crawl(t.Context(), a, path); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), `"quark"`) {
		t.Errorf("%v", err)
	}
}

// A dump on the Web is loaded once, and again if its server has another version. The classes of a local file are terms.
func TestDumpOfTheWeb(t *testing.T) {
	dir := t.TempDir()
	version, asked, sent := `"1"`, 0, 0
	text := "<http://x.test/B> <http://www.w3.org/2000/01/rdf-schema#subClassOf> <http://x.test/A> .\n"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/dump.nt" {
			http.Redirect(w, r, "/dump.nt", http.StatusFound)
			return
		}
		asked++
		w.Header().Set("ETag", version)
		if r.Header.Get("If-None-Match") == version {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		sent++
		w.Header().Set("Content-Type", "application/n-triples")
		fmt.Fprint(w, text)
	}))
	defer server.Close()
	if err := os.WriteFile(filepath.Join(dir, "mine.ttl"), []byte("<http://m.test/1> a <http://x.test/A> .\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	crawl := func(n int, want ...string) {
		t.Helper()
		path := filepath.Join(dir, fmt.Sprintf("c%d.yaml", n))
		file := fmt.Sprintf("focus: {metadata: {terms_from: mine.ttl, processors: [property], datasets: [{name: d, dump: %q}]}}\nallow_private: true\noutput: crawls/c%d\n", server.URL+"/latest", n)
		if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		a := &job.Job{Console: console.Console{Out: io.Discard, Err: &errs}, Alone: true}
		if err := verbs.Crawl(t.Context(), a, path); err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		f, err := findings.Read(filepath.Join(dir, "crawls", fmt.Sprintf("c%d", n)))
		if err != nil || !slices.Equal(toy.Reached(f), want) || f.Terms[0].IRI != "http://x.test/A" {
			t.Errorf("crawl %d: %v, %+v\n%s", n, err, f, errs.String())
		}
	}
	crawl(1, "http://x.test/B")
	crawl(2, "http://x.test/B")
	if asked != 2 || sent != 1 {
		t.Errorf("asked %d times, sent %d times", asked, sent)
	}
	version, text = `"2"`, strings.Replace(text, "/B>", "/C>", 1)
	crawl(3, "http://x.test/C")
	if asked != 3 || sent != 2 {
		t.Errorf("asked %d times, sent %d times", asked, sent)
	}
}
