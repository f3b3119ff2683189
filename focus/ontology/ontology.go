// Package ontology is the focus on a user's background knowledge: it finds pages about chosen entities of an
// ontology (Ehrig and Maedche, "Ontology-Focused Crawling of Web Documents", SAC 2003, section 4).
//
// A page is judged in the paper's three steps. Step I counts the lexicon's entries in its text; each entity
// counts matches × idf / words. In step II every target entity sums the counts of its relevance set, weighted
// by distance. Step III combines the targets. Links are ranked by the page's score and by the same measure
// over their anchor, URL and context. A waiting request has the mean of the links to it, raised by the scores
// of pages that were requested with the same anchor words (rules page, anchor, context, inlinks and words).
//
// Options.Paper replaces what the default adds to the paper, each part by itself.
//
// Three things change during a crawl: the learned idf, the worth of anchor words and, with Options.Telling, how
// much of its weight each entity keeps. All depend only on the
// focus's own judgements: the same outcomes in the same order give the same judgements. The ontology itself
// changes only by a person's decision (Decide). What it may lack is counted along the way (Suggestions, the
// paper's section 2) and does not affect judgements. Package kb/ontology defines ontologies and the distances
// of entities.
//
// This package is not part of the stable API.
package ontology

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"orbweaver"
	"orbweaver/focus/accept"
	"orbweaver/focus/urlwords"
	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// A Measure computes the relevance r from matches.
type Measure uint8

// The measures.
const (
	Frequency Measure = iota // step I of the paper: matches × idf / words
	Presence                 // see frequency
)

// A Combine computes one score from those of several targets (definition 9 of the paper).
type Combine uint8

// The ways of combining targets.
const (
	Sum Combine = iota // Σ r(e)
	Min                // the least r(e): all targets are required
	Max                // the greatest r(e): any target suffices
)

// ParseCombine returns the combination with a lower-case name.
func ParseCombine(name string) (Combine, bool) {
	switch name {
	case "sum":
		return Sum, true
	case "min":
		return Min, true
	case "max":
		return Max, true
	}
	return Sum, false
}

// An IDF is a source of inverse document frequencies.
type IDF uint8

// The sources of idf.
const (
	Learned    IDF = iota // from the pages judged so far
	None                  // every idf is 1
	Background            // from Options.Background
)

// DefaultBase is the paper's discount: one half per step.
const DefaultBase = 0.5

// Options configure a crawl. Ontology and Targets are required.
type Options struct {
	Ontology  *kb.Ontology
	Targets   []string // IRIs: the paper's Eᵁ
	Relevance kb.Set
	Discount  kb.Decay
	Base      float64 // 0 < Base < 1; 0: DefaultBase
	Combine   Combine
	IDF       IDF

	// Background has positive idf values, by entity IRI or by the lower-case words of a lexical entry. An
	// entity without a value gets the largest.
	Background map[string]float64

	// Accept is the lowest score of an accepted page. Nil: it is calibrated from the crawl's own scores
	// (package accept). Paper.Satisfied takes precedence: the paper's satisfying pages are accepted, on which a
	// lexical entry of a target occurs, or with Min one of every target.
	Accept *float64

	Measure   Measure
	Data      Data
	Telling   bool // entities that tell little in this crawl count for less: see RuleTelling
	Forget    bool // Restore leaves out what a snapshot has of entities that the ontology lacks, and what suggestions are made of
	RawCounts bool // step I does not divide by the number of words, as in the paper's Fig. 2
	Paper     Paper
}

// A Focus judges pages by an ontology. Prepare and Ontology are safe for concurrent use; all other methods
// are not.
type Focus struct {
	opts     Options // with the original ontology
	now      atomic.Pointer[knowledge]
	idf      *idf
	words    *words
	urls     *urlwords.Model
	accept   *accept.Calibration
	others   *counts // what other workers shared, which is part of all counts; nil: nothing
	gaps     *gaps
	telling  *telling          // nil without Options.Telling
	decided  map[string]bool   // IDs of suggestions; written only by Decide and Restore
	retold   map[string]retold // by URL
	counters counters
	stemmers text.Stemmers
	spaces   *spaces

	scores  []float64 // by target; of the page being judged
	redone  redone
	scratch []byte // buffer of snapshots
}

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and returns a focus. It reports every problem; each wraps orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	if opts.Base == 0 {
		opts.Base = DefaultBase
	}
	if opts.Data.Weight == 0 {
		opts.Data.Weight = DefaultDataWeight
	}
	var problems []error
	if opts.Data.Weight < 0 {
		problems = append(problems, fmt.Errorf("weight %d of data is below 0: %w", opts.Data.Weight, orbweaver.ErrInput))
	}
	if opts.Base < 0 || opts.Base >= 1 || opts.Base != opts.Base {
		problems = append(problems, fmt.Errorf("base %v is not between 0 and 1: %w", opts.Base, orbweaver.ErrInput))
	}
	known, more := newKnowledge(opts)
	if problems = append(more, problems...); len(problems) > 0 {
		return nil, errors.Join(problems...)
	}
	f := &Focus{
		opts:    opts,
		idf:     newIDF(opts),
		words:   newWords(),
		urls:    urlwords.New(),
		accept:  new(accept.Calibration),
		gaps:    newGaps(),
		decided: map[string]bool{},
		retold:  map[string]retold{},
		scores:  make([]float64, len(known.targets)),
	}
	if opts.Telling {
		f.telling = newTelling(opts.Ontology.Len())
	}
	f.now.Store(known)
	f.spaces = newSpaces(known.data)
	return f, nil
}

// Ontology returns the current ontology: the original one with all decisions applied.
func (f *Focus) Ontology() *kb.Ontology { return f.now.Load().ontology }

// resolve looks up the targets in the ontology.
func resolve(opts Options) (targets []int32, problems []error) {
	if opts.Ontology == nil {
		return nil, []error{fmt.Errorf("no ontology: %w", orbweaver.ErrInput)}
	}
	if len(opts.Targets) == 0 {
		problems = append(problems, fmt.Errorf("no target: %w", orbweaver.ErrInput))
	}
	seen := map[int]bool{}
	for _, iri := range opts.Targets {
		i, ok := opts.Ontology.Find(iri)
		switch {
		case !ok:
			problems = append(problems, fmt.Errorf("target %s is not in the ontology%s: %w",
				iri, nearest(opts.Ontology, iri), orbweaver.ErrInput))
		case !seen[i]:
			seen[i] = true
			targets = append(targets, int32(i))
		}
	}
	return targets, problems
}

func nearest(o *kb.Ontology, iri string) string {
	names := o.Nearest(iri, 3)
	if len(names) == 0 {
		return ", which is empty"
	}
	return " (nearest: " + strings.Join(names, ", ") + ")"
}
