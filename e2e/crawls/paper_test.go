//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/all"
	"orbweaver/internal/realdata"
	"orbweaver/kb/stream"
	"orbweaver/text/item"
)

// crawlFile is a crawl file of the demo web with a section of crossref.
func crawlFile(t *testing.T, section string) string {
	t.Helper()
	return "seeds: http://skylines.example/\nprefixes: {av: \"http://orbweaver.example/aircraft#\"}\nfocus: {crossref: {" + section + "}}\nweb: {archive: " +
		filepath.Join(realdata.Root(t), "examples/demo.warc.gz") + "}\nlimits: {requests: 40}\noutput: out\n"
}

// modelIn writes a model with rules into a folder.
func modelIn(t *testing.T, dir string, rules stream.Rules) string {
	t.Helper()
	m, err := stream.New(stream.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	var r item.Reader
	for _, text := range []string{"An airliner has engines and a cabin.", "An airliner has wings and engines."} {
		m.Learn("", time.Time{}, r.Read(text, "", "en"))
	}
	at := filepath.Join(dir, "learned")
	if err := m.Write(at, nil); err != nil {
		t.Fatal(err)
	}
	return at
}

// TestPaperMode: mode: paper sets the keys that are the paper's, takes its readings and sizes, and rejects others.
func TestPaperMode(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "i.html"), []byte("<p>Airliners have engines.</p>"), 0o666); err != nil {
		t.Fatal(err)
	}
	const begun = "item: i.html, mode: paper, model: m"
	for _, tc := range []struct{ section, problem string }{
		{begun, ""},
		{begun + ", order: layers, round: 100, theta: 0.3, layers: 1, accept: 0.2", ""},
		{begun + ", rounds: fixed, theta_of: layer, inlinks: best, without: [link_text, feedback, extra_label], rules: paper", ""},
		{begun + ", rounds: growing", "rounds: growing contradicts mode: paper (write fixed, or remove"},
		{begun + ", theta_of: item", "theta_of: item contradicts mode: paper"},
		{begun + ", order: worth", "order: worth contradicts mode: paper (write relevance or layers or belonging"},
		{begun + ", inlinks: mean", "inlinks: mean contradicts mode: paper"},
		{begun + ", rules: certain", "rules: certain contradicts mode: paper"},
		{begun + ", without: [feedback, labels]", "labels contradicts mode: paper"},
		{"item: i.html, mode: paper", "model: is missing: with mode: paper"},
		{"item: i.html, alpha: 0.4, beta: 0.45", "beta: 0.45 is above alpha, 0.4"},
		{"item: i.html, beta: 0.8", "beta: 0.8 is above alpha, 0.7"},
		{"item: i.html, alpha: 0.4", ""},
		{"item: i.html, alpha: 1", "alpha"}, {"item: i.html, tau: 0", "tau"}, {"item: i.html, delta: 0", "delta"}, {"item: i.html, theta: 2", "theta"},
		{"round: 5", "item: is missing"},
		{"entity: av:Airplane", "entity_in: is missing"},
		{"item: i.html, entity_in: i.html", "entity_in: there is no entity"},
		{"item: i.html, entity: av:Airplane, entity_in: i.html", "entity: there is an item, too"},
		{"entity: xx:Airplane, entity_in: i.html", `prefix "xx" is not defined`},
		{"items: [i.html]", "items: there is no item"},
	} {
		c, err := all.Kinds().Schema().Read("c.yaml", dir, []byte(crawlFile(t, tc.section)))
		switch {
		case tc.problem == "" && err != nil, tc.problem != "" && (err == nil || !strings.Contains(err.Error(), tc.problem)):
			t.Errorf("%s: %v; want %q", tc.section, err, tc.problem)
		case strings.HasPrefix(tc.section, begun) && err == nil:
			text, failed := c.Marshal()
			again, err := all.Kinds().Schema().Read("crawl.yaml", filepath.Join(dir, "out"), text)
			if err = errors.Join(err, failed); err != nil || !bytes.Contains(text, []byte("rounds: fixed")) || !bytes.Contains(text, []byte("theta_of: layer")) || again == nil {
				t.Errorf("%s: written and read again: %v", tc.section, err)
			}
		}
	}
}

// crawled runs a crawl file in a folder.
func crossrefCrawled(t *testing.T, dir, text string) error {
	t.Helper()
	path := filepath.Join(dir, "c.yaml")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, path)
}

