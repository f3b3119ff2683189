package recommend

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/kb/terms"
)

// port is a catalogue of a crawl: two datasets about music have a link each, and the one with instances of a given class links to harbours.
const port = `{"terms": [], "datasets": [{"name": "register", "known": {"name": "register", "links": ["harbours"], "sources": []}}],
"unasked": [{"name": "songs", "keywords": ["music"], "links": ["words"], "sources": []}, {"name": "dances", "keywords": ["music"], "links": ["people"], "sources": []}]}`

// put writes a file into a folder, and returns its path.
func put(t *testing.T, folder, name, text string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// crawled is the folder of a metadata crawl that found one class; with a catalogue, if that is not empty.
func crawled(t *testing.T, catalogue string) string {
	t.Helper()
	dir := t.TempDir()
	found := findings.Findings{
		Terms:    []terms.Term{{IRI: "http://a/Ship"}},
		Datasets: []terms.Dataset{{Name: "register", Instances: []terms.Count{{Class: "http://a/Ship", N: 7, How: terms.Counted}}}},
	}
	if err := found.Write(dir); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "crawl.yaml", "focus: {metadata: {terms: [http://a/Ship]}}\n")
	if catalogue != "" {
		put(t, dir, findings.AskedFile, catalogue)
	}
	return dir
}

// recommended runs the verb.
func recommended(t *testing.T, arguments ...string) (out string, err error) {
	t.Helper()
	var b bytes.Buffer
	c := Command(&job.Job{Console: console.Console{Out: &b, Err: io.Discard, In: strings.NewReader("")}})
	c.SetArgs(arguments)
	c.SilenceErrors, c.SilenceUsage = true, true
	err = c.ExecuteContext(t.Context())
	return b.String(), err
}

// TestForOfCrawl: --for ranks the datasets of a crawl by the links of datasets like the one named or described.
func TestForOfCrawl(t *testing.T) {
	dir := crawled(t, port)
	mine := put(t, t.TempDir(), "mine.json", `{"tunes": {"_id": "tunes", "title": "Tunes", "keywords": ["music"]}}`)
	for name, before := range map[string][2]string{
		"":   {"harbours", "words"}, // of those with instances
		mine: {"words", "harbours"}, // of those about music
	} {
		arguments := []string{dir}
		if name != "" {
			arguments = append(arguments, "--for", name)
		}
		out, err := recommended(t, arguments...)
		first, second := strings.Index(out, before[0]), strings.Index(out, before[1])
		if err != nil || first < 0 || second < first {
			t.Errorf("--for %q: %v, want %v in order in\n%s", name, err, before, out)
		}
	}
	if out, err := recommended(t, dir, "--for", "songs"); err != nil || !strings.Contains(out, "harbours") || strings.Contains(out, "words") { // it has that link
		t.Errorf("%v: %s", err, out)
	}
	if out, err := recommended(t, dir, "--for", mine, "--format", "json", "--limit", "1"); err != nil || !strings.Contains(out, `"datasetsBy": "links"`) {
		t.Errorf("%v: %s", err, out)
	}
}

// TestForWrong: a folder that is no metadata crawl's, and what is no dataset, are errors that say so.
func TestForWrong(t *testing.T) {
	with, without, other, none := crawled(t, port), crawled(t, ""), t.TempDir(), t.TempDir()
	put(t, other, "crawl.yaml", "seeds: [http://a.example/]\nfocus: {breadth_first: {}}\n")
	two := put(t, none, "two.json", `{"a": {"_id": "a"}, "b": {"_id": "b"}}`)
	for _, tc := range []struct {
		arguments []string
		says      string
	}{
		{[]string{none, "--for", "songs"}, none + " is not a crawl folder"},
		{[]string{other, "--for", "songs"}, "not the folder of a metadata crawl"},
		{[]string{without, "--for", "register"}, "neither a dataset of the catalogue nor a file"},
		{[]string{with, "--for", "operas"}, "--for operas: neither a dataset of the catalogue nor a file"},
		{[]string{with, "--for", none}, "a folder, not a file that describes a dataset"},
		{[]string{with, "--for", two}, "it describes 2 datasets, not one"},
		{[]string{with, two, "--for", "songs"}, "is a folder"},
		{[]string{with, "--measure"}, "--measure takes catalogues"},
		{[]string{with, "--for", "songs", "--rank", "instances"}, "--for is for"},
		{[]string{with, "--for", "songs", "--tables"}, "--for is for"},
	} {
		if out, err := recommended(t, tc.arguments...); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.says) || out != "" {
			t.Errorf("%v: %v, %s", tc.arguments, err, out)
		}
	}
}
