package keyword

import "math"

// rarity learns the rarity of each term: its inverse document frequency over the pages judged so far,
// relative to that of the other terms.
type rarity struct {
	pages  int64
	df     []int64   // by term: pages that name it
	shares []float64 // by term, current: about 1, more for a rare term, less for a common one
}

func newRarity(terms int) rarity {
	r := rarity{df: make([]int64, terms), shares: make([]float64, terms)}
	r.weigh()
	return r
}

// weigh computes the shares: ln(1 + (N+1)/(df+1)), divided by its mean over the terms, weighted by their
// document frequency. A term on hardly any page thus does not devalue the others, and all shares are 1 at the
// first page.
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
