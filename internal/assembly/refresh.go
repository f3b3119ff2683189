package assembly

import (
	"fmt"

	"orbweaver"
	"orbweaver/eval"
)

// changes are what a refresh found. A nil one notes nothing.
type changes struct {
	found map[orbweaver.Change][]string // URLs, in the order they were decided
}

// isNew marks accepted pages that were not known before.
const isNew orbweaver.Change = "new"

// Note takes an outcome of a refresh.
func (c *changes) Note(o orbweaver.Outcome) {
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

// lists are the changes in the order they are told.
func (c *changes) lists() (all []ChangeList) {
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

// A ChangeList is the pages of which a refresh found one kind of change.
type ChangeList struct {
	Kind    orbweaver.Change `json:"kind"`
	Meaning string           `json:"meaning"`
	Pages   int              `json:"pages"`
	URLs    []string         `json:"urls,omitempty"` // the first of them; none of pages that are as they were
}

// shownChanges is how many URLs of a kind of change are named.
const shownChanges = 10
