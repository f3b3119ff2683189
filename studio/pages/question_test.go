package pages

import (
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
)

// TestQuestionCard: a crawl that asks shows a card; Skip leaves it out, Yes goes on with the class and what is below it, No and a withdrawal are
// taken too.
func TestQuestionCard(t *testing.T) {
	dir := t.TempDir()
	text, err := os.ReadFile(filepath.Join(realdata.Root(t), "examples", "quay.ttl"))
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "quay.ttl"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	h := finished(t, dir, `focus: {metadata: {terms: ["http://quay.example/terms#Crane", "http://quay.example/terms#Berth"], expand: judged, datasets: [{name: quay, dump: quay.ttl}]}}
documents: {"http://quay.example/terms": quay.ttl}
`)
	const at, facility = "/crawls/it/recommendations", "http://quay.example/terms#Facility"
	before := len(foundTerms(t, dir))
	card := asked(t, h, at)
	for _, want := range []string{"<bdi>facility</bdi></q> belong to the topic?", "is above <bdi>Berth, Crane</bdi>", "A yes adds 9 classes: <bdi>Bollard,", `name="said" value="yes"`, `href="` + at + `?later=yes"`} {
		if !strings.Contains(card, want) {
			t.Errorf("the card lacks %q", want)
		}
	}
	if later := asked(t, h, at+"?later=yes"); strings.Contains(later, "belong to the topic?") {
		t.Error("skipped, the card is there")
	}
	say := func(said string) string {
		t.Helper()
		code, _, text := answer(t, h, "POST", at+"/answer", url.Values{"csrf": {"token"}, "class": {facility}, "said": {said}}, nil)
		if code != http.StatusSeeOther {
			t.Fatalf("%s: %d: %.300s", said, code, text)
		}
		finish(t, h.Workspace, "it")
		return asked(t, h, at)
	}
	if page := say("yes"); strings.Contains(page, "belong to the topic?") || !strings.Contains(page, "Answers: 1") {
		t.Error("after a yes it asks, or shows no answer")
	}
	if n := len(foundTerms(t, dir)); n != before+10 {
		t.Errorf("after a yes %d terms, %d before", n, before)
	}
	if page := say("withdraw"); !strings.Contains(page, "belong to the topic?") || len(foundTerms(t, dir)) != before {
		t.Errorf("after a withdrawal %d terms", len(foundTerms(t, dir)))
	}
	say("no")
	if n := len(foundTerms(t, dir)); n != before {
		t.Errorf("after a no %d terms, %d before", n, before)
	}
	if page := say("perhaps"); !strings.Contains(page, "Answers: 1") {
		t.Error("an answer that is none is taken")
	}
}
