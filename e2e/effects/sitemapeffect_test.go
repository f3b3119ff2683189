//go:build e2e

package effects_test

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// TestSitemapEffect compares crawls of a real web with and without a sitemap made from the archive's index. With it, more of
// all relevant pages is found within a tenth of the web; where URLs have no words, which ORBWEAVER_EFFECT=all measures, a sitemap does no harm.
func TestSitemapEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	found, keys := map[string]int{}, []string{"0", "100%"}
	if everything() {
		keys = append(keys, "{share: 0, opaque: 100%}", "{share: 100%, opaque: 100%}")
	}
	for _, key := range keys {
		found[key] = withSitemap(t, data, "dinosaurs", key)
	}
	t.Logf("%v", found)
	if found["100%"] < found["0"]+8 {
		t.Errorf("without a sitemap %d, with one %d", found["0"], found["100%"])
	}
	if found["{share: 100%, opaque: 100%}"] < found["{share: 0, opaque: 100%}"] {
		t.Errorf("a sitemap of numbers does harm: %v", found)
	}
}

// withSitemap runs total of a comparison of examples/wikispeedia, with a sitemap for its archive, and returns the number of
// relevant pages in 460 requests.
func withSitemap(t *testing.T, data, name, sitemap string) int {
	t.Helper()
	examples, folder := filepath.Join(realdata.Root(t), "examples/wikispeedia"), t.TempDir()
	text, err := os.ReadFile(filepath.Join(examples, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "runs:\n")
	var total string
	for line := range strings.Lines(rest) {
		if strings.Contains(line, "name: total,") {
			total = line
		}
	}
	here := strings.NewReplacer(".warc.gz}", ".warc.gz, sitemap: "+sitemap+"}", "../../../shared/data", data,
		name+".ttl", filepath.Join(examples, name+".ttl")).Replace(before + "runs:\n" + total)
	file := filepath.Join(folder, name+".yaml")
	if err := os.WriteFile(file, []byte(here), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := compare.Compare(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, file); err != nil {
		t.Fatal(err)
	}
	if sitemap != "0" && !strings.Contains(out.String(), "sitemap") {
		t.Errorf("the summary states no sitemap: %s", out.String())
	}
	result := filepath.Join(folder, "comparisons", name)
	report, err := os.ReadFile(filepath.Join(result, "comparison.json"))
	if err != nil || !json.Valid(report) {
		t.Fatal(err)
	}
	all, err := relevantAt(filepath.Join(result, "comparison.csv"), 460)
	if err != nil {
		t.Fatal(err)
	}
	return all["total"]
}
