// Package krs is the focus on a topic learned from documents (Hernandez, Marin-Castro and Morales-Sandoval,
// "A Semantic Focused Web Crawler Based on a Knowledge Representation Schema", 2020).
//
// A page is judged by its nouns, which an Annotator finds, by one of two rules. The paper's rule accepts a
// page when the mean IDF of its linked nouns is within the corpus's range, μ_C ± σ, in one of the readings
// that the paper leaves open. The calibrated rule, ours, accepts a page when its likeness is that of
// documents of the corpus (see kb/krs).
//
// Links are followed in one of two orders: the paper's takes those of accepted pages only, breadth-first; ours
// is best-first: links are ranked by the page's score and by the topic's nouns in anchor, URL and context. A
// waiting request has the mean of the links to it (rules page, anchor, context and inlinks).
//
// The focus changes during the crawl if it learns from accepted pages, or if the KRS has no background:
// rejected pages then serve as one. The KRS is recompiled at a few page counts, each double the previous one.
// Annotation of text is outside this package, and the KRS on disk never changes.
//
// This package is not part of the stable API.
package krs

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	kb "orbweaver/kb/krs"
	"orbweaver/text"
)

// A Rule selects how pages are judged and links followed.
type Rule uint8

// The rules.
const (
	Calibrated Rule = iota
	Paper
)

// ParseRule returns the rule of a lower-case name.
func ParseRule(name string) (Rule, bool) {
	switch name {
	case "calibrated":
		return Calibrated, true
	case "paper":
		return Paper, true
	}
	return Calibrated, false
}

// An Order selects which links are followed, and when.
type Order uint8

// The orders.
const (
	ByRule       Order = iota // BestFirst by the calibrated rule, BreadthFirst by the paper's
	BestFirst                 // links of all pages, the best first
	BreadthFirst              // links of accepted pages, in order of discovery
)

// ParseOrder returns the order of a lower-case name; that of the rule for an empty one.
func ParseOrder(name string) (Order, bool) {
	switch name {
	case "":
		return ByRule, true
	case "best_first":
		return BestFirst, true
	case "breadth_first":
		return BreadthFirst, true
	}
	return ByRule, false
}

// An Annotator finds the nouns of a page. Prepare calls it from many goroutines; its result depends on the
// page alone.
type Annotator interface {
	Annotate(ctx context.Context, p *orbweaver.Page) (kb.Document, error)
}

// Options configure a crawl. Snapshot and Annotator are required.
type Options struct {
	Snapshot  *kb.Snapshot
	Annotator Annotator
	Rule      Rule
	Order     Order
	Reading   kb.Reading // of the paper's rule
	Lang      string     // of the corpus: pages in a known other language are rejected unread; empty: any

	// Likeness is the lowest likeness of a page that the calibrated rule accepts, above 0, at most 1. Nil:
	// that of the snapshot's calibration.
	Likeness *float64

	// Accept is the lowest score of a page that the calibrated rule accepts, from 0 to 1; pages do not move it. Nil: see Judge.
	Accept *float64

	Learn bool // learn from accepted pages, as from documents of the corpus
}

// A Focus judges pages by a KRS. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	opts    Options
	lang    string
	lexicon *text.Lexicon // nouns of the KRS, by their position in Snapshot.Nouns
	names   []string      // their lemmas

	now      *kb.Snapshot
	likeness []float64 // by position: current likeness of each noun
	learned  learned
	told     []told         // pages with a verdict of a person, in order
	untaught *kb.Snapshot   // now, without them; nil: not compiled
	met      *kb.Likenesses // of the pages judged by now
	edge     kb.Boundary    // of pages by met
	redone   redone
}

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and returns a focus. It reports every problem; each wraps orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	var problems []error
	if opts.Snapshot == nil {
		problems = append(problems, fmt.Errorf("no KRS: %w", orbweaver.ErrInput))
	}
	if opts.Annotator == nil {
		problems = append(problems, fmt.Errorf("no annotator: %w", orbweaver.ErrInput))
	}
	if opts.Rule > Paper || opts.Order > BreadthFirst {
		problems = append(problems, fmt.Errorf("unknown rule %d or order %d: %w", opts.Rule, opts.Order, orbweaver.ErrInput))
	}
	if c := opts.Likeness; c != nil && !(0 < *c && *c <= 1) {
		problems = append(problems, fmt.Errorf("likeness %v is not above 0 and at most 1: %w", *c, orbweaver.ErrInput))
	}
	if a := opts.Accept; a != nil && !(0 <= *a && *a <= 1) {
		problems = append(problems, fmt.Errorf("lowest accepted score %v is not from 0 to 1: %w", *a, orbweaver.ErrInput))
	}
	if opts.Rule == Paper && opts.Snapshot != nil && opts.Snapshot.Statistics(0).Links == 0 {
		problems = append(problems, fmt.Errorf("topic %s: no noun of the corpus is linked, which the paper's rule goes by: %w",
			opts.Snapshot.Topic(), orbweaver.ErrInput))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	f := &Focus{opts: opts, lang: text.Primary(opts.Lang)}
	if opts.Order == ByRule {
		f.opts.Order = BestFirst
		if opts.Rule == Paper {
			f.opts.Order = BreadthFirst
		}
	}
	if f.opts.Order == BestFirst {
		f.lexicon, f.names = lexiconOf(opts.Snapshot)
	}
	f.use(opts.Snapshot)
	return f, nil
}

// lexiconOf returns a lexicon of a KRS's nouns, for the texts at links.
func lexiconOf(s *kb.Snapshot) (*text.Lexicon, []string) {
	var phrases []text.Phrase
	var names []string
	for k := range s.Nouns() {
		phrases = append(phrases, text.Phrase{Text: k.Lemma, ID: int32(len(names))})
		names = append(names, k.Lemma)
	}
	return text.NewLexicon(phrases), names
}

// use makes pages be judged by a snapshot from now on.
func (f *Focus) use(s *kb.Snapshot) {
	f.now = s
	f.met = new(kb.Likenesses)
	f.edge = s.Boundary(f.met)
	f.likeness = f.likeness[:0]
	for _, likeness := range s.Nouns() { // learned nouns come after the others
		if len(f.likeness) == len(f.names) {
			break
		}
		f.likeness = append(f.likeness, likeness)
	}
}

// Now returns the KRS that currently judges pages: that of the options, plus what was learned.
func (f *Focus) Now() *kb.Snapshot { return f.now }
