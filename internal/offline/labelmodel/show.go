package labelmodel

import (
	"cmp"
	"io"
	"slices"

	"orbweaver/internal/console"
	"orbweaver/internal/order"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

// printModel prints the figures of a model.
func printModel(w io.Writer, dir string, m *stream.Model) {
	st := m.Labels.Statistics()
	console.Say(w, "%s: digest %s", console.Relative(dir), m.Digest())
	console.Say(w, "  items       %d", st.Items)
	console.Say(w, "  terms       %d, %d pairs", st.Terms, st.Pairs)
	console.Say(w, "  labels      %d", st.Labels)
	console.Say(w, "  hierarchy   %d broader labels, %d of them nearest", st.Edges, st.Nearest)
	console.Say(w, "  rules       %d Alpha rules, %d Beta sets of %d terms", st.AlphaRules, st.BetaSets, st.BetaTerms)
	if all := m.Concepts(); len(all) > 0 {
		console.Say(w, "  concepts    %d broad ones, %d of them narrowest", len(all), narrowest(all))
	}
	PrintAlarms(w, m, shownAlarms)
}

// shownAlarms is the number of alarms that figures of a model include.
const shownAlarms = 3

// PrintAlarms prints the latest n alarms of a model.
func PrintAlarms(w io.Writer, m *stream.Model, n int) {
	alarms := m.Alarms()
	for _, a := range alarms[max(0, len(alarms)-n):] {
		console.Say(w, "  alarm       item %d: %s", a.Item, console.Visible(m.ShowAlarm(a), 500))
	}
}

// ShowOptions selects what Show prints.
type ShowOptions struct {
	Top   int    // number of most frequent labels and of rules; 0: all
	Label string // show only rules of this label; empty: all
	JSON  bool
}

// shownLabel is a label as printed.
type shownLabel struct {
	Label string  `json:"label"`
	Items float64 `json:"items"`
	Share float64 `json:"share"`
	Alpha int     `json:"alpha"`
	Beta  int     `json:"beta"`
	Key   string  `json:"key"`
}

// shownRule is a rule as printed.
type shownRule struct {
	Term    string  `json:"term"`
	Label   string  `json:"label"`
	Set     string  `json:"set"`
	P       float64 `json:"p"`
	Support float64 `json:"support"` // items with both
}

// Show prints the content of a model: its figures, its most frequent labels, and the rules with the most
// support. The error wraps ErrInput if there is no model, or no such label.
func Show(con *console.Console, dir, wordNet string, opts ShowOptions) error {
	m, at, err := Open(dir, wordNet)
	if err != nil {
		return err
	}
	only := ""
	if opts.Label != "" {
		if only, err = Find(m, opts.Label); err != nil {
			return err
		}
	}
	all, rules := labelsOf(m, opts.Top), rulesOf(m, only, opts.Top)
	if opts.JSON {
		return console.WriteJSON(con.Out, struct {
			Digest     string            `json:"digest"`
			Options    stream.Options    `json:"options"`
			Parameters labels.Parameters `json:"parameters"`
			Statistics labels.Statistics `json:"statistics"`
			Labels     []shownLabel      `json:"labels"`
			Rules      []shownRule       `json:"rules"`
			Alarms     []labels.Change   `json:"alarms,omitempty"`
			Concepts   []shownConcept    `json:"concepts,omitempty"`
		}{m.Digest(), m.Options, m.Labels.Parameters(), m.Labels.Statistics(), all, rules, m.Alarms(), shownConcepts(m)})
	}
	printModel(con.Out, at, m)
	if only == "" {
		printConcepts(con.Out, m, opts.Top)
		console.Say(con.Out, "\nThe most frequent labels:")
		console.Say(con.Out, "%8s %7s %6s %5s  label", "items", "share", "Alpha", "Beta")
		for _, l := range all {
			console.Say(con.Out, "%8.0f %6.1f%% %6d %5d  %s", l.Items, 100*l.Share, l.Alpha, l.Beta, console.Visible(l.Label, 80))
		}
	}
	console.Say(con.Out, "\nRules, by support:")
	console.Say(con.Out, "%8s %5s  set    term → label", "items", "P")
	for _, r := range rules {
		console.Say(con.Out, "%8.0f %5.2f  %-5s  %s → %s", r.Support, r.P, r.Set, console.Visible(r.Term, 60), console.Visible(r.Label, 60))
	}
	return nil
}

// labelsOf returns the most frequent labels.
func labelsOf(m *stream.Model, top int) []shownLabel {
	all := m.Labels.Labels()
	order.Stably(all, func(a, b labels.Label) int { return cmp.Compare(b.Items, a.Items) })
	shown := []shownLabel{}
	for _, l := range first(all, top) {
		shown = append(shown, shownLabel{m.Show(l.Text), l.Items, l.Share, l.Alpha, l.Beta, l.Text})
	}
	return shown
}

// rulesOf returns the rules with the most support, of one label or of all.
func rulesOf(m *stream.Model, label string, top int) []shownRule {
	all := m.Labels.Rules()
	if label != "" {
		all = slices.DeleteFunc(all, func(r labels.Rule) bool { return r.Label != label })
	}
	order.Stably(all, func(a, b labels.Rule) int { return cmp.Compare(b.Items, a.Items) })
	shown := []shownRule{}
	for _, r := range first(all, top) {
		set := "beta"
		if r.Alpha {
			set = "alpha"
		}
		shown = append(shown, shownRule{m.Show(r.Term), m.Show(r.Label), set, r.P, r.Items})
	}
	return shown
}

// first returns the first n elements of a slice; 0: all.
func first[T any](all []T, n int) []T {
	if n == 0 {
		return all
	}
	return all[:min(n, len(all))]
}
