//go:build e2e

package crawls_test

import (
	"cmp"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/ledger"
)

// TestUnsureIsNearest: the pages of which a crawl is least sure are those nearest to their thresholds of all pages, judged again, whatever the focus.
func TestUnsureIsNearest(t *testing.T) {
	for name, focus := range map[string]string{
		"best_first": "focus: {best_first: {terms: [aircraft, wing, engine]}}", "breadth_first": "focus: {breadth_first: {}}",
		"keyword": "focus: {keyword: {terms: [aircraft, wing]}}", "ontology": toy.DemoFocus(t),
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			apptest.CrawlIn(t, folder, toy.DemoLines(t)+focus+"\nlimits: {requests: 120}\n")
			h := &inspect.Handle{Job: &job.Job{}, Dir: filepath.Join(folder, "crawl")}
			var all []ledger.Line
			for line, err := range h.PagesNow(t.Context()) {
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, line)
			}
			slices.SortStableFunc(all, func(a, b ledger.Line) int { return cmp.Compare(gap(a), gap(b)) })
			for _, n := range []int{0, 1, 7, 1000} {
				want := all[:min(n, len(all))]
				if got, err := h.Unsure(t.Context(), n); err != nil || len(got) != len(want) || n > 0 && !reflect.DeepEqual(got, want) {
					t.Errorf("%d: %+v, %v; want %+v", n, got, err, want)
				}
			}
		})
	}
}

// gap returns the distance of a score from its threshold in log odds; scores count between 0.0001 and 0.9999.
func gap(l ledger.Line) float64 {
	odds := func(score float64) float64 {
		score = min(0.9999, max(0.0001, score))
		return math.Log(score / (1 - score))
	}
	return math.Abs(odds(l.Score) - odds(cmp.Or(l.Threshold, 0.5)))
}
