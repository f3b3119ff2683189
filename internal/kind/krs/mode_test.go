package krs

import (
	"strings"
	"testing"

	focus "orbweaver/focus/krs"
	"orbweaver/internal/crawlfile"
)

// TestSettle: mode: paper sets the keys that the paper settles, and a reading that is given stays.
func TestSettle(t *testing.T) {
	f := section{Mode: paper, Rule: "calibrated", Unknown: "drop", Count: "documents", Language: "corpus", Learn: true}
	f.settle(false)
	want := section{Mode: paper, Rule: paper, Order: "breadth_first", Unknown: "zero", Count: "documents", Language: "any"}
	if f != want {
		t.Errorf("%+v", f)
	}
	f.Unknown = "once"
	if f.settle(true); f.Unknown != "once" {
		t.Errorf("%+v", f)
	}
	own := section{Mode: "default", Rule: "calibrated", Unknown: "drop", Language: "corpus", Learn: true}
	same := own
	if own.settle(false); own != same {
		t.Errorf("%+v", own)
	}
	for name, want := range map[string]focus.Order{"": focus.ByRule, "best_first": focus.BestFirst, "breadth_first": focus.BreadthFirst} {
		if got, ok := focus.ParseOrder(name); !ok || got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
	if _, ok := focus.ParseOrder("depth_first"); ok {
		t.Error("an order that is none")
	}
}

// TestContradictions: what contradicts mode: paper is an error that names both keys; the readings of the paper are none.
func TestContradictions(t *testing.T) {
	read := func(keys string) (*section, error) {
		c, err := crawlfile.Schema{Kind{}}.Read("f.yaml", t.TempDir(), []byte("seeds: https://a.test\nfocus: {krs: {file: ., mode: paper"+keys+"}}\n"))
		if err != nil {
			return nil, err
		}
		return c.Focus.Section().(*section), nil
	}
	for keys, key := range map[string]string{
		", rule: calibrated": "focus.krs.rule: calibrated", ", order: best_first": "focus.krs.order: best_first",
		", language: corpus": "focus.krs.language: corpus", ", learn: true": "focus.krs.learn: true",
	} {
		if _, err := read(keys); err == nil || !strings.Contains(err.Error(), key+" contradicts mode: paper") {
			t.Errorf("%s: %v", keys, err)
		}
	}
	for keys, unknown := range map[string]string{"": "zero", ", rule: paper, learn: false": "zero", ", unknown: drop, count: mentions": "drop"} {
		if f, err := read(keys); err != nil || f.Rule != paper || f.Order != "breadth_first" || f.Unknown != unknown {
			t.Errorf("%s: %+v, %v", keys, f, err)
		}
	}
}
