package ontology

import (
	"iter"
	"slices"

	"orbweaver/kb/offer"
)

// A cooccurrence is how many items have an offer and an entity, and each of them.
type cooccurrence struct{ both, own, with, all float64 }

// cooccurring ranges over the weighted entities that an offer may occur with, in a fixed order.
func (p *placer) cooccurring(i int) iter.Seq2[int32, cooccurrence] {
	return func(yield func(int32, cooccurrence) bool) {
		switch {
		case p.pages != nil:
			p.pages.of(i, yield)
		case p.src.Together != nil:
			own := p.src.Together(i, i)
			for _, a := range p.anchors {
				c := cooccurrence{p.src.Together(i, a), own, p.src.Together(a, a), p.src.Items}
				if !yield(p.known[a], c) {
					return
				}
			}
		}
	}
}

// pages are counts over the pages of a source.
type pages struct {
	all      float64
	with     map[int32]float64   // by weighted entity: pages that name it
	own      []float64           // by offer: pages that have it
	both     []map[int32]float64 // by offer and weighted entity
	examples [][]string          // by offer: the first pages that have it
}

// maxExamples bounds the pages named for a suggestion.
const maxExamples = 3

// count reads the pages of the source, if it has any.
func (p *placer) count() error {
	if p.src.Pages == nil {
		return nil
	}
	n := len(p.src.Offers)
	p.pages = &pages{with: map[int32]float64{}, own: make([]float64, n), both: make([]map[int32]float64, n), examples: make([][]string, n)}
	for page, err := range p.src.Pages {
		if err != nil {
			return err
		}
		p.pages.add(&page, p.naming(&page))
	}
	return nil
}

// naming returns the weighted entities that a page names, ascending.
func (p *placer) naming(page *offer.Page) (entities []int32) {
	m := p.lexicon.Matcher(page.Lang)
	defer m.Release()
	note := func(form int32) {
		for _, e := range m.IDs(form) {
			if p.weight(int(e)) > 0 {
				entities = append(entities, e)
			}
		}
	}
	for _, match := range m.Match(page.Text) {
		note(match.Form)
	}
	for _, match := range m.MatchHeading(page.Title) {
		note(match.Form)
	}
	slices.Sort(entities)
	return slices.Compact(entities)
}

// add counts a page that names entities.
func (c *pages) add(page *offer.Page, entities []int32) {
	c.all++
	for _, e := range entities {
		c.with[e]++
	}
	for _, i := range page.Has {
		if c.own[i]++; len(c.examples[i]) < maxExamples {
			c.examples[i] = append(c.examples[i], page.URL)
		}
		if c.both[i] == nil {
			c.both[i] = map[int32]float64{}
		}
		for _, e := range entities {
			c.both[i][e]++
		}
	}
}

// of yields the counts of an offer, by entity.
func (c *pages) of(i int, yield func(int32, cooccurrence) bool) {
	entities := make([]int32, 0, len(c.both[i]))
	for e := range c.both[i] {
		entities = append(entities, e)
	}
	slices.Sort(entities)
	for _, e := range entities {
		if !yield(e, cooccurrence{c.both[i][e], c.own[i], c.with[e], c.all}) {
			return
		}
	}
}
