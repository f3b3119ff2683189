// Package ontology is the focus of a user's background knowledge: it finds pages about chosen
// entities of an ontology (Ehrig and Maedche, "Ontology-Focused Crawling of Web Documents", SAC
// 2003, section 4).
//
// A page is judged in the paper's three steps: the lexicon's entries are counted in its text, each
// entity at matches × idf / words (step I); every target entity adds up the counts of its relevance
// set, weighted by distance (step II); and the targets are summed up (step III). Links are ranked by
// the page's score and by the same measure over their anchor, address and context; a request that
// waits by the mean of the links to it, and by what pages with the same words in their anchors turned
// out to be worth (rules page, anchor, context, inlinks and words).
//
// Two things change as the crawl goes, the idf where it is learned and the worth of words in anchors,
// both by the focus's own judgement and nothing else: the same outcomes in the same order give the
// same judgements. The ontology itself changes by a person's decision alone (Decide). What may be
// missing in it is counted along the way (Suggestions), the paper's section 2, and changes no
// judgement. What an ontology is and how far apart its entities are is not its business: see
// kb/ontology.
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
	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// A Measure says how matches become the relevance r.
type Measure uint8

// The measures.
const (
	Frequency Measure = iota // step I of the paper: matches × idf / words
	Presence                 // see presence
)

// A Combine says how the scores of several targets become one (definition 9 of the paper).
type Combine uint8

// The ways to combine targets.
const (
	Sum Combine = iota // Σ r(e)
	Min                // the least r(e): all targets are wanted
	Max                // the greatest r(e): any will do
)

// ParseCombine returns the combination of a name in lower case.
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

// An IDF says where the inverse document frequencies of entities come from.
type IDF uint8

// The sources of idf.
const (
	Learned    IDF = iota // from the pages judged so far
	None                  // every idf is 1
	Background            // from Options.Background
)

// DefaultBase is the paper's discount of half for every step.
const DefaultBase = 0.5

// Options say what is looked for. Ontology and Targets are needed.
type Options struct {
	Ontology  *kb.Ontology
	Targets   []string // IRIs: the paper's Eᵁ
	Relevance kb.Set
	Discount  kb.Decay
	Base      float64 // 0 < Base < 1; 0: DefaultBase
	Combine   Combine
	IDF       IDF

	// Background has idf values, positive, by entity IRI or by the words of a lexical entry in lower
	// case. An entity found by neither is as rare as the rarest.
	Background map[string]float64

	// Accept is the least score of an accepted page. Nil: by Presence it is calibrated from the crawl's own scores
	// (package accept); by Frequency, accepted is the paper's satisfying page, on which a lexical entry of a
	// target occurs, or with Min one of every target.
	Accept *float64

	Measure   Measure
	RawCounts bool // step I does not divide by the number of words, as in the paper's Fig. 2
}

// A Focus judges pages by an ontology. Prepare and Ontology may run on any number of goroutines; all
// else on one.
type Focus struct {
	opts     Options // the ontology, as it was at first
	now      atomic.Pointer[knowledge]
	idf      *idf
	words    *words
	accept   *accept.Calibration
	gaps     *gaps
	decided  map[string]bool // ids of suggestions, never written but by Decide and Restore
	counters counters
	stemmers text.Stemmers

	scores  []float64 // by target; of the page being judged
	redone  redone
	scratch []byte // that snapshots are written into
}

// redone is the page last prepared by the deciding goroutine itself.
type redone struct {
	page  *orbweaver.Page
	found *findings
}

// New checks options and makes a focus of them. Every problem is reported; all wrap
// orbweaver.ErrInput.
func New(opts Options) (*Focus, error) {
	if opts.Base == 0 {
		opts.Base = DefaultBase
	}
	var problems []error
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
		accept:  new(accept.Calibration),
		gaps:    newGaps(),
		decided: map[string]bool{},
		scores:  make([]float64, len(known.targets)),
	}
	f.now.Store(known)
	return f, nil
}

// Ontology returns what the focus knows: the ontology it was made with, and what was decided since.
func (f *Focus) Ontology() *kb.Ontology { return f.now.Load().ontology }

// resolve finds the targets in the ontology.
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
