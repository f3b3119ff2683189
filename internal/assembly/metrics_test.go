package assembly

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver/server/metrics"
)

// TestReasonsAndStages: docs/reference/metrics.md lists all reasons and stages.
func TestReasonsAndStages(t *testing.T) {
	for file, want := range map[string]struct {
		constant string
		words    []string
	}{"internal/step/batch.go": {"Refused", refusalReasons()}, "engine/stage.go": {"Stage", Stages()}} {
		source, err := os.ReadFile(filepath.Join("../..", file))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(regexp.MustCompile(`(?m)^\t`+want.constant+`\w+\s+= `).FindAll(source, -1)); n != len(want.words) {
			t.Errorf("%s has %d constants %s…, the metrics %v", file, n, want.constant, want.words)
		}
	}
	text := docFile(t, "metrics.md")
	for _, words := range [][]string{Stages(), refusalReasons()} {
		if list := "`" + strings.Join(words, "`, `") + "`"; !strings.Contains(text, list+" |") {
			t.Errorf("docs/reference/metrics.md lacks %s", list)
		}
	}
}

// docFile reads a page of docs/reference.
func docFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("../../docs/reference", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestFailureWords: exactly the reasons that occur in pages.jsonl have a series.
func TestFailureWords(t *testing.T) {
	_, list, _ := strings.Cut(docFile(t, "formats.md"), "Values of `error`: ")
	list, _, _ = strings.Cut(list, "\n\n")
	var documented []string
	for _, word := range regexp.MustCompile("`([a-z][a-z0-9-]+)`").FindAllStringSubmatch(list, -1) {
		documented = append(documented, word[1])
	}
	have := outcomeFailures()
	slices.Sort(documented)
	slices.Sort(have)
	if !slices.Equal(documented, have) {
		t.Errorf("docs/reference/formats.md has %v, the metrics %v", documented, have)
	}
}

// TestABusyCrawl: a busy crawl keeps its last figures, counters do not decrease, and an ended crawl is not called.
func TestABusyCrawl(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := false
		now := metrics.Figures{Accepted: 5, Waiting: 3}
		m := &Meter{look: func() metrics.Figures { return now }}
		m.ask = func(ctx context.Context, f func()) error {
			if busy {
				<-ctx.Done()
				return ctx.Err()
			}
			f()
			return nil
		}
		expect := func(accepted, waiting int64) {
			t.Helper()
			if f := m.read(); f.Accepted != accepted || f.Waiting != waiting {
				t.Errorf("%d accepted, %d wait; want %d and %d", f.Accepted, f.Waiting, accepted, waiting)
			}
		}
		expect(5, 3)
		now = metrics.Figures{Accepted: 4, Waiting: 2}
		expect(5, 2)
		now, busy = metrics.Figures{Accepted: 7, Waiting: 1}, true
		expect(5, 2)
		m.End()
		now = metrics.Figures{}
		expect(7, 1)
	})
}
