//go:build e2e

package crawls_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"orbweaver/crawl"
	"orbweaver/internal/apptest/toy"
)

// TestTeachingIsReplayed: a crawl that was taught between two sessions, by verdicts of all kinds, one of which is withdrawn, is repeated to the byte
// by its decisions.
func TestTeachingIsReplayed(t *testing.T) {
	topic := crawl.Corpus{Dir: filepath.Join(t.TempDir(), "aircraft.krs"), Topic: "aircraft"}
	for i, text := range []string{
		"Aircraft\n\nThe aircraft has a wing, an engine and a pilot. The airline flies it to the airport.", "Airport\n\nThe pilot lands the aircraft at the airport of the airline.",
		"Wing\n\nThe wing of the aircraft lifts it, and the engine drives it.", "Airline\n\nAn airline has aircraft, a fleet and pilots; the airport has a runway.",
	} {
		file := filepath.Join(t.TempDir(), fmt.Sprint(i, ".txt"))
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		topic.Corpus = append(topic.Corpus, file)
	}
	if err := crawl.Learn(t.Context(), topic); err != nil {
		t.Fatal(err)
	}
	for name, focus := range map[string]string{
		"ontology": toy.DemoFocus(t), "keyword": "focus: {keyword: {terms: [aircraft, wing]}}", "krs": "focus: {krs: {file: " + topic.Dir + "}}",
		"crossref": "focus: {crossref: {item: '" + toy.A320 + "', round: 20}}",
		"blend":    "focus: {blend: {combine: any, parts: [{name: topic, krs: {file: " + topic.Dir + "}}, {name: words, best_first: {terms: [aircraft]}}]}}",
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			run := func(out string, requests int, more string) *crawl.Crawl {
				t.Helper()
				file := filepath.Join(folder, out+".yaml")
				text := fmt.Sprintf("%s%s\nlimits: {requests: %d}\noutput: %s\n%s", toy.DemoLines(t), focus, requests, out, more)
				if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
				c, err := crawl.Load(file)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := c.Run(t.Context()); err != nil {
					t.Fatal(err)
				}
				return c
			}
			lines := func(out string) string {
				t.Helper()
				text, err := os.ReadFile(filepath.Join(folder, out, "pages.jsonl"))
				if err != nil {
					t.Fatal(err)
				}
				return string(text)
			}
			c := run("taught", 60, "")
			pages, err := c.Unsure(t.Context(), 6)
			if err != nil {
				t.Fatal(err)
			}
			var said []crawl.Verdict
			for i, p := range pages {
				said = append(said, crawl.Verdict{URL: p.URL, Said: []string{crawl.SaidNot, crawl.SaidPart, crawl.SaidAbout}[i%3]})
			}
			if _, err := c.Verdicts(t.Context(), append(said, crawl.Verdict{URL: said[0].URL, Withdrawn: true})...); err != nil {
				t.Fatal(err)
			}
			run("taught", 120, "")
			run("plain", 120, "")
			run("again", 120, "decisions: taught/decisions.jsonl\n")
			if lines("taught") == lines("plain") {
				t.Error("the verdicts change nothing")
			}
			if lines("taught") != lines("again") {
				t.Error("by the decisions it is another crawl")
			}
		})
	}
}
