package view

import (
	"fmt"
	"io"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/kind"
	"orbweaver/kb/ontology"
)

// Suggestions prints the suggestions of a crawl's focus that await a decision.
func Suggestions(w io.Writer, dir string, list []orbweaver.Suggestion, limit int) {
	if len(list) == 0 {
		console.Say(w, "Nothing to suggest: no word or pair is frequent enough on pages about the topic, and more frequent than on others.")
		return
	}
	console.Say(w, "More frequent on pages about the topic than on others, near terms of the ontology, and not in it:")
	console.Say(w, "\n  %-10s %-5s %6s %7s %7s  %-28s %s", "id", "kind", "pages", "topic", "others", "word, or pair", "near")
	for _, s := range list[:shown(limit, len(list))] {
		count := fmt.Sprint(s.Count)
		if s.Error > 0 {
			count = fmt.Sprintf("%d-%d", s.Count-s.Error, s.Count)
		}
		near := ontology.LocalName(s.Entity)
		if s.Other != "" {
			near += " and " + ontology.LocalName(s.Other)
		}
		console.Say(w, "  %-10s %-5s %6s %5.1f %% %5.1f %%  %-28s %s", s.ID, s.Kind, count, 100*s.On, 100*s.Off, s.Text, near)
	}
	more(w, limit, len(list))
	console.Say(w, "\nNext:")
	for _, line := range nextDecisions(console.Relative(dir), list[0]) {
		console.Say(w, "  %s", line)
	}
}

// Borrowed prints suggestions from the knowledge of another folder.
func Borrowed(w io.Writer, dir, from string, list []orbweaver.Suggestion, limit int) {
	if len(list) == 0 {
		console.Say(w, "Nothing to suggest: all that is known there, and can be a lexical entry, is in the ontology, was decided before, or occurs with none of its entities.")
		return
	}
	console.Say(w, "What %s has and the ontology lacks, the surest first:", console.Visible(console.Relative(from), 200))
	console.Say(w, "\n  %-10s %-6s %6s %7s %7s  %-28s %-8s %s", "id", "kind", "count", "topic", "others", "name", "as", "near")
	for _, s := range list[:shown(limit, len(list))] {
		on, off := "", ""
		if s.On > 0 || s.Off > 0 {
			on, off = fmt.Sprintf("%.1f %%", 100*s.On), fmt.Sprintf("%.1f %%", 100*s.Off)
		}
		near := "?"
		if s.Entity != "" {
			near = ontology.LocalName(s.Entity)
		}
		if s.IRI != "" {
			near += "   " + console.Visible(s.IRI, 200)
		}
		console.Say(w, "  %-10s %-6s %6d %7s %7s  %-28s %-8s %s", s.ID, s.Kind, s.Count, on, off, console.Visible(s.Text, 64), s.As, near)
	}
	more(w, limit, len(list))
	console.Say(w, "\nNext:")
	id := console.Relative(dir) + " " + list[0].ID
	if list[0].Kind != orbweaver.SuggestBroader && list[0].Entity == "" {
		console.Say(w, "  orbweaver suggestions accept %s --as %s --entity NAME      nothing is known of where it belongs", id, list[0].As)
	} else {
		console.Say(w, "  orbweaver suggestions accept %s      as suggested; or with --as KIND, and ENTITY", id)
	}
	console.Say(w, "  orbweaver suggestions reject %s", id)
}

// shown is how many of so many suggestions a table has.
func shown(limit, of int) int {
	if limit <= 0 {
		return of
	}
	return min(limit, of)
}

// more says how many suggestions a table lacks.
func more(w io.Writer, limit, of int) {
	if n := of - shown(limit, of); n > 0 {
		console.Say(w, "  and %d more: --limit 0 lists all", n)
	}
}

// nextDecisions returns the commands that decide a suggestion.
func nextDecisions(dir string, s orbweaver.Suggestion) []string {
	id, entity := dir+" "+s.ID, ontology.LocalName(s.Entity)
	reject := "orbweaver suggestions reject " + id
	if s.Kind == orbweaver.SuggestLittle {
		return []string{reject}
	}
	if s.Kind == orbweaver.SuggestBroader {
		return []string{"orbweaver suggestions accept " + id, reject}
	}
	if s.Kind == orbweaver.SuggestPair {
		return []string{fmt.Sprintf("orbweaver suggestions accept %s --as property %s %s --text WORDS", id, entity, ontology.LocalName(s.Other)), reject}
	}
	return []string{
		fmt.Sprintf("orbweaver suggestions accept %s --as entry %s      one more word for it", id, entity),
		fmt.Sprintf("orbweaver suggestions accept %s --as subclass %s   or instance; or property DOMAIN RANGE", id, entity),
		reject,
	}
}

// Decided prints the consequences of a person's decision on a suggestion.
func Decided(w io.Writer, v kind.Verdict, d kind.Decided) {
	if !v.Accepted {
		console.Say(w, "%s is refused; it will not be suggested again.", v.ID)
		return
	}
	console.Say(w, "%s is accepted, after %d requests. Statements added to %s: %d", v.ID, d.Decision.After, console.Relative(d.File), d.Written)
	for _, q := range d.Decision.Added {
		console.Say(w, "  %s", assembly.Statement(q))
	}
	if strings.HasSuffix(d.File, ".additions.ttl") {
		console.Say(w, "For later crawls, name %s in the crawl file after the ontology that it extends.", console.Relative(d.File))
	}
}
