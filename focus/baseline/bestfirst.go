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
	words    []string      // of the terms, each as often as it is there
	lexicon  *text.Lexicon // of words, by their position
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

// likeness is what Prepare found: the cosine of page and terms, and the words that they share.
type likeness struct {
	cosine float64
	words  string
}

type bestN struct {
	bestFirst
	n int
}

// NewBestFirst returns the best-first baseline. A page scores the cosine between two vectors of stem
// counts, without idf: that of its title and text, and that of all the terms' words together, both
// stemmed by the page's language; it is accepted when any of the words occurs. Words are those of the
// terms as a text.Lexicon finds them: AIDS is none of aid's. A link scores what its page does.
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

// NewBestFirstByItem returns best-first, or with n > 1 best-N-first, by an item instead of terms, as paper 003
// compares with: a page scores the cosine between its stem counts and those of the item, title and text of both, each
// stemmed by its own language, stop words left out, without idf. It is accepted when the cosine is above 0.25. Of the
// item only Title, Text and Lang are examined. n < 1 or an item without a word wraps orbweaver.ErrInput.
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
		return likeness{cosine: page.cosine(b.item.stems, b.item.square)}
	}
	terms := b.vector()
	defer b.vectors.Put(terms)
	page.count(stemmer, p.Title)
	page.count(stemmer, p.Text)
	terms.count(stemmer, b.terms)
	return b.shared(p, page.square(), terms.square())
}

// shared compares a page with the terms, given the squares of their vectors. Its sums are of whole numbers, as
// those of cosine.
func (b *bestFirst) shared(p *orbweaver.Page, page, terms int) likeness {
	m := b.lexicon.Matcher(p.Lang)
	defer m.Release()
	w := wordingsOf(m, p)
	product := 0
	var words []byte
	var told []string
	for i, n := range w.times(len(b.words)) {
		product += n
		most := w.Most(int32(i))
		if n == 0 || slices.Contains(told, most) { // of words that stem alike the first says all
			continue
		}
		if told = append(told, most); len(words) > 0 {
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
