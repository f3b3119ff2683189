//go:build e2e

package effects_test

import (
	"os"
	"path/filepath"
	"testing"

	"orbweaver/internal/realdata"
)

// TestLayersEffect measures what a context graph under the ontology is worth, on a topic that its form was not
// chosen on, or on all with ORBWEAVER_EFFECT=all. docs/howto/crossref.md has the results.
func TestLayersEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	topics := []string{"literature"}
	if os.Getenv("ORBWEAVER_EFFECT") == "all" {
		topics = wikispeediaTopics
	}
	var off, on float64
	for _, topic := range topics {
		rates := ratesIn(t, filepath.Join(comparedOn(t, data, topic, []string{"default", "layers"}, []string{"", "layers: on"}), "comparison.csv"))
		t.Logf("%-12s %5.1f / %5.1f, with layers %5.1f / %5.1f", topic, rates["default"][0], rates["default"][1], rates["layers"][0], rates["layers"][1])
		off, on = off+rates["default"][0], on+rates["layers"][0]
	}
	if on <= off {
		t.Errorf("recall after 230 requests: %.1f with layers, %.1f without", on/float64(len(topics)), off/float64(len(topics)))
	}
}
