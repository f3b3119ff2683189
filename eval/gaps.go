package eval

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

const (
	shownSuggestions = 20
	shownExamples    = 3
	shownRules       = 10 // rules of one reason for which links were not followed
)

// A RefusedFact counts the links that were not followed for one reason and rule.
type RefusedFact struct {
	Reason   string   // one of the step.Refused… constants
	Rule     string   // may be empty
	Count    int64    // links, repetitions included
	Examples []string // URLs
	Best     string   // the best prediction among the links of the reason, with its first rule; may be empty
}

// RefusedFacts converts the ledger's counts by rule. Examples belong to a reason, not to a rule, and are listed
// with its first rule.
func RefusedFacts(all []step.Refused) []RefusedFact {
	var facts []RefusedFact
	for _, r := range all {
		first, rest := len(facts), r.Links
		for _, rule := range r.Rules {
			words := ""
			if rule.Name != "" {
				words = r.RuleWords(rule.Name)
			}
			facts = append(facts, RefusedFact{Reason: r.Reason, Rule: words, Count: rule.Links})
			rest -= rule.Links
		}
		if rest > 0 || len(facts) == first {
			facts = append(facts, RefusedFact{Reason: r.Reason, Count: max(0, rest)})
		}
		facts[first].Examples, facts[first].Best = r.Examples, r.BestWords()
	}
	return facts
}

type refusedView struct {
	Reason, Meaning string
	Count           int64
	Rules           []refusedRule
	Rest            int // rules not shown
	RestCount       int64
	Examples        []string
}

type refusedRule struct {
	Rule  string
	Count int64
}

// viewRefused groups facts by reason, in order of first occurrence; rules keep their order.
func viewRefused(facts []RefusedFact) []refusedView {
	var views []refusedView
	for _, f := range facts {
		at := slices.IndexFunc(views, func(v refusedView) bool { return v.Reason == printable(f.Reason, 60) })
		if at < 0 {
			at = len(views)
			views = append(views, refusedView{Reason: printable(f.Reason, 60), Meaning: refusedMeaning(f.Reason)})
		}
		v := &views[at]
		v.Count += f.Count
		if f.Best != "" {
			v.Meaning += "; " + printable(f.Best, 300)
		}
		switch {
		case f.Rule == "":
		case len(v.Rules) < shownRules:
			v.Rules = append(v.Rules, refusedRule{printable(f.Rule, 200), f.Count})
		default:
			v.Rest++
			v.RestCount += f.Count
		}
		for _, url := range f.Examples[:min(len(f.Examples), shownExamples)] {
			if len(v.Examples) < 2*shownExamples {
				v.Examples = append(v.Examples, printable(url, 300))
			}
		}
	}
	return views
}

// refusedMeaning explains a reason; unknown ones are returned unchanged.
func refusedMeaning(reason string) string {
	switch reason {
	case step.RefusedDepth:
		return "beyond limits.depth of the crawl file"
	case step.RefusedDropped:
		return "the focus does not follow it"
	case step.RefusedNoFollow:
		return "the page it stands on asks so"
	}
	return meaning(reason)
}

// A suggestionView is a suggestion with the command that accepts it.
type suggestionView struct {
	Text, Entity, Other, Command string
	Count, Error                 int64
	On, Off                      string // shares of pages, in percent; On is empty if not known
	Examples                     []linkView
}

// A linkView is an address and how it is shown.
type linkView struct{ URL, Text string }

// viewSuggestions shows the first of the suggestions.
func viewSuggestions(all []orbweaver.Suggestion, folder string) []suggestionView {
	var views []suggestionView
	for _, s := range all[:min(len(all), shownSuggestions)] {
		v := suggestionView{Text: printable(s.Text, 100), Entity: printable(s.Entity, 200), Other: printable(s.Other, 200),
			Command: acceptCommand(s, folder), Count: s.Count, Error: s.Error}
		if s.On > 0 {
			v.On, v.Off = fmt.Sprintf("%.1f %%", 100*s.On), fmt.Sprintf("%.1f %%", 100*s.Off)
		}
		for _, url := range s.Examples[:min(len(s.Examples), shownExamples)] {
			v.Examples = append(v.Examples, linkView{url, printable(url, 120)})
		}
		views = append(views, v)
	}
	return views
}

// acceptCommand is the command that accepts a suggestion.
func acceptCommand(s orbweaver.Suggestion, folder string) string {
	if folder == "" {
		folder = "DIR"
	}
	words := []string{"orbweaver", "suggestions", "accept", folder, s.ID, "--as", orbweaver.AsEntry, cmp.Or(s.Entity, "ENTITY")}
	switch s.Kind {
	case orbweaver.SuggestBroader:
		words = append(words[:6], orbweaver.AsBroader, s.Entity, s.Other)
	case orbweaver.SuggestPair:
		words = append(words[:6], orbweaver.AsProperty, s.Entity, s.Other)
	}
	for i, w := range words {
		words[i] = shellWord(w)
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a POSIX shell if necessary: a URL from the Web may contain shell commands.
func shellWord(s string) string {
	s = printable(s, 1000)
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("_-./:@%+=,", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
