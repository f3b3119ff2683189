package baseline

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/text"
)

type bestFirst struct {
	terms    string
	stemmers text.Stemmers
	vectors  sync.Pool // of vector, for Prepare's workers
	links    links
}

// A vector counts stems.
type vector map[string]int

// likeness is what Prepare found: the cosine of page and terms.
type likeness float64

type bestN struct {
	bestFirst
	n int
}

// NewBestFirst returns the best-first baseline. A page scores the cosine between two vectors of stem
// counts, without idf: that of its title and text, and that of all the terms' words together, both
// stemmed by the page's language; it is accepted when any of the words occurs. A link scores what
// its page does.
//
// With n > 1 it is best-N-first: the crawl goes in rounds of the n best requests. n < 1 or a term
// without a word wraps orbweaver.ErrInput.
func NewBestFirst(terms []string, n int) (orbweaver.Focus, error) {
	if err := checkTerms(terms); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("best-N-first in rounds of %d: %w", n, orbweaver.ErrInput)
	}
	joined := strings.Join(terms, "\n")
	if n == 1 {
		return &bestFirst{terms: joined}, nil
	}
	return &bestN{bestFirst: bestFirst{terms: joined}, n: n}, nil
}

// RoundSize returns how many requests a round takes.
func (b *bestN) RoundSize() int { return b.n }

// EndRound has nothing to add: what was found meanwhile competes in the next round.
func (b *bestN) EndRound(context.Context, orbweaver.Round) ([]orbweaver.Proposal, orbweaver.Lesson, error) {
	return nil, orbweaver.Lesson{}, nil
}

func (b *bestFirst) Prepare(_ context.Context, p *orbweaver.Page) (any, error) {
	return b.prepare(p), nil
}

func (b *bestFirst) prepare(p *orbweaver.Page) likeness {
	stemmer := b.stemmers.Get(p.Lang)
	defer b.stemmers.Put(p.Lang, stemmer)
	page, terms := b.vector(), b.vector()
	defer b.vectors.Put(page)
	defer b.vectors.Put(terms)
	page.count(stemmer, p.Title)
	page.count(stemmer, p.Text)
	terms.count(stemmer, b.terms)
	return likeness(page.cosine(terms))
}

// vector returns an empty vector.
func (b *bestFirst) vector() vector {
	if v, ok := b.vectors.Get().(vector); ok {
		clear(v)
		return v
	}
	return vector{}
}

func (v vector) count(stemmer *text.Stemmer, s string) {
	var words text.Scanner
	for words.Reset(s); words.Next(); {
		v[stemmer.Stem(words.Word())]++
	}
}

// cosine compares two vectors, 0..1. Its sums are of whole numbers, so the order of the maps does
// not reach the result.
func (v vector) cosine(w vector) float64 {
	product := 0
	for stem, n := range w {
		product += n * v[stem]
	}
	if product == 0 {
		return 0
	}
	return min(1, float64(product)/math.Sqrt(float64(v.square())*float64(w.square())))
}

func (v vector) square() int {
	sum := 0
	for _, n := range v {
		sum += n * n
	}
	return sum
}

func (b *bestFirst) findings(p *orbweaver.Page) float64 {
	if found, ok := p.Findings.(likeness); ok {
		return float64(found)
	}
	return float64(b.prepare(p))
}

func (b *bestFirst) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	cosine := b.findings(p)
	if cosine == 0 {
		return orbweaver.Judgement{}, nil
	}
	j := because(cosine, RuleCosine, "with the terms")
	j.Accepted = true
	return j, nil
}

func (b *bestFirst) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return b.links.each(p, same(because(b.findings(p), RuleCosine, "of "+p.URL))), nil
}
