//go:build e2e

package effects_test

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/eval"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// TestAcceptanceEffect crawls a fifth of a real web for ontology topics, with the default acceptance, and measures the
// verdicts against a ground truth that the crawl does not see. It measures three topics, or all with
// ORBWEAVER_EFFECT=all. docs/explanation/measurements.md has the results for all topics.
func TestAcceptanceEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	topics := []string{"chemistry", "food", "languages"}
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		topics = []string{"chemistry", "computing", "dinosaurs", "food", "languages", "literature", "military", "music", "physics", "plants", "politics", "sports", "weather"}
	}
	var mean eval.Acceptance
	for _, name := range topics {
		a := acceptanceOf(t, data, name, "")
		t.Logf("%-10s of %d pages %d are relevant, %d accepted: P %.3f R %.3f F1 %.3f, best 50 %.3f, AP %.3f",
			name, a.Pages, a.Relevant, a.Accepted, a.Precision, a.Recall, a.F1, a.Best, a.AveragePrecision)
		mean.Precision += a.Precision / float64(len(topics))
		mean.Recall += a.Recall / float64(len(topics))
		mean.F1 += a.F1 / float64(len(topics))
		mean.Best += a.Best / float64(len(topics))
		mean.AveragePrecision += a.AveragePrecision / float64(len(topics))
	}
	t.Logf("mean of %d: P %.3f R %.3f F1 %.3f, best 50 %.3f, AP %.3f", len(topics), mean.Precision, mean.Recall, mean.F1, mean.Best, mean.AveragePrecision)
	if mean.Precision < 0.6 || mean.Recall < 0.7 {
		t.Errorf("mean precision %.3f, mean recall %.3f", mean.Precision, mean.Recall)
	}
}

// acceptanceOf crawls 920 requests for the target of an example comparison, with more keys of the focus, and measures
// the verdicts.
func acceptanceOf(t *testing.T, data, name, keys string) eval.Acceptance {
	t.Helper()
	folder, ontology := t.TempDir(), filepath.Join(realdata.Root(t), "examples/wikispeedia", name+".ttl")
	example, err := os.ReadFile(filepath.Join(filepath.Dir(ontology), name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	here := strings.NewReplacer("../../../shared/data", data, name+".ttl", ontology).Replace(string(example))
	if err := os.WriteFile(filepath.Join(folder, "example.yaml"), []byte(here), 0o666); err != nil {
		t.Fatal(err)
	}
	c, err := (&job.Job{}).Schema().LoadComparison(filepath.Join(folder, "example.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	seeds := ""
	for _, s := range c.Seeds.URLs {
		seeds += "  - " + s + "\n"
	}
	var target string
	for _, run := range c.Runs {
		if run.Name == "total" {
			target = targetOf(run.Focus)
		}
	}
	text := fmt.Sprintf("seeds:\n%sweb: {archive: %s}\nfocus: {ontology: {files: %s, target: %q, %s}}\nlimits: {requests: 920}\noutput: out\n",
		seeds, filepath.Join(data, "wikispeedia.warc.gz"), ontology, target, keys)
	file := filepath.Join(folder, "crawl.yaml")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := verbs.Crawl(t.Context(), &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Alone: true}, file); err != nil {
		t.Fatal(err)
	}
	truth, err := eval.LoadTopics(filepath.Join(data, "wikispeedia-topics.tsv"), c.Truth.Topics, weburl.Canonical)
	if err != nil {
		t.Fatal(err)
	}
	a, err := eval.MeasureAcceptance(ledger.Committed(filepath.Join(folder, "out", ledger.JournalFile)), truth)
	if err != nil {
		t.Fatal(err)
	}
	return a
}
