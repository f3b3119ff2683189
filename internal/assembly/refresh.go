package assembly

import (
	"fmt"

	"orbweaver"
	"orbweaver/eval"
)

// changed are the changes that a refresh found. Note on a nil *changed does nothing.
type changed struct {
	found map[orbweaver.Change][]string // URLs, in the order they were decided
}

// isNew marks pages that were accepted for the first time.
const isNew orbweaver.Change = "new"

// Note adds an outcome of a refresh.
func (c *changed) Note(o orbweaver.Outcome) {
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

// kinds returns the kinds of change in the order of the summary, each with its meaning.
func (c *changed) kinds() [][2]string {
	return [][2]string{
		{string(isNew), "accepted for the first time"},
		{string(orbweaver.Changed), "other bytes than before"},
		{string(orbweaver.Gone), "answered 404 or 410"},
		{string(orbweaver.Moved), "redirect now"},
		{string(orbweaver.Unchanged), "the same bytes as before"},
		{string(orbweaver.Failed), "could not be fetched; the earlier version is kept"},
	}
}

// facts returns the number of pages of each kind of change, for the report.
func (c *changed) facts() []eval.Fact {
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

// lists returns the changes in the order of kinds.
func (c *changed) lists() (all []ChangeList) {
	if c == nil {
		return nil
	}
	for _, kind := range c.kinds() {
		urls := c.found[orbweaver.Change(kind[0])]
		l := ChangeList{Kind: orbweaver.Change(kind[0]), Meaning: kind[1], Pages: len(urls)}
		if l.Kind != orbweaver.Unchanged {
			l.URLs = urls[:min(len(urls), shownChanges)]
		}
		all = append(all, l)
	}
	return all
}

// A ChangeList lists the pages with one kind of change.
type ChangeList struct {
	Kind    orbweaver.Change `json:"kind"`
	Meaning string           `json:"meaning"`
	Pages   int              `json:"pages"`
	URLs    []string         `json:"urls,omitempty"` // the first pages; empty for unchanged pages
}

// shownChanges is the maximum number of URLs in a ChangeList.
const shownChanges = 10
