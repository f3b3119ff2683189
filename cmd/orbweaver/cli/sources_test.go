package cli

import (
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// TestSourcesLead: the pages of sources lead on; they are told as sources, and are neither pages nor failures.
func TestSourcesLead(t *testing.T) {
	project(t)
	write(t, "listed.yaml", "seeds: [http://signpost.example/]\nweb: {archive: examples/demo.warc.gz}\nfocus: {keyword: {terms: [airplane, aircraft]}}\nsources: [signpost.example]\nlimits: {requests: 40}\n")
	status, stdout, stderr := execute(t, "crawl", "listed.yaml")
	if status != exitDone || !strings.Contains(stdout, "  sources          ") || strings.Contains(stdout, "gave no page") {
		t.Fatalf("%d\n%s%s", status, stdout, stderr)
	}
	sources, pages := 0, 0
	for line, err := range ledger.Lines(filepath.Join("crawls", "listed", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		listed := strings.Contains(line.URL, "signpost.example")
		if is := line.Error == step.ErrSource; is != listed && line.Redirect == "" && line.Status == 200 {
			t.Errorf("%+v", line)
		} else if is && (line.Accepted || line.Score != 0 || len(line.Reasons) != 0) {
			t.Errorf("a source was judged: %+v", line)
		} else if is {
			sources++
		} else if line.Error == "" {
			pages++
		}
	}
	if sources == 0 || pages == 0 {
		t.Errorf("%d sources, %d pages", sources, pages)
	}
	if _, stdout, stderr := execute(t, "explain", "crawls/listed", "http://signpost.example/"); !strings.Contains(stdout, "for its links alone: ") || !strings.Contains(stdout, "signpost.example") {
		t.Errorf("%s%s", stdout, stderr)
	}
	write(t, "deep.yaml", "seeds: [http://signpost.example/]\nweb: {archive: examples/demo.warc.gz}\nfocus: {breadth_first: {}}\nsources: [signpost.example]\nlimits: {depth: 1}\n")
	execute(t, "crawl", "deep.yaml")
	if _, stdout, stderr := execute(t, "explain", "crawls/deep", "http://ladle.example/dish/rye-rolls"); !strings.Contains(stdout, "limits.depth is 1") {
		t.Errorf("%s%s", stdout, stderr) // the source that links to it has no page
	}
	write(t, "wrong.yaml", "seeds: [http://a.example/]\nfocus: {breadth_first: {}}\nsources:\n  - a.example\n  - \"/(/\"\n")
	if status, _, stderr := execute(t, "crawl", "wrong.yaml"); status != exitInput || !strings.Contains(stderr, "wrong.yaml:5") || !strings.Contains(stderr, "sources[2]") {
		t.Errorf("%d %s", status, stderr)
	}
}
