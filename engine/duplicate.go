package engine

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// Duplicates finds judged pages by their content.
type Duplicates interface {
	// Duplicate returns the outcome of the first page with the same content, if there is one. near: the text
	// is nearly the same; else the bytes are the same.
	Duplicate(*orbweaver.Page) (before orbweaver.Outcome, near, ok bool)
}

// The rules by which a page takes over the judgement of another.
const (
	RuleDuplicate     = "duplicate"      // the same bytes
	RuleNearDuplicate = "near-duplicate" // nearly the same text
)

// repeats reports whether a page duplicates a judged one. It takes over that judgement then, and teaches
// nothing. Exempt are refreshed pages, which are compared with their own past; RDF documents, whose
// statements depend on their URL; and answers to queries, since all empty results have the same bytes.
func (c *Crawl) repeats(o *orbweaver.Outcome) bool {
	if c.cfg.Duplicates == nil || o.Change != "" || o.Request.Query != "" || o.Page.Quads != nil && !strings.Contains(o.Page.MediaType, "html") {
		return false
	}
	before, near, ok := c.cfg.Duplicates.Duplicate(o.Page)
	if !ok {
		return false
	}
	o.Duplicate = orbweaver.Duplicate{URL: before.Request.URL, Near: near}
	o.Actual = before.Actual
	rule := RuleDuplicate
	if near {
		rule = RuleNearDuplicate
	}
	o.Actual.Reasons = []orbweaver.Reason{{Rule: rule, Evidence: o.Duplicate.URL, Weight: o.Actual.Score}}
	return true
}

// leads reports whether the links of a page are followed. Exact duplicates on one host are not: their links
// have the same targets, or, if relative, lead to further duplicates, possibly without end. Two hosts may
// have the same entry page and different pages behind it. The links of the HTTP header are followed in any case
// (byHeader): they are no part of what is the same.
func leads(o *orbweaver.Outcome) bool {
	return o.Duplicate.URL == "" || o.Duplicate.Near || step.Origin(o.Duplicate.URL) != step.Origin(o.Request.URL)
}

// hasHeaderLinks reports whether a page has links of its HTTP header.
func hasHeaderLinks(p *orbweaver.Page) bool {
	return slices.ContainsFunc(p.Links, func(l orbweaver.Link) bool { return l.Origin == orbweaver.FromHeader })
}

// byHeader returns the proposals by links of the HTTP header.
func byHeader(plan []orbweaver.Proposal) []orbweaver.Proposal {
	return slices.DeleteFunc(plan, func(p orbweaver.Proposal) bool { return p.Via == nil || p.Via.Origin != orbweaver.FromHeader })
}
