// Package krs is the focus on a topic learned from documents (Hernandez, Marin-Castro and
// Morales-Sandoval, "A Semantic Focused Web Crawler Based on a Knowledge Representation Schema", 2020).
//
// A page is judged by its nouns, which an Annotator finds, in one of two ways. The paper's rule accepts it
// when the mean IDF of its linked nouns is what the corpus has, μ_C ± σ, and follows the links of accepted
// pages alone, breadth-first. The calibrated rule, ours, accepts it when its likeness is what documents of
// the corpus have (see kb/krs), and goes best-first: links are ranked by the page's score and by the nouns
// of the topic that stand in anchor, address and context; a request that waits by the mean of the links to
// it (rules page, anchor, context and inlinks).
//
// The focus changes as the crawl goes where accepted pages are to be learned from, or where the KRS has no
// background: what the crawl rejects then takes its place. It changes at a few numbers of pages, each
// double the one before, when it is compiled anew. How text becomes nouns is not its business, and the
// KRS on the disk never changes.
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

// A Rule says how pages are judged and links followed.
type Rule uint8

// The rules.
const (
	Calibrated Rule = iota
	Paper
)

// ParseRule returns the rule of a name in lower case.
func ParseRule(name string) (Rule, bool) {
	switch name {
	case "calibrated":
		return Calibrated, true
	case "paper":
		return Paper, true
	}
	return Calibrated, false
}

// An Annotator finds the nouns of a page. It is asked in Prepare, by many goroutines at a time; what it
// returns depends on the page alone.
type Annotator interface {
	Annotate(ctx context.Context, p *orbweaver.Page) (kb.Document, error)
}

// Options say what is looked for. Snapshot and Annotator are needed.
type Options struct {
	Snapshot  *kb.Snapshot
	Annotator Annotator
	Rule      Rule
	Lang      string // of the corpus: pages known to be in another language are rejected unread; empty: any

	// Likeness is the least likeness of a page that the calibrated rule accepts, above 0, at most 1. Nil: that
	// of the snapshot's calibration.
	Likeness *float64

	Learn bool // from accepted pages, as if they were documents of the corpus
}

// A Focus judges pages by a KRS. Prepare may run on any number of goroutines; all else on one.
type Focus struct {
	opts    Options
	lang    string
	lexicon *text.Lexicon // nouns of the KRS, by their position in Snapshot.Nouns
	names   []string      // their lemmas

	now     *kb.Snapshot
	telling []float64 // by position: current likeness of each
	learned learned
	redone  redone
}

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and makes a focus of them. Every problem is reported; all wrap orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	var problems []error
	if opts.Snapshot == nil {
		problems = append(problems, fmt.Errorf("no KRS: %w", orbweaver.ErrInput))
	}
	if opts.Annotator == nil {
		problems = append(problems, fmt.Errorf("no annotator: %w", orbweaver.ErrInput))
	}
	if opts.Rule > Paper {
		problems = append(problems, fmt.Errorf("rule %d is none: %w", opts.Rule, orbweaver.ErrInput))
	}
	if c := opts.Likeness; c != nil && !(0 < *c && *c <= 1) {
		problems = append(problems, fmt.Errorf("likeness %v is not above 0 and at most 1: %w", *c, orbweaver.ErrInput))
	}
	if opts.Rule == Paper && opts.Snapshot != nil && opts.Snapshot.Statistics(0).Links == 0 {
		problems = append(problems, fmt.Errorf("topic %s: no noun of the corpus is linked, which the paper's rule goes by: %w",
			opts.Snapshot.Topic(), orbweaver.ErrInput))
	}
	if len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	f := &Focus{opts: opts, lang: text.Primary(opts.Lang)}
	if opts.Rule == Calibrated {
		f.lexicon, f.names = lexiconOf(opts.Snapshot)
	}
	f.use(opts.Snapshot)
	return f, nil
}

// lexiconOf has the nouns of a KRS, to find them where links stand.
func lexiconOf(s *kb.Snapshot) (*text.Lexicon, []string) {
	var phrases []text.Phrase
	var names []string
	for k := range s.Nouns() {
		phrases = append(phrases, text.Phrase{Text: k.Lemma, ID: int32(len(names))})
		names = append(names, k.Lemma)
	}
	return text.NewLexicon(phrases), names
}

// use has pages judged by a snapshot from now on.
func (f *Focus) use(s *kb.Snapshot) {
	f.now = s
	f.telling = f.telling[:0]
	for _, telling := range s.Nouns() { // those that were learned stand behind the others
		if len(f.telling) == len(f.names) {
			break
		}
		f.telling = append(f.telling, telling)
	}
}

// Now is what pages are judged by: that of the options, and what was learned.
func (f *Focus) Now() *kb.Snapshot { return f.now }
