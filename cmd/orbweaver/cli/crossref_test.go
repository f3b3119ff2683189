package cli

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// TestSources: the sources of a crawl are listed, as many as are asked for.
func TestSources(t *testing.T) {
	dir := t.TempDir()
	text := "seeds: http://skylines.example/\nweb: {archive: DEMO}\nlimits: {requests: 60}\noutput: crawl\n"
	text = strings.Replace(text, "DEMO", filepath.Join(realdata.Root(t), "examples/demo.warc.gz"), 1)
	for name, focus := range map[string]string{"good": "{crossref: {item: \"http://skylines.example/types/a320.html\", round: 20}}", "other": "{breadth_first: {}}"} {
		path := filepath.Join(dir, name+".yaml")
		if err := os.WriteFile(path, []byte("focus: "+focus+"\n"+strings.Replace(text, "output: crawl", "output: "+name, 1)), 0o666); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		a := &job.Job{Console: console.Console{Out: &out, Err: io.Discard}, Alone: true}
		if err := verbs.Crawl(t.Context(), a, path); err != nil {
			t.Fatal(err)
		}
		out.Reset()
		err := listSources(t.Context(), a, filepath.Join(dir, name), listing{top: 3}, crawl.Question{})
		if name == "other" {
			if !errors.Is(err, orbweaver.ErrInput) {
				t.Errorf("of another focus: %v", err)
			}
			continue
		}
		if err != nil || !strings.Contains(out.String(), "  1. 0.") || !strings.Contains(out.String(), "terms: ") || strings.Contains(out.String(), "  4. ") {
			t.Errorf("%v\n%s", err, out.String())
		}
	}
}
