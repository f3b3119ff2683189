//go:build e2e

package crawls_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/ledger"
)

// roundsShown returns the rows of a report's table of rounds.
func roundsShown(t *testing.T, folder string) (rows []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, assembly.ReportFile))
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), `<table class="rounds">`)
	table, _, _ = strings.Cut(table, "</table>")
	for _, row := range strings.Split(table, "<tr>")[1:] {
		rows = append(rows, strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(row, " ")), " "))
	}
	return rows
}

// TestCrossrefReport: the report agrees with rounds.json at the end of the crawl, when it is rewritten, and when only
// the crawl folder is left.
func TestCrossrefReport(t *testing.T) {
	dir := toy.SmallWeb(t)
	folder, told, err := crossrefCrawl(t, dir, "http://small.test/sea0", "")
	if err != nil {
		t.Fatal(err, told)
	}
	var kept []struct {
		Round, Pages, Accepted, Items, Terms, Labels, Relations, Alpha, Beta, Inferred int
		CosItem                                                                        float64 `json:"cos_item"`
		CosL0                                                                          float64 `json:"cos_l0"`
		Layers                                                                         []int
	}
	text, err := os.ReadFile(filepath.Join(folder, "rounds.json"))
	if err = errors.Join(err, json.Unmarshal(text, &kept)); err != nil || len(kept) < 3 {
		t.Fatalf("%v\n%s", err, text)
	}
	var want []string
	for _, r := range kept {
		share := float64(r.Accepted) / math.Max(1, float64(r.Pages))
		layers := strings.Trim(fmt.Sprint(r.Layers), "[]")
		want = append(want, fmt.Sprintf("%d %d %d %.3f %.3f %.3f %s %d %d %d %d %d %d %d", r.Round, r.Pages, r.Accepted, share, r.CosItem, r.CosL0,
			layers, r.Items, r.Terms, r.Labels, r.Relations, r.Alpha, r.Beta, r.Inferred))
	}
	check := func(when string) {
		rows := roundsShown(t, folder)
		if got := strings.Join(rows[1:], "\n"); got != strings.Join(want, "\n") {
			t.Errorf("%s: rows\n%s\nwant\n%s", when, got, strings.Join(want, "\n"))
		}
	}
	check("at the crawl's end")
	again := func() string {
		var out bytes.Buffer
		if err := os.Remove(filepath.Join(folder, assembly.ReportFile)); err != nil {
			t.Fatal(err)
		}
		if err := verbs.Report(t.Context(), &job.Job{Console: console.Console{Out: &out, Err: &out}}, folder); err != nil {
			t.Fatal(err, out.String())
		}
		return out.String()
	}
	again()
	check("written anew")
	if err := os.Remove(filepath.Join(dir, "small.warc")); err != nil {
		t.Fatal(err)
	}
	if told := again(); !strings.Contains(told, "warning") {
		t.Errorf("the archive is gone, and nobody says so: %s", told)
	}
	check("of the folder alone")
	if err := os.WriteFile(filepath.Join(folder, "rounds.json"), text[:len(text)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	if again(); len(roundsShown(t, folder)) != 0 {
		t.Error("half a file of rounds is shown")
	}
}

// TestComparedRounds checks the figures of rounds against the journals. In the small web the pages similar to an item
// are those of its topic.
func TestComparedRounds(t *testing.T) {
	folder, told, _, err := apptest.CompareFile(t, toy.SmallWeb(t), `web: {archive: small.warc}
truth: {cosine: 0.25}
each: {items: 4, seed: 1}
seeds: http://small.test/hub
limits: {requests: 12}
runs:
  - {name: crossref, focus: {crossref: {round: 5}}}
  - {name: best-first, focus: {best_first: {}}}
`)
	if err != nil {
		t.Fatal(err)
	}
	type figure struct {
		Figure string
		Mean   float64
		Items  int
	}
	type round struct {
		From, To int
		Pages    float64
		Figures  []figure
	}
	var o struct {
		Runs []struct {
			Name   string
			Rounds struct {
				Requests int
				Whole    round
				Each     []round
			}
		}
	}
	text, err := os.ReadFile(filepath.Join(folder, "comparison.json"))
	if err = errors.Join(err, json.Unmarshal(text, &o)); err != nil {
		t.Fatal(err)
	}
	items := toy.Read(t, folder).Drawn()
	for _, run := range o.Runs[:2] {
		if len(run.Rounds.Each) != 3 || run.Rounds.Requests != 5 || run.Rounds.Each[2].To != 12 {
			t.Fatalf("%+v", run)
		}
		for _, r := range append(run.Rounds.Each, run.Rounds.Whole) {
			pages, share := inJournals(t, filepath.Join(folder, "runs", run.Name), items, r.From, r.To)
			harvest, above := r.Figures[0], r.Figures[3]
			if r.Pages != pages || math.Abs(harvest.Mean-share) > 1e-6 || harvest.Items != 4 {
				t.Errorf("%s from %d: %+v, the journals have %v pages, %v of them relevant", run.Name, r.From, r, pages, share)
			}
			if harvest.Figure != "harvest_rate" || above.Figure != "cos_above_0.25" || above.Mean != harvest.Mean {
				t.Errorf("the truth is what is above 0.25: %+v", r.Figures)
			}
		}
	}
	if !strings.Contains(told, "like the item") || !strings.Contains(told, "above 0.25, %") {
		t.Errorf("%s", told)
	}
}

// inJournals returns the mean number of pages in some requests for the items, and the mean share of those of the
// item's topic.
func inJournals(t *testing.T, folder string, items []string, from, to int) (pages, share float64) {
	t.Helper()
	for i, item := range items {
		topic := strings.TrimRight(strings.TrimPrefix(item, "http://small.test/"), "0123456789")
		n, of, known := 0, 0, 0
		for l, err := range ledger.Lines(filepath.Join(folder, fmt.Sprint("item-", i+1), ledger.JournalFile)) {
			if n++; err != nil {
				t.Fatal(err)
			}
			if n < from || n > to || l.Status != 200 {
				continue
			}
			known++
			if strings.Contains(l.URL, topic) && l.URL != item {
				of++
			}
		}
		pages += float64(known) / float64(len(items))
		share += float64(of) / float64(known) / float64(len(items))
	}
	return pages, share
}
