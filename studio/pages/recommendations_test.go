package pages

import (
	"bufio"
	"encoding/json"
	"fmt"
	"html"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/crawl"
	"orbweaver/internal/findings"
	"orbweaver/internal/realdata"
)

// exampleFiles copies the vocabularies of the example about harbours.
func exampleFiles(t *testing.T, dir string) {
	t.Helper()
	for _, name := range []string{"harbour.ttl", "fleet.ttl", "register.ttl"} {
		text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// aTerm is what the test reads of a line of terms.jsonl.
type aTerm struct {
	Term      string
	Stage     int
	Instances int64
	Paths     [][]struct{ From, Property, To, Dataset string }
}

func foundTerms(t *testing.T, dir string) (all []aTerm) {
	t.Helper()
	file, err := os.Open(filepath.Join(dir, "crawls/it/terms.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for s := bufio.NewScanner(file); s.Scan(); {
		var one aTerm
		if err := json.Unmarshal(s.Bytes(), &one); err != nil {
			t.Fatal(err)
		}
		all = append(all, one)
	}
	return all
}

// TestRecommendations: vocabularies and datasets in order with reasons, terms with stage, instances and the way to each, the tables, and the
// graph's source, as terms.jsonl has them.
func TestRecommendations(t *testing.T) {
	dir := t.TempDir()
	exampleFiles(t, dir)
	h := finished(t, dir, `prefixes: {hb: "http://harbour.example/terms#"}
focus:
  metadata:
    terms: [hb:Ship, hb:Harbour]
    datasets: [{name: harbour, dump: harbour.ttl}, {name: fleet, dump: fleet.ttl}, {name: register, dump: register.ttl}]
documents: {"http://harbour.example/terms": harbour.ttl, "http://fleet.example/": fleet.ttl}
`)
	found := foundTerms(t, dir)
	if len(found) < 5 {
		t.Fatalf("terms %+v", found)
	}
	const at = "/crawls/it/recommendations"
	ranked := asked(t, h, at)
	if first := strings.Index(ranked, "http://harbour.example/terms#"); first < 0 || !strings.Contains(ranked, "<summary>Why</summary>") || strings.Count(ranked, `<span class="score">`) < 2 {
		t.Errorf("vocabularies: %s", ranked)
	}
	if datasets := asked(t, h, at+"?view=datasets"); !strings.Contains(datasets, "<bdi>register</bdi>") || !strings.Contains(datasets, "instances: 5") {
		t.Errorf("datasets: %s", datasets)
	}
	text := asked(t, h, at+"?view=terms")
	rows := table(t, text, "Terms")
	if len(rows) != len(found) {
		t.Errorf("%d terms, want %d", len(rows), len(found))
	}
	for i, term := range found[:min(len(rows), len(found))] {
		stage := fmt.Sprint(term.Stage)
		if term.Stage == 0 {
			stage = "given"
		}
		if !strings.HasPrefix(rows[i][0], term.Term) || rows[i][1] != stage || rows[i][2] != count(term.Instances) {
			t.Errorf("%v, want %+v", rows[i], term)
		}
		for _, paths := range term.Paths[:min(1, len(term.Paths))] {
			for _, step := range paths {
				if !strings.Contains(rows[i][3], step.From) || !strings.Contains(rows[i][3], step.To) || !strings.Contains(rows[i][3], "says "+step.Dataset) {
					t.Errorf("%s: no provenance %+v in %s", term.Term, step, rows[i][3])
				}
			}
		}
	}
	last := found[len(found)-1].Term
	if one := table(t, asked(t, h, at+"?view=terms&term="+html.UnescapeString(strings.ReplaceAll(last, "#", "%23"))), "Terms"); len(one) != 1 || !strings.HasPrefix(one[0][0], last) {
		t.Errorf("one term: %v", one)
	}
	recommendedGraph(t, h, found)
}

// recommendedGraph checks the tables and the graph.
func recommendedGraph(t *testing.T, h *Handler, found []aTerm) {
	t.Helper()
	const at = "/crawls/it/recommendations"
	rows := table(t, asked(t, h, at+"?view=tables"), "Instances and time")
	instances := map[string]int64{}
	for _, term := range found {
		instances[term.Term] = term.Instances
	}
	for _, row := range rows {
		if n, known := instances[row[0]]; !known || strings.TrimPrefix(row[2], "at least ") != count(n) {
			t.Errorf("%v, want %d instances", row, n)
		}
	}
	if text := asked(t, h, at+"?view=graph"); len(rows) == 0 || !strings.Contains(text, `data-island="graph" data-src="/api/v1`+at+`/graph"`) {
		t.Errorf("%d rows; graph: %s", len(rows), text)
	}
	err := h.Workspace.Use(t.Context(), "it", func(c *crawl.Crawl) error {
		all, err := c.Recommendations()
		web := all.Graph(300)
		known := map[string]bool{}
		for _, n := range web.Nodes {
			known[n.ID] = true
		}
		for _, term := range found {
			if !known[term.Term] {
				t.Errorf("%s is not in the graph", term.Term)
			}
		}
		for _, e := range web.Edges {
			if !known[e.From] || !known[e.To] {
				t.Errorf("an edge to nowhere: %+v", e)
			}
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestRankedByLinks: with a catalogue that says which datasets link to which, datasets are ranked by links, or by instances if that is asked
// for; without one there is no choice.
func TestRankedByLinks(t *testing.T) {
	dir := t.TempDir()
	exampleFiles(t, dir)
	h := finished(t, dir, `prefixes: {hb: "http://harbour.example/terms#"}
focus:
  metadata:
    terms: [hb:Ship, hb:Harbour]
    datasets: [{name: harbour, dump: harbour.ttl}, {name: fleet, dump: fleet.ttl}, {name: register, dump: register.ttl}]
documents: {"http://harbour.example/terms": harbour.ttl, "http://fleet.example/": fleet.ttl}
`)
	const at = "/crawls/it/recommendations?view=datasets"
	if text := asked(t, h, at); strings.Contains(text, "By links") || strings.Contains(text, "by=instances") {
		t.Errorf("there are no links: %s", text)
	}
	catalogue := `{"terms": [], "datasets": [{"name": "register", "known": {"name": "register", "links": ["tides"], "sources": []}}],
		"unasked": [{"name": "songs", "links": ["words"], "sources": []}, {"name": "dances", "links": ["<i>steps"], "sources": []}]}`
	if err := os.WriteFile(filepath.Join(dir, "crawls/it", findings.AskedFile), []byte(catalogue), 0o600); err != nil {
		t.Fatal(err)
	}
	text := asked(t, h, at)
	tides, words := strings.Index(text, "<bdi>tides</bdi>"), strings.Index(text, "<bdi>words</bdi>")
	if tides < 0 || words < tides || !strings.Contains(text, "By links: what the datasets of the catalogue link to") || strings.Contains(text, "<i>steps") {
		t.Errorf("by links, what the dataset with ships links to is first: %d, %d in %s", tides, words, text)
	}
	text = asked(t, h, at+"&by=instances")
	if !strings.Contains(text, "<bdi>register</bdi>") || strings.Contains(text, "<bdi>tides</bdi>") || !strings.Contains(text, ">by links</a>") {
		t.Errorf("by instances: %s", text)
	}
}

// TestNothingRecommended: a crawl that found no terms says so.
func TestNothingRecommended(t *testing.T) {
	_, h := studio(t)
	if text := asked(t, h, "/crawls/demo/recommendations"); !strings.Contains(text, "There is nothing to recommend yet") {
		t.Errorf("%.500s", text)
	}
	if code, _, _ := answer(t, h, "GET", "/crawls/none/recommendations", nil, nil); code != http.StatusNotFound {
		t.Errorf("%d", code)
	}
}
