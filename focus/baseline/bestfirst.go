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
	terms    string // empty where pages are compared with an item
	item     *item
	stemmers text.Stemmers
	vectors  sync.Pool // of vector, for Prepare's workers
	links    links
}

// An item is a page that others are compared with. It never changes.
type item struct {
	stems  vector
	square int
}

// itemAccepts is the cosine to the item above which a page is accepted.
const itemAccepts = 0.25

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

// NewBestFirstByItem returns best-first, or with n > 1 best-N-first, by an item instead of terms, as
// paper 003 compares with: a page scores the cosine between its stem counts and those of the item,
// title and text of both, each stemmed by its own language, stop words left out, without idf. It is
// accepted when the cosine is above 0.25. Of the item only Title, Text and Lang are looked at. n < 1
// or an item without a word wraps orbweaver.ErrInput.
func NewBestFirstByItem(p *orbweaver.Page, n int) (orbweaver.Focus, error) {
	if n < 1 {
		return nil, fmt.Errorf("best-N-first in rounds of %d: %w", n, orbweaver.ErrInput)
	}
	stems, stemmer := vector{}, text.NewStemmer(p.Lang)
	stems.topical(stemmer, p)
	if len(stems) == 0 {
		return nil, fmt.Errorf("item %s has no word to compare with: %w", p.URL, orbweaver.ErrInput)
	}
	compared := &item{stems, stems.square()}
	if n == 1 {
		return &bestFirst{item: compared}, nil
	}
	return &bestN{bestFirst: bestFirst{item: compared}, n: n}, nil
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
	page := b.vector()
	defer b.vectors.Put(page)
	if b.item != nil {
		page.topical(stemmer, p)
		return likeness(page.cosine(b.item.stems, b.item.square))
	}
	terms := b.vector()
	defer b.vectors.Put(terms)
	page.count(stemmer, p.Title)
	page.count(stemmer, p.Text)
	terms.count(stemmer, b.terms)
	return likeness(page.cosine(terms, terms.square()))
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

// topical counts the stems of a page's title and text, stop words left out.
func (v vector) topical(stemmer *text.Stemmer, p *orbweaver.Page) {
	var words text.Scanner
	for _, s := range [...]string{p.Title, p.Text} {
		for words.Reset(s); words.Next(); {
			if word := words.Word(); !text.StopWord(p.Lang, word) {
				v[stemmer.Stem(word)]++
			}
		}
	}
}

// cosine compares two vectors, 0..1; square is that of w. Its sums are of whole numbers, so the
// order of the maps does not reach the result.
func (v vector) cosine(w vector, square int) float64 {
	product := 0
	for stem, n := range w {
		product += n * v[stem]
	}
	if product == 0 {
		return 0
	}
	return min(1, float64(product)/math.Sqrt(float64(v.square())*float64(square)))
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
	if b.item != nil {
		j := because(cosine, RuleCosine, "with the item")
		j.Accepted = cosine > itemAccepts
		return j, nil
	}
	j := because(cosine, RuleCosine, "with the terms")
	j.Accepted = true
	return j, nil
}

func (b *bestFirst) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return b.links.each(p, same(because(b.findings(p), RuleCosine, "of "+p.URL))), nil
}
