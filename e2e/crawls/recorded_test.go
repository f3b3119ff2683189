//go:build e2e

package crawls_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/ledger"
)

const recordedFile = `web: {archive: small.warc}
seeds: http://small.test/hub
truth: {keywords: [sea]}
scope: {exclude: ["http://small.test/loner*"]}
limits: {requests: 6}
runs:
  - {name: best-first, focus: {best_first: {terms: sea}}}
  - {name: theirs, requests: LOG}
`

// logged writes a log of requests and returns its path.
func logged(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "their.log")
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRecordedRun: the requests of another crawler are answered by the archive and measured like those of ours; scope
// holds for them too, and the budget.
func TestRecordedRun(t *testing.T) {
	log := logged(t, "http://small.test/robots.txt\tGET\t404\nhttp://small.test/hub\tGET\t200\nhttp://small.test/sea0\nhttp://small.test/loner0\n"+
		"http://small.test/nowhere\nhttp://small.test/sea0\nhttp://small.test/sea1\nhttp://small.test/sea2\n")
	folder, results, _, err := apptest.CompareFile(t, toy.SmallWeb(t), strings.Replace(recordedFile, "LOG", log, 1))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line, err := range ledger.Lines(filepath.Join(folder, "runs", "theirs", ledger.JournalFile)) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, strings.TrimPrefix(line.URL, "http://small.test/")+" "+string(line.Error))
	}
	if want := "hub , sea0 , loner0 out-of-scope, nowhere absent, sea0 , sea1 "; strings.Join(got, ", ") != want {
		t.Errorf("got %q, want %q", strings.Join(got, ", "), want)
	}
	// hub, sea0, sea1 are pages, two of them relevant, six requests
	if want := fmt.Sprintf("%-20s%20s%20s%20s%20s%20s%20s", "theirs", "0.194", "0.040", "0.667", "0.333", "3.000", "0.00132"); !strings.Contains(results, want) {
		t.Errorf("no %q in\n%s", want, results)
	}
	// 6 requests at one host, half a second each, a second between, after robots.txt: 9.5 s for two pages
	if want := "theirs,6,3,2,0.666667,0.333333,0.194444,0.04,3,0.001319\n"; !strings.Contains(tree(t, folder)["comparison.csv"], want) {
		t.Errorf("no %q in\n%s", want, tree(t, folder)["comparison.csv"])
	}
}

func TestRecordedMistakes(t *testing.T) {
	dir := toy.SmallWeb(t)
	for _, tc := range []struct{ name, file, want string }{
		{"no log", strings.Replace(recordedFile, "LOG", filepath.Join(dir, "none"), 1), "none"},
		{"no URL", strings.Replace(recordedFile, "LOG", logged(t, "x y\n"), 1), "their.log:1: "},
		{"both", strings.Replace(recordedFile, "requests: LOG", "focus: {random: {}}, requests: "+logged(t, "http://small.test/\n"), 1), "runs[2].requests: cannot be beside focus"},
		{"items", strings.Replace(eachFile, "runs:\n", "runs:\n  - {name: x, requests: "+logged(t, "http://small.test/\n")+"}\n", 1), "runs[1].requests: cannot be beside each"},
		{"a baseline that is no run", eachFile + "baseline: none\n", `baseline: no run is called "none"`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, _, _, err := apptest.CompareFile(t, dir, tc.file)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
}

// TestJoinedComparisons: two topics of one web, joined, and the same again.
func TestJoinedComparisons(t *testing.T) {
	dir := toy.SmallWeb(t)
	log := logged(t, "http://small.test/hub\nhttp://small.test/sea0\n")
	sea, _, _, err := apptest.CompareFile(t, dir, strings.Replace(recordedFile, "LOG", log, 1))
	if err != nil {
		t.Fatal(err)
	}
	wood := filepath.Join(filepath.Dir(sea), "wood")
	text := strings.NewReplacer("LOG", log, "[sea]", "[wood]", "small.warc", filepath.Join(dir, "small.warc")).Replace(recordedFile) + "output: wood\n"
	if err := os.WriteFile(filepath.Join(filepath.Dir(sea), "w.yaml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &out, Err: &out}}
	if err := compare.Compare(t.Context(), a, filepath.Join(filepath.Dir(sea), "w.yaml")); err != nil {
		t.Fatal(err)
	}
	out.Reset()
	joint := compare.JoinJob{Folders: []string{sea, wood}, Output: filepath.Join(t.TempDir(), "both"), Baseline: "breadth-first", Seed: 3}
	if err := compare.Join(a, joint); err != nil {
		t.Fatal(err)
	}
	first := tree(t, joint.Output)
	if len(first) != 3 || !strings.Contains(first["paired.json"], `"units": [
  "out",
  "wood"
 ]`) || !strings.Contains(out.String(), "both: 4 runs over 2 units of 2 comparisons") || !strings.Contains(out.String(), "average_precision, minus breadth-first") {
		t.Errorf("%d files\n%s\n%s", len(first), &out, first["paired.json"])
	}
	if err := compare.Join(a, joint); err != nil {
		t.Fatal(err)
	}
	for name, text := range tree(t, joint.Output) {
		if text != first[name] {
			t.Errorf("%s differs", name)
		}
	}
	joint.Folders[1] = dir
	if err := compare.Join(a, joint); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("a folder without a comparison: %v", err)
	}
}
