package krs

import (
	"strings"

	"orbweaver"
)

// A Noun is a noun as a reason names it.
type Noun struct {
	Words string // as they stand on the page
	Lemma string // empty where the words are it
	IRI   string // what it is linked to; empty: nothing
}

// NounOf is the noun that a reason of this package names, and false for a reason of another rule. It reads what evidence
// writes.
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
