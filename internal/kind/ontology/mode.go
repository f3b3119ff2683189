package ontology

import (
	"fmt"
	"strings"

	focus "orbweaver/focus/ontology"
	"orbweaver/internal/crawlfile"
)

// paper is the mode of the paper's crawler (Ehrig and Maedche 2003).
const paper = "paper"

// checkMode sets the keys that mode: paper sets, and reports those that contradict it or each other.
func (f *section) checkMode(c *crawlfile.Check) {
	if f.Mode == paper {
		f.Measure = demand(c, "measure", f.Measure, "frequency")
		f.Spelling = demand(c, "spelling", f.Spelling, "folded")
		f.Verdict = demand(c, "verdict", f.Verdict, "named")
		f.AnchorWords = demand(c, "anchor_words", f.AnchorWords, "off")
		f.Telling = demand(c, "telling", f.Telling, "off")
		f.Inlinks = demand(c, "inlinks", f.Inlinks, "best")
		f.Data = demand(c, "data", f.Data, "off")
		f.Layers = demand(c, "layers", f.Layers, "off")
		if f.Links != "text" {
			f.Links = demand(c, "links", f.Links, "page", "text")
		}
	}
	switch {
	case f.Accept == nil:
	case f.Mode == paper:
		c.Problem("accept", "contradicts mode: paper, which accepts the pages that name the target, whatever their score", "leave out accept or mode")
	case f.Verdict == "named":
		c.Problem("accept", "contradicts verdict: named, which accepts the pages that name the target, whatever their score", "leave out accept or verdict")
	}
}

// demand returns the value of a key in mode: paper, the first of those it may have, and reports another one in the file.
func demand(c *crawlfile.Check, key, value string, may ...string) string {
	if c.Given(key) && value != may[0] && !c.Troubled(key) {
		msg := fmt.Sprintf("%s contradicts mode: paper, which has %s", crawlfile.Quote(value), strings.Join(may, " or "))
		c.Problem(key, msg, "leave out "+key+" or mode")
	}
	return may[0]
}

// measure returns the measure of the section.
func (f *section) measure() focus.Measure {
	if f.Measure == "frequency" {
		return focus.Frequency
	}
	return focus.Presence
}

// options returns the focus's part of the section. An empty value is the default.
func (f *section) options() focus.Paper {
	ranked, _ := focus.ParseLinks(f.Links) // the crawl file was checked
	p := focus.Paper{
		Folded:    f.Spelling == "folded",
		Satisfied: f.Verdict == "named",
		Links:     ranked,
		Unlearned: f.AnchorWords == "off",
	}
	if f.Inlinks == "best" {
		p.Inlinks = focus.BestLink
	}
	return p
}
