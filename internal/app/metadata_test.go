package app

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/app/console"
	"orbweaver/internal/app/findings"
	"orbweaver/internal/app/rdffile"
	"orbweaver/internal/realdata"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// crawlExample crawls an example over the real ontologies, changed as a test says, and returns what it found.
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
	a := &App{Console: console.Console{Out: &out, Err: &errs}, Alone: true}
	if err := a.Crawl(t.Context(), path); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	found, err := findings.Read(filepath.Join(dir, "crawl"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// reached are the terms that were found, sorted.
func reached(f findings.Findings) (iris []string) {
	for _, t := range f.Terms {
		if t.Found {
			iris = append(iris, t.IRI)
		}
	}
	slices.Sort(iris)
	return iris
}

// The music example finds the eleven terms of the paper, through crawl file, engine and ledger.
func TestMusicExample(t *testing.T) {
	dbo, mo, schema := "http://dbpedia.org/ontology/", "http://purl.org/ontology/mo/", "http://schema.org/"
	want := []string{
		dbo + "Album", dbo + "ArtistDiscography", dbo + "EurovisionSongContestEntry", dbo + "Opera", dbo + "Single", dbo + "Song",
		mo + "Movement", mo + "MusicGroup", mo + "SoloMusicArtist", schema + "MusicAlbum", schema + "MusicRecording",
	}
	f := crawlExample(t, "music.yaml", nil)
	if have := reached(f); !slices.Equal(have, want) {
		t.Errorf("found %v", have)
	}
	// Neither documents nor datasets alone are needed for it.
	documents := crawlExample(t, "music.yaml", func(s string) string {
		return s[:strings.Index(s, "    datasets:")] + "\n" + s[strings.Index(s, "documents:"):]
	})
	if have := reached(documents); !slices.Equal(have, want) {
		t.Errorf("by documents alone: %v", have)
	}
	datasets := crawlExample(t, "music.yaml", func(s string) string {
		return s[:strings.Index(s, "documents:")] + "\n" + s[strings.Index(s, "output:"):] +
			"\nscope: {include: [nothing.test]}\n"
	})
	if have := reached(datasets); !slices.Equal(have, want) {
		t.Errorf("by datasets alone: %v", have)
	}
}

// The publications example finds what two steps of the paper's relations lead to in the files.
func TestPublicationsExample(t *testing.T) {
	ctx := t.Context()
	below := map[string][]string{} // by class: its direct subclasses and what is the same
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
	if have := reached(f); len(want) == 0 || !slices.Equal(have, want) {
		t.Errorf("found %v\nwant %v", have, want)
	}
}
