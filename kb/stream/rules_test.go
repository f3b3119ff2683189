package stream

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"orbweaver/kb/labels"
)

// TestExactRules: ten items hold t, and L holds some of them: P(L|t) = n/10. With the paper's inequalities α is
// exceeded, β and τ are reached, and one item is enough; ours wants evidence.
func TestExactRules(t *testing.T) {
	exact := Rules{Exact: true}
	for _, tc := range []struct {
		name    string
		rules   Rules
		both    int
		rule    string
		broader bool
	}{
		{"P = 0.8 is above α", exact, 8, "alpha", true},
		{"P = 0.7 is α, so of the Beta set", exact, 7, "beta", true},
		{"P = 0.5 is β", exact, 5, "beta", true},
		{"P = 0.4 is below β, and τ", exact, 4, "", true},
		{"P = 0.3 is below τ", exact, 3, "", false},
		{"α 0.2", Rules{Exact: true, Alpha: 0.2, Beta: 0.1}, 3, "alpha", false},
		{"β 0.3", Rules{Exact: true, Beta: 0.3}, 3, "beta", false},
		{"τ 0.3", Rules{Exact: true, Broader: 0.3}, 3, "", true},
		{"P = 0.8 of ten is in doubt about α, and with 8 of 8 was surely above β and τ", Rules{}, 8, "beta", true},
		{"four items are no support", Rules{}, 4, "", false},
		{"P = 1 of ten is sure", Rules{}, 10, "alpha", true},
	} {
		p := tc.rules.Parameters()
		p.Items, p.Head, p.Frequent, p.Common = 5, 25, labels.Hysteresis{Enter: 0.01, Leave: 0.01}, labels.Hysteresis{Enter: 0.9, Leave: 0.9}
		m, err := labels.New(p)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 10 { // t with L, and t alone
			terms := []labels.Term{{Text: "t", Weight: 1}}
			if i < tc.both {
				terms = append(terms, labels.Term{Text: "L", Weight: 1})
			}
			m.Learn(labels.Item{Terms: terms})
		}
		for i := range 40 { // L alone, and others: P(t|L) is 0.2 at most
			term := "L"
			if i >= 30 {
				term = "other"
			}
			m.Learn(labels.Item{Terms: []labels.Term{{Text: term, Weight: 1}}})
		}
		got := ""
		for _, r := range m.Rules() {
			if r.Label == "L" && r.Term == "t" {
				if got = "beta"; r.Alpha {
					got = "alpha"
				}
			}
		}
		if is := slices.Contains(m.Broader("t"), "L"); got != tc.rule || is != tc.broader {
			t.Errorf("%s: rule %q, broader %v; want %q, %v", tc.name, got, is, tc.rule, tc.broader)
		}
	}
}

// TestDelta: a label takes δ terms of its Beta set, whatever its size.
func TestDelta(t *testing.T) {
	for delta, want := range map[int]bool{1: true, 2: true, 3: false} {
		p := Rules{Exact: true, Broader: 1, Delta: delta}.Parameters()
		p.Items, p.Head, p.Frequent, p.Common = 2, 25, labels.Hysteresis{Enter: 0.01, Leave: 0.01}, labels.Hysteresis{Enter: 0.9, Leave: 0.9}
		m, err := labels.New(p)
		if err != nil {
			t.Fatal(err)
		}
		for _, term := range []string{"a", "b", "c"} { // P(L|term) = 1/2
			m.Learn(labels.Item{Terms: []labels.Term{{Text: term, Weight: 1}, {Text: "L", Weight: 1}}})
			m.Learn(labels.Item{Terms: []labels.Term{{Text: term, Weight: 1}}})
		}
		if got := m.Holds(labels.Item{Terms: []labels.Term{{Text: "a", Weight: 1}, {Text: "b", Weight: 1}}}, "L"); got != want {
			t.Errorf("two terms where %d are needed: %v", delta, got)
		}
	}
}

// TestAnyThresholds: all thresholds of the crawl file make a model, and a folder keeps them.
func TestAnyThresholds(t *testing.T) {
	for _, r := range []Rules{{Alpha: 0.99}, {Alpha: 0.01, Beta: 0.01}, {Broader: 0.01}, {Broader: 1}, {Delta: 200}, {Alpha: 0.99, Beta: 0.99, Broader: 1, Exact: true}} {
		if _, err := New(Options{Rules: r}); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := New(Options{Rules: Rules{Alpha: 0.2, Beta: 0.3}}); !errors.Is(err, labels.ErrParameters) {
		t.Errorf("β above α: %v", err)
	}
	m := newModel(t, Options{Rules: Rules{Alpha: 0.8, Exact: true}})
	exchanged(t, m, 0, 50, 50)
	dir := t.TempDir()
	if err := m.Write(dir, nil); err != nil {
		t.Fatal(err)
	}
	again, _, err := Read(dir, "")
	if err != nil || again.Options.Rules != m.Options.Rules || again.Labels.Parameters() != m.Labels.Parameters() || again.Labels.Parameters().Support != 1 {
		t.Errorf("%+v, %v", again, err)
	}
	if err := newModel(t, Options{}).Restore(strings.NewReader(stateOf(t, m))); !errors.Is(err, ErrForeign) {
		t.Errorf("restored with other thresholds: %v", err)
	}
}
