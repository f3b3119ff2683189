package inspect_test

import (
	"path/filepath"
	"reflect"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
)

// TestUnsureAsBefore: the pages nearest to their thresholds are those that judging all again finds, whatever the focus; a steady one reads no
// others.
func TestUnsureAsBefore(t *testing.T) {
	for name, tc := range map[string]struct {
		focus  string
		steady bool
	}{
		"best_first":    {"focus: {best_first: {terms: [aircraft, wing, engine]}}", true},
		"breadth_first": {"focus: {breadth_first: {}}", true},
		"keyword":       {"focus: {keyword: {terms: [aircraft, wing]}}", false},
		"ontology":      {toy.DemoFocus(t), false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			apptest.CrawlIn(t, folder, toy.DemoLines(t)+tc.focus+"\nlimits: {requests: 120}\n")
			h := &inspect.Handle{Job: &job.Job{}, Dir: filepath.Join(folder, "crawl")}
			if steady, err := h.Steady(t.Context()); err != nil || steady != tc.steady {
				t.Fatalf("steady: %v, %v", steady, err)
			}
			for _, n := range []int{0, 1, 7, 1000} {
				want, err := h.UnsureOfAll(t.Context(), n)
				if err != nil || n > 0 && len(want) == 0 {
					t.Fatal(want, err)
				}
				if got, err := h.Unsure(t.Context(), n); err != nil || len(got) != len(want) || n > 0 && !reflect.DeepEqual(got, want) {
					t.Errorf("%d: %+v, %v; want %+v", n, got, err, want)
				}
			}
		})
	}
}
