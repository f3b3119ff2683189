package app

import (
	"fmt"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/internal/app/console"
)

// changes are what a refresh found. A nil one notes nothing.
type changes struct {
	found map[orbweaver.Change][]string // URLs, in the order they were decided
}

// isNew marks accepted pages that were not known before.
const isNew orbweaver.Change = "new"

// shownChanges is how many URLs of a kind of change are named.
const shownChanges = 10

// note takes an outcome of a refresh.
func (c *changes) note(o orbweaver.Outcome) {
	if c == nil {
		return
	}
	kind := o.Change
	if kind == "" {
		if !o.Actual.Accepted || o.Page == nil {
			return
		}
		kind = isNew
	}
	if c.found == nil {
		c.found = map[orbweaver.Change][]string{}
	}
	c.found[kind] = append(c.found[kind], o.Request.URL)
}

// kinds are the changes in the order they are told, with what they mean.
func (c *changes) kinds() [][2]string {
	return [][2]string{
		{string(isNew), "accepted for the first time"},
		{string(orbweaver.Changed), "other bytes than before"},
		{string(orbweaver.Gone), "answered 404 or 410"},
		{string(orbweaver.Moved), "redirect now"},
		{string(orbweaver.Unchanged), "as they were"},
		{string(orbweaver.Failed), "gave no answer in good order; what was known stands"},
	}
}

// facts are for the report.
func (c *changes) facts() []eval.Fact {
	if c == nil {
		return nil
	}
	var facts []eval.Fact
	for _, kind := range c.kinds() {
		if n := len(c.found[orbweaver.Change(kind[0])]); n > 0 {
			facts = append(facts, eval.Fact{Name: "refresh: " + kind[0], Value: fmt.Sprint(n)})
		}
	}
	return facts
}

// listChanges prints what a refresh found.
func (a *App) listChanges(c *changes) {
	if c == nil {
		return
	}
	console.Say(a.Out, "\nThe refresh:")
	for _, kind := range c.kinds() {
		urls := c.found[orbweaver.Change(kind[0])]
		console.Say(a.Out, "  %-10s %5d  %s", kind[0], len(urls), kind[1])
		if kind[0] == string(orbweaver.Unchanged) {
			continue
		}
		for _, url := range urls[:min(len(urls), shownChanges)] {
			console.Say(a.Out, "             %s", url)
		}
		if more := len(urls) - shownChanges; more > 0 {
			console.Say(a.Out, "             and %d more, in pages.jsonl", more)
		}
	}
}