// TestModelOfThePaper: the model of a crawl has the rules and thresholds that the crawl file names.
func TestModelOfThePaper(t *testing.T) {
	for _, tc := range []struct {
		rules            stream.Rules
		section, problem string
	}{
		{stream.Rules{Exact: true}, "mode: paper", ""},
		{stream.Rules{}, "mode: paper", "focus.crossref.model: the rules of"},
		{stream.Rules{}, "rules: paper", "focus.crossref.rules: paper, but the model in"},
		{stream.Rules{Alpha: 0.8}, "alpha: 0.8", ""},
		{stream.Rules{Alpha: 0.8}, "alpha: 0.7", "focus.crossref.alpha: 0.7, but the model in"},
		{stream.Rules{}, "alpha: 0.7, beta: 0.5, tau: 0.4", ""},
		{stream.Rules{}, "tau: 0.3", "was learned with 0.4"},
		{stream.Rules{}, "delta: 3", "focus.crossref.delta: 3"},
	} {
		dir := t.TempDir()
		model := modelIn(t, dir, tc.rules)
		err := crossrefCrawled(t, dir, crawlFile(t, "item: \"http://skylines.example/types/a320.html\", round: 20, model: "+model+", "+tc.section))
		if tc.problem == "" && err != nil || tc.problem != "" && (!errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.problem)) {
			t.Errorf("%s with %+v: %v", tc.section, tc.rules, err)
		}
	}
}

// TestEntity: the item is an entity of an RDF file, or of the store of a crawl; the crawl keeps it, and goes on without
// the file.
func TestEntity(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const said = `@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> . @prefix av: <http://orbweaver.example/aircraft#> .
av:Airliner rdfs:label "airliner"@en, "Verkehrsflugzeug"@de ; rdfs:comment "An airplane with turbofan engines, a cabin & seats for passengers."@en ;
	av:since 1914 ; rdfs:seeAlso <http://skylines.example/types/a320.html> . av:Mute av:since 1914 .`
	write("kb.ttl", said)
	section := "entity: av:Airliner, entity_in: kb.ttl, round: 20"
	if err := crossrefCrawled(t, dir, crawlFile(t, section)); err != nil {
		t.Fatal(err)
	}
	kept, err := os.ReadFile(filepath.Join(dir, "out", "item.html"))
	text := string(kept)
	for _, has := range []string{"http://orbweaver.example/aircraft#Airliner\n", "<title>airliner</title>", "a cabin &amp; seats", `href="http://skylines.example/types/a320.html"`} {
		if !strings.Contains(text, has) {
			t.Errorf("the item lacks %s: %v\n%s", has, err, text)
		}
	}
	if strings.Contains(text, "Verkehrsflugzeug") || strings.Contains(text, "1914") {
		t.Errorf("the item has what is in another language, or no text:\n%s", text)
	}
	write("kb.ttl", strings.ReplaceAll(said, "Airliner", "Glider"))
	if err := crossrefCrawled(t, dir, strings.Replace(crawlFile(t, section), "requests: 40", "requests: 60", 1)); err != nil {
		t.Errorf("resumed: %v", err)
	}
	for section, problem := range map[string]string{
		"entity: av:Airliner, entity_in: kb.ttl": "is the subject of no statement in",
		"entity: av:Mute, entity_in: kb.ttl":     "has no label, description or other text in",
		"entity: av:Airliner, entity_in: c.yaml": "not recognized as RDF",
	} {
		err := crossrefCrawled(t, dir, strings.Replace(crawlFile(t, section), "output: out", "output: other", 1))
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), problem) || !strings.Contains(err.Error(), "focus.crossref.entity") {
			t.Errorf("%s: %v", section, err)
		}
	}
	data := strings.Replace(crawlFile(t, `entity: "http://orbweaver.example/thing/a340", entity_in: out`), "output: out", "output: third", 1)
	if err := crossrefCrawled(t, dir, data); err == nil || !strings.Contains(err.Error(), "of no statement in") {
		t.Errorf("an entity that the store lacks: %v", err)
	}
	data = strings.Replace(crawlFile(t, `entity: "http://skylines.example/types/a340.html#it", entity_in: out`), "output: out", "output: fourth", 1)
	if err := crossrefCrawled(t, dir, data); err != nil {
		t.Errorf("an entity that pages of a crawl describe: %v", err)
	}
}
