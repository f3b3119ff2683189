// Package keyword is the focus for users with words and no ontology: it finds pages about any of the given
// terms.
//
// A page's score depends on how often it names a term, more in the title or a heading, relative to its
// length, and less if many of the crawl's pages name the term: the components of BM25F (Robertson and
// Zaragoza 2009), mapped to 0..1. Links are ranked on the same scale by the score of their page, by the terms
// in anchor text, title and URL, and by those in the words around them. A waiting request has the mean of the
// links to it (rules page, anchor, context and inlinks).
//
// The links of a seed are always followed. Those of other pages are followed if there is evidence for them:
// the page, the anchor, the words around the link. Links without evidence go last, and at most three in a row
// are followed.
//
// The rarity of a term depends only on the pages judged so far: the same outcomes in the same order give the
// same judgements. The paper's keyword baseline is in package baseline.
//
// This package is not part of the stable API.
package keyword

import (
	"fmt"

	"orbweaver"
	"orbweaver/focus/accept"
	"orbweaver/text"
)

// A Focus judges pages by terms. Prepare is safe for concurrent use; all other methods are not.
type Focus struct {
	terms   []string
	opts    Options
	lexicon *text.Lexicon
	rarity  rarity
	accept  *accept.Calibration
	others  taken
}

// Options are optional settings.
type Options struct {
	// Accept is the lowest score of an accepted page. Nil: it is calibrated from the crawl's own scores
	// (package accept).
	Accept *float64
}

// New returns a focus for terms: words or phrases. No terms, or a term without a word, wraps
// orbweaver.ErrInput. Repeated terms count once.
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
		terms: terms, opts: opts, lexicon: text.NewLexicon(phrases), rarity: newRarity(len(terms)), accept: new(accept.Calibration), others: newTaken(len(terms)),
	}, nil
}
