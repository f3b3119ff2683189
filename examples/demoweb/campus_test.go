package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// madeCampus is the campus as the program makes it.
func madeCampus(t *testing.T) []document {
	t.Helper()
	documents, err := makeCampus()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// isLaboratory reports whether a document is about the laboratory, by the topics of examples/university.yaml.
func isLaboratory(d document) bool {
	return slices.ContainsFunc(d.topics, func(topic string) bool {
		return strings.HasPrefix(topic, "tfl.") || topic == "index.tfl"
	})
}

// TestCampusIsOneWeb: the front page leads to every page, and is not about the laboratory itself.
func TestCampusIsOneWeb(t *testing.T) {
	documents, at := madeCampus(t), map[string]document{}
	for _, d := range documents {
		at[d.url] = d
	}
	depth, queue := map[string]int{"http://larkfield.example/": 0}, []string{"http://larkfield.example/"}
	for ; len(queue) > 0; queue = queue[1:] {
		for _, to := range outlinks(t, at[queue[0]]) {
			if _, seen := depth[to]; !seen {
				depth[to], queue = depth[queue[0]]+1, append(queue, to)
			}
		}
	}
	relevant := 0
	for _, d := range documents {
		steps, found := depth[d.url]
		if !found && !strings.HasSuffix(d.url, "/robots.txt") {
			t.Errorf("%s cannot be reached", d.url)
		}
		if isLaboratory(d) {
			relevant++
			if steps < 1 {
				t.Errorf("%s is where the crawl begins", d.url)
			}
		}
	}
	if len(documents) < 130 || len(documents) > 160 || relevant < 45 || relevant > 55 {
		t.Errorf("%d documents, %d about the laboratory", len(documents), relevant)
	}
}

// TestCampusMisleads: the front page does not name the laboratory; pages of others share its short name and its words.
func TestCampusMisleads(t *testing.T) {
	tags := regexp.MustCompile(`<[^>]*>`)
	league, retrieval := 0, 0
	for _, d := range madeCampus(t) {
		text := tags.ReplaceAllString(string(d.body), " ")
		if d.url == "http://larkfield.example/" && (strings.Contains(text, "TFL") || strings.Contains(text, "Text Finding")) {
			t.Error("the front page names the laboratory")
		}
		if words := len(strings.Fields(text)); d.status == 200 && strings.Contains(d.header[0][1], "html") && (words < 40 || words > 460) {
			t.Errorf("%s has %d words", d.url, words)
		}
		if isLaboratory(d) {
			continue
		}
		if strings.Contains(text, "TFL") {
			league++
		}
		if strings.Contains(text, "etriev") || strings.Contains(text, "search committee") {
			retrieval++
		}
	}
	if league < 4 || retrieval < 5 {
		t.Errorf("%d pages of others have the short name, %d words of its field", league, retrieval)
	}
}

// TestUniversityHasTheSizeOfThePapers: the paper has 76 nodes and 224 lexical entries.
func TestUniversityHasTheSizeOfThePapers(t *testing.T) {
	file, err := os.Open("../university.ttl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if nodes, entries := measure(t, "university.ttl", file); nodes < 70 || nodes > 82 || entries < 215 || entries > 240 {
		t.Errorf("%d nodes, %d lexical entries", nodes, entries)
	}
}
