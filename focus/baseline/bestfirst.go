package baseline

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/text"
)

type bestFirst struct {
	terms    string        // empty where pages are compared with an item
	words    []string      // of the terms, with repetitions
	lexicon  *text.Lexicon // of words, by their position
	item     *item
	stemmers text.Stemmers
	vectors  sync.Pool // of vector, for Prepare's workers
	links    links
}

// An item is a page that others are compared with. It is immutable.
type item struct {
	stems  vector
	square int
}

// itemAccepts is the cosine to the item above which a page is accepted.
const itemAccepts = 0.25

// A vector counts stems.
type vector map[string]int

// likeness is the result of Prepare: the cosine of page and terms, and the words they share.
type likeness struct {
	cosine float64
	words  string
}

type bestN struct {
	bestFirst
	n int
}

// NewBestFirst returns the best-first baseline. A page's score is the cosine between two vectors of stem
// counts, without idf: its title and text against all words of the terms, both stemmed by the page's
// language. A page is accepted when any of the words occurs. Words match as in a text.Lexicon: AIDS does not
// match aid. A link has the score of its page.
//
// With n > 1 it is best-N-first: the crawl proceeds in rounds of the n best requests. n < 1 or a term without
// a word wraps orbweaver.ErrInput.
func NewBestFirst(terms []string, n int) (orbweaver.Focus, error) {
	if err := checkTerms(terms); err != nil {
		return nil, err
	}
	if n < 1 {
		return nil, fmt.Errorf("best-N-first in rounds of %d: %w", n, orbweaver.ErrInput)
	}
	joined := strings.Join(terms, "\n")
	words := wordsOf(joined)
	phrases := make([]text.Phrase, len(words))
	for i, w := range words {
		phrases[i] = text.Phrase{Text: w, ID: int32(i)}
	}
	lexicon := text.NewLexicon(phrases)
	if n == 1 {
		return &bestFirst{terms: joined, words: words, lexicon: lexicon}, nil
	}
	return &bestN{bestFirst: bestFirst{terms: joined, words: words, lexicon: lexicon}, n: n}, nil
}

// wordsOf returns the words of terms as they are written.
func wordsOf(terms string) (words []string) {
	var scan text.Scanner
	for scan.Reset(terms); scan.Next(); {
		words = append(words, terms[scan.Start():scan.End()])
	}
	return words
}

// NewBestFirstByItem returns best-first, or with n > 1 best-N-first, by an item instead of terms: the
// comparison method of paper 003. A page's score is the cosine between its stem counts and the item's, over
// title and text, each stemmed by its own language, without stop words and idf. It is accepted when the
// cosine is above 0.25. Only Title, Text and Lang of the item are used. n < 1 or an item without a word wraps
// orbweaver.ErrInput.
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

// RoundSize returns the number of requests in a round.
func (b *bestN) RoundSize() int { return b.n }

// EndRound proposes nothing: links found during a round compete in the next one.
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
		return likeness{cosine: page.cosine(b.item.stems, b.item.square)}
	}
	terms := b.vector()
	defer b.vectors.Put(terms)
	page.count(stemmer, p.Title)
	page.count(stemmer, p.Text)
	terms.count(stemmer, b.terms)
	return b.shared(p, page.square(), terms.square())
}

// shared compares a page with the terms, given the squared lengths of their vectors. Sums are of integers, as
// in cosine, so the result does not depend on the order of addition.
func (b *bestFirst) shared(p *orbweaver.Page, page, terms int) likeness {
	m := b.lexicon.Matcher(p.Lang)
	defer m.Release()
	w := wordingsOf(m, p)
	product := 0
	var words []byte
	var shown []string
	for i, n := range w.times(len(b.words)) {
		product += n
		most := w.Most(int32(i))
		if n == 0 || slices.Contains(shown, most) { // a word with the same stem as an earlier one adds nothing
			continue
		}
		if shown = append(shown, most); len(words) > 0 {
			words = append(words, ", "...)
		}
		words = text.AppendWording(words, most, n, b.words[i])
	}
	if product == 0 {
		return likeness{}
	}
	return likeness{min(1, float64(product)/math.Sqrt(float64(page)*float64(terms))), string(words)}
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

// cosine compares two vectors, 0..1; square is the squared length of w. Sums are of integers, so map order
// does not affect the result.
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

func (b *bestFirst) findings(p *orbweaver.Page) likeness {
	if found, ok := p.Findings.(likeness); ok {
		return found
	}
	return b.prepare(p)
}

func (b *bestFirst) Judge(_ context.Context, p *orbweaver.Page) (orbweaver.Judgement, error) {
	found := b.findings(p)
	cosine := found.cosine
	if cosine == 0 {
		return orbweaver.Judgement{}, nil
	}
	if b.item != nil {
		j := because(cosine, RuleCosine, "with the item")
		j.Accepted = cosine > itemAccepts
		return j, nil
	}
	j := because(cosine, RuleCosine, found.words)
	j.Accepted = true
	return j, nil
}

func (b *bestFirst) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	return b.links.each(p, same(because(b.findings(p).cosine, RuleCosine, "of "+p.URL))), nil
}
