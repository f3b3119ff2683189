//go:build e2e

package program_test

import (
	"encoding/csv"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestExamples runs every crawl and comparison of the folder examples, but those whose data or web do not come with the
// project.
func TestExamples(t *testing.T) {
	elsewhere := map[string]string{
		"diabetes.yaml": "the live Web, and a KRS that is built first", "music.yaml": "ontologies", "music-paper.yaml": "ontologies", "publications.yaml": "ontologies",
	}
	project(t)
	files, err := filepath.Glob("examples/*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, file := range files {
		if elsewhere[filepath.Base(file)] != "" {
			continue
		}
		verb := "crawl"
		if strings.Contains(string(read(t, file)), "\nruns:") {
			verb = "compare"
		}
		if status, stdout, stderr := execute(t, verb, file); status != exitDone {
			t.Errorf("%s %s: exit status %d: %s%s", verb, file, status, stdout, stderr)
		}
		ran++
	}
	if ran < 8 {
		t.Errorf("%d examples ran", ran)
	}
	t.Run("the university", theUniversity)
}

// theUniversity reads what the comparison of the university found in half of its web: our crawler nine tenths of what is
// about the laboratory; the paper's keyword crawler nothing, since the front page does not name it; the paper's own, by
// its smaller relevance sets, more than breadth-first.
func theUniversity(t *testing.T) {
	rows, err := csv.NewReader(strings.NewReader(string(read(t, "comparisons/university/comparison.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	recall := map[string]float64{}
	for _, row := range rows {
		if len(row) >= 6 && row[1] == "74" {
			if recall[row[0]], err = strconv.ParseFloat(row[5], 64); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Log(recall)
	if recall["default"] < 0.9 || recall["oracle"] < 1 || recall["keyword-paper"] > 0 {
		t.Errorf("default %v, oracle %v, keyword-paper %v", recall["default"], recall["oracle"], recall["keyword-paper"])
	}
	if breadth := recall["breadth-first"]; recall["paper-taxonomic"] < breadth+0.2 || recall["paper-relational"] < breadth+0.2 {
		t.Errorf("taxonomic %v, relational %v, breadth-first %v", recall["paper-taxonomic"], recall["paper-relational"], breadth)
	}
}
