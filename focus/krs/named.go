package krs

import (
	"strings"

	"orbweaver"
)

// A Noun is a noun as a reason names it.
type Noun struct {
	Words string // as written on the page
	Lemma string // empty if it equals Words
	IRI   string // what it is linked to; empty if nothing
}

// NounOf returns the noun that a reason of this package names; false for reasons of other rules. It parses
// the format of evidence.
func NounOf(r orbweaver.Reason) (n Noun, ok bool) {
	if r.Rule != RuleNoun && r.Rule != RuleOther {
		return n, false
	}
	words, behind, ok := strings.Cut(r.Evidence, " ×")
	if !ok {
		return n, false
	}
	n.Words = words
	if _, linked, is := strings.Cut(behind, " <"); is {
		n.IRI, _, _ = strings.Cut(linked, ">")
	}
	if _, lemma, is := strings.Cut(behind, " ("); is {
		for _, end := range [...]string{") <", "), "} {
			if before, _, found := strings.Cut(lemma, end); found {
				n.Lemma = before
				break
			}
		}
	}
	return n, true
}
