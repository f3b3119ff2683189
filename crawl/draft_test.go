package crawl_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/realdata"
)

// TestDraft: each kind of draft is a crawl file without problems, and two kinds at once are none.
func TestDraft(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"aircraft.ttl", "demo.warc.gz"} {
		text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(folder, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(folder, "topic.krs"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, d := range map[string]crawl.Draft{
		"words":    {Seeds: []string{"skylines.example", "127.0.0.1:8080/x", "", "http://tidings.example/a b"}, Words: []string{"plane, light aircraft", "on"}, Contact: "me@example.org"},
		"ontology": {Seeds: []string{"http://skylines.example/"}, Ontology: []string{"aircraft.ttl"}, Target: []string{"light aircraft"}, Requests: 5},
		"krs":      {Seeds: []string{"http://skylines.example/"}, KRS: "topic.krs"},
		"item":     {Item: "http://skylines.example/types/a320.html"},
		"terms":    {Terms: []string{"http://dbpedia.org/ontology/MusicalWork", "music album"}, Endpoints: []string{"http://a.example/sparql"}, Dumps: []string{"aircraft.ttl"}},
	} {
		text, err := d.CrawlFile()
		if err == nil {
			err = crawl.Validate("draft.yaml", folder, []byte(text))
		}
		if err != nil || !strings.Contains(text, "requests: ") {
			t.Errorf("%s: %v\n%s", name, err, text)
		}
		if values, err := crawl.FileValues([]byte(text)); err != nil || values["focus"] == "" || d.Requests == 0 && values["limits.requests"] != "1000" || name == "words" && values["seeds"] != "http://skylines.example/\nhttp://127.0.0.1:8080/x\nhttp://tidings.example/a b" {
			t.Errorf("%s: %v %v", name, err, values)
		}
	}
	for _, d := range []crawl.Draft{{}, {Seeds: []string{"http://a.example/"}}, {Words: []string{"x"}, Item: "http://a.example/"}} {
		if text, err := d.CrawlFile(); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%+v: %v %s", d, err, text)
		}
	}
}

const planesFile = "seeds: [http://skylines.example/]\nweb: {archive: demo.warc.gz}\nfocus: {ontology: {files: aircraft.ttl, target: 'http://orbweaver.example/aircraft#Airplane'}}\n"

// TestTry: a page and a text are judged by a crawl file that is nowhere, with their evidence, and nothing stays behind.
func TestTry(t *testing.T) {
	folder := filepath.Join(realdata.Root(t), "examples")
	c, err := crawl.Read("draft.yaml", folder, []byte(planesFile))
	if err != nil {
		t.Fatal(err)
	}
	scratch := t.TempDir()
	for _, s := range []crawl.Sample{
		{URL: "skylines.example/types/a320.html"},
		{Text: "<html><title>Gliders</title><body><p>An airplane is not a glider. <a href='http://skylines.example/'>Airplanes</a></p></body></html>"},
		{Text: "An airplane flies.", URL: "http://a.example/x"},
	} {
		s.Folder = filepath.Join(scratch, "crawl")
		trial, err := c.Try(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		if trial.Score <= 0 || len(trial.Page.Spans) == 0 || len(trial.Reasons) == 0 {
			t.Errorf("%+v", trial)
		}
		for _, span := range trial.Page.Spans {
			in := map[string]string{orbweaver.InTitle: trial.Page.Title, orbweaver.InText: trial.Page.Text}[span.Field]
			if span.Start < 0 || span.End > len(in) || span.Start >= span.End {
				t.Errorf("%+v of %d bytes", span, len(in))
			}
		}
		if strings.HasPrefix(s.Text, "<") && (len(trial.Best) != 1 || trial.Best[0].URL != "http://skylines.example/" || trial.Title != "Gliders") {
			t.Errorf("%+v", trial.Verdict)
		}
	}
	if _, err := c.Try(t.Context(), crawl.Sample{URL: "http://skylines.example/print/a340.html"}); !errors.Is(err, orbweaver.ErrRobots) {
		t.Error(err)
	}
	pageless, err := crawl.Read("draft.yaml", folder, []byte("focus: {metadata: {terms: [music], datasets: [{name: a, dump: aircraft.ttl}]}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pageless.Try(t.Context(), crawl.Sample{Text: "x"}); !errors.Is(err, crawl.ErrPageless) || !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	if left, err := os.ReadDir(scratch); err != nil || len(left) != 0 {
		t.Error(left, err)
	}
	if _, err := crawl.Read("draft.yaml", folder, []byte(strings.Replace(planesFile, "aircraft.ttl", "../README.md", 1))); !errors.Is(err, orbweaver.ErrInput) || len(crawl.Problems(err)) != 1 {
		t.Error(err)
	}
}

// TestRetrieve: a document is not fetched from a private address, and not after its time.
func TestRetrieve(t *testing.T) {
	if _, _, _, err := crawl.Retrieve(t.Context(), "http://127.0.0.1:1/x.ttl", "text/turtle", 100); !errors.Is(err, orbweaver.ErrPrivate) {
		t.Error(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, _, _, err := crawl.Retrieve(ctx, "http://127.0.0.1:1/x.ttl", "text/turtle", 100); err == nil {
		t.Error("it was fetched after its time")
	}
	if _, _, _, err := crawl.Retrieve(t.Context(), "no url", "", 100); !errors.Is(err, orbweaver.ErrBadURL) {
		t.Error(err)
	}
}

// TestLearn: a KRS of a few texts is what focus: krs reads.
func TestLearn(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{"a.txt": "Kites\n\nA kite is an aircraft held by a line. Kites fly in the wind.", "b.txt": "Kite lines\n\nThe line of a kite is thin. A reel holds the line of the kite."} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := crawl.Learn(t.Context(), crawl.Corpus{Dir: filepath.Join(folder, "kites.krs"), Topic: "kites", Corpus: []string{filepath.Join(folder, "a.txt"), filepath.Join(folder, "b.txt")}}); err != nil {
		t.Fatal(err)
	}
	c, err := crawl.Read("x", folder, []byte("seeds: [http://a.example/]\nfocus: {krs: {file: kites.krs}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	trial, err := c.Try(t.Context(), crawl.Sample{Text: "A kite has a line. The kite flies in the wind.", Folder: filepath.Join(folder, "x")})
	if err != nil || trial.Score == 0 {
		t.Errorf("%+v %v", trial, err)
	}
	if err := crawl.Learn(t.Context(), crawl.Corpus{Dir: filepath.Join(folder, "none.krs"), Topic: "x", Corpus: []string{filepath.Join(folder, "none.txt")}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
}
