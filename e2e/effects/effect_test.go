//go:build e2e

package effects_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"orbweaver/internal/compare"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/realdata"
)

// TestEffect compares the ontology focus with the baselines on a real web, using the example comparison files. Within
// a tenth of the web, the focus finds three quarters of a topic and more than each baseline.
func TestEffect(t *testing.T) {
	data := realdata.Folder(t, "wikispeedia.warc.gz", "wikispeedia-topics.tsv")
	for _, tc := range []struct {
		name                 string
		reachable, byBreadth int
	}{
		{"computing", 82, 6},
		{"politics", 184, 28},
	} {
		t.Run(tc.name, func(t *testing.T) {
			found, told := compareExample(t, data, tc.name)
			if !strings.Contains(told, "4598 documents") {
				t.Errorf("warning about a different web: %s", told)
			}
			if found["breadth-first"] != tc.byBreadth || found["oracle"] != tc.reachable {
				t.Errorf("breadth-first found %d, the oracle %d of %d", found["breadth-first"], found["oracle"], tc.reachable)
			}
			total := found["total"]
			if recall := float64(total) / float64(tc.reachable); recall < 0.75 {
				t.Errorf("total has a recall of %.3f", recall)
			}
			if total <= found["keyword"] || total <= found["best-first"] {
				t.Errorf("total found %d, keyword %d, best-first %d", total, found["keyword"], found["best-first"])
			}
			if found["keyword"] < found["best-first"] || found["keyword"] <= found["keyword-paper"] {
				t.Errorf("keyword found %d, best-first %d, the paper's keyword %d", found["keyword"], found["best-first"], found["keyword-paper"])
			}
			t.Logf("of %d: %v", tc.reachable, found)
		})
	}
}

// compareExample runs a comparison of examples/wikispeedia without its smaller relevance sets. It returns the number
// of relevant pages that each run found in 460 requests, and the messages.
func compareExample(t *testing.T, data, name string) (found map[string]int, told string) {
	t.Helper()
	examples, folder := filepath.Join(realdata.Root(t), "examples/wikispeedia"), t.TempDir()
	text, err := os.ReadFile(filepath.Join(examples, name+".yaml"))
	if err != nil {
		t.Fatal(err)
	}
	before, rest, _ := strings.Cut(string(text), "  - name: single\n")
	_, after, ok := strings.Cut(rest, "  - name: total\n")
	if !ok {
		t.Fatalf("%s.yaml has no run total after single", name)
	}
	file := filepath.Join(folder, name+".yaml")
	here := strings.NewReplacer(
		"../../../shared/data", data, name+".ttl", filepath.Join(examples, name+".ttl"), "../../comparisons", "comparisons",
	).Replace(before + "  - name: total\n" + after)
	if err := os.WriteFile(file, []byte(here), 0o666); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := compare.Compare(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: io.Discard}}, file); err != nil {
		t.Fatal(err)
	}
	found, err = relevantAt(filepath.Join(folder, "comparisons", name, "comparison.csv"), 460)
	if err != nil {
		t.Fatal(err)
	}
	return found, out.String()
}

// relevantAt reads from a comparison.csv the number of relevant pages that each run found within a number of requests.
func relevantAt(path string, requests int) (map[string]int, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil || !strings.HasPrefix(strings.Join(rows[0], ","), "run,requests,pages,relevant,harvest_rate,recall") {
		return nil, fmt.Errorf("%s begins with %v: %w", path, rows[:min(len(rows), 1)], err)
	}
	found := map[string]int{}
	for _, row := range rows[1:] {
		if row[1] == strconv.Itoa(requests) {
			relevant, err := strconv.ParseFloat(row[3], 64)
			if err != nil {
				return nil, err
			}
			found[row[0]] = int(relevant)
		}
	}
	return found, nil
}
