package eval

import (
	"fmt"
	"strconv"
	"strings"

	"orbweaver"
)

// Because explains a reason of a page as one sentence without its full stop. For an unknown rule it returns the
// rule itself.
func Because(r orbweaver.Reason) string {
	if r.Rule == orbweaver.RulePart {
		return r.Evidence
	}
	if part, rule, ok := strings.Cut(r.Rule, "/"); ok { // of a part of a blend
		r.Rule = rule
		return part + ": " + Because(r)
	}
	if s := becauseOfText(r); s != "" {
		return s
	}
	if s := becauseOfData(r); s != "" {
		return s
	}
	if s := becauseOfJudge(r); s != "" {
		return s
	}
	if r.Evidence == "" {
		return fmt.Sprintf("%s: %s", r.Rule, fixed(r.Weight))
	}
	return r.Rule + ": " + r.Evidence
}

// becauseOfJudge explains the reasons of an external judge; "" for others.
func becauseOfJudge(r orbweaver.Reason) string {
	switch r.Rule {
	case "judge":
		return "the judge " + r.Evidence
	case "no-answer":
		return "the judge was asked and gave no answer: " + r.Evidence
	case "not-asked":
		return "the judge was not asked: " + r.Evidence
	}
	if rule, ok := strings.CutPrefix(r.Rule, "judge:"); ok {
		return fmt.Sprintf("the judge says, by %s: %s (%s)", rule, r.Evidence, fixed(r.Weight))
	}
	return ""
}

// becauseOfText explains the reasons of focuses that read text; "" for others.
func becauseOfText(r orbweaver.Reason) string {
	e := r.Evidence
	switch r.Rule {
	case "no-text":
		return "it has no text: " + e
	case "raw":
		return fmt.Sprintf("what it says of the target is worth %s of its words", hundredths(r.Weight))
	case "entity":
		name, words, found := strings.Cut(e, ": ")
		if !found {
			return "it names " + e
		}
		return fmt.Sprintf("it names “%s”: %s", name, words)
	case "data":
		name, statements, found := strings.Cut(e, ": ")
		if !found {
			return "its data names " + e
		}
		return fmt.Sprintf("its data names “%s”: %s", name, statements)
	case "telling":
		return "an entity that tells little of what is accepted counted for less: " + e
	case "term":
		return "it has a term looked for: " + e
	case "list":
		return "it is a list of links, and about what most of them are about: " + e
	case "keyword":
		return "it has the terms looked for: " + e
	case "cosine":
		return fmt.Sprintf("its words are like those looked for: cosine %s %s", fixed(r.Weight), e)
	case "depth":
		return "it was reached at " + e + ": links from a seed"
	case "random":
		return "its score was drawn by chance (" + e + ")"
	case "distance":
		return "it is this near to what is relevant: " + e
	case "likeness":
		return "it is like the topic’s documents: " + e
	case "noun":
		return "it has a noun of the topic: " + e
	case "other-noun":
		return "it has a noun that is not the topic’s: " + e
	case "mu":
		return "its nouns are as rare as the topic’s: " + e
	case "no-noun":
		return "it has no noun that the topic’s documents have: " + e
	case "language":
		return "it is in another language than the topic’s documents: " + e
	case "terms":
		return "it has terms in common with what was looked for: " + e
	case "labels":
		return "it has labels in common with what was looked for: " + e
	case "no-term":
		return "it has no terms: " + e
	}
	return ""
}

// becauseOfData explains the reasons of focuses for data, and those common to all focuses.
func becauseOfData(r orbweaver.Reason) string {
	e := r.Evidence
	switch r.Rule {
	case orbweaver.RuleThreshold:
		return "when it was judged, pages were " + e
	case "needs-script":
		return "its text may be made by scripts: it has " + e
	case ruleNoText:
		return "it has no text: " + e
	case ruleSender:
		return "what came instead of it is of " + e
	case "verdict":
		return r.Evidence
	case "verdicts":
		return "corrected by a person's verdicts on other pages: " + r.Evidence
	case "noindex":
		return e
	case "duplicate":
		return "it has the same bytes as " + e
	case "near-duplicate":
		return "it has nearly the same text as " + e
	case "media-type":
		return "it is a document of " + e
	case "links-rdf":
		return "it links to RDF: " + e
	case "embedded":
		return "it has data within it: " + e
	case "result":
		return "the expression ends at " + e
	case "on-the-way":
		return "the walk came by " + e
	case "no-node":
		return "it is no document of what was walked to: " + e
	case "document":
		return "it is a document of RDF: " + e
	case "answer":
		return "the dataset answered: " + e
	case "no-data":
		return "it says nothing that could be read: " + e
	}
	return ""
}

// hundredths formats a ratio in per cent.
func hundredths(v float64) string { return strconv.FormatFloat(100*v, 'g', 2, 64) + " %" }
