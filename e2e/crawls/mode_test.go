//go:build e2e

package crawls_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind/all"
)

// load loads a crawl file with an ontology section.
func load(t *testing.T, section string) (*crawlfile.Crawl, error) {
	t.Helper()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "a.ttl"), "<urn:a> a <http://www.w3.org/2002/07/owl#Class> .\n")
	file := filepath.Join(folder, "crawl.yaml")
	write(t, file, "seeds: http://a.test\nfocus: {ontology: {files: a.ttl, target: <urn:a>"+section+"}}\n")
	return all.Kinds().Schema().Load(file)
}

// write writes a file, and its folder.
func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// keysOfMode returns the printed keys that mode: paper sets.
func keysOfMode(t *testing.T, c *crawlfile.Crawl) string {
	t.Helper()
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(text)) {
		line = strings.ReplaceAll(strings.TrimSpace(line), `"`, "")
		for _, key := range []string{"mode", "measure", "spelling", "verdict", "links", "anchor_words", "telling", "inlinks", "data", "accept"} {
			if strings.HasPrefix(line, key+": ") {
				found = append(found, line)
			}
		}
	}
	return strings.Join(found, ", ")
}

// TestMode: mode: paper sets the keys by which the default departs from the paper, and leaves those to the user that
// the paper leaves open.
func TestMode(t *testing.T) {
	const papers = "mode: paper, measure: frequency, spelling: folded, verdict: named, links: %s, anchor_words: off, telling: off, inlinks: best, data: off"
	for _, tc := range []struct{ section, want string }{
		{"", "mode: default, measure: presence, spelling: kept, verdict: score, links: mixed, anchor_words: learned, telling: learned, inlinks: mean, data: met"},
		{", accept: 0.5", "accept: 0.5, mode: default, measure: presence, spelling: kept, verdict: score, links: mixed, anchor_words: learned, telling: learned, inlinks: mean, data: met"},
		{", inlinks: best, spelling: folded", "mode: default, measure: presence, spelling: folded, verdict: score, links: mixed, anchor_words: learned, telling: learned, inlinks: best, data: met"},
		{", mode: paper", fmt.Sprintf(papers, "page")},
		{", mode: paper, links: page", fmt.Sprintf(papers, "page")},
		{", mode: paper, links: text", fmt.Sprintf(papers, "text")},
		{", mode: paper, measure: frequency, inlinks: best, relevance: single, idf: none, combine: min, discount: linear", fmt.Sprintf(papers, "page")},
	} {
		c, err := load(t, tc.section)
		if err != nil {
			t.Errorf("%s: %v", tc.section, err)
			continue
		}
		if got := keysOfMode(t, c); got != tc.want {
			t.Errorf("%s:\ngot  %s\nwant %s", tc.section, got, tc.want)
		}
		write(t, filepath.Join(c.Output, "crawl.yaml"), marshal(t, c)) // what a crawl folder keeps says the same
		again, err := all.Kinds().Schema().Load(filepath.Join(c.Output, "crawl.yaml"))
		if err != nil || len(again.Differences(c)) > 0 {
			t.Errorf("%s: loaded again: %v", tc.section, err)
		}
	}
}

func marshal(t *testing.T, c *crawlfile.Crawl) string {
	t.Helper()
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestModeContradicted: a value that is not the paper's is an error that names both keys.
func TestModeContradicted(t *testing.T) {
	for section, want := range map[string]string{
		", mode: paper, measure: presence":     `focus.ontology.measure: "presence" contradicts mode: paper, which has frequency (leave out measure or mode)`,
		", mode: paper, spelling: kept":        `focus.ontology.spelling: "kept" contradicts mode: paper, which has folded (leave out spelling or mode)`,
		", mode: paper, verdict: score":        `focus.ontology.verdict: "score" contradicts mode: paper, which has named (leave out verdict or mode)`,
		", mode: paper, links: mixed":          `focus.ontology.links: "mixed" contradicts mode: paper, which has page or text (leave out links or mode)`,
		", mode: paper, anchor_words: learned": `focus.ontology.anchor_words: "learned" contradicts mode: paper, which has off (leave out anchor_words or mode)`,
		", mode: paper, telling: learned":      `focus.ontology.telling: "learned" contradicts mode: paper, which has off (leave out telling or mode)`,
		", mode: paper, inlinks: mean":         `focus.ontology.inlinks: "mean" contradicts mode: paper, which has best (leave out inlinks or mode)`,
		", mode: paper, accept: 0.5":           `focus.ontology.accept: contradicts mode: paper, which accepts the pages that name the target, whatever their score (leave out accept or mode)`,
		", verdict: named, accept: 0.5":        `focus.ontology.accept: contradicts verdict: named, which accepts the pages that name the target, whatever their score (leave out accept or verdict)`,
		", mode: paper, data: on":              `focus.ontology.data: "on" contradicts mode: paper, which has off (leave out data or mode)`,
		", mode: paper, data_weight: 20":       `focus.ontology.data_weight: has no effect with data: off, which looks at no data (leave out data_weight, or data: off and mode: paper)`,
		", data: off, data_labels: on":         `focus.ontology.data_labels: has no effect with data: off`,
		", data: maybe":                        `focus.ontology.data: must be met, on or off, not "maybe"`,
		", mode: papers":                       `focus.ontology.mode: must be default or paper, not "papers" (did you mean paper?)`,
	} {
		_, err := load(t, section)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Count(err.Error(), "focus.ontology") != 1 {
			t.Errorf("%s:\ngot  %v\nwant %s", section, err, want)
		}
	}
}
