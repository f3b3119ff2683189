package eval

import (
	"orbweaver"
	"orbweaver/text"
)

// Likeness makes cosine truths (paper 003): a page is relevant to an item if their words are similar.
//
// The similarity of two pages is the cosine of their tf·idf vectors (text.Collection) over the stems of title
// and text without stop words, all terms, with one idf for all pages that were added, so that figures of
// different crawls and items are comparable. Count may be called concurrently, Add from one goroutine in a
// fixed order; after Freeze a Likeness is safe for concurrent use.
type Likeness struct {
	counter text.Counter
	pages   text.Collection
	urls    []string // by number in pages
	numbers map[string]int
}

// NewLikeness returns a Likeness without pages.
func NewLikeness() *Likeness { return &Likeness{numbers: map[string]int{}} }

// Count returns the terms of a page's title and text.
func (l *Likeness) Count(p *orbweaver.Page) text.Terms {
	return l.counter.Count(p.Lang, p.Title, p.Text)
}

// Add adds the terms of the page of a canonical URL. A page without terms is ignored and does not count for the
// idf; of several pages of one URL the first counts.
func (l *Likeness) Add(url string, terms text.Terms) {
	if _, known := l.numbers[url]; known || len(terms.Stems) == 0 {
		return
	}
	l.numbers[url] = l.pages.Add(terms)
	l.urls = append(l.urls, url)
}

// Freeze ends the adding. It is called once.
func (l *Likeness) Freeze() { l.pages.Weigh() }

// Len returns the number of pages that have a term.
func (l *Likeness) Len() int { return len(l.urls) }

// To compares every page with an item. It costs time and memory linear in the pages.
func (l *Likeness) To(item string) *Cosines {
	c := &Cosines{likeness: l, item: -1}
	if number, ok := l.numbers[item]; ok {
		c.item, c.of = number, l.pages.Cosines(number)
	}
	return c
}

// Above returns the truth of one item: the other pages whose cosine to it is above the threshold. An item that
// was not added has none.
func (l *Likeness) Above(item string, threshold float64) *Alike {
	alike := &Alike{has: map[string]struct{}{}}
	c := l.To(item)
	for i, cosine := range c.of {
		if i != c.item && cosine > threshold {
			alike.has[l.urls[i]] = struct{}{}
		}
	}
	return alike
}

// Cosines are those of every page to one item. They are immutable.
type Cosines struct {
	likeness *Likeness
	item     int       // its number in the likeness; -1: it was not added
	of       []float64 // by number
}

// Of returns the cosine of the page of a canonical URL to the item, 0..1: 0 for a page without a term and for
// one that was not added. It is false for the item itself.
func (c *Cosines) Of(url string) (cosine float64, another bool) {
	number, ok := c.likeness.numbers[url]
	switch {
	case !ok || c.item < 0:
		return 0, true
	case number == c.item:
		return 1, false
	}
	return c.of[number], true
}

// Alike is the truth of one item. It is immutable.
type Alike struct{ has map[string]struct{} }

// Relevant reports whether the page of a canonical URL is like the item.
func (a *Alike) Relevant(url string) bool {
	_, ok := a.has[url]
	return ok
}

// Len returns the number of pages that are like the item.
func (a *Alike) Len() int { return len(a.has) }
