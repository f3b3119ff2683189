package ontology

import (
	"math"

	kb "orbweaver/kb/ontology"
	"orbweaver/text"
)

// idf holds the inverse document frequency of every entity.
//
// With Learned it is ln(1 + (N+1)/(df+1)), where N is the number of pages learned from and df the number of
// them that name the entity: never below ln 2, the value of an entity on every page. At the first page it is
// ln 2 for all, so that early pages are judged by counts alone.
type idf struct {
	source IDF
	fixed  []float64 // by entity; with Background
	rarest float64   // the largest value of the background
	pages  int64
	df     []int64 // by entity

	values []float64 // by entity: cached values
	valid  []int64   // by entity: the page count, plus 1, for which the cached value holds
}

func newIDF(opts Options) *idf {
	n := opts.Ontology.Len()
	d := &idf{source: opts.IDF, df: make([]int64, n), values: make([]float64, n), valid: make([]int64, n)}
	if opts.IDF == Background {
		d.fix(opts.Ontology, opts.Background)
	}
	return d
}

// fix looks up the background's value of each entity: by its IRI, else the smallest of its entries, else the
// background's largest.
func (d *idf) fix(o *kb.Ontology, background map[string]float64) {
	d.fixed = make([]float64, o.Len())
	for _, e := range o.Entries() {
		if v := background[text.Key(e.Text)]; v > 0 {
			for _, i := range e.Entities {
				if d.fixed[i] == 0 || v < d.fixed[i] {
					d.fixed[i] = v
				}
			}
		}
	}
	rarest := 0.0
	for _, v := range background { // the maximum does not depend on map order
		rarest = max(rarest, v)
	}
	if rarest == 0 {
		rarest = 1
	}
	d.rarest = rarest
	for i := range d.fixed {
		if v := background[o.Entity(i).IRI]; v > 0 {
			d.fixed[i] = v
		} else if d.fixed[i] == 0 {
			d.fixed[i] = rarest
		}
	}
}

// of returns the idf of an entity; it is positive.
func (d *idf) of(entity int32) float64 {
	switch d.source {
	case None:
		return 1
	case Background:
		return d.fixed[entity]
	}
	if d.valid[entity] != d.pages+1 {
		d.values[entity] = learned(d.pages, d.df[entity])
		d.valid[entity] = d.pages + 1
	}
	return d.values[entity]
}

// The prior: a crawl starts as if it had seen some pages, a quarter of which named each entity.
const (
	pagesBefore = 20
	namedBefore = 5
)

// share returns the idf of an entity relative to the largest possible, 0 to 1: the largest of the background
// or, learned, that of an entity on no page. Learned counts include the prior.
func (d *idf) share(entity int32) float64 {
	switch d.source {
	case None:
		return 1
	case Background:
		return d.fixed[entity] / d.rarest
	}
	return learned(d.pages+pagesBefore, d.df[entity]+namedBefore) / learned(d.pages+pagesBefore, 0)
}

func learned(pages, df int64) float64 {
	return math.Log(1 + float64(pages+1)/float64(df+1))
}

// learn counts the entities that the words of a page name.
func (d *idf) learn(hits []hit) {
	d.pages++
	for _, h := range hits {
		if h.count > 0 {
			d.df[h.entity]++
		}
	}
}
