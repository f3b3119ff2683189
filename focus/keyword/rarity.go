package keyword

import "math"

// rarity learns how rare each term is: its inverse document frequency over the pages judged so far,
// against that of the others.
type rarity struct {
	pages  int64
	df     []int64   // by term: pages that name it
	shares []float64 // by term, as of now: about 1, more for a rare term, less for a common one
}

func newRarity(terms int) rarity {
	r := rarity{df: make([]int64, terms), shares: make([]float64, terms)}
	r.weigh()
	return r
}

// weigh computes the shares: ln(1 + (N+1)/(df+1)), divided by the mean of that over the terms, each as
// often as pages name it. So a term that hardly any page has does not make the others worth nothing, and
// all are 1 at the first page.
func (r *rarity) weigh() {
	sum, weight := 0.0, 0.0
	for t, df := range r.df {
		r.shares[t] = math.Log(1 + float64(r.pages+1)/float64(df+1))
		sum += float64(df+1) * r.shares[t]
		weight += float64(df + 1)
	}
	for t := range r.shares {
		r.shares[t] *= weight / sum
	}
}

// learn counts the terms of a page.
func (r *rarity) learn(hits []hit) {
	r.pages++
	for _, h := range hits {
		r.df[h.term]++
	}
	r.weigh()
}
