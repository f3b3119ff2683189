package pages

import (
	"html"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
)

// TestLabels: of a crawl with a label model, what a search finds is labelled, and a label narrows it; without one there is no such facet.
func TestLabels(t *testing.T) {
	w, h := studio(t)
	const search = "/crawls/demo/results?words=airbus+engines"
	if _, _, page := answer(t, h, "GET", search, nil, nil); strings.Contains(page, "<summary>Label</summary>") || !strings.Contains(page, "pages match") {
		t.Fatalf("labels without a model: %s", page)
	}
	dir := filepath.Join(w.Dir(), "crawls", "demo")
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if err := labelmodel.Train(t.Context(), con, labelmodel.Training{Stream: []string{dir}, Out: filepath.Join(dir, labelmodel.Folder)}); err != nil {
		t.Fatal(err)
	}
	_, _, page := answer(t, h, "GET", search, nil, nil)
	sound(t, page)
	link := regexp.MustCompile(`<summary>Label</summary><ul><li><a href="([^"]+)"`).FindStringSubmatch(page)
	if link == nil {
		t.Fatalf("no facet: %s", page)
	}
	rows := func(page string) int { return strings.Count(page, `class="snippet"`) }
	code, _, narrowed := answer(t, h, "GET", html.UnescapeString(link[1]), nil, nil)
	if sound(t, narrowed); code != http.StatusOK || rows(narrowed) == 0 || rows(narrowed) > rows(page) || !strings.Contains(narrowed, "the link takes it away") {
		t.Errorf("%d: %d rows of %d: %s", code, rows(narrowed), rows(page), narrowed)
	}
	alone := regexp.MustCompile(`words=[^&]*&?`).ReplaceAllString(html.UnescapeString(link[1]), "")
	if code, _, page := answer(t, h, "GET", alone, nil, nil); code != http.StatusOK || rows(page) == 0 {
		t.Errorf("by the label alone: %d %s", code, page)
	}
}
