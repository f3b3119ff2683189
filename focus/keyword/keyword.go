// Package keyword is the focus of a user who has words and no ontology: it finds pages about any of
// some terms.
//
// A page is about a term by how often it names it, more where its title or a heading does, against its
// length, and less where the crawl's pages name it all the time: the parts of BM25F (Robertson and
// Zaragoza 2009), made a score of 0..1. Links are ranked on the same scale by the score of their page, by
// the terms in anchor text, title and address, and by those in the words around them; a request that waits
// by the mean of the links to it (rules page, anchor, context and inlinks).
//
// The links of a seed are followed always. Those of other pages are where anything speaks for them: the
// page, the anchor, the words around it. Where nothing does they go last, and three in a row are followed
// at most.
//
// How rare a term is follows from the pages judged so far and nothing else: the same outcomes in the same
// order give the same judgements. The paper's keyword baseline is in package baseline.
//
// This package is not part of the stable API.
package keyword

import (
	"fmt"

	"orbweaver"
	"orbweaver/focus/accept"
	"orbweaver/text"
)

// A Focus judges pages by terms. Prepare may run on any number of goroutines; all else on one.
type Focus struct {
	terms   []string
	opts    Options
	lexicon *text.Lexicon
	rarity  rarity
	accept  *accept.Calibration
}

// Options are what may be left out.
type Options struct {
	// Accept is the least score of an accepted page. Nil: it is calibrated from the crawl's own scores (package
	// accept).
	Accept *float64
}

// New makes a focus of terms: words, or phrases of several. No term, or one without a word, wraps
// orbweaver.ErrInput. A term that is there twice counts once.
func New(terms []string, opts Options) (*Focus, error) {
	if len(terms) == 0 {
		return nil, fmt.Errorf("no terms: %w", orbweaver.ErrInput)
	}
	var phrases []text.Phrase
	for i, t := range terms {
		var words text.Scanner
		if words.Reset(t); !words.Next() {
			return nil, fmt.Errorf("term %q has no word: %w", t, orbweaver.ErrInput)
		}
		phrases = append(phrases, text.Phrase{Text: t, ID: int32(i)})
	}
	return &Focus{
		terms: terms, opts: opts, lexicon: text.NewLexicon(phrases), rarity: newRarity(len(terms)), accept: new(accept.Calibration),
	}, nil
}
