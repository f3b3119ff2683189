// Package teach selects pages of a crawl to ask a person about, and tells what the answers changed. What they teach is the business of
// package verdicts.
package teach

import (
	"context"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/ledger"
)

// A Crawl is what is looked at: at rest, or between two steps.
type Crawl struct {
	Ledger  *ledger.Ledger
	Session *engine.Crawl
	Between func(context.Context, func()) error // calls a function when nothing else changes the crawl; fails if the crawl is over
}

// Judged reports whether an outcome is a page that the focus judged itself, and the latest of its URL.
func Judged(l *ledger.Ledger, o orbweaver.Outcome) (bool, error) {
	if o.Page == nil || o.Redirect != "" || o.Duplicate.URL != "" || o.Request.Purpose != orbweaver.ForPage || o.Request.Query != "" {
		return false, nil
	}
	last, err := l.Outcome(o.Request.URL)
	return last.N == o.N, err
}

// What a person may say of a page.
const (
	SaidAbout = "about" // it is about the topic
	SaidPart  = "part"  // a part of it is, or it is about a part of the topic
	SaidNot   = "not"   // it is not
)

// SaidOf returns what a decision on a page says of it: SaidAbout, SaidPart or SaidNot.
func SaidOf(d orbweaver.Decision) string {
	switch {
	case d.Part:
		return SaidPart
	case d.Accepted:
		return SaidAbout
	}
	return SaidNot
}

// SaidWords returns SaidAbout, SaidPart or SaidNot in words for people; of anything else the word itself.
func SaidWords(said string) string {
	switch said {
	case SaidAbout:
		return "relevant"
	case SaidPart:
		return "relevant in part"
	case SaidNot:
		return "not relevant"
	}
	return said
}

// Said counts verdicts.
type Said struct {
	About int `json:"about"`
	Part  int `json:"part"`
	Not   int `json:"not"`
}

func (s *Said) add(said string) {
	switch said {
	case SaidAbout:
		s.About++
	case SaidPart:
		s.Part++
	default:
		s.Not++
	}
}
